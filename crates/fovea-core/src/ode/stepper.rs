//! One step of the method of Dormand and Prince, and its tables.

use super::{OdeError, Trajectory, all_finite};
use crate::work;

/// The state and the seven velocities of a step.
pub(super) struct Stepper<F> {
    pub(super) f: F,
    pub(super) t: f64,
    h: f64,
    pub(super) y: Vec<f64>,
    next: Vec<f64>,
    /// The velocities at the stages; the first is the one at `t`.
    pub(super) k: [Vec<f64>; 7],
    pub(super) evaluations: usize,
}

impl<F: FnMut(f64, &[f64], &mut [f64])> Stepper<F> {
    /// Starts at `y0` with its velocity.
    pub(super) fn new(mut f: F, t0: f64, y0: &[f64]) -> Result<Self, OdeError> {
        let mut k: [Vec<f64>; 7] = std::array::from_fn(|_| vec![0.0; y0.len()]);
        f(t0, y0, &mut k[0]);
        if !(t0.is_finite() && all_finite(y0) && all_finite(&k[0])) {
            return Err(OdeError::NotFinite { t: t0 });
        }
        Ok(Self { f, t: t0, h: 0.0, y: y0.to_vec(), next: y0.to_vec(), k, evaluations: 1 })
    }

    /// Computes the end of a step of size `h`; false if it is not finite.
    pub(super) fn attempt(&mut self, h: f64) -> bool {
        self.h = h;
        for stage in 1..7 {
            work::poll();
            let (before, from_here) = self.k.split_at_mut(stage);
            for i in 0..self.y.len() {
                let slope: f64 = before.iter().zip(A[stage - 1]).map(|(k, a)| a * k[i]).sum();
                self.next[i] = self.y[i] + h * slope;
            }
            (self.f)(self.t + C[stage - 1] * h, &self.next, &mut from_here[0]);
        }
        self.evaluations += 6;
        all_finite(&self.next) && self.k[1..].iter().all(|k| all_finite(k))
    }

    /// The estimated error of the attempt in units of the tolerance.
    pub(super) fn error(&self, rtol: f64, atol: f64) -> f64 {
        let square = |i: usize| {
            let error: f64 = self.k.iter().zip(E).map(|(k, e)| e * k[i]).sum::<f64>() * self.h;
            let scale = atol + rtol * self.y[i].abs().max(self.next[i].abs());
            if error == 0.0 { 0.0 } else { (error / scale) * (error / scale) }
        };
        let sum: f64 = (0..self.y.len()).map(square).sum();
        (sum / self.y.len().max(1) as f64).sqrt()
    }

    /// Moves to the end of the attempt, which is at time `end`, and appends it to the path.
    pub(super) fn accept(&mut self, end: f64, path: &mut Trajectory) {
        let dim = self.y.len();
        let mut dense = vec![0.0; 4 * dim];
        for i in 0..dim {
            let rise = self.next[i] - self.y[i];
            let bend = self.h * self.k[0][i] - rise;
            dense[i] = rise;
            dense[dim + i] = bend;
            dense[2 * dim + i] = rise - self.h * self.k[6][i] - bend;
            dense[3 * dim + i] = self.h * self.k.iter().zip(D).map(|(k, d)| d * k[i]).sum::<f64>();
        }
        path.push(end, &self.next, &dense);
        self.t = end;
        std::mem::swap(&mut self.y, &mut self.next);
        // First same as last: the velocity at the end is the first of the next step.
        self.k.swap(0, 6);
    }
}

// Dormand and Prince (1980), J. Comput. Appl. Math. 6, 19-26. The last row of A is the fifth-order solution.
#[rustfmt::skip]
const A: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
const C: [f64; 6] = [0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
/// The fifth-order weights minus the fourth-order ones.
const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];
/// The continuous extension of Hairer's DOPRI5 (Hairer, Norsett and Wanner, section II.6).
const D: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];
