//! The absolute loss of a committee, with labels 1 and -1 (note 002, (28)-(30)).
//!
//! For balanced classes it is `1/2 E_1[1 - y] + 1/2 E_0[1 + y]` while `|y| <= 1` (L002.22); the output of an erf unit on Gaussian
//! data has the mean `erf(b / sqrt(2 (1 + s^2)))` (L003.38).

use super::prelude::*;
use super::simulated_loss::{Committee, LENGTHS, Weights, bump, simulated, task, variances};
use fovea_core::activation;
use fovea_sim::loss;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "absolute-loss",
    summary: "The absolute loss is linear in the output while that is at most 1 in size, with the class weights.",
    covers: &["L002.22/erf", "L002.22/relu"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![absolute(effort)?, beyond_one(effort)?])
}

/// Three erf units with biases, so that 1/K is not the weight of a class: loss and gradient, linear in the output.
fn absolute(effort: &Effort) -> Result<Comparison, LabError> {
    let rows = LENGTHS.map(|xi| kernel_row(12, xi, Kernel::Ring));
    let [second, third] = [1.7, 0.9].map(|turn| -> Vec<f64> {
        (0..12).map(|i| libm::cos(0.4 + turn * f64::from(i))).collect()
    });
    let (w, biases) = (bump(1.0), [-1.0, 0.6, 0.3]);
    // E erf((S + b)/sqrt 2) = erf(b / sqrt(2 (1 + s^2))) in each class, for the first unit's weights and bias.
    let loss = |first: &[f64]| {
        let (w, bias) = first.split_at(12);
        let units = [(w, bias[0]), (&second[..], biases[1]), (&third[..], biases[2])];
        let answer = |row: &[f64]| {
            let mean =
                |(w, b): (&[f64], f64)| libm::erf(b / (2.0 * (1.0 + form(row, w, w))).sqrt());
            units.map(mean).iter().sum::<f64>() / 3.0
        };
        0.5 * (1.0 - answer(&rows[0])) + 0.5 * (1.0 + answer(&rows[1]))
    };
    let first = [&w[..], &biases[..1]].concat();
    let right = [vec![loss(&first)], gradient(&first, 1e-3, loss)].concat();
    // The class weights left out, as in (28)-(30).
    let source = scaled(2.0, &right);
    let closed = effort.slip("L002.22", "the class weights 1/2 left out", right, source.clone());
    let weights = [&w[..], &second[..], &third[..]].concat();
    let units = Committee {
        activation: &activation::erf::ENTRY,
        width: 3,
        weights: Weights::Given(&weights),
        biases: &biases,
    };
    let task = task(12, LENGTHS, 0.0, -1.0)?;
    let found = simulated(effort, ("l1/erf", &task, &loss::l1::ENTRY), &units, (100, 4096))?;
    let pairs: Vec<_> = found.into_iter().zip(closed).collect();
    let what = "three erf units with biases, labels 1 and -1, Gaussian classes, n = 12, xi_pos = 2, xi_neg = 1: 1/2 E_1[1 - y] + 1/2 E_0[1 + y] by the \
                mean outputs in closed form and its difference quotients by the weights and the bias of one unit, and the simulator's absolute loss and its gradient";
    Ok(Comparison::noise(&["L002.22/erf"], what, &pairs).source(&source))
}

/// One ReLU unit, whose output exceeds 1: the linear form does not hold.
fn beyond_one(effort: &Effort) -> Result<Comparison, LabError> {
    let task = task(12, LENGTHS, 0.0, -1.0)?;
    let (mut pairs, mut linear) = (Vec::new(), Vec::new());
    for height in [0.5, 1.5] {
        let w = bump(height);
        let [pos, neg] = variances(&w).map(f64::sqrt);
        let mean = |s: f64, of: &dyn Fn(f64) -> f64| {
            normal_expectation(|z| of((s * z).max(0.0)), &[0.0, 1.0 / s]).value
        };
        let size =
            effort.slip("L002.22", "linear beyond |y| = 1", f64::abs as fn(f64) -> f64, |x| x);
        pairs.push((
            simulated(
                effort,
                (&format!("l1/relu/{height}"), &task, &loss::l1::ENTRY),
                &Committee {
                    activation: &activation::relu::ENTRY,
                    width: 1,
                    weights: Weights::Given(&w),
                    biases: &[0.0],
                },
                (60, 4096),
            )?[0],
            0.5 * mean(pos, &|y| size(1.0 - y)) + 0.5 * mean(neg, &|y| 1.0 + y),
        ));
        linear.push(0.5 * mean(pos, &|y| 1.0 - y) + 0.5 * mean(neg, &|y| 1.0 + y));
    }
    let what = "one ReLU unit without bias, labels 1 and -1, Gaussian classes, n = 12, xi_pos = 2, xi_neg = 1, bumps of height 0.5 and 1.5: 1/2 E_1|1 - y| + 1/2 E_0[1 + y] by quadrature, and the \
                simulator's absolute loss; the linear form holds only up to |y| = 1";
    Ok(Comparison::noise(&["L002.22/relu"], what, &pairs)
        .against("the linear form at every output", &linear))
}
