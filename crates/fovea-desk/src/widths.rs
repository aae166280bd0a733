//! What the experiments on many networks share: examples on a circle, descent, kernels, and exponents and limits in the width.

use crate::depth::N_IN;
use crate::desk::Desk;
use crate::error::{LabError, refused};
use crate::showing::told_apart;
use fovea_core::agree::{extrapolate, order};
use fovea_core::params::ParamError;
use fovea_core::stats::Estimate;
use fovea_core::symmetric::operator_norm;
use fovea_core::vector::{dot, mean};
use fovea_page::table::Table;
use fovea_record::claim::Claim;
use fovea_sim::mlp::{Descent, Examples, Mlp};
use fovea_sim::schedule::constant::Constant;
use fovea_theory::averages::Pair;
use fovea_theory::layer::Layer;
use fovea_theory::ntk::kernel::kernels;
use fovea_theory::ntk::linearised::Linearised;
use std::f64::consts::TAU;

/// Angles that share a circle evenly; no two inputs are opposite where their number is odd.
pub fn angles(count: usize) -> Vec<f64> {
    (0..count).map(|i| TAU * i as f64 / count as f64).collect()
}

/// Inputs at these angles; the target is the cosine of twice the angle plus half its sine.
pub fn on_circle(angles: &[f64]) -> Examples {
    let root = (N_IN as f64).sqrt();
    let x = angles.iter().flat_map(|a| [root * libm::cos(*a), root * libm::sin(*a)]).collect();
    let y = angles.iter().map(|a| libm::cos(2.0 * a) + 0.5 * libm::sin(*a)).collect();
    Examples::new(angles.len(), x, y)
}

/// Covariance and tangent kernel of infinitely wide networks at inputs [`on_circle`], as matrices.
///
/// # Errors
/// A Gaussian average is not finite.
pub fn limits(
    layer: &Layer,
    angles: &[f64],
    layers: usize,
) -> Result<[Vec<Vec<f64>>; 2], LabError> {
    let size = layer.c_b + layer.c_w;
    let empty = vec![vec![0.0; angles.len()]; angles.len()];
    let [mut k, mut theta] = [empty.clone(), empty];
    for (i, a) in angles.iter().enumerate() {
        for (j, b) in angles[..=i].iter().enumerate() {
            let ab = layer.c_b + layer.c_w * libm::cos(a - b);
            let found = kernels(layer, Pair { aa: size, bb: size, ab }, layers)?;
            (k[i][j], k[j][i]) = (found.k.ab, found.k.ab);
            (theta[i][j], theta[j][i]) = (found.theta.ab, found.theta.ab);
        }
    }
    Ok([k, theta])
}

/// The tangent kernel of a network on examples as rows, each layer times its rate.
pub fn kernel_rows(mlp: &Mlp, set: &Examples, rates: &[f64]) -> Vec<Vec<f64>> {
    let pass = mlp.forward(&set.x);
    let layers = mlp.tangent_by_layer(&pass, 0);
    let entry = |i: usize| layers.iter().zip(rates).map(|(layer, rate)| rate * layer[i]).sum();
    (0..set.count).map(|a| (0..set.count).map(|b| entry(a * set.count + b)).collect()).collect()
}

/// The condition number of the infinite tangent kernel of examples that share a circle evenly.
///
/// # Errors
/// A Gaussian average is not finite.
pub fn condition(layer: &Layer, examples: usize, layers: usize) -> Result<Table, LabError> {
    let [_, theta] = limits(layer, &angles(examples), layers)?;
    let condition = Linearised::new(&theta, &vec![1.0; examples])?.condition();
    Ok(Table::of("infinite_kernel", &[condition]).digits("condition", 4, |condition| *condition).caption(
        "Condition number of the infinite tangent kernel of the examples. It is infinite where some examples are opposite (their \
         number is even) and the activation is odd: the part of the target that is not odd is never learnt.",
    ))
}

