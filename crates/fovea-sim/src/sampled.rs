//! Shared by the tests of the stimuli: samples compared with the exact moments of their stimulus.

use crate::stimulus::Element;
use crate::stimulus::{Moments, Stimulus};
use fovea_core::agree::{all_agree, noise_limit, test_seed};
use fovea_core::lanes::BLOCK;
use fovea_core::stats::Estimate;
use fovea_core::streams::Streams;

/// A product that is constant over samples has no standard error except rounding, and is compared as a number.
const NO_SPREAD: f64 = 1e-6;

/// Independent samples of one stimulus, entry by entry, as many as `blocks` blocks hold where all of a block are independent.
pub(crate) fn samples<T: Element>(
    stimulus: &dyn Stimulus,
    path: &str,
    index: u64,
    blocks: u32,
) -> Vec<Vec<f64>> {
    let stream = Streams::new(test_seed(path, index)).named(T::NAME);
    let mut block = vec![[T::ZERO; BLOCK]; stimulus.dim()];
    let mut entries = vec![Vec::new(); stimulus.dim()];
    let (mut scratch, independent) = (Vec::new(), stimulus.independent());
    for at in 0..blocks * (BLOCK / independent) as u32 {
        T::fill(stimulus, &mut stream.block(0, at), &mut scratch, &mut block);
        for (entry, row) in entries.iter_mut().zip(&block) {
            entry.extend(row[..independent].iter().map(|x| x.to_f64()));
        }
    }
    entries
}

/// Measured means and covariances of the entries that vary, with their exact values.
pub(crate) struct Sampled {
    path: String,
    moments: Moments,
    means: Vec<(usize, Estimate)>,
    pairs: Vec<(usize, usize, Estimate)>,
}

impl Sampled {
    /// Draws a stimulus in both precisions; both must be finite everywhere.
    pub(crate) fn new(stimulus: &dyn Stimulus, path: &str, index: u64, blocks: u32) -> Self {
        let moments = stimulus.moments().unwrap();
        let mut x = samples::<f64>(stimulus, path, index, blocks);
        for (entry, single) in x.iter_mut().zip(samples::<f32>(stimulus, path, index, blocks)) {
            entry.extend(single);
        }
        assert!(x.iter().flatten().all(|x| x.is_finite()), "{path}");
        let vary: Vec<usize> =
            (0..x.len()).filter(|&i| moments.covariance.at(i, i) > 1e-12).collect();
        let gap = |i: usize, s: usize| x[i][s] - moments.mean[i];
        for i in (0..x.len()).filter(|i| !vary.contains(i)) {
            assert!(
                (0..x[i].len()).all(|s| gap(i, s).abs() < 1e-5),
                "{path}: entry {i} should not vary"
            );
        }
        let estimate = |f: &dyn Fn(usize) -> f64| {
            Estimate::from_samples(&(0..x[0].len()).map(f).collect::<Vec<_>>()).unwrap()
        };
        let means = vary.iter().map(|&i| (i, estimate(&|s| x[i][s]))).collect();
        let mut pairs = Vec::new();
        for (place, &i) in vary.iter().enumerate() {
            for &j in &vary[place..] {
                let products = estimate(&|s| gap(i, s) * gap(j, s));
                let error = (products.mean() - moments.covariance.at(i, j)).abs();
                let close = products.se() > NO_SPREAD || error < 1e-5;
                assert!(close, "{path}: entries {i}, {j}: {error:e}");
                pairs.push((i, j, products));
            }
        }
        Self { path: path.to_owned(), moments, means, pairs }
    }

    /// Asserts that everything measured agrees with its value.
    #[track_caller]
    pub(crate) fn holds(&self) {
        let spread = self.pairs.iter().filter(|(_, _, estimate)| estimate.se() > NO_SPREAD);
        let means = self.means.iter().map(|(i, estimate)| (*estimate, self.moments.mean[*i]));
        let pairs = spread.map(|(i, j, estimate)| (*estimate, self.moments.covariance.at(*i, *j)));
        let (estimates, values): (Vec<_>, Vec<_>) = means.chain(pairs).unzip();
        all_agree(&estimates, &values).unwrap_or_else(|error| panic!("{}: {error}", self.path));
    }

    /// A control: some pair is far beyond the limit from the value of a wrong form.
    #[track_caller]
    pub(crate) fn rejects(&self, wrong: impl Fn(usize, usize) -> f64) {
        let distances = self.pairs.iter().map(|(i, j, estimate)| estimate.z(wrong(*i, *j)).abs());
        self.far(distances.fold(0.0, f64::max));
    }

    /// A control: some mean is far beyond the limit from the value of a wrong form.
    #[track_caller]
    pub(crate) fn rejects_means(&self, wrong: impl Fn(usize) -> f64) {
        let distances = self.means.iter().map(|(i, estimate)| estimate.z(wrong(*i)).abs());
        self.far(distances.fold(0.0, f64::max));
    }

    #[track_caller]
    fn far(&self, distance: f64) {
        let limit = noise_limit(self.means.len() + self.pairs.len(), f64::INFINITY);
        assert!(
            distance > limit.max(8.0),
            "{}: a control is only {distance:.1} standard errors away",
            self.path
        );
    }
}
