//! The plain path of a superblock: units whose activation was typed, one number at a time in double precision.

use super::superblock::{Backward, Forward};
use fovea_core::Function;
use fovea_core::lanes::{BLOCK, Real};

/// A pass that can be taken without an activation known to the compiler.
pub(super) trait Plain {
    /// Takes it with units that do `phi`.
    fn through(self, phi: &Function);
}

impl<T: Real> Plain for Forward<'_, T> {
    fn through(self, phi: &Function) {
        let Forward { theta, rows } = self;
        let (width, outputs) = (theta.hidden.units(), theta.output_biases.len());
        let mean = T::ONE / T::from_f64(width as f64);
        for slot in 0..rows.used.len() {
            let units = slot * width..(slot + 1) * width;
            let value = |h: T| T::from_f64(phi.value(h.to_f64()));
            if outputs == 0 {
                let mut sum = [T::ZERO; BLOCK];
                for row in &rows.h[units] {
                    for l in 0..BLOCK {
                        sum[l] = sum[l] + value(row[l]);
                    }
                }
                rows.y[slot] = sum.map(|sum| sum * mean);
                continue;
            }
            for k in units.clone() {
                rows.u[k] = rows.h[k].map(value);
            }
            for o in 0..outputs {
                let mut sum = [T::ZERO; BLOCK];
                for (row, v) in rows.u[units.clone()].iter().zip(&theta.readout[o * width..]) {
                    for l in 0..BLOCK {
                        sum[l] = v.fma(row[l], sum[l]);
                    }
                }
                rows.y[slot * outputs + o] = sum.map(|sum| sum * mean + theta.output_biases[o]);
            }
        }
    }
}

impl<T: Real> Plain for Backward<'_, T> {
    fn through(self, phi: &Function) {
        let Backward { theta, rows } = self;
        let (width, outputs) = (theta.hidden.units(), theta.output_biases.len());
        for slot in 0..rows.used.len() {
            for k in 0..width {
                let mut back = rows.y[slot * outputs.max(1)];
                if outputs > 0 {
                    back = [T::ZERO; BLOCK];
                    for o in 0..outputs {
                        let (v, error) =
                            (theta.readout[o * width + k], &rows.y[slot * outputs + o]);
                        for l in 0..BLOCK {
                            back[l] = v.fma(error[l], back[l]);
                        }
                    }
                }
                let row = &mut rows.h[slot * width + k];
                for l in 0..BLOCK {
                    row[l] = back[l] * T::from_f64(phi.slope(row[l].to_f64()));
                }
            }
        }
    }
}
