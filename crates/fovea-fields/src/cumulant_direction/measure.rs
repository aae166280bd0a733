//! The direction of the cumulant, over the gain and over the correlation length: exact and of a sample; and trained fields.

use super::CumulantDirection;
use fovea_core::ring::RingKernel;
use fovea_core::streams::Stream;
use fovea_core::work;
use fovea_desk::prelude::*;
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
    /// Their participation ratio.
    pub(super) ipr: Estimate,
}

impl AtGain {
    pub(super) fn new(
        settings: &CumulantDirection,
        gain: f64,
        runs: &Group<'_>,
        streams: &Streams,
    ) -> Result<Self, LabError> {
        let TwoClass { n, xi_pos, kernel, .. } = settings.two;
        let [pos, neg] = settings.two.kernels()?;
        let cumulants = Cumulants::nlgp(&pos.first_row, gain);
        let leading = cumulants.direction();
        let [pos, neg] = [pos, neg].map(|kernel| Site::Nlgp { gain }.cov_row(&kernel.first_row));
        let flow = EdgeworthFlow { rows: ClassRows { pos, neg }, cumulants };
        let sampled = (gain >= SAMPLED_FROM).then(|| {
            let stimulus = Nlgp::on_ring(n, xi_pos, gain, kernel).sampler()?;
            sampled(&stimulus, &streams.named("tensor"), settings.rows, &leading.v)
        });
        let fields: Vec<Vec<f64>> =
            runs.runs.iter().map(|run| run.network().weights().to_vec()).collect();
        let iprs: Vec<f64> = fields.iter().map(|w| ipr(w)).collect();
        Ok(Self {
            gain,
            edgeworth: best_field(&flow, &leading.v),
            leading,
            sampled: sampled.transpose()?,
            fields,
            ipr: Estimate::from_samples(&iprs)?,
        })
    }

    /// The gain as the shells write it.
    pub(super) fn name(&self) -> String {
        Value::Real(self.gain).to_string()
    }

    /// Largest overlap of a trained field with any shift of the direction, mean over starts.
    pub(super) fn overlap(&self) -> f64 {
        let v = &self.leading.v;
        let of = |w: &Vec<f64>| {
            let (n, norm) = (w.len(), norm(w));
            let at = |s: usize| (0..n).map(|i| w[(i + s) % n] * v[i]).sum::<f64>().abs() / norm;
            (0..n).map(at).fold(0.0, f64::max)
        };
        mean(&self.fields.iter().map(of).collect::<Vec<_>>())
    }
}

/// The field with the largest ratio of the variational principle, climbed from the bump and from flat weights.
fn best_field(flow: &EdgeworthFlow, bump: &[f64]) -> Vec<f64> {
    let (sum, flat) = (flow.rows.sum(), vec![1.0; bump.len()]);
    let climb = |start: &[f64]| ascend(&sum, start, 300, |w| flow.gated_mean(w));
    let (from_bump, from_flat) = (climb(bump), climb(&flat));
    if from_bump.ratio() >= from_flat.ratio() { from_bump.w } else { from_flat.w }
}

/// The direction of the cumulant over the correlation length, at weak gain and for signs.
pub(super) struct Lengths {
    pub(super) xi: Vec<f64>,
    pub(super) directions: Vec<Vec<f64>>,
    pub(super) iprs: Vec<f64>,
    pub(super) sign_iprs: Vec<f64>,
}

impl Lengths {
    pub(super) fn new(settings: &CumulantDirection, desk: &Desk<'_>) -> Result<Self, LabError> {
        let TwoClass { n, kernel, .. } = settings.two;
        let at = desk.try_fleet(&settings.xi, |xi| {
            let row = RingKernel::new(n, *xi, kernel)?.first_row;
            let (weak, signs) = (direction(&row), Cumulants::nlgp(&row, f64::INFINITY).direction());
            Ok::<_, FormError>((weak.v, (weak.ipr, signs.ipr)))
        })?;
        let (directions, (iprs, sign_iprs)) = at.into_iter().unzip();
        Ok(Self { xi: settings.xi.clone(), directions, iprs, sign_iprs })
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
        work::poll();
        let force: Vec<f64> = contract(sample, &w, without).iter().map(|k| -k).collect();
        let norm = norm(&force);
        w = force.into_iter().map(|x| x / norm).collect();
    }
    w
}

/// `E[S^3 x] - 3 E[S^2] E[S x]`, the cumulant of a distribution without mean.
pub fn contract(sample: &Sample, w: &[f64], without: Option<usize>) -> Vec<f64> {
    let (mut cubes, mut lines) = (vec![0.0; w.len()], vec![0.0; w.len()]);
    let (mut square, mut count) = (0.0, 0.0);
    for (_, x) in sample.rows().enumerate().filter(|(i, _)| Some(i % PARTS) != without) {
        let s = dot(w, x);
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
