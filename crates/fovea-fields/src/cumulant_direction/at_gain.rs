//! Everything that is known and measured at one gain.

use super::CumulantDirection;
use super::tensor::{Sampled, sampled};
use fovea_core::Value;
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;
use fovea_desk::cell::peak;
use fovea_desk::error::LabError;
use fovea_record::outcome::Array;
use fovea_sim::Run;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::EdgeworthFlow;
use fovea_theory::ascent::ascend;
use fovea_theory::cumulants::{Cumulants, Leading};
use fovea_theory::site::Site;
use fovea_theory::unit_flow::{ClassRows, UnitFlow};

/// Below this gain a sample's cumulant is all noise, and the direction is not looked for.
const SAMPLED_FROM: f64 = 0.5;

/// The theory of one gain.
pub(super) struct AtGain {
    pub(super) gain: f64,
    /// The leading direction of the exact cumulant of class `pos`.
    pub(super) leading: Leading,
    /// That of a sample.
    pub(super) sampled: Option<Sampled>,
    /// The best field of the Edgeworth theory.
    pub(super) edgeworth: Vec<f64>,
}

impl AtGain {
    pub(super) fn new(
        settings: &CumulantDirection,
        latent: &[Vec<f64>; 2],
        gain: f64,
        streams: &Streams,
    ) -> Result<Self, LabError> {
        let cumulants = Cumulants::nlgp(&latent[0], gain);
        let leading = cumulants.direction();
        let site = Site::Nlgp { gain };
        let rows = ClassRows { pos: site.cov_row(&latent[0]), neg: site.cov_row(&latent[1]) };
        let edgeworth = best_field(&EdgeworthFlow { rows, cumulants }, &leading.v);
        let sampled = if gain >= SAMPLED_FROM {
            let stimulus =
                Nlgp::on_ring(settings.n, settings.xi_pos, gain, settings.kernel).sampler()?;
            let stream = streams.named("tensor");
            Some(sampled(&stimulus, &stream, settings.rows, &leading.v)?)
        } else {
            None
        };
        Ok(Self { gain, leading, sampled, edgeworth })
    }

    /// The gain as the shells write it.
    pub(super) fn word(&self) -> String {
        Value::Real(self.gain).to_string()
    }
}

/// The field with the largest ratio of the variational principle, climbed from the bump and from flat weights.
fn best_field(flow: &EdgeworthFlow, bump: &[f64]) -> Vec<f64> {
    let (sum, flat) = (flow.rows.sum(), vec![1.0; bump.len()]);
    let climb = |start: &[f64]| ascend(&sum, start, 300, |w| flow.gated_mean(w));
    let (from_bump, from_flat) = (climb(bump), climb(&flat));
    if from_bump.ratio() >= from_flat.ratio() { from_bump.w } else { from_flat.w }
}

/// Trained fields at one gain.
pub(super) struct Trained {
    pub(super) fields: Vec<Vec<f64>>,
}

impl Trained {
    pub(super) fn new(runs: &[Run]) -> Self {
        Self { fields: runs.iter().map(|run| run.network.weights().to_vec()).collect() }
    }

    pub(super) fn ipr(&self) -> Result<Estimate, LabError> {
        let iprs: Vec<f64> = self.fields.iter().map(|w| ipr(w)).collect();
        Ok(Estimate::from_samples(&iprs)?)
    }

    /// Largest overlap of a field with any shift of a unit vector, mean over starts.
    pub(super) fn overlap(&self, v: &[f64]) -> f64 {
        let of = |w: &Vec<f64>| {
            let n = w.len();
            let norm = w.iter().map(|x| x * x).sum::<f64>().sqrt();
            let at = |s: usize| (0..n).map(|i| w[(i + s) % n] * v[i]).sum::<f64>().abs() / norm;
            (0..n).map(at).fold(0.0, f64::max)
        };
        self.fields.iter().map(of).sum::<f64>() / self.fields.len() as f64
    }

    pub(super) fn array(&self, gain: &str) -> Array {
        Array::of_rows(format!("trained_gain={gain}"), &self.fields)
    }
}

/// A field of unit norm, its peak positive and in the middle.
pub(super) fn middle(w: &[f64]) -> Vec<f64> {
    let (n, at) = (w.len(), peak(w));
    let norm = w.iter().map(|x| x * x).sum::<f64>().sqrt().copysign(w[at]);
    (0..n).map(|i| w[(i + at + n - n / 2) % n] / norm).collect()
}
