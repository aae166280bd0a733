//! What is claimed of the counts, and of the tails.

use super::Samples;
use super::counts::Counted;
use fovea_desk::error::LabError;
use fovea_record::claim::Claim;
use fovea_theory::nlgp::cov::cov;
use fovea_theory::nlgp::excess_kurtosis::excess_kurtosis;
use fovea_theory::nlgp::zero_crossings::of_neighbours;
use std::f64::consts::SQRT_2;

/// Whether the samples are enough to tell the count on the sites from that of a smooth field.
pub(super) fn tells_smooth(classes: &[Counted]) -> Result<bool, LabError> {
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
