//! The Gaussian flow from one start: when its teacher term takes over, and where its peak is then (L000.43).

use fovea_core::fourier::{frequency_of, from_fourier, to_fourier};
use fovea_desk::cell::peak;
use fovea_theory::GaussianFlow;

/// `C_pos w`, or `(C_pos + C_neg)^-1 C_pos w`.
pub fn image(flow: &GaussianFlow, w: &[f64], divided: bool) -> Vec<f64> {
    let mut u = to_fourier(w);
    for (j, u) in u.iter_mut().enumerate() {
        let k = frequency_of(j, w.len());
        let (pos, neg) = (flow.eigs_pos[k], flow.eigs_neg[k]);
        *u *= if divided { pos / (pos + neg) } else { pos };
    }
    from_fourier(&u)
}

/// The Gaussian flow from one start.
pub struct Followed {
    /// When the teacher term first balances the decay.
    pub time: f64,
    /// The largest weight then.
    pub(super) site: usize,
    /// The largest weight at each of the times asked for.
    pub sites: Vec<usize>,
}

impl Followed {
    /// Follows the flow in small steps to the last of `times`.
    pub fn new(flow: &GaussianFlow, start: &[f64], times: &[f64]) -> Self {
        const STEP: f64 = 0.02;
        let end = times.last().copied().unwrap_or(0.0);
        let (mut handover, mut sites) = (None, Vec::new());
        let mut last = start.to_vec();
        flow.euler_map(start, STEP, (end / STEP).ceil() as usize, |t, u| {
            let due = |at: &f64| *at <= t + 0.5 * STEP;
            if handover.is_none() && teacher_over_decay(flow, u) >= 1.0 {
                handover = Some((t, peak(&from_fourier(u))));
            }
            while times.get(sites.len()).is_some_and(due) {
                last = from_fourier(u);
                sites.push(peak(&last));
            }
        });
        sites.resize(times.len(), peak(&last));
        let (time, site) = handover.unwrap_or((end, peak(&last)));
        Self { time, site, sites }
    }
}

/// `|f/2| / |(C_neg + C_pos) w/4|` on Gaussian data (L000.43).
pub fn teacher_over_decay(flow: &GaussianFlow, u: &[f64]) -> f64 {
    let (mut teacher, mut decay, mut variance) = (0.0, 0.0, 0.0);
    for (j, u) in u.iter().enumerate() {
        let k = frequency_of(j, flow.n());
        let (pos, neg) = (flow.eigs_pos[k], flow.eigs_neg[k]);
        variance += pos * u * u;
        teacher += pos * pos * u * u;
        decay += (pos + neg) * (pos + neg) * u * u;
    }
    2.0 * (teacher / (std::f64::consts::TAU * variance * decay)).sqrt()
}
