//! The dictator theorem (L000.39) against replicas: runs at infinite gain that share a start and nothing else.
//!
//! Inside a dictator's cell the flow is linear, so the time average of a field that rests there is the dictator state
//! without bias, whatever the noise of SGD. Each replica gives one such average; their spread gives the standard error.

use super::Localize;
use fovea_desk::cell::{in_dictator_cell, mirrored, peak};
use fovea_desk::prelude::*;
use fovea_theory::dictator::fixed_point::FixedPoint;

/// The experiment's own name.
const ID: &str = "localize";

/// Relaxation times after which a field that entered its cell is at rest but for noise.
const SETTLING: f64 = 6.0;
/// Relaxation times a field must rest to be averaged.
const RESTING: f64 = 5.0;
/// Distances from the peak that are compared.
const REACH: usize = 3;

const STATEMENT: &str = "a field at rest in a dictator's cell, where one site outvotes all others, has the dictator state as its time average, \
                         0 to 3 sites from its peak";

/// Compares the replicas with the dictator state, centred on site 0.
pub(super) fn claim(
    settings: &Localize,
    dictator: &FixedPoint,
    replicas: &Group<'_>,
) -> Result<Claim, LabError> {
    let averages: Vec<Vec<f64>> =
        replicas.runs.iter().filter_map(|run| resting_average(settings, dictator, run)).collect();
    if averages.len() < 2 {
        let why = format!(
            "{} of {} replicas rested in a dictator's cell for {} relaxation times of {:.1}; two are needed",
            averages.len(),
            replicas.runs.len(),
            SETTLING + RESTING,
            dictator.relaxation
        );
        return Ok(Claim::undecided(ID, STATEMENT, dictator.w[0], why));
    }
    let latent = settings.two.latent_dictator()?;
    let (mut pairs, mut wrong) = (Vec::new(), Vec::new());
    for distance in 0..averages[0].len() {
        let samples: Vec<f64> = averages.iter().map(|average| average[distance]).collect();
        let estimate = Estimate::from_samples(&samples)?;
        pairs.push((estimate, dictator.w[distance]));
        wrong.push((estimate, latent.w[distance]));
    }
    let claim = Claim::family(ID, STATEMENT, &pairs);
    Ok(claim.rejecting("the covariance of the latent fields, not of the signs", &wrong))
}

/// The time average of a field at rest, by distance from its peak and over mirrored sites; none if it does not rest.
fn resting_average(settings: &Localize, dictator: &FixedPoint, run: &Trained) -> Option<Vec<f64>> {
    let fields: Vec<&Vec<f64>> =
        run.readings(&probe::weights::ENTRY).into_iter().map(|units| &units[0]).collect();
    let records = |times: f64| {
        let time = times * dictator.relaxation;
        (time / (settings.descent.lr * settings.record_every as f64)).ceil() as usize
    };
    let entered = fields.iter().position(|field| in_dictator_cell(field))?;
    let late = fields.get(entered + records(SETTLING)..)?;
    if late.len() < records(RESTING).max(1) {
        return None;
    }
    let (n, peak) = (settings.two.n, peak(late.last()?));
    let mean = |distance: usize| {
        late.iter().map(|field| mirrored(field, peak, distance) * field[peak].signum()).sum::<f64>()
            / late.len() as f64
    };
    Some((0..=REACH.min(n / 2)).map(mean).collect())
}
