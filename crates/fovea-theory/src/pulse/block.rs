//! Mean and second moment of data in which one of several disjoint blocks is lit.
//!
//! ```math
//! E\,x_i=\frac{\mathbf 1(i<BL)}B,\qquad E\,x_ix_j=\frac{\mathbf 1(i<BL)}B\,\mathbf 1\big(\lfloor i/L\rfloor=\lfloor j/L\rfloor\big),\qquad
//! B=\lfloor n/L\rfloor
//! ```
//!
//! # Source
//! Derived.
//!
//! # Symbols
//! * $`L`$: `length`
//! * $`B`$: number of blocks, which tile the ring from site 0 (one of them is lit)
//! * `complement`: probability that zeros and ones are exchanged (then 0 becomes `low` and 1 becomes `high`, as in
//!   `pulse.single`)
//!
//! # Holds when
//! `1 <= length <= n`. The remaining $`n-BL`$ sites are never lit. The distribution is not translation-invariant, so the
//! second moment is a matrix.
//!
//! # Checked by
//! Sums over all blocks; sampled moments.

use super::Levels;
use crate::form::{Control, Form, matrix, with};
use fovea_core::params::{Schema, between, finite};
use fovea_core::{ParamError, Params, Value, params};

/// Mean and second moments of every site.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Mean of each site.
    pub mean: Vec<f64>,
    /// $`E\,x_ix_j`$, row by row.
    pub second: Vec<Vec<f64>>,
}

impl From<Block> for Value {
    fn from(block: Block) -> Self {
        Self::table([("mean", Self::reals(&block.mean)), ("second", matrix(&block.second))])
    }
}

/// Mean and second moments when one of the blocks of this length is lit.
///
/// ```
/// use fovea_theory::pulse::{Levels, block::block};
/// let moments = block(7, 3, Levels::PLAIN);
/// assert_eq!(moments.mean, [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.0]);
/// ```
pub fn block(n: usize, length: usize, levels: Levels) -> Block {
    let blocks = n / length;
    moments(n, length, levels, |i| (i < blocks * length).then_some(i / length))
}

/// The moments when `block_of` says which block a site belongs to.
fn moments(
    n: usize,
    length: usize,
    levels: Levels,
    block_of: impl Fn(usize) -> Option<usize>,
) -> Block {
    let share = 1.0 / (n / length) as f64;
    let lit = |i: usize| if block_of(i).is_some() { share } else { 0.0 };
    let both = |i: usize, j: usize| if block_of(i) == block_of(j) { lit(i) } else { 0.0 };
    let second = |i: usize| (0..n).map(|j| levels.second(lit(i), lit(j), both(i, j))).collect();
    Block {
        mean: (0..n).map(|i| levels.mean(lit(i))).collect(),
        second: (0..n).map(second).collect(),
    }
}

params! {
    /// Arguments of `pulse.block`.
    pub struct Args {
        /// Ring size.
        n: usize = 10, between(2.0, 1e3), "sites";
        /// Length of a block.
        length: usize = 3, between(1.0, 1e3), "sites";
        /// Probability of exchanging lit and dark sites.
        complement: f64 = 0.0, between(0.0, 1.0), "";
        /// Value of a dark site.
        low: f64 = 0.0, finite(), "";
        /// Value of a lit site.
        high: f64 = 1.0, finite(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        if self.length <= self.n {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!("a block of {} sites does not fit a ring of n = {}", self.length, self.n),
            hint: format!("choose length <= {}", self.n),
        })
    }
}

impl Args {
    fn levels(&self) -> Levels {
        Levels { complement: self.complement, low: self.low, high: self.high }
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "pulse.block",
    text: include_str!("block.rs"),
    control: Control {
        what: "the remaining sites counted as part of the last block",
        eval: |given| {
            with(given, |a: Args| {
                let last = a.n / a.length - 1;
                let block_of = |i: usize| Some((i / a.length).min(last));
                Ok(moments(a.n, a.length, a.levels(), block_of).into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(block(a.n, a.length, a.levels()).into())),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pulse::enumerated;

    #[test]
    fn all_blocks_have_these_moments() {
        let levels = Levels { complement: 0.2, low: -1.0, high: 3.0 };
        for (n, length) in [(2, 1), (6, 3), (7, 3), (9, 9), (9, 5), (12, 4)] {
            let count = n / length;
            let pattern = |b: usize| -> Vec<f64> {
                (0..n)
                    .map(|i| f64::from(u8::from(b * length <= i && i < (b + 1) * length)))
                    .collect()
            };
            let all: Vec<(f64, Vec<f64>)> =
                (0..count).map(|b| (1.0 / count as f64, pattern(b))).collect();
            for levels in [Levels::PLAIN, levels] {
                let (mean, second) = enumerated(&all, levels);
                let got = block(n, length, levels);
                let gap = |a: &[f64], b: &[f64]| {
                    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
                };
                assert!(gap(&got.mean, &mean) < 1e-14, "n={n} L={length}");
                assert!(got.second.iter().zip(&second).all(|(a, b)| gap(a, b) < 1e-14));
            }
        }
    }
}
