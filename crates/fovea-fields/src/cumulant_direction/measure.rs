//! The direction of the cumulant, over the gain and over the correlation length: exact, of a sample, and beside trained fields.

use super::CumulantDirection;
use fovea_core::ring::RingKernel;
use fovea_core::streams::Stream;
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::Stimulus;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::ascent::ascend;
use fovea_theory::cumulants::{Cumulants, Leading};
use fovea_theory::nlgp::weak_cumulant::direction;
use fovea_theory::site::Site;
use fovea_theory::unit_flow::{ClassRows, UnitFlow};
use fovea_theory::{EdgeworthFlow, FormError};

/// Below this gain a sample's cumulant is all noise, and the direction is not looked for.
const SAMPLED_FROM: f64 = 0.5;
/// Parts of the sample that are left out in turn.
const PARTS: usize = 10;
/// Steps of power iteration; the exact tensor needs about 20.
const SWEEPS: usize = 30;

/// Everything that is known and measured at one gain.
pub(super) struct AtGain {
    pub(super) gain: f64,
    /// The leading direction of the exact cumulant of class `pos`.
    pub(super) leading: Leading,
    /// That of a sample.
    pub(super) sampled: Option<Sampled>,
    /// The best field of the Edgeworth theory.
    pub(super) edgeworth: Vec<f64>,
    /// Trained fields, one per start.
    pub(super) fields: Vec<Vec<f64>>,
}

impl AtGain {
    pub(super) fn new(
        settings: &CumulantDirection,
        latent: &[Vec<f64>; 2],
        gain: f64,
        (runs, streams): (&Runs, &Streams),
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
        let trained = runs.group(&super::name(gain)).runs;
        let fields = trained.iter().map(|run| run.network().weights().to_vec()).collect();
        Ok(Self { gain, leading, sampled, edgeworth, fields })
    }

    /// The gain as the shells write it.
    pub(super) fn word(&self) -> String {
        Value::Real(self.gain).to_string()
    }

    /// Participation ratio of the trained fields.
    pub(super) fn ipr(&self) -> Result<Estimate, LabError> {
        let iprs: Vec<f64> = self.fields.iter().map(|w| ipr(w)).collect();
        Ok(Estimate::from_samples(&iprs)?)
    }

    /// Largest overlap of a trained field with any shift of the direction, mean over starts.
    pub(super) fn overlap(&self) -> f64 {
        let v = &self.leading.v;
        let of = |w: &Vec<f64>| {
            let n = w.len();
            let norm = w.iter().map(|x| x * x).sum::<f64>().sqrt();
            let at = |s: usize| (0..n).map(|i| w[(i + s) % n] * v[i]).sum::<f64>().abs() / norm;
            (0..n).map(at).fold(0.0, f64::max)
        };
        self.fields.iter().map(of).sum::<f64>() / self.fields.len() as f64
    }
}

/// The field with the largest ratio of the variational principle, climbed from the bump and from flat weights.
fn best_field(flow: &EdgeworthFlow, bump: &[f64]) -> Vec<f64> {
    let (sum, flat) = (flow.rows.sum(), vec![1.0; bump.len()]);
    let climb = |start: &[f64]| ascend(&sum, start, 300, |w| flow.gated_mean(w));
    let (from_bump, from_flat) = (climb(bump), climb(&flat));
    if from_bump.ratio() >= from_flat.ratio() { from_bump.w } else { from_flat.w }
}

/// A field of unit norm, its peak positive and in the middle.
pub(super) fn middle(w: &[f64]) -> Vec<f64> {
    let (n, at) = (w.len(), peak(w));
    let norm = w.iter().map(|x| x * x).sum::<f64>().sqrt().copysign(w[at]);
    (0..n).map(|i| w[(i + at + n - n / 2) % n] / norm).collect()
}

/// The direction of the cumulant over the correlation length, at weak gain and for signs.
pub(super) struct Lengths {
    pub(super) xi: Vec<f64>,
    pub(super) weak: Vec<Leading>,
    pub(super) sign_iprs: Vec<f64>,
}

impl Lengths {
    pub(super) fn new(settings: &CumulantDirection, desk: &Desk<'_>) -> Result<Self, LabError> {
        let both = desk.try_fleet(&settings.xi, |xi| {
            let row = RingKernel::new(settings.n, *xi, settings.kernel)?.first_row;
            Ok::<_, FormError>((
                direction(&row),
                Cumulants::nlgp(&row, f64::INFINITY).direction().ipr,
            ))
        })?;
        let (weak, sign_iprs) = both.into_iter().unzip();
        Ok(Self { xi: settings.xi.clone(), weak, sign_iprs })
    }

    pub(super) fn iprs(&self) -> Vec<f64> {
        self.weak.iter().map(|leading| leading.ipr).collect()
    }
}

/// What one sample says of the direction.
pub struct Sampled {
    /// Inverse participation ratio, its bias of order one over the count removed.
    pub ipr: Estimate,
    /// The direction.
    pub v: Vec<f64>,
}

/// Climbs minus the fourth cumulant of a sample from the exact direction; the standard error is the jackknife's.
///
/// # Errors
/// Too few rows for a mean.
pub fn sampled(
    stimulus: &dyn Stimulus,
    stream: &Stream,
    rows: usize,
    from: &[f64],
) -> Result<Sampled, LabError> {
    let sample = Sample::draw(stimulus, stream, rows);
    let v = climb(&sample, from, None);
    let (whole, parts) = (ipr(&v), PARTS as f64);
    let left_out = |part: usize| ipr(&climb(&sample, from, Some(part)));
    let pseudo: Vec<f64> =
        (0..PARTS).map(|part| parts * whole - (parts - 1.0) * left_out(part)).collect();
    Ok(Sampled { ipr: Estimate::from_samples(&pseudo)?, v })
}

/// Power iteration on minus the cumulant of all rows but every tenth one.
fn climb(sample: &Sample, from: &[f64], without: Option<usize>) -> Vec<f64> {
    let mut w = from.to_vec();
    for _ in 0..SWEEPS {
        let force: Vec<f64> = contract(sample, &w, without).iter().map(|k| -k).collect();
        let norm = force.iter().map(|x| x * x).sum::<f64>().sqrt();
        w = force.into_iter().map(|x| x / norm).collect();
    }
    w
}

/// `E[S^3 x] - 3 E[S^2] E[S x]`, the cumulant of a law without mean.
pub fn contract(sample: &Sample, w: &[f64], without: Option<usize>) -> Vec<f64> {
    let (mut cubes, mut lines) = (vec![0.0; w.len()], vec![0.0; w.len()]);
    let (mut square, mut count) = (0.0, 0.0);
    for (_, x) in sample.rows().enumerate().filter(|(i, _)| Some(i % PARTS) != without) {
        let s: f64 = w.iter().zip(x).map(|(w, x)| w * x).sum();
        let cube = s * s * s;
        for ((cubes, lines), x) in cubes.iter_mut().zip(&mut lines).zip(x) {
            *cubes += cube * x;
            *lines += s * x;
        }
        square += s * s;
        count += 1.0;
    }
    let entry = |(cube, line): (f64, f64)| (cube - 3.0 * square / count * line) / count;
    cubes.into_iter().zip(lines).map(entry).collect()
}
