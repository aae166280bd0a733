//! The Huber loss.

use super::{Entry, Loss};
use fovea_core::lanes::{BLOCK, LANES, Real};

/// `sum_o h(y_o - t_o)` with `h(g) = g^2/2` up to a gap of 1 and `|g| - 1/2` beyond: no sample pulls with more than 1.
#[derive(Debug)]
pub struct Huber;

impl Loss for Huber {
    #[inline(always)]
    fn errors<T: Real>(
        y: &mut [[T; BLOCK]],
        target: &[[T; BLOCK]],
        used: usize,
        total: &mut [T; LANES],
    ) {
        for (row, target) in y.iter_mut().zip(target) {
            for l in 0..BLOCK {
                let target = if l < used { target[l] } else { row[l] };
                let (loss, slope) = Self::one(row[l], target);
                total[l % LANES] = total[l % LANES] + loss;
                row[l] = slope;
            }
        }
    }

    /// With the gap `g` cut off at 1 as `c`, both branches are `c (g - c/2)`.
    #[inline(always)]
    fn one<T: Real>(y: T, target: T) -> (T, T) {
        let gap = y - target;
        let slope = if gap.abs() < T::ONE { gap } else { T::ONE.copysign(gap) };
        (slope * (gap - T::from_f64(0.5) * slope), slope)
    }
}

/// The registry row.
pub const ENTRY: Entry = Entry {
    name: "huber",
    summary: "the Huber loss: half the squared error up to a gap of 1, |y_hat - y| - 1/2 beyond",
    value: |y, t| {
        let cost = |gap: f64| if gap < 1.0 { 0.5 * gap * gap } else { gap - 0.5 };
        y.iter().zip(t).map(|(y, t)| cost((y - t).abs())).sum()
    },
    slope: |y, t| y.iter().zip(t).map(|(y, t)| (y - t).clamp(-1.0, 1.0)).collect(),
    probabilities: false,
    squared: false,
};
