//! The Gaussian flow from one start: when its teacher term takes over, and where its peak is then (L000.43).

use fovea_core::fourier::{frequency_of, from_fourier, to_fourier};
use fovea_desk::cell::peak;
use fovea_theory::GaussianFlow;

/// `C_pos w`, or `(C_pos + C_neg)^-1 C_pos w`.
pub(super) fn image(flow: &GaussianFlow, w: &[f64], divided: bool) -> Vec<f64> {
    let mut u = to_fourier(w);
    for (j, u) in u.iter_mut().enumerate() {
        let k = frequency_of(j, w.len());
        let (pos, neg) = (flow.eigs_pos[k], flow.eigs_neg[k]);
        *u *= if divided { pos / (pos + neg) } else { pos };
    }
    from_fourier(&u)
}

/// The Gaussian flow from one start.
pub(super) struct Followed {
    /// When the teacher term first balances the decay.
    pub(super) time: f64,
    /// The largest weight then.
    pub(super) site: usize,
    /// The largest weight at each of the times asked for.
    pub(super) sites: Vec<usize>,
}

impl Followed {
    /// Follows the flow in small steps to the last of `times`.
    pub(super) fn new(flow: &GaussianFlow, start: &[f64], times: &[f64]) -> Self {
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
fn teacher_over_decay(flow: &GaussianFlow, u: &[f64]) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::ring::Kernel;
    use fovea_core::streams::Streams;
    use fovea_desk::two_class::TwoClass;

    fn flow() -> GaussianFlow {
        let two = TwoClass { n: 40, xi_pos: 2.0, xi_neg: 1.0, kernel: Kernel::Ring };
        two.matched_gaussian_flow(3.0).unwrap()
    }

    #[test]
    fn the_teacher_balances_the_decay_at_rest_and_at_the_handover() {
        let mut start = vec![0.0; 40];
        Streams::new(5).named("init").normals(0, &mut start);
        for w in &mut start {
            *w *= (2.0_f64 / 41.0).sqrt();
        }
        let flow = flow();
        let followed = Followed::new(&flow, &start, &[0.0, 1.0, 30.0]);
        assert!(followed.time > 0.5 && followed.time < 30.0, "{}", followed.time);
        let there = flow.solve(&start, followed.time).unwrap();
        assert!((teacher_over_decay(&flow, &to_fourier(&there)) - 1.0).abs() < 0.05);
        let rest = flow.solve(&start, 3000.0).unwrap();
        assert!((teacher_over_decay(&flow, &to_fourier(&rest)) - 1.0).abs() < 1e-4);
        assert_eq!((followed.sites.len(), followed.sites[0]), (3, peak(&start)));
    }

    #[test]
    fn images_are_what_the_matrices_make() {
        let flow = flow();
        let w: Vec<f64> = (0..40).map(|i| f64::from(i * i % 11) - 5.0).collect();
        let sum = GaussianFlow {
            eigs_pos: flow.eigs_pos.iter().zip(&flow.eigs_neg).map(|(p, n)| p + n).collect(),
            ..flow.clone()
        };
        let back = image(&sum, &image(&flow, &w, true), false);
        for (a, b) in back.iter().zip(image(&flow, &w, false)) {
            assert!((a - b).abs() < 1e-11);
        }
    }
}
