//! A square wave at a random phase.

use super::{Covariance, Declared, Draw, Element, Moments, Stimulus};
use crate::cholesky::LARGEST;
use fovea_core::lanes::{BLOCK, LANES};
use fovea_core::params::between;
use fovea_core::registry::resolve;
use fovea_core::streams::BlockRng;
use fovea_core::{Entry, Params, params};

params! {
    /// Blocks of +1 and -1 in turn; where the first one begins, and with which sign, is uniform.
    pub struct SquareWave {
        /// Entries of a sample. The ring closes without a seam where `n` is a whole number of periods.
        n: usize = 40, between(2.0, 16384.0), "sites";
        /// Length of a block, half a period.
        length: usize = 5, between(1.0, 16384.0), "sites";
    }
}

impl Params for SquareWave {}

impl SquareWave {
    fn period(&self) -> usize {
        2 * self.length
    }

    /// The wave itself, by the place in its period.
    fn wave(&self, at: usize) -> f64 {
        if at % self.period() < self.length { 1.0 } else { -1.0 }
    }

    /// Mean over all phases of the product of two entries so many sites apart.
    fn cov(&self, apart: usize) -> f64 {
        let products = (0..self.period()).map(|phase| self.wave(phase) * self.wave(phase + apart));
        products.sum::<f64>() / self.period() as f64
    }
}

impl Draw for SquareWave {
    fn dim(&self) -> usize {
        self.n
    }

    /// Half a period on, the wave has the other sign, and every phase is as likely as any other.
    fn declared(&self) -> Declared {
        let translation_invariant = self.n.is_multiple_of(self.period());
        Declared { standardized: true, sign_symmetric: true, translation_invariant }
    }

    fn moments(&self) -> Result<Moments, String> {
        let n = self.n;
        let row: Vec<f64> = (0..n).map(|apart| self.cov(apart)).collect();
        if Draw::declared(self).translation_invariant {
            return Ok(Moments::stationary(vec![n], row));
        }
        if n > LARGEST {
            return Err(format!(
                "the covariance of {n} sites depends on both of them and is formed up to {LARGEST}"
            ));
        }
        let entries = (0..n * n).map(|at| row[(at / n).abs_diff(at % n)]).collect();
        Ok(Moments { mean: vec![0.0; n], covariance: Covariance::Full { n, entries } })
    }

    fn draw<T: Element>(
        &self,
        rng: &mut BlockRng,
        _: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        for half in [0, LANES] {
            let phases = rng.below(self.period() as u32);
            for (i, row) in block.iter_mut().enumerate() {
                for (lane, phase) in phases.iter().enumerate() {
                    row[half + lane] = T::from_f64(self.wave(i + *phase as usize));
                }
            }
        }
    }
}

/// The registry row.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "square-wave",
    summary: "blocks of +1 and -1 in turn, the phase uniform",
    schema: <SquareWave as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<SquareWave>(values)?)),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_covariance_is_a_triangle_wave() {
        let wave = SquareWave { n: 40, length: 5 };
        for (apart, cov) in [1.0, 0.6, 0.2, -0.2, -0.6, -1.0, -0.6].into_iter().enumerate() {
            assert!((wave.cov(apart) - cov).abs() < 1e-15, "{apart}");
        }
    }

    #[test]
    fn a_ring_of_broken_periods_has_a_seam() {
        let at = |n: usize| {
            let wave = SquareWave { n, length: 5 };
            Draw::moments(&wave).unwrap().covariance.at(0, n - 1)
        };
        assert!((at(40) - 0.6).abs() < 1e-15 && (at(13) - 0.6).abs() > 0.1);
    }
}
