//! How far the kernel of a finite layer lies from its mean: the tail of a sum of matrices, its variance, its summands (lectures, topic 12).

use super::drawn_networks::{over_networks, shape};
use super::one_layer::{difference, draw, mean_products, unit, values};
use super::prelude::*;
use fovea_core::agree::order;
use fovea_core::quadrature::gauss_hermite;
use fovea_sim::mlp::{Mlp, Parametrisation, Shape, WeightLaw};
use fovea_theory::ntk::concentration::Args;
use fovea_theory::ntk::gram::{Part, gram};

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "kernel-concentration",
    summary: "Tails, variance and summands of the kernel of a finite layer about its mean.",
    covers: &["T12.2", "T12.3", "T12.9"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let tails = signs().and(sign_matrices(effort)?).and(kernel_tail(effort)?);
    let far = concentration(effort)?.and(by_inputs(effort)?);
    Ok(vec![tails, far, summands(effort)?])
}

const TAIL: &[&str] = &["T12.2"];

/// The bound `2 m exp(-(t^2/2)/(v + R t/3))`, the same without m, and the printed one.
fn bounds(args: &Args) -> [f64; 3] {
    let (n, t) = (args.n as f64, args.t);
    let printed = libm::exp(-t * t / (args.spread / n + args.range / n * t / 3.0));
    [args.tail(), Args { m: 1, ..*args }.tail(), printed]
}

