//! One pulse on the ring.

use super::{Covariance, Declared, Draw, Element, Moments, Stimulus};
use crate::simd::{Body, Simd, dispatch};
use fovea_core::lanes::{BLOCK, LANES, Real};
use fovea_core::params::between;
use fovea_core::registry::resolve;
use fovea_core::streams::{BlockRng, Threshold};
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// A run of neighbouring sites is `high`, the rest `low`; start and length are uniform.
    pub struct SinglePulse {
        /// Ring size: entries of a sample.
        n: usize = 40, between(2.0, 16384.0), "sites";
        /// Shortest pulse.
        min_length: usize = 2, between(1.0, 16384.0), "sites";
        /// Longest pulse; every length from the shortest to this one is equally likely.
        max_length: usize = 3, between(1.0, 16384.0), "sites";
        /// Probability that `low` and `high` are exchanged in a sample.
        complement: f64 = 0.0, between(0.0, 1.0), "";
        /// Value off the pulse.
        low: f64 = 0.0, between(-1e6, 1e6), "";
        /// Value on the pulse.
        high: f64 = 1.0, between(-1e6, 1e6), "";
    }
}

impl Params for SinglePulse {
    fn check(&self) -> Result<(), ParamError> {
        let Self { n, min_length, max_length, .. } = *self;
        if max_length > n {
            return Err(ParamError::Inconsistent {
                what: format!("`max_length` is {max_length} on a ring of {n} sites"),
                hint: format!("choose `max_length` between `min_length` and {n}, or a larger `n`"),
            });
        }
        if min_length > max_length {
            return Err(ParamError::Inconsistent {
                what: format!(
                    "`min_length` is {min_length}, above `max_length`, which is {max_length}"
                ),
                hint: format!("choose `min_length` between 1 and {max_length}"),
            });
        }
        distinct_levels(self.low, self.high)
    }
}

/// Refuses a pulse whose two levels are equal.
pub(super) fn distinct_levels(low: f64, high: f64) -> Result<(), ParamError> {
    if (high - low).abs() > 0.0 {
        return Ok(());
    }
    Err(ParamError::Inconsistent {
        what: format!("`low` and `high` are both {low}: every sample is the same"),
        hint: "choose two values that differ".to_owned(),
    })
}

impl SinglePulse {
    /// Builds the sampler.
    ///
    /// # Errors
    /// Lengths that do not fit the ring or each other; equal levels.
    pub fn sampler(&self) -> Result<SinglePulseSampler, ParamError> {
        self.check()?;
        Ok(SinglePulseSampler { params: self.clone() })
    }
}

/// Draws [`SinglePulse`] samples.
#[derive(Clone, Debug)]
pub struct SinglePulseSampler {
    params: SinglePulse,
}

impl SinglePulseSampler {
    /// For every offset, the number of pairs (start, length) for which both site 0 and the site at that offset are on the pulse.
    ///
    /// Each pair of sites on a pulse is one such case; a pulse that is one site longer adds the pairs with its new end.
    fn cases_with_both(&self) -> Vec<u64> {
        let SinglePulse { n, min_length, max_length, .. } = self.params;
        let (mut of_one, mut of_all) = (vec![0_u64; n], vec![0_u64; n]);
        for length in 1..=max_length {
            let end = length - 1;
            of_one[0] += 1;
            for gap in 1..=end {
                of_one[gap] += 1;
                of_one[n - gap] += 1;
            }
            if length >= min_length {
                of_all.iter_mut().zip(&of_one).for_each(|(all, one)| *all += one);
            }
        }
        of_all
    }
}

impl Draw for SinglePulseSampler {
    fn dim(&self) -> usize {
        self.params.n
    }

    /// Levels `-h` and `h` that are exchanged half of the time are symmetric.
    fn declared(&self) -> Declared {
        let SinglePulse { complement, low, high, .. } = self.params;
        let is = |x: f64, y: f64| x.to_bits() == y.to_bits();
        let sign_symmetric = is(complement, 0.5) && is(low, -high);
        let standardized = sign_symmetric && is(high.abs(), 1.0);
        Declared { standardized, sign_symmetric, translation_invariant: true }
    }

    fn moments(&self) -> Result<Moments, String> {
        let SinglePulse { n, min_length, max_length, complement, low, high } = self.params;
        let cases = (n * (max_length - min_length + 1)) as f64;
        let both: Vec<f64> =
            self.cases_with_both().into_iter().map(|count| count as f64 / cases).collect();
        let on = both[0];
        let mean = (1.0 - complement) * on + complement * (1.0 - on);
        let step = high - low;
        let cov = |both: f64| {
            let neither = 1.0 - 2.0 * on + both;
            step * step * ((1.0 - complement) * both + complement * neither - mean * mean)
        };
        Ok(Moments {
            mean: vec![low + step * mean; n],
            covariance: Covariance::Lags {
                shape: vec![n],
                row: both.into_iter().map(cov).collect(),
            },
        })
    }

    fn draw<T: Element>(
        &self,
        rng: &mut BlockRng,
        _: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        dispatch(Fill { params: &self.params, rng, block });
    }
}

struct Fill<'a, T> {
    params: &'a SinglePulse,
    rng: &'a mut BlockRng,
    block: &'a mut [[T; BLOCK]],
}

impl<T: Real> Body for Fill<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let SinglePulse { n, min_length, max_length, .. } = *self.params;
        let (n, shortest) = (n as u32, min_length as u32);
        let lengths = (max_length - min_length + 1) as u32;
        let exchange = Threshold::of(self.params.complement);
        let (low, high) = (T::from_f64(self.params.low), T::from_f64(self.params.high));
        for half in 0..2 {
            let (start, longer) = (self.rng.below(n), self.rng.below(lengths));
            let exchanged = self.rng.coins(exchange);
            let exchanged = s.load_i(&exchanged.map(u32::from));
            let on = T::pick(s, exchanged, T::splat(s, low), T::splat(s, high));
            let off = T::pick(s, exchanged, T::splat(s, high), T::splat(s, low));
            let length = s.add_i(s.load_i(&longer), s.splat_i(shortest));
            let (one, n) = (s.splat_i(1), s.splat_i(n));
            // How far the site lies behind the start; of the two candidates either one is a huge number or both are right.
            let mut into = s.sub_i(n, s.load_i(&start));
            into = s.min_i(into, s.sub_i(into, n));
            for row in self.block.iter_mut() {
                // The difference is negative on the pulse.
                let on_pulse = s.shr(s.sub_i(into, length), 31);
                let (halves, _) = row.as_chunks_mut::<LANES>();
                T::store(s, T::pick(s, on_pulse, on, off), &mut halves[half]);
                into = s.add_i(into, one);
                into = s.min_i(into, s.sub_i(into, n));
            }
        }
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "single-pulse",
    summary: "one pulse on the ring, its start and length uniform",
    schema: <SinglePulse as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<SinglePulse>(values)?.sampler()?)),
};

#[cfg(test)]
mod tests;
