//! The summands of the kernel of a finite layer, centred and bounded as the matrix Bernstein bound needs (lectures, topic 12).

use super::kernel_concentration::{X, mean_of, moments};
use super::one_layer::{draw, unit};
use super::prelude::*;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "kernel-summands",
    summary: "Mean and norm of the summands of the kernel of a finite layer.",
    covers: &["T12.9/centred", "T12.9/norm"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![centred(effort)?, norms(effort)?])
}

/// `K_j` of one unit at three inputs.
fn of_unit(w: &[f64], x: &[f64]) -> Vec<Vec<f64>> {
    let s: Vec<f64> = x.chunks(2).map(|x| libm::tanh(w[0] * x[0] + w[1] * x[1])).collect();
    s.iter().map(|a| s.iter().map(|b| a * b).collect()).collect()
}

const UNITS: usize = 40;

/// What is subtracted from the summand of one of n units so that it is centred.
fn centred(effort: &Effort) -> Result<Comparison, LabError> {
    let mean = mean_of(effort)(&X)?;
    let n = UNITS as f64;
    let drawn = effort.once("summands", || -> Result<_, LabError> {
        let (x, streams) = (unit(&X), effort.streams.part("summands"));
        let layers = effort.samples(2000) as u64;
        let one = |i: u64| -> Vec<Vec<Vec<f64>>> {
            let mlp = draw(UNITS, &streams.replica(i));
            mlp.layers[0].weights.chunks(2).map(|w| of_unit(w, &x)).collect()
        };
        let all: Vec<Vec<Vec<f64>>> = (0..layers).flat_map(one).collect();
        let of = |a: usize, b: usize| {
            Estimate::from_samples(&all.iter().map(|k| k[a][b] / n).collect::<Vec<_>>())
        };
        Ok([of(0, 0)?, of(0, 1)?, of(1, 2)?])
    })?;
    let entries = [mean[0][0], mean[0][1], mean[1][2]];
    let pairs: Vec<_> = drawn.into_iter().zip(entries.map(|entry| entry / n)).collect();
    let what = "mean of three entries of K_j/n over random units of layers of 40, three inputs, tanh: E K/n by quadrature, which S_j = (K_j - E K_j)/n subtracts; the source subtracts E K";
    Ok(Comparison::noise(&["T12.9/centred"], what, &pairs).source(&entries))
}

/// Norms of the centred summands.
fn norms(effort: &Effort) -> Result<Comparison, LabError> {
    let found = effort.once("norms", || -> Result<_, LabError> {
        let x = unit(&X);
        let mean = &moments(&x)[0];
        let mlp = draw(UNITS, &effort.streams.part("norms"));
        let mut found = [Vec::new(), Vec::new()];
        for w in mlp.layers[0].weights.chunks(2) {
            let k = of_unit(w, &x);
            for (found, share) in found.iter_mut().zip([1.0 / UNITS as f64, 1.0]) {
                let entry = |a: usize, b: usize| k[a][b] / UNITS as f64 - share * mean[a][b];
                let rows: Vec<Vec<f64>> =
                    (0..3).map(|a| (0..3).map(|b| entry(a, b)).collect()).collect();
                found.push(operator_norm(&rows)?);
            }
        }
        Ok(found)
    })?;
    let inputs = effort.slip("norm of a summand", "at most 1/n, without m", 3.0, 1.0);
    let below = |norms: &[f64], bound: f64| {
        norms.iter().filter(|norm| **norm <= bound / UNITS as f64).count()
    };
    let what = "of the 40 units of a random tanh layer at three inputs, those whose summand (K_j - E K_j)/n has a norm of at most m/n, E K by quadrature; without a bound one is assumed to obey with chance 1/2";
    Ok(Comparison::all(&["T12.9/norm"], what, (below(&found[0], inputs), UNITS), 0.5)
        .against_cases("the source's summand K_j/n - E K_j", (below(&found[1], 3.0), UNITS)))
}
