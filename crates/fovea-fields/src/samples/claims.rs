//! What is claimed of the counts, and of the tails, what is kept, and what a person reads.

use super::Samples;
use super::measure::Counted;
use fovea_desk::prelude::*;
use fovea_theory::nlgp::cov::cov;
use fovea_theory::nlgp::excess_kurtosis::excess_kurtosis;
use fovea_theory::nlgp::zero_crossings::of_neighbours;
use std::f64::consts::SQRT_2;

/// Whether the samples are enough to tell the count on the sites from that of a smooth field.
fn tells_smooth(classes: &[Counted]) -> Result<bool, LabError> {
    let mut far = false;
    for class in classes {
        let gap = class.smooth.map_or(0.0, |smooth| (smooth - class.predicted).abs());
        far |= gap > 8.0 * class.count()?.se();
    }
    Ok(far)
}

/// What the run says of the two footnotes.
pub(super) fn claims(settings: &Samples, classes: &[Counted]) -> Result<Vec<Claim>, LabError> {
    let (mut counts, mut wrong, mut moved, mut elsewhere) = (vec![], vec![], vec![], vec![]);
    let smooth = tells_smooth(classes)?;
    let (mut tails, mut rescaled) = (vec![], vec![]);
    for class in classes {
        let count = class.count()?;
        counts.push((count, class.predicted));
        let of_signs = of_neighbours(settings.n, cov(class.neighbours, f64::INFINITY));
        wrong.push((count, class.smooth.filter(|_| smooth).unwrap_or(of_signs)));
        elsewhere.push((class.sums.other_field.estimate()?, 0.0));
        for (g, gain) in settings.gain.iter().enumerate() {
            if g > 0 {
                moved.push((class.sums.moved[g].estimate()?, 0.0));
            }
            let fourth = class.sums.fourth[g].estimate()?;
            // Signs have no spread, and their kurtosis is a number.
            if fourth.se() > 1e-6 {
                tails.push((fourth, excess_kurtosis(*gain)));
                rescaled.push((fourth, excess_kurtosis(gain / SQRT_2)));
            }
        }
    }
    let form = if smooth {
        "Rice's formula for a smooth field, which counts between the sites too"
    } else {
        "the covariance of the signs in place of the latent one"
    };
    let crossings =
        Claim::family("L002.2", "the mean number of sign changes is n arccos(r_1)/pi", &counts)
            .rejecting(form, &wrong);
    let statement =
        "one latent field has the same number of sign changes at every gain, in every sample";
    let same = if moved.is_empty() {
        Claim::undecided("L002.2", statement, 0.0, "one gain has no other to be compared with")
    } else {
        // Exact: one sample out of all would be noticed, and there is no relative error of zero.
        let same = Claim::family("L002.2", statement, &moved);
        Claim { resolution: f64::NAN, ..same }.rejecting("two latent fields", &elsewhere)
    };
    let mut claims = vec![crossings, same];
    if !tails.is_empty() {
        let statement =
            "the tails are light: the excess kurtosis of a site is nlgp.excess_kurtosis";
        let tails = Claim::family("L002.3", statement, &tails);
        claims.push(tails.rejecting("the convention erf(g z/sqrt 2)", &rescaled));
    }
    Ok(claims)
}

/// The shown samples and the counts of every class.
pub(super) fn arrays(settings: &Samples, classes: &[Counted]) -> Vec<Array> {
    let mut arrays = Vec::new();
    for Counted { name, shown, tally, .. } in classes {
        arrays.push(Array {
            name: format!("samples_{name}"),
            shape: vec![settings.gain.len(), settings.shown, settings.n],
            data: shown.concat().concat(),
        });
        arrays.push(Array::of_entries(format!("sign_changes_{name}"), tally));
    }
    arrays
}

/// What the samplers say of themselves, each with its class.
pub(super) fn notes(classes: &[Counted]) -> Vec<String> {
    let of = |class: &Counted| -> Vec<String> {
        class.notes.iter().map(|note| format!("class {}: {note}", class.name)).collect()
    };
    classes.iter().flat_map(of).collect()
}

/// Two lines for a person: counts measured and predicted.
pub(super) fn table(classes: &[Counted]) -> Result<Vec<String>, LabError> {
    let mut lines =
        vec![format!("{:>6} {:>6} {:>22} {:>10}", "class", "xi", "mean sign changes", "theory")];
    for class in classes {
        let mean = class.count()?;
        lines.push(format!(
            "{:>6} {:>6} {:>12.4} +- {:.4} {:>10.4}",
            class.name,
            Value::Real(class.xi).to_string(),
            mean.mean(),
            mean.se(),
            class.predicted
        ));
    }
    let rice = classes.iter().filter_map(|class| {
        let gap = class.smooth? / class.predicted - 1.0;
        Some(format!("{:+.2} % off at xi = {}", 100.0 * gap, Value::Real(class.xi)))
    });
    let rice: Vec<String> = rice.collect();
    if !rice.is_empty() {
        lines.push(format!(
            "Rice's formula for a smooth field, n sqrt(2)/(pi xi), lies {}{}",
            rice.join(" and "),
            if tells_smooth(classes)? { "" } else { ": too close for so few samples" }
        ));
    }
    Ok(lines)
}
