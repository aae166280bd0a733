//! Claims: when the gated term takes over on Gaussian data, and that the distribution of the data matters from then on.

use super::{Handover, KINDS, Means};
use fovea_desk::prelude::*;
use fovea_desk::two_class::GAUSSIAN_GAIN;

impl Means {
    /// On Gaussian data the hand-over comes when the closed flow says (L000.43).
    pub(super) fn claim(&self) -> Option<Claim> {
        let theory = self.flow_time.filter(|_| self.gain <= GAUSSIAN_GAIN)?;
        // Start by start the two times differ by the noise of training alone, which is what decides.
        let gap = self.time_gap?;
        let estimate = gap.scaled_and_shifted(1.0, theory).ok()?;
        let statement = format!(
            "on Gaussian data from {} starts the ratio of the gated to the linear term first reaches the level of the settings when the closed flow says",
            self.kind.word
        );
        let wrong = "the first note's flow, whose linear term is twice as large (L000.3)";
        let claim =
            told_apart("handover", statement, wrong, &[(estimate, [theory, self.source_time?])]);
        // The flow has no noise: descent is late by what its own adds.
        Some(claim.only_as_stated())
    }
}

/// Until the hand-over fields on data of the highest gain follow the flow on Gaussian data of the same covariances, from then on they
/// leave it (L000.43).
pub(super) fn parting(settings: &Handover, found: &[Means]) -> Result<Vec<Claim>, LabError> {
    let (mut claims, level) = (Vec::new(), Value::Real(settings.level));
    for kind in KINDS {
        let own = || found.iter().filter(|means| means.kind.size == kind.size);
        let other = own().max_by(|a, b| a.gain.total_cmp(&b.gain));
        let gaussian = own().find(|means| means.gain <= GAUSSIAN_GAIN);
        let (Some(other), Some(gaussian)) = (other, gaussian) else { continue };
        let (Some(time), true) = (other.time, other.gain > GAUSSIAN_GAIN) else { continue };
        let distance = |means: &Means, at: usize| means.curves[1][at];
        let last = other.times.len() - 1;
        let handover = other.times.iter().rposition(|t| *t <= time.mean()).unwrap_or(0);
        let place = format!("gain {}, {} starts", Value::Real(other.gain), kind.word);
        let mut side = |statement: String, of: Estimate, than: Estimate, above: bool| {
            let mean = Estimate::from_parts(of.mean(), of.difference(&than).se(), of.count())?;
            claims.push(one_sided("L000.43/law", statement, mean, than.mean(), above));
            Ok::<(), LabError>(())
        };
        let end = format!("in the end (t = {})", Value::Real(other.times[last]));
        let flow = "distance to the flow on Gaussian data of the same covariances";
        let statement = format!(
            "{place}: {flow}, at the last record before the hand-over (gated over linear term {level}), below half of what it is {end}"
        );
        let half = distance(other, last).scaled_and_shifted(0.5, 0.0)?;
        side(statement, distance(other, handover), half, false)?;
        let statement = format!("{place}: {flow}, {end}, above that of runs on Gaussian data");
        side(statement, distance(other, last), distance(gaussian, last), true)?;
    }
    Ok(claims)
}
