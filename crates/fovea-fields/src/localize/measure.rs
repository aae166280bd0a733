//! The field at one gain, and the closed form that should describe it.

use super::Localize;
use fovea_desk::cell::{in_dictator_cell, peak};
use fovea_desk::prelude::*;
use fovea_desk::two_class::{GAUSSIAN_GAIN, at_records, relative_distance};
use fovea_theory::dictator::fixed_point::FixedPoint;

/// One gain: how the field was trained, and its closed form.
pub(super) struct Curve<'r> {
    pub(super) gain: f64,
    pub(super) run: &'r Trained,
    /// Steps taken at every record.
    pub(super) steps: Vec<f64>,
    /// The field at every record.
    pub(super) fields: Vec<Vec<f64>>,
    /// Its power by frequency at the end.
    pub(super) spectrum: Vec<f64>,
    /// IPR at every record.
    pub(super) ipr: Vec<f64>,
    pub(super) theory: Theory,
}

/// Which closed form applies at a gain.
pub(super) enum Theory {
    /// The flow on Gaussian data with the same covariances, at every record.
    GaussianFlow(Vec<Vec<f64>>),
    /// The dictator state, centred where the trained field peaks; the field has entered its cell.
    Dictator(Vec<f64>),
    /// None is known, or the field is elsewhere.
    Open,
}

/// From this gain on gates agree with signs to 0.1 % and the dictator state is drawn.
const BINARY_GAIN: f64 = 100.0;

impl<'r> Curve<'r> {
    pub(super) fn new(
        settings: &Localize,
        gain: f64,
        run: &'r Trained,
        start: &[f64],
        dictator: &FixedPoint,
    ) -> Result<Self, LabError> {
        let fields: Vec<Vec<f64>> =
            run.readings(&probe::weights::ENTRY).iter().map(|units| units[0].clone()).collect();
        let spectrum = run.last(&probe::spectrum::ENTRY)[0].clone();
        let ipr = run.readings(&probe::ipr::ENTRY).iter().map(|units| units[0][0]).collect();
        let steps = run.records().iter().map(|record| record.step as f64).collect();
        let theory = if gain <= GAUSSIAN_GAIN {
            let flow = settings.two.matched_gaussian_flow(gain)?;
            let schedule = (settings.descent.lr, settings.descent.steps, settings.record_every);
            Theory::GaussianFlow(at_records(&flow, start, schedule))
        } else if gain >= BINARY_GAIN && dictator.exists && in_dictator_cell(&late_mean(&fields)) {
            let (w, n) = (run.network().weights(), settings.two.n);
            let peak = peak(w);
            let sign = 1.0_f64.copysign(w[peak]);
            Theory::Dictator((0..n).map(|i| sign * dictator.w[(i + n - peak) % n]).collect())
        } else {
            Theory::Open
        };
        Ok(Self { gain, run, steps, fields, spectrum, ipr, theory })
    }

    /// The closed form's field at the end and what it is called.
    pub(super) fn predicted(&self) -> Option<(&Vec<f64>, &'static str)> {
        match &self.theory {
            Theory::GaussianFlow(fields) => fields.last().map(|field| (field, "Gaussian flow")),
            Theory::Dictator(field) => Some((field, "dictator state")),
            Theory::Open => None,
        }
    }

    /// Which closed form describes the field at the end, or why there is none.
    pub(super) fn theory_in_words(&self) -> &'static str {
        let outside = self.gain >= BINARY_GAIN && !in_dictator_cell(&late_mean(&self.fields));
        match self.predicted() {
            Some((_, label)) => label,
            None if outside => "outside every dictator cell",
            None => "no closed form",
        }
    }

    /// How far the field at the end is from the closed form's, relative to it; NaN where there is none.
    pub(super) fn apart(&self) -> f64 {
        let fields = self.fields.last().zip(self.predicted());
        fields.map_or(f64::NAN, |(last, (field, _))| relative_distance(last, field))
    }
}

/// The mean field over the second half of the records, in which the noise of SGD is averaged out.
pub fn late_mean(fields: &[Vec<f64>]) -> Vec<f64> {
    let late = &fields[fields.len() / 2..];
    let mut mean = vec![0.0; late.first().map_or(0, Vec::len)];
    for field in late {
        for (m, w) in mean.iter_mut().zip(field) {
            *m += w / late.len() as f64;
        }
    }
    mean
}
