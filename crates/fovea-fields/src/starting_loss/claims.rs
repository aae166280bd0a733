//! What is claimed of the losses, what is kept of them, and what a person reads.

use super::measure::{ACTS, Act, AtGain};
use super::{Found, StartingLoss};
use fovea_desk::prelude::*;
use fovea_desk::two_class::GAUSSIAN_GAIN;

/// The ends of the gain beside their closed forms, and every gain beside the formula with the norms it has.
pub(super) fn claims(settings: &StartingLoss, found: &Found) -> Result<Vec<Claim>, LabError> {
    let Found { theory, gains } = found;
    let mut claims = Vec::new();
    for (a, act) in ACTS.into_iter().enumerate() {
        let (id, unit, kept) = match act {
            Act::Relu => ("L002.21", "ReLU", "the mean of |S| for that of its gated half"),
            Act::Erf => ("L002.20", "erf", "twice the output power of a unit"),
        };
        let (mut ends, mut other) = (Vec::new(), Vec::new());
        let (mut between, mut wrong) = (Vec::new(), Vec::new());
        for at in gains {
            for (w, width) in settings.width.iter().enumerate() {
                let (loss, job) = (at.loss[a][w], (act, *width));
                let [gaussian, signs] = [&theory.gaussian, &theory.signs]
                    .map(|fields| theory.loss(act, *width, fields));
                if at.gain <= GAUSSIAN_GAIN / 2.0 {
                    ends.push((loss, gaussian));
                    other.push((loss, signs));
                } else if at.gain.is_infinite() {
                    ends.push((loss, signs));
                    other.push((loss, gaussian));
                }
                between.push(theory.without_fields(job, loss, &at.fields, 1.0)?);
                wrong.push(theory.without_fields(job, loss, &at.fields, 2.0)?);
            }
        }
        if !ends.is_empty() {
            let statement = format!(
                "{unit}: the mean loss of drawn weights on Gaussian fields and on signs is the closed form's"
            );
            let fixed = "a loss that stays fixed: that of the other end of the gain";
            claims.push(Claim::family(id, statement, &ends).rejecting(fixed, &other));
        }
        let statement = format!(
            "{unit}: at every gain and width the mean loss less what the norms of the fields put into it is a constant"
        );
        claims.push(Claim::family(id, statement, &between).rejecting(kept, &wrong));
    }
    Ok(claims)
}

/// Mean and standard error of every loss, a row per gain and a column per width.
pub(super) fn arrays(all: &[AtGain]) -> Vec<Array> {
    let rows = |a: usize, part: fn(&Estimate) -> f64| -> Vec<Vec<f64>> {
        all.iter().map(|at| at.loss[a].iter().map(part).collect()).collect()
    };
    let norms: Vec<f64> = all.iter().map(|at| at.fields.norm_pos.mean()).collect();
    let mut arrays = vec![Array::of_entries("norm_pos", &norms)];
    for (a, act) in ACTS.into_iter().enumerate() {
        let name = format!("{act:?}").to_lowercase();
        arrays.push(Array::of_rows(format!("loss_{name}"), &rows(a, Estimate::mean)));
        arrays.push(Array::of_rows(format!("standard_error_{name}"), &rows(a, Estimate::se)));
    }
    arrays
}

/// One line per gain.
pub(super) fn summary(settings: &StartingLoss, found: &Found) -> Vec<String> {
    let Found { theory, gains } = found;
    let widths = settings.width.iter().map(|k| format!("{:>22}", format!("K = {k}")));
    let header = format!("{:>8} {:>9}{}", "gain", "E|X_pos|", widths.collect::<String>());
    let mut lines = vec![header];
    for (a, act) in ACTS.into_iter().enumerate() {
        lines.push(format!("{act:?}").to_lowercase());
        for at in gains {
            let losses = at.loss[a].iter().map(|e| format!("{:>12.5} +- {:.5}", e.mean(), e.se()));
            let gain = Value::Real(at.gain).to_string();
            let norm = at.fields.norm_pos.mean();
            lines.push(format!("{gain:>8} {norm:>9.4} {}", losses.collect::<String>()));
        }
        for (name, fields) in [("closed 0", &theory.gaussian), ("closed inf", &theory.signs)] {
            let widths = settings.width.iter();
            let losses =
                widths.map(|k| format!("{:>12.5}           ", theory.loss(act, *k, fields)));
            lines.push(format!(
                "{name:>8} {:>9.4} {}",
                fields.norm_pos,
                losses.collect::<String>()
            ));
        }
    }
    lines
}
