//! Half the squared error.

use super::{Entry, Loss};
use fovea_core::lanes::{BLOCK, LANES, Real};

/// `1/2 sum_o (y_o - t_o)^2`.
#[derive(Debug)]
pub struct Mse;

impl Loss for Mse {
    const SCALE: f64 = 0.5;

    #[inline(always)]
    fn errors<T: Real>(
        y: &mut [[T; BLOCK]],
        target: &[[T; BLOCK]],
        used: usize,
        total: &mut [T; LANES],
    ) {
        for (row, target) in y.iter_mut().zip(target) {
            for l in 0..BLOCK {
                row[l] = row[l] - target[l];
            }
            if used < BLOCK {
                row[used..].fill(T::ZERO);
            }
            for l in 0..LANES {
                total[l] = row[l].fma(row[l], total[l]);
            }
            for l in 0..LANES {
                total[l] = row[LANES + l].fma(row[LANES + l], total[l]);
            }
        }
    }

    #[inline(always)]
    fn one<T: Real>(y: T, target: T) -> (T, T) {
        let gap = y - target;
        (gap * gap, gap)
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry {
    name: "mse",
    summary: "half the squared error, 1/2 sum (y_hat - y)^2",
    value: |y, t| 0.5 * y.iter().zip(t).map(|(y, t)| (y - t) * (y - t)).sum::<f64>(),
    slope: |y, t| y.iter().zip(t).map(|(y, t)| y - t).collect(),
    probabilities: false,
    squared: true,
};
