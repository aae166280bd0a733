//! Kurtosis of samples, and why those of a heavy tail fall short.

use fovea_core::quadrature::adaptive;
use fovea_core::special::{normal_pdf, normal_quantile};
use fovea_core::streams::Streams;
use fovea_sim::{Batch, Task, plain};
use fovea_theory::site::Site;

/// Parts of a set after which the kurtosis is read: a hundredth, a tenth, all of it.
pub(super) const PARTS: [usize; 3] = [100, 10, 1];

/// Sums of powers over entries.
#[derive(Clone, Copy, Default)]
pub struct Powers {
    count: f64,
    sums: [f64; 3],
}

impl Powers {
    /// Adds one entry.
    pub fn push(&mut self, x: f64) {
        self.count += 1.0;
        for (sum, power) in self.sums.iter_mut().zip([x, x * x, x * x * x * x]) {
            *sum += power;
        }
    }

    /// `mean(x^4) / var(x)^2`, as the published program prints it.
    pub fn kurtosis(&self) -> f64 {
        let [first, second, fourth] = self.sums.map(|sum| sum / self.count);
        let variance = second - first * first;
        fourth / (variance * variance)
    }
}

/// The kurtosis over all entries of a set of samples, after each of [`PARTS`] of it.
pub(super) fn sampled(task: &Task, streams: &Streams, samples: usize) -> [f64; 3] {
    let batch = Batch::new(task, streams, "kurtosis", 0, samples);
    let (mut powers, mut read) = (Powers::default(), [0.0; 3]);
    for (i, (x, _)) in plain::samples::<f64>(&batch).iter().enumerate() {
        for entry in x {
            powers.push(*entry);
        }
        for (read, part) in read.iter_mut().zip(PARTS) {
            if i + 1 == samples / part {
                *read = powers.kurtosis();
            }
        }
    }
    read
}

/// The fourth moment of a law without what lies beyond the size that one of `draws` exceeds on average.
///
/// A mean of `draws` heavy-tailed numbers seldom sees anything beyond; for tails `P(|X| > x) ~ x^-k` the gap closes as
/// `draws^(4/k - 1)`.
pub fn within_reach(site: Site, draws: f64) -> f64 {
    let top = -normal_quantile(0.5 / draws);
    let fourth = |z: f64| {
        let square = site.quantile(z) * site.quantile(z);
        2.0 * square * square * normal_pdf(z)
    };
    adaptive(fourth, 0.0, top, 1e-10).value
}
