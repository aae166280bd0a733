//! The share of an error that one step of gradient descent leaves on a quadratic loss (lectures, topic 4).

use super::prelude::*;
use fovea_core::Value;
use fovea_theory::rates::contraction::{self, factor};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "contraction",
    summary: "The share of an error that one step of descent on a quadratic loss leaves.",
    covers: &["T04.2/factor", "T04.2/best"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![contraction(effort), best_rate(effort)?])
}

const EIGS: [f64; 2] = [0.5, 3.0];

/// The length to which one step on `(x^2 - 2 x y + 5/2 y^2)/2`, which has these curvatures along (2, 1) and (-1, 2), reduces an error of length 1:
/// in the worst of 1001 directions of the plane.
fn worst_left(lr: f64) -> f64 {
    let left = |angle: f64| {
        let (y, x) = libm::sincos(angle);
        libm::hypot(x - lr * (x - y), y - lr * (2.5 * y - x))
    };
    let first = libm::atan2(1.0, 2.0);
    (0..=1000).map(|i| left(first + f64::from(i) * FRAC_PI_2 / 1000.0)).fold(0.0, f64::max)
}

/// Curvatures and a learning rate, and the contraction.
type Factor = fn(&[f64], f64) -> f64;

fn contraction(effort: &Effort) -> Comparison {
    let printed: Factor = |eigs, lr| (1.0 - lr * eigs[0]).abs();
    let of: Factor = effort.form(&contraction::ENTRY, factor, printed);
    // The best rate, 4/7, lies between the second and the third: the printed factor holds below it.
    let rates = [0.3, 0.5, 0.6, 0.65];
    let predicted = rates.map(|lr| of(&EIGS, lr));
    let source = rates.map(|lr| printed(&EIGS, lr));
    let what = "largest share of an error that one step leaves, curvatures 0.5 and 3, rates 0.3, 0.5, 0.6 and 0.65: max |1 - lr lambda|, and the worst of 1001 directions of a step on the loss (x^2 - 2 x y + 5/2 y^2)/2";
    Comparison::digits(&["T04.2/factor"], what, &predicted, &rates.map(worst_left)).source(&source)
}

/// The rate at which the worst direction is best, by thirds: the worst factor falls, then rises.
fn best_rate(effort: &Effort) -> Result<Comparison, LabError> {
    let found = contraction::ENTRY.at(&vec![("eigs".to_owned(), Value::reals(&EIGS))])?;
    let number = |key: &str| found.get(key).and_then(Value::as_real).unwrap_or(f64::INFINITY);
    let predicted = effort.slip(
        "best learning rate",
        "1/lambda_max, and the share it leaves",
        [number("best_lr"), number("best_factor")],
        [1.0 / EIGS[1], 1.0 - EIGS[0] / EIGS[1]],
    );
    let (mut low, mut high) = (0.0, 2.0 / EIGS[1]);
    for _ in 0..90 {
        let (a, b) = ((2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0);
        if worst_left(a) < worst_left(b) { high = b } else { low = a }
    }
    let what = "the learning rate that leaves the smallest share of an error in the worst direction, and that share, curvatures 0.5 and 3: 2/(lambda_min + lambda_max) and (kappa - 1)/(kappa + 1), and a search by thirds over steps on the same loss";
    Ok(Comparison::digits(&["T04.2/best"], what, &predicted, &[low, worst_left(low)]))
}
