//! The absolute error.

use super::{Entry, Loss};
use fovea_core::lanes::{BLOCK, LANES, Real};

/// `sum_o |y_o - t_o|`; its slope where both are equal is zero.
#[derive(Debug)]
pub struct L1;

impl Loss for L1 {
    #[inline(always)]
    fn errors<T: Real>(
        y: &mut [[T; BLOCK]],
        target: &[[T; BLOCK]],
        used: usize,
        total: &mut [T; LANES],
    ) {
        for (row, target) in y.iter_mut().zip(target) {
            for l in 0..BLOCK {
                let gap = if l < used { row[l] - target[l] } else { T::ZERO };
                total[l % LANES] = total[l % LANES] + gap.abs();
                row[l] = if gap.abs() > T::ZERO { T::ONE.copysign(gap) } else { T::ZERO };
            }
        }
    }

    #[inline(always)]
    fn one<T: Real>(y: T, target: T) -> (T, T) {
        let gap = y - target;
        (gap.abs(), if gap.abs() > T::ZERO { T::ONE.copysign(gap) } else { T::ZERO })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry {
    name: "l1",
    summary: "the absolute error, sum |y_hat - y|",
    value: |y, t| y.iter().zip(t).map(|(y, t)| (y - t).abs()).sum(),
    slope: |y, t| {
        let sign = |gap: f64| if gap.abs() > 0.0 { 1.0_f64.copysign(gap) } else { 0.0 };
        y.iter().zip(t).map(|(y, t)| sign(y - t)).collect()
    },
    probabilities: false,
    squared: false,
};
