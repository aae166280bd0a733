//! Euler's method: one velocity, one step.

use crate::work;

/// Writes the Euler step $`y + h f(t, y)`$ into `out`, which is as long as `y`.
pub fn euler_step(
    mut f: impl FnMut(f64, &[f64], &mut [f64]),
    t: f64,
    y: &[f64],
    h: f64,
    out: &mut [f64],
) {
    work::poll();
    f(t, y, out);
    for (out, y) in out.iter_mut().zip(y) {
        *out = y + h * *out;
    }
}

/// Takes `steps` Euler steps of size `h` from `y0` at `t0` and returns the last state.
///
/// `observe` sees every state, the first and the last included. Step `i` happens at `t0 + i h`, without accumulated rounding.
///
/// ```
/// use fovea_core::ode::euler;
/// let decay = |_t: f64, y: &[f64], dy: &mut [f64]| dy[0] = -y[0];
/// let end = euler(decay, 0.0, &[1.0], 0.5, 2, |_t, _y| {});
/// assert!((end[0] - 0.25).abs() < 1e-15);
/// ```
pub fn euler(
    mut f: impl FnMut(f64, &[f64], &mut [f64]),
    t0: f64,
    y0: &[f64],
    h: f64,
    steps: usize,
    mut observe: impl FnMut(f64, &[f64]),
) -> Vec<f64> {
    let (mut y, mut next) = (y0.to_vec(), vec![0.0; y0.len()]);
    observe(t0, &y);
    for step in 0..steps {
        euler_step(&mut f, t0 + step as f64 * h, &y, h, &mut next);
        std::mem::swap(&mut y, &mut next);
        observe(t0 + (step + 1) as f64 * h, &y);
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::has_order;

    #[test]
    fn euler_is_of_order_one() {
        let hs = [1.0 / 64.0, 1.0 / 128.0, 1.0 / 256.0, 1.0 / 512.0, 1.0 / 1024.0];
        let errors = hs.map(|h| {
            // y' = t y^2, y(0) = 1: y = 1 / (1 - t^2 / 2), which is 2 at t = 1.
            let f = |t: f64, y: &[f64], dy: &mut [f64]| dy[0] = t * y[0] * y[0];
            (euler(f, 0.0, &[1.0], h, (1.0 / h) as usize, |_, _| {})[0] - 2.0).abs()
        });
        has_order(&hs, &errors, 1.0).unwrap();
        assert!(has_order(&hs, &errors, 2.0).is_err());
    }

    #[test]
    fn every_state_is_observed_at_its_time() {
        let mut seen = Vec::new();
        let f = |_: f64, _: &[f64], dy: &mut [f64]| dy.copy_from_slice(&[2.0, -1.0]);
        euler(f, 1.0, &[0.0, 0.0], 0.25, 2, |t, y| seen.push((t, y.to_vec())));
        assert_eq!(seen, [(1.0, vec![0.0, 0.0]), (1.25, vec![0.5, -0.25]), (1.5, vec![1.0, -0.5])]);
    }
}
