//! What is claimed: which starts localize, which end better, and that one site leads into the dictator state.

use super::measure::{Ends, Origin, Point};
use fovea_desk::cell::LEAST_IPR;
use fovea_desk::prelude::*;
use fovea_record::bound::one_sided;
use fovea_theory::variational::loss;

/// From this gain on the source finds two attractors.
const BISTABLE: f64 = 3.0;

fn place(point: &Point) -> String {
    let (pos, neg, gain) = (point.two.xi_pos, point.two.xi_neg, Value::Real(point.gain));
    format!("lengths ({pos}, {neg}), gain {gain}")
}

/// What is claimed of one point.
pub(super) fn claims(ends: &Ends) -> Result<Vec<Claim>, LabError> {
    let point = &ends.point;
    if point.gain < BISTABLE {
        return Ok(Vec::new());
    }
    let at = place(point);
    let mut claims = Vec::new();
    let mut side = |what: &str, mean: Estimate, bound: f64, above: bool| {
        claims.push(one_sided("L001.4", format!("{at}: {what}"), mean, bound, above));
    };
    let mean_ipr = || Estimate::from_samples(&ends.iprs());
    match (point.origin, point.is_longer()) {
        (Origin::Glorot, true) => {
            side("random starts localize, mean IPR above 1/2", mean_ipr()?, LEAST_IPR, true);
        }
        (Origin::Glorot, false) => {
            let what = "random starts do not localize, mean IPR below 1/2";
            side(what, mean_ipr()?, LEAST_IPR, false);
            if point.gain.is_infinite() {
                let what = "random starts end at a higher loss than the dictator state has, (1 - 2 f'M^-1 f)/4";
                side(what, ends.mean_loss()?, loss(ends.bounds.gate), true);
            }
        }
        (Origin::Site, false) => {
            let what = "started on one site fields stay localized, mean IPR above 1/2";
            side(what, mean_ipr()?, LEAST_IPR, true);
        }
        (Origin::Site, true) => {}
    }
    // IPR and loss of the mean field against the closed form.
    if let Some([ipr, measured]) = ends.mean_field {
        let dictator = point.two.dictator()?;
        let statement = format!(
            "{at}: from one site the field ends in the dictator state, its IPR and loss in closed form"
        );
        let claim =
            Claim::family("L001.4", statement, &[(ipr, dictator.ipr), (measured, dictator.loss)]);
        let alone = [(ipr, 1.0), (measured, loss(ends.bounds.site))];
        claims.push(claim.rejecting("the site alone, without its neighbours", &alone));
    }
    Ok(claims)
}

/// In the swapped order random starts end at a higher loss than fields started on one site, measured on the same samples.
pub(super) fn worse(random: &Ends, site: &Ends) -> Result<Option<Claim>, LabError> {
    if random.point.is_longer() || random.point.gain < BISTABLE {
        return Ok(None);
    }
    let losses = random.losses.iter().zip(&site.losses);
    let ratios: Vec<f64> = losses.map(|(random, site)| random.mean() / site.mean()).collect();
    let statement = format!(
        "{}: random starts end at a higher loss than fields from one site, ratio above 1",
        place(&random.point)
    );
    Ok(Some(one_sided("L001.4", statement, Estimate::from_samples(&ratios)?, 1.0, true)))
}
