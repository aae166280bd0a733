//! The limit of the sweep: the mean trained field on binary data beside the dictator state.

use super::IprVsGain;
use fovea_desk::cell::{mirrored, peak};
use fovea_desk::prelude::*;
use fovea_desk::replicas::jackknife;
use fovea_sim::probe::ipr::ipr;

/// Distances from the peak that are compared.
const REACH: usize = 3;

/// Every final field, turned so that its peak is positive and lies at site 0, and made even about it.
fn fields(binary: &Group<'_>) -> Vec<Vec<f64>> {
    let turned = |w: &[f64]| -> Vec<f64> {
        let at = peak(w);
        let sign = 1.0_f64.copysign(w[at]);
        (0..w.len()).map(|d| sign * mirrored(w, at, d)).collect()
    };
    binary.runs.iter().map(|run| turned(run.network().weights())).collect()
}

/// The mean field near its peak is the dictator state; with the covariance of the latent field in its place it is not.
pub(super) fn claim(settings: &IprVsGain, binary: &Group<'_>) -> Result<Claim, LabError> {
    let (state, wrong) =
        (settings.two_class().dictator()?, settings.two_class().latent_dictator()?);
    let fields = fields(binary);
    let (mut right, mut false_form) = (Vec::new(), Vec::new());
    for d in 0..=REACH.min(settings.n / 2) {
        let at: Vec<f64> = fields.iter().map(|w| w[d]).collect();
        let measured = Estimate::from_samples(&at)?;
        right.push((measured, state.w[d]));
        false_form.push((measured, wrong.w[d]));
    }
    let statement = "gain inf: mean field over the seeds, up to three sites from its peak, is the dictator state";
    Ok(Claim::family("L000.39", statement, &right)
        .rejecting("the dictator state of the latent covariance", &false_form))
}

/// The IPR of the mean field beside that of the state, and why single fields have less.
pub(super) fn in_words(settings: &IprVsGain, binary: &Group<'_>) -> Result<String, LabError> {
    let (state, fields) = (settings.two_class().dictator()?, fields(binary));
    let mean = jackknife(&fields, ipr)?;
    Ok(format!(
        "dictator state (gain inf): IPR {:.4}; mean field of {} seeds {:.4} +- {:.4}; single fields carry the noise of SGD and have less",
        state.ipr,
        fields.len(),
        mean.mean(),
        mean.se()
    ))
}
