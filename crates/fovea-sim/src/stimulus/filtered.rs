//! The samples of a stimulus that lie on one side of a plane.

use super::{Covariance, Declared, Draw, Element, Moments, Split, Stimulus};
use crate::cholesky::LARGEST;
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::params::{any, between};
use fovea_core::quadrature::adaptive_split;
use fovea_core::registry::resolve;
use fovea_core::special::normal_pdf;
use fovea_core::streams::{BlockRng, Streams};
use fovea_core::{Entry, Item, Matrix, ParamError, Params, params};

params! {
    /// Samples `x` of `base` with `<direction, x> >= threshold`; the others are drawn again.
    pub struct Filtered {
        /// What is filtered.
        base: Item<Box<dyn Stimulus>> = Item::named("nlgp"), any(), "";
        /// One row with a weight for every entry, or a single number: the weight of the entry at `site` alone.
        direction: Matrix = Matrix::new(1, vec![1.0]), between(-1e6, 1e6), "";
        /// The entry that is used when `direction` is a single number.
        site: usize = 0, between(0.0, 65535.0), "";
        /// Smallest value of `<direction, x>`.
        threshold: f64 = 0.0, between(-1e9, 1e9), "";
    }
}

impl Params for Filtered {}

/// The smallest share of samples that may be kept: below it more than a thousand are drawn for one.
const LEAST_SHARE: f64 = 1e-3;

impl Filtered {
    /// Builds the sampler and estimates the share it keeps.
    ///
    /// # Errors
    /// The base cannot be built; a direction that does not fit it or is zero; fewer than one sample in a thousand kept.
    pub fn sampler(&self) -> Result<FilteredSampler, ParamError> {
        let base = self.base.build("base")?;
        let weights = self.weights(base.dim())?;
        let mut sampler = FilteredSampler { base, weights, threshold: self.threshold, share: 1.0 };
        let (kept, drawn) = sampler.kept();
        sampler.share = kept as f64 / drawn as f64;
        if sampler.share >= LEAST_SHARE {
            return Ok(sampler);
        }
        Err(ParamError::Inconsistent {
            what: format!(
                "<direction, x> >= {} keeps {kept} of {drawn} samples of {}, a share of {:.1e}; it must keep at least {LEAST_SHARE:e}",
                self.threshold,
                self.base.name(),
                sampler.share
            ),
            hint: "choose a lower `threshold`, or a longer `direction`".to_owned(),
        })
    }

    /// The entries that count, with their weights.
    fn weights(&self, dim: usize) -> Result<Vec<(usize, f64)>, ParamError> {
        let (rows, cols) = (self.direction.rows(), self.direction.cols());
        let refused = |what: String, hint: String| Err(ParamError::Inconsistent { what, hint });
        let all: Vec<(usize, f64)> = if rows == 1 && cols == 1 {
            if self.site >= dim {
                return refused(
                    format!("`site` is {} and `base` has the entries 0 to {}", self.site, dim - 1),
                    format!("choose `site` below {dim}"),
                );
            }
            vec![(self.site, self.direction.row(0)[0])]
        } else if rows == 1 && cols == dim {
            self.direction.row(0).iter().copied().enumerate().collect()
        } else {
            return refused(
                format!("`direction` is {rows} x {cols} and a sample of `base` has {dim} entries"),
                format!("give `direction` one row of {dim} numbers, or a single number"),
            );
        };
        let weights: Vec<_> = all.into_iter().filter(|(_, weight)| weight.abs() > 0.0).collect();
        if weights.is_empty() {
            return refused(
                "`direction` is zero: it does not separate samples".to_owned(),
                "give at least one entry a weight".to_owned(),
            );
        }
        Ok(weights)
    }
}

/// Draws [`Filtered`] samples.
pub struct FilteredSampler {
    base: Box<dyn Stimulus>,
    weights: Vec<(usize, f64)>,
    threshold: f64,
    share: f64,
}

impl FilteredSampler {
    /// How many samples were kept and how many were drawn, in the number type that keeps fewer: a value on
    /// the plane may round to either side.
    fn kept(&self) -> (usize, usize) {
        self.count::<f32>().min(self.count::<f64>())
    }

