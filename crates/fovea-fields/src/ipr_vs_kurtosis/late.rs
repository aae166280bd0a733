//! Exponents at which runs have not arrived: the same runs trained on.

use super::IprVsKurtosis;
use fovea_desk::cell::LEAST_IPR;
use fovea_desk::error::LabError;
use fovea_desk::fleet::{Spread, Trained};
use fovea_desk::ipr_table::fields_at;
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;
use fovea_sim::probe::ipr::ipr;

/// One exponent: the IPR of every run when the publication stops, and later.
pub(super) struct Late {
    pub(super) k: f64,
    pub(super) early: Vec<f64>,
    pub(super) end: Vec<f64>,
}

impl Late {
    pub(super) fn new(settings: &IprVsKurtosis, k: f64, trained: &Trained<'_>) -> Self {
        let at = |steps: usize| fields_at(trained, steps).iter().map(|w| ipr(w)).collect();
        Self { k, early: at(settings.steps), end: at(settings.late_steps) }
    }

    pub(super) fn in_words(&self, settings: &IprVsKurtosis) -> Result<String, LabError> {
        let of = |iprs: &[f64]| -> Result<String, LabError> {
            let q = Spread::of(iprs)?;
            let quantiles = [0, 2, 3, 4, 6].map(|i: usize| format!("{:.3}", q.quantiles[i]));
            Ok(format!("{} (sd {:.3})", quantiles.join(" / "), q.sd))
        };
        Ok(format!(
            "k = {}: IPR after {} steps {}, after {} {}",
            self.k,
            settings.steps,
            of(&self.early)?,
            settings.late_steps,
            of(&self.end)?
        ))
    }

    pub(super) fn array(&self) -> Array {
        Array::of_rows(format!("late_k={}", self.k), &[self.early.clone(), self.end.clone()])
    }
}

/// Every run that was trained on has arrived at a localized field; where the publication stops some have not.
pub(super) fn claim(settings: &IprVsKurtosis, all: &[Late]) -> Option<Claim> {
    let arrived = |iprs: &[f64]| iprs.iter().filter(|ipr| **ipr > LEAST_IPR).count() as f64;
    let runs: Vec<f64> = all.iter().map(|at| at.end.len() as f64).collect();
    let late: Vec<f64> = all.iter().map(|at| arrived(&at.end)).collect();
    let early: Vec<f64> = all.iter().map(|at| arrived(&at.early)).collect();
    let statement = format!(
        "all runs that are trained on arrive: after {} steps the IPR of every one is above {LEAST_IPR}",
        settings.late_steps
    );
    (!all.is_empty()).then(|| {
        Claim::exact("published", statement, &runs, &late, 1e-9).rejecting_exact(
            format!("the number of them after {} steps", settings.steps),
            &early,
            &late,
        )
    })
}
