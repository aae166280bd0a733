//! The leading direction of the fourth cumulant: exact, to leading order in the gain, and of a sample.

use fovea_core::stats::Estimate;
use fovea_core::streams::Stream;
use fovea_desk::error::LabError;
use fovea_sim::probe::ipr::ipr;
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::Stimulus;

/// Parts of the sample that are left out in turn.
const PARTS: usize = 10;
/// Steps of power iteration; the exact tensor needs about 20.
const SWEEPS: usize = 30;

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