    /// How many samples of a fixed stream are kept and drawn: a thousand kept, or 32768 drawn, are enough.
    fn count<T: Element>(&self) -> (usize, usize) {
        let stream = Streams::new(0).named("filtered/share");
        let (mut scratch, mut block) = (Vec::new(), vec![[T::ZERO; BLOCK]; self.base.dim()]);
        let (mut kept, mut drawn) = (0, 0);
        for index in 0..1024 {
            T::fill(self.base.as_ref(), &mut stream.block(0, index), &mut scratch, &mut block);
            kept += self.keeps(&block).into_iter().filter(|keep| *keep).count();
            drawn += BLOCK;
            if kept >= 1000 {
                break;
            }
        }
        (kept, drawn)
    }

    /// Which samples of a block lie on the right side, summed in double precision for both number types.
    fn keeps<T: Element>(&self, block: &[[T; BLOCK]]) -> [bool; BLOCK] {
        let mut sums = [0.0; BLOCK];
        for &(i, weight) in &self.weights {
            for (sum, x) in sums.iter_mut().zip(&block[i]) {
                *sum += weight * x.to_f64();
            }
        }
        sums.map(|sum| sum >= self.threshold)
    }

    /// Moments where one entry of a symmetric distribution is restricted to one sign: the second moments are those of the base, which
    /// has as many samples on either side.
    fn halved(&self) -> Option<Result<Moments, String>> {
        let &[(site, weight)] = self.weights.as_slice() else { return None };
        if self.threshold != 0.0 || !self.base.declared().sign_symmetric {
            return None;
        }
        let positive = self.base.mean_given_positive(site)?;
        let mean: Vec<f64> = positive.iter().map(|m| m * weight.signum()).collect();
        Some(self.base.moments().map(|base| {
            let n = mean.len();
            let cov = |i: usize, j: usize| base.covariance.at(i, j) - mean[i] * mean[j];
            let entries = (0..n * n).map(|at| cov(at / n, at % n)).collect();
            Moments { mean, covariance: Covariance::Full { n, entries } }
        }))
    }

    /// Moments of a Gaussian cut by a plane: a truncated normal along the direction, unchanged across it.
    fn cut_gaussian(&self, base: &Moments) -> Moments {
        let n = base.mean.len();
        let weighted = |f: &dyn Fn(usize) -> f64| -> f64 {
            self.weights.iter().map(|(i, weight)| weight * f(*i)).sum()
        };
        let pull: Vec<f64> = (0..n).map(|i| weighted(&|j| base.covariance.at(i, j))).collect();
        let (centre, var) = (weighted(&|j| base.mean[j]), weighted(&|j| pull[j]));
        let (along, lost) = if var > 0.0 {
            let (mean, left) = cut_normal((self.threshold - centre) / var.sqrt());
            (mean / var.sqrt(), (1.0 - left) / var)
        } else {
            (0.0, 0.0)
        };
        let cov = |i: usize, j: usize| base.covariance.at(i, j) - lost * pull[i] * pull[j];
        Moments {
            mean: base.mean.iter().zip(&pull).map(|(mean, pull)| mean + along * pull).collect(),
            covariance: Covariance::Full {
                n,
                entries: (0..n * n).map(|at| cov(at / n, at % n)).collect(),
            },
        }
    }
}

/// Mean and variance of a standard normal number that is at least `from`, by quadrature.
fn cut_normal(from: f64) -> (f64, f64) {
    const REACH: f64 = 38.0;
    let from = from.clamp(-REACH, REACH - 1.0);
    // Panels on the scale of the density, or of its tail.
    let mut points =
        vec![from, from + 1.0, from + 4.0, from.max(0.0) + 12.0, -12.0, -3.0, 0.0, 3.0];
    points.retain(|p| *p >= from);
    let integral =
        |f: &dyn Fn(f64) -> f64| adaptive_split(|z| f(z) * normal_pdf(z), &points, 1e-14).value;
    let share = integral(&|_| 1.0);
    let mean = integral(&|z| z) / share;
    (mean, integral(&|z| (z - mean) * (z - mean)) / share)
}