/// The length of the difference of two vectors.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// The operator norm of the difference of two symmetric matrices.
///
/// # Errors
/// The difference is not finite, or its eigenvalues cannot be found.
pub fn operator_distance(a: &[Vec<f64>], b: &[Vec<f64>]) -> Result<f64, LabError> {
    // An entry and its mirror image are made equal: their rounding may be a large part of a small difference.
    let entry = |i: usize, j: usize| a[i.min(j)][i.max(j)] - b[i.min(j)][i.max(j)];
    let rows: Vec<Vec<f64>> =
        (0..a.len()).map(|i| (0..a.len()).map(|j| entry(i, j)).collect()).collect();
    Ok(operator_norm(&rows)?)
}

/// Work on `nets` networks of every width, network by network, so that the share of work done is representative at any time: `[network][width]`.
///
/// # Errors
/// The run was stopped, or an item failed.
pub fn by_width<R: Send>(
    (nets, widths): (usize, &[usize]),
    desk: &Desk<'_>,
    work: impl Fn(u64, usize) -> Result<R, LabError> + Sync + Send,
) -> Result<Vec<Vec<R>>, LabError> {
    let all: Vec<(u64, usize)> =
        (0..nets as u64).flat_map(|i| widths.iter().map(move |n| (i, *n))).collect();
    let mut done = desk.try_fleet(&all, |(index, n)| work(*index, *n))?.into_iter();
    Ok((0..nets).map(|_| done.by_ref().take(widths.len()).collect()).collect())
}

/// Descent on all examples at a constant rate; `read` sees the network before every step. The number of steps taken, fewer where the next would diverge.
///
/// # Errors
/// The run was stopped.
pub fn descend(
    mlp: &mut Mlp,
    set: &Examples,
    (lr, rates, steps): (f64, &[f64], u64),
    desk: &Desk<'_>,
    mut read: impl FnMut(u64, &Mlp),
) -> Result<u64, LabError> {
    let descent = Descent { lr, rates, schedule: &Constant::default(), batch: None, steps };
    let taken = descent.run(mlp, set, &desk.streams(), |step, mlp| {
        read(step, mlp);
        desk.go_on().is_ok()
    });
    desk.go_on()?;
    Ok(taken)
}

/// The exponent in the width of what each replica measured at every width, as a mean over replicas.
///
/// # Errors
/// Fewer than two replicas, fewer than two widths, or a number that is not positive.
pub fn exponent(widths: &[usize], replicas: &[Vec<f64>]) -> Result<Estimate, LabError> {
    let x: Vec<f64> = widths.iter().map(|n| *n as f64).collect();
    let hint = "give several widths, and a rate at which training does not diverge";
    let what = |error| format!("no exponent in the width can be fitted: {error}");
    let slopes =
        replicas.iter().map(|row| order(&x, row).map_err(|error| refused(what(error), hint)));
    Ok(Estimate::from_samples(&slopes.collect::<Result<Vec<f64>, _>>()?)?)
}

/// The exponent in the width that is left at infinite width: of `y = C n^e exp(c/n)`, fitted to every replica, as a mean over replicas.
///
/// The correction of a finite network starts at order one over the width, and would bias an exponent fitted without it.
///
/// # Errors
/// Fewer than two replicas, fewer than four widths, or a number that is not positive.
pub fn limiting_exponent(widths: &[usize], replicas: &[Vec<f64>]) -> Result<Estimate, LabError> {
    check_widths(widths, 4)?;
    let log: Vec<f64> = widths.iter().map(|n| libm::log(*n as f64)).collect();
    let bend: Vec<f64> = widths.iter().map(|n| 1.0 / *n as f64).collect();
    let (log, bend) = (centred(&log), centred(&bend));
    // The part of the logarithms that is neither a constant nor one over the width.
    let share = dot(&log, &bend) / dot(&bend, &bend);
    let own: Vec<f64> = log.iter().zip(&bend).map(|(x, b)| x - share * b).collect();
    let slopes = replicas.iter().map(|row| {
        let usual = row.iter().all(|y| *y > 0.0 && y.is_finite());
        let y: Vec<f64> = row.iter().map(|y| libm::log(*y)).collect();
        usual.then(|| dot(&own, &y) / dot(&own, &own)).ok_or_else(|| {
            let what = format!("no exponent in the width can be fitted to {row:?}");
            refused(what, "choose a rate at which training does not diverge")
        })
    });
    Ok(Estimate::from_samples(&slopes.collect::<Result<Vec<f64>, _>>()?)?)
}