/// 1 for a bound that is kept, 0 for one that is not.
fn kept(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

/// Signs in a mean, and matrices whose entries on the diagonal are such means.
const SIGNS: usize = 100;
const SIDE: usize = 40;

/// Probability that the mean of 100 signs has this size or more, by factorials.
fn sign_tail(t: f64) -> f64 {
    let factorial = |n: usize| libm::lgamma(n as f64 + 1.0);
    let chance = |k: usize| {
        let ways = factorial(SIGNS) - factorial(k) - factorial(SIGNS - k);
        libm::exp(ways - SIGNS as f64 * libm::log(2.0))
    };
    2.0 * (0..=SIGNS / 2).filter(|k| 1.0 - 0.02 * *k as f64 > t - 0.01).map(chance).sum::<f64>()
}

/// The largest of 40 such means.
fn largest_tail(one: f64) -> f64 {
    1.0 - libm::pow(1.0 - one, SIDE as f64)
}

/// One mean of signs and the largest of 40, exactly, beside the three bounds.
fn signs() -> Comparison {
    // Chances of sums of signs, one more sign at a time: nothing in common with factorials.
    let mut chances = vec![1.0];
    for _ in 0..SIGNS {
        let half = |k: usize| 0.5 * chances.get(k).copied().unwrap_or(0.0);
        chances =
            (0..=chances.len()).map(|k| half(k) + k.checked_sub(1).map_or(0.0, half)).collect();
    }
    let tail = |far: usize| -> f64 {
        let beyond = chances.iter().enumerate().filter(|(k, _)| k.abs_diff(50) >= far);
        beyond.map(|(_, chance)| chance).sum()
    };
    let of = |m: usize, t: f64, p: f64| {
        bounds(&Args { m, n: SIGNS, range: 1.0, spread: 1.0, t }).map(|bound| kept(p <= bound))
    };
    let (one, far) = (tail(10), largest_tail(tail(20)));
    let [scalar, matrix] = [of(1, 0.2, one), of(SIDE, 0.4, far)];
    // Far out by its own size.
    let ratio = far / largest_tail(sign_tail(0.4));
    let measured = [one, scalar[0], scalar[2], ratio, matrix[0], matrix[1], matrix[2]];
    let p = sign_tail(0.2);
    let what = "a mean of 100 signs is 0.2 or more in size with probability 0.0569, by factorials, and by adding signs; it keeps (1) the bound 2 m exp(-(t^2/2)/(v + R t/3)) = 0.307 and not (0) the printed 0.0235; the largest of 40 such means is 0.4 or more with probability 0.0031, which keeps the bound 0.069 with m = 40, not 0.0017 without the m, and not the printed one";
    Comparison::digits(TAIL, what, &[p, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0], &measured)
        .source(&[p, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
}

/// Sums of 100 diagonal matrices of 40 random signs, drawn.
fn sign_matrices(effort: &Effort) -> Result<Comparison, LabError> {
    let shape = Shape {
        law: WeightLaw::Rademacher,
        parametrisation: Parametrisation::Ntk,
        ..shape("identity", SIGNS, &[SIDE], [1.0, 0.0])
    };
    let [far] = over_networks(effort, &shape, "sign matrices", 16_000, |mlp| {
        let mean = |row: &[f64]| row.iter().sum::<f64>().abs() / SIGNS as f64;
        // Sums of signs are even numbers: nothing lies near 20 but 20 itself.
        [kept(mlp.layers[0].weights.chunks(SIGNS).any(|row| mean(row) > 0.195))]
    })?;
    let exact = largest_tail(sign_tail(0.2));
    let what = "probability that a mean of 100 diagonal matrices of 40 signs has norm 0.2 or more, 1 - (1 - p)^40, and drawn ones";
    Ok(Comparison::noise(TAIL, what, &[(far, exact)]))
}

/// Six inputs at equal angles.
const SIX: [f64; 6] = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5];

/// Kernels of 200 units at six inputs, drawn, beside the bounds with their own variance.
fn kernel_tail(effort: &Effort) -> Result<Comparison, LabError> {
    let (n, t, x) = (200, 0.1, unit(&SIX));
    let mean = gram(&named("tanh"), &SIX, Part::Value)?;
    let count = effort.samples(4000) as u64;
    let streams = effort.streams.part("kernel tail");
    let beyond = |i: u64| {
        let kernel = mean_products(&values(&draw(n, &streams.replica(i)), &x));
        Ok(kept(operator_norm(&difference(&kernel, &mean))? >= t))
    };
    let beyond: Result<Vec<f64>, LabError> = (0..count).map(beyond).collect();
    let share = Estimate::from_samples(&beyond?)?;
    // The mean square of one matrix: E[|s|^2 s s'] - (E[s s'])^2, over both entries of a weight.
    let rule = gauss_hermite(60);
    let entry = |a: usize, b: usize| {
        let square: f64 = (0..6).map(|c| mean[a][c] * mean[c][b]).sum();
        let fourth = rule.integrate(|u| {
            rule.integrate(|w| {
                let s: Vec<f64> = x.chunks(2).map(|x| libm::tanh(u * x[0] + w * x[1])).collect();
                s.iter().map(|s| s * s).sum::<f64>() * s[a] * s[b]
            })
        });
        fourth - square
    };
    let spread: Vec<Vec<f64>> = (0..6).map(|a| (0..6).map(|b| entry(a, b)).collect()).collect();
    let spread = operator_norm(&spread)?;
    let [right, _, printed] = bounds(&Args { m: 6, n, range: 6.0, spread, t });
    // Five standard errors on the side of doubt.
    let margin = 5.0 * share.se();
    let measured = [kept(share.mean() + margin <= right), kept(share.mean() - margin <= printed)];
    let what = format!(
        "kernels of 200 tanh units at six inputs lie 0.1 or more from their mean with probability {:.3} (s.e. {:.3}): the bound, {right:.2}, is kept (1), the printed one {printed:.3} is not (0), five standard errors clear",
        share.mean(),
        share.se(),
    );
    Ok(Comparison::digits(TAIL, what, &[1.0, 0.0], &measured).source(&[1.0, 1.0]))
}

const X: [f64; 3] = [0.0, 1.0, 2.5];

/// Distance of the kernel of n units from its mean, over five widths.
fn concentration(effort: &Effort) -> Result<Comparison, LabError> {
    let mean = gram(&named("tanh"), &X, Part::Value)?;
    let widths = [100_usize, 200, 400, 800];
    let x = unit(&X);
    let count = effort.samples(6000);
    let streams = effort.streams.part("concentration");
    let slope = |index: u64| -> Result<f64, LabError> {
        let streams = streams.replica(index);
        let far = widths.iter().map(|n| {
            let mlp = draw(*n, &streams.part(&n.to_string()));
            operator_norm(&difference(&mean_products(&values(&mlp, &x)), &mean))
        });
        let far: Vec<f64> = far.collect::<Result<_, _>>()?;
        Ok(order(&widths.map(|n| n as f64), &far).unwrap_or(f64::NAN))
    };
    let slopes: Result<Vec<f64>, LabError> = (0..count as u64).map(slope).collect();
    let estimate = Estimate::from_samples(&slopes?)?;
    let what = "exponent in the width of |K - E K| for three inputs, -1/2, and drawn layers of 100 to 800 tanh units";
    Ok(Comparison::noise(&["T12.3"], what, &[(estimate, -0.5)])
        .coarse("an exponent over a factor of eight in the width"))
}

/// The variance of the sum at 2, 8 and 24 inputs, orthonormal and all equal, at one width.
fn by_inputs(effort: &Effort) -> Result<Comparison, LabError> {
    let n = 40;
    let square = |z: f64| libm::tanh(z) * libm::tanh(z);
    let q = trapezoids(1.0, square);
    let fourth = trapezoids(1.0, |z| square(z) * square(z));
    let (mut pairs, mut source) = (Vec::new(), Vec::new());
    for m in [2, 8, 24] {
        // One input an entry: preactivations of a unit are independent and of variance one.
        let shape = shape("tanh", m, &[n], [m as f64, 0.0]);
        let identity: Vec<f64> =
            (0..m * m).map(|i| f64::from(u8::from(i % (m + 1) == 0))).collect();
        let kernel = |mlp: &Mlp| {
            let s: Vec<Vec<f64>> =
                mlp.forward(&identity).h[1].chunks(n).map(<[f64]>::to_vec).collect();
            mean_products(&s)
        };
        let part = format!("inputs {m}");
        let [apart, equal] = over_networks(effort, &shape, &part, 600_000 / (m * m), |mlp| {
            let k = kernel(mlp);
            // (K - E K)^2 has the same mean in every direction: its trace over m.
            let gap = |a: usize, b: usize| k[a][b] - if a == b { q } else { 0.0 };
            let total: f64 = (0..m)
                .flat_map(|a| (0..m).map(move |b| (a, b)))
                .map(|(a, b)| gap(a, b) * gap(a, b))
                .sum();
            // The first input m times: all entries are the same.
            let norm = m as f64 * gap(0, 0);
            [total / m as f64, norm * norm]
        })?;
        let of_m = m as f64;
        let spread = fourth - q * q;
        pairs.push((apart, (spread + (of_m - 1.0) * q * q) / n as f64));
        pairs.push((equal, of_m * of_m * spread / n as f64));
        // Of order m/n in both cases, from what two inputs have.
        source.extend([pairs[pairs.len() - 2].1, 2.0 * of_m * spread / n as f64]);
    }
    let what = "|E (K - E K)^2| of 40 tanh units at m = 2, 8 and 24 inputs: (E s^4 - 2 q^2 + m q^2)/n, of order m/n, where they are orthonormal and |E K| = q = E s^2, and m^2 (E s^4 - q^2)/n where they are equal and |E K| = m q, as |E K| m/n has it; and drawn layers";
    Ok(Comparison::noise(&["T12.3"], what, &pairs)
        .against("order m/n for equal inputs too", &source))
}

/// The summands of the Bernstein bound add up to the deviation, and each is at most m/n.
fn summands(effort: &Effort) -> Result<Comparison, LabError> {
    let n = 40;
    let mean = gram(&named("tanh"), &X, Part::Value)?;
    let mlp = draw(n, &effort.streams.part("summands"));
    let x = unit(&X);
    let total = difference(&mean_products(&values(&mlp, &x)), &mean);
    let of_unit = |k: usize, share: f64| -> Vec<Vec<f64>> {
        let w = &mlp.layers[0].weights[2 * k..2 * k + 2];
        let s: Vec<f64> = x.chunks(2).map(|x| libm::tanh(w[0] * x[0] + w[1] * x[1])).collect();
        let entry = |a: usize, b: usize| s[a] * s[b] / n as f64 - share * mean[a][b];
        (0..3).map(|a| (0..3).map(|b| entry(a, b)).collect()).collect()
    };
    let read = |share: f64| -> Result<[f64; 4], LabError> {
        let parts: Vec<Vec<Vec<f64>>> = (0..n).map(|k| of_unit(k, share)).collect();
        let sum = |a: usize, b: usize| parts.iter().map(|part| part[a][b]).sum::<f64>();
        let sizes =
            parts.iter().map(|part| operator_norm(part)).collect::<Result<Vec<f64>, _>>()?;
        let small = sizes.iter().filter(|size| **size <= 3.0 / n as f64).count();
        Ok([sum(0, 0), sum(0, 1), sum(1, 2), small as f64 / n as f64])
    };
    let measured = [total[0][0], total[0][1], total[1][2], 1.0];
    let what = "sum over 40 tanh units of S_j = (K_j - E K)/n in three entries, and the share of them with norm at most m/n; and K - E K, and 1";
    Ok(Comparison::digits(&["T12.9"], what, &read(1.0 / n as f64)?, &measured).source(&read(1.0)?))
}