impl Draw for FilteredSampler {
    fn dim(&self) -> usize {
        self.base.dim()
    }
    fn shape(&self) -> Vec<usize> {
        self.base.shape()
    }

    /// A plane breaks every symmetry except the shifts, and these too unless all entries have the same weight.
    fn declared(&self) -> Declared {
        let same = |(_, weight): &(usize, f64)| weight.to_bits() == self.weights[0].1.to_bits();
        let even = self.weights.len() == self.base.dim() && self.weights.iter().all(same);
        Declared {
            standardized: false,
            sign_symmetric: false,
            translation_invariant: even && self.base.declared().translation_invariant,
        }
    }
    /// Where one sample follows from another, both may be kept, at any two places.
    fn independent(&self) -> usize {
        if self.base.independent() < BLOCK { 1 } else { BLOCK }
    }
    fn notes(&self) -> Vec<String> {
        let kept = format!("about {:.1} % of the samples of the base are kept", 100.0 * self.share);
        [self.base.notes(), vec![kept]].concat()
    }

    fn moments(&self) -> Result<Moments, String> {
        if self.base.dim() > LARGEST {
            return Err(format!("a full covariance is formed up to {LARGEST} entries"));
        }
        if self.base.is_gaussian() {
            return Ok(self.cut_gaussian(&self.base.moments()?));
        }
        self.halved().unwrap_or_else(|| {
            Err("the moments of a filtered stimulus are known for a Gaussian base, and for half of a symmetric field or \
                 ring of spins (one entry, threshold 0)"
                .to_owned())
        })
    }

    fn has_rows(&self) -> bool {
        self.base.has_rows()
    }

    /// The rows on the right side of the plane; an error where these are too few of the training rows.
    fn split(&self, streams: &Streams) -> Result<Option<Split>, ParamError> {
        let Some(Split { training, rows }) = self.base.split(streams)? else { return Ok(None) };
        let dim = self.base.dim();
        let keep = |row: &[f64], into: &mut Vec<f64>| {
            if self.weights.iter().map(|(i, weight)| weight * row[*i]).sum::<f64>()
                >= self.threshold
            {
                into.extend(row);
            }
        };
        let (weights, threshold) = (self.weights.clone(), self.threshold);
        let mut training = Self { base: training, weights, threshold, share: 1.0 };
        let (kept, drawn) = training.kept();
        training.share = kept as f64 / drawn as f64;
        if training.share < LEAST_SHARE {
            return Err(ParamError::Inconsistent {
                what: format!(
                    "<direction, x> >= {threshold} keeps {kept} of {drawn} samples of the training rows; it must keep a share of at least {LEAST_SHARE:e}"
                ),
                hint: "choose a lower `threshold`, or hold fewer rows out".to_owned(),
            });
        }
        let rows = rows.map(|rows| rows.remade(dim, keep));
        Ok(Some(Split { training: Box::new(training), rows }))
    }

    fn draw<T: Element>(
        &self,
        rng: &mut BlockRng,
        scratch: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        // Kept samples move to the front, in the order drawn; a further block is drawn only for those that are missing.
        T::fill(self.base.as_ref(), rng, scratch, block);
        let mut kept = 0;
        for (s, _) in self.keeps(block).into_iter().enumerate().filter(|(_, keep)| *keep) {
            for row in block.iter_mut() {
                row[kept] = row[s];
            }
            kept += 1;
        }
        let mut more = Vec::new();
        while kept < BLOCK {
            more.resize(block.len(), [T::ZERO; BLOCK]);
            T::fill(self.base.as_ref(), rng, scratch, &mut more);
            let found = self.keeps(&more).into_iter().enumerate().filter(|(_, keep)| *keep);
            for (s, _) in found.take(BLOCK - kept) {
                block.iter_mut().zip(&more).for_each(|(row, more)| row[kept] = more[s]);
                kept += 1;
            }
        }
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "filtered",
    summary: "the samples of another stimulus on one side of a plane",
    schema: <Filtered as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Filtered>(values)?.sampler()?)),
};

#[cfg(test)]
mod tests;