/// A claim on estimates at several widths, extrapolated to infinite width in one over the width, with the predictions of theory and of the wrong form.
pub fn at_infinity(
    id: &'static str,
    statement: &str,
    wrong_form: &str,
    (widths, estimates): (&[f64], &[Estimate]),
    predicted: [f64; 2],
) -> Claim {
    match extrapolate(widths, estimates, 1.0) {
        Ok(value) => told_apart(id, statement, wrong_form, &[(value, predicted)]),
        Err(error) => {
            let why = format!("no line in one over the width through {widths:?}: {error}");
            Claim::undecided(id, statement, predicted[0], why)
        }
    }
}

fn centred(x: &[f64]) -> Vec<f64> {
    let mean = mean(x);
    x.iter().map(|x| x - mean).collect()
}

/// Several widths, each once, for experiments that fit an exponent.
///
/// # Errors
/// Fewer than `least`, or one twice.
pub fn check_widths(widths: &[usize], least: usize) -> Result<(), ParamError> {
    let mut sorted = widths.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() >= least && sorted.len() == widths.len() {
        return Ok(());
    }
    let hint = format!("give at least {least} widths, each once: an exponent is fitted to them");
    Err(refused(format!("`width` is {widths:?}"), hint))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_sim::mlp::Shape;

    #[test]
    fn an_exponent_is_found_and_widths_that_cannot_show_one_are_refused() {
        let rows: Vec<Vec<f64>> =
            (1..4).map(|c| [4.0, 8.0, 16.0].map(|n: f64| f64::from(c) / n).to_vec()).collect();
        let found = exponent(&[4, 8, 16], &rows).unwrap();
        assert!((found.mean() + 1.0).abs() < 1e-12);
        assert!(exponent(&[4, 8, 16], &[vec![1.0, 0.0, 1.0], vec![1.0; 3]]).is_err());
        assert!(check_widths(&[4, 8], 3).is_err() && check_widths(&[4, 8, 8], 3).is_err());
        assert!(check_widths(&[4, 8, 16], 3).is_ok());
    }

    #[test]
    fn the_limiting_exponent_is_free_of_what_is_in_one_over_the_width() {
        let widths = [4, 8, 16, 32];
        let rows: Vec<Vec<f64>> = (1..4)
            .map(|c| {
                let y = |n: usize| {
                    let n = n as f64;
                    f64::from(c) * libm::pow(n, -1.5) * libm::exp(f64::from(c) / n)
                };
                widths.map(y).to_vec()
            })
            .collect();
        let found = limiting_exponent(&widths, &rows).unwrap();
        assert!((found.mean() + 1.5).abs() < 1e-12 && found.se() < 1e-12, "{found:?}");
        assert!((exponent(&widths, &rows).unwrap().mean() + 1.5).abs() > 0.1);
        assert!(limiting_exponent(&widths[..3], &rows).is_err());
        assert!(limiting_exponent(&widths, &[vec![1.0, 0.0, 1.0, 1.0], vec![1.0; 4]]).is_err());
    }

    #[test]
    fn the_kernel_by_rows_is_the_sum_over_layers() {
        let shape = Shape { n_in: N_IN, widths: vec![6, 5], ..Shape::default() };
        let mlp = shape.draw(&fovea_core::streams::Streams::new(3));
        let set = on_circle(&angles(3));
        let whole = mlp.tangent(&mlp.forward(&set.x), 0);
        let rows = kernel_rows(&mlp, &set, &[1.0; 3]);
        assert!((rows[2][1] - whole[7]).abs() < 1e-14);
        let last = kernel_rows(&mlp, &set, &[0.0, 0.0, 2.0]);
        assert!(last[0][0] < 2.0 * rows[0][0]);
    }
}
