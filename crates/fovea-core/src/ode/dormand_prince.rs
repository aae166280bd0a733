//! The method of Dormand and Prince of order 5(4), with step control and dense output.

use super::control::Control;
use super::stepper::Stepper;
use super::{OdeError, Trajectory};
use crate::work;

/// An adaptive solver of the fifth order.
///
/// The local error of every step, as a root mean square over the components, stays below `atol + rtol |y|`.
///
/// ```
/// use fovea_core::ode::DormandPrince;
/// let decay = |_t: f64, y: &[f64], dy: &mut [f64]| dy[0] = -y[0];
/// let path = DormandPrince::default().solve(decay, 0.0, 2.0, &[1.0])?;
/// assert!((path.at(1.0)?[0] - 0.36787944117144233).abs() < 1e-8);
/// # Ok::<(), fovea_core::ode::OdeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DormandPrince {
    /// Error allowed per step, relative to the state.
    pub rtol: f64,
    /// Error allowed per step where the state is near 0.
    pub atol: f64,
    /// Steps allowed, rejected ones included.
    pub max_steps: usize,
    /// The size of the first step; if `None`, the solver estimates it from the velocity and its change.
    pub h0: Option<f64>,
}

/// Velocities computed per step.
const STAGES: usize = 6;

impl Default for DormandPrince {
    fn default() -> Self {
        Self { rtol: 1e-9, atol: 1e-12, max_steps: 100_000, h0: None }
    }
}

impl DormandPrince {
    /// Integrates from `y0` at `t0` to `t1`, forward or backward.
    ///
    /// # Errors
    /// Tolerances that cannot be used, an end or a state that is not finite, a step too small to change the time, or too many steps.
    pub fn solve(
        &self,
        f: impl FnMut(f64, &[f64], &mut [f64]),
        t0: f64,
        t1: f64,
        y0: &[f64],
    ) -> Result<Trajectory, OdeError> {
        self.check()?;
        check_end(t1)?;
        let mut path = Trajectory::starting(t0, y0);
        let mut stepper = Stepper::new(f, t0, y0)?;
        let direction = if t1 < t0 { -1.0 } else { 1.0 };
        let guess = match self.h0 {
            Some(h) => h.abs(),
            None => self.first_step(&mut stepper, (t1 - t0).abs()),
        };
        let mut h = direction * guess.min((t1 - t0).abs());
        let mut control = Control::new();
        let mut tried = 0;
        let mut arrived = (t1 - t0).abs() == 0.0;
        while !arrived {
            if tried == self.max_steps || !work::spend(STAGES * y0.len()) {
                let (t, max_steps) = (stepper.t, tried);
                return Err(OdeError::TooManySteps { t, end: t1, max_steps });
            }
            tried += 1;
            // The last step ends at t1 exactly; no tiny step is left over after it.
            let remaining = t1 - stepper.t;
            let is_last = 1.01 * h.abs() >= remaining.abs();
            let step = if is_last { remaining } else { h };
            let finite = stepper.attempt(step);
            let error = if finite { stepper.error(self.rtol, self.atol) } else { f64::INFINITY };
            if error <= 1.0 {
                stepper.accept(if is_last { t1 } else { stepper.t + step }, &mut path);
                h = step * control.grow(error);
                arrived = is_last;
            } else {
                h = step * control.shrink(error);
                if h.abs() <= 4.0 * f64::EPSILON * stepper.t.abs() || h.abs() < f64::MIN_POSITIVE {
                    let t = stepper.t;
                    return Err(if finite {
                        OdeError::StepTooSmall { t, h }
                    } else {
                        OdeError::NotFinite { t }
                    });
                }
            }
        }
        path.count(stepper.evaluations);
        Ok(path)
    }

    /// Refuses tolerances that no step could meet.
    fn check(&self) -> Result<(), OdeError> {
        let Self { rtol, atol, .. } = *self;
        let usable = |tolerance: f64| tolerance.is_finite() && tolerance >= 0.0;
        if usable(rtol) && usable(atol) && rtol + atol > 0.0 {
            Ok(())
        } else {
            Err(OdeError::BadTolerance { rtol, atol })
        }
    }

    /// A first step whose error is about right: Hairer, Norsett and Wanner, section II.4, without the sign of time.
    fn first_step<F: FnMut(f64, &[f64], &mut [f64])>(
        &self,
        stepper: &mut Stepper<F>,
        span: f64,
    ) -> f64 {
        let scale: Vec<f64> = stepper.y.iter().map(|y| self.atol + self.rtol * y.abs()).collect();
        let norm = |v: &mut dyn Iterator<Item = f64>| {
            let sum: f64 =
                v.zip(&scale).map(|(v, s)| if v == 0.0 { 0.0 } else { (v / s) * (v / s) }).sum();
            (sum / scale.len().max(1) as f64).sqrt()
        };
        let size = norm(&mut stepper.y.iter().copied());
        let speed = norm(&mut stepper.k[0].iter().copied());
        let rough = if size.min(speed) < 1e-5 { 1e-6 } else { 0.01 * size / speed };
        let rough = rough.min(span);
        let probe: Vec<f64> =
            stepper.y.iter().zip(&stepper.k[0]).map(|(y, k)| y + rough * k).collect();
        let mut velocity = vec![0.0; probe.len()];
        (stepper.f)(stepper.t, &probe, &mut velocity);
        stepper.evaluations += 1;
        let bend = norm(&mut velocity.iter().zip(&stepper.k[0]).map(|(a, b)| a - b)) / rough;
        let top = speed.max(bend);
        let fine = if top <= 1e-15 { (1e-3 * rough).max(1e-6) } else { libm::pow(0.01 / top, 0.2) };
        // A velocity that overflows at the trial point says nothing about the step.
        if fine.is_finite() && fine > 0.0 { fine.min(100.0 * rough) } else { rough }
    }
}

/// Integrates from `y0` at `t0` to `t1` in `steps` equal steps of the fifth order, without error control.
///
/// # Errors
/// An end or a state that is not finite.
pub fn dormand_prince_fixed(
    f: impl FnMut(f64, &[f64], &mut [f64]),
    t0: f64,
    t1: f64,
    y0: &[f64],
    steps: usize,
) -> Result<Trajectory, OdeError> {
    check_end(t1)?;
    let mut path = Trajectory::starting(t0, y0);
    let mut stepper = Stepper::new(f, t0, y0)?;
    for step in 1..=steps {
        let end = if step == steps { t1 } else { t0 + (t1 - t0) * (step as f64 / steps as f64) };
        if !stepper.attempt(end - stepper.t) {
            return Err(OdeError::NotFinite { t: stepper.t });
        }
        stepper.accept(end, &mut path);
    }
    path.count(stepper.evaluations);
    Ok(path)
}

/// Refuses an end that is not finite.
fn check_end(end: f64) -> Result<(), OdeError> {
    if end.is_finite() { Ok(()) } else { Err(OdeError::BadEnd { end }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{agrees_to_digits, has_order, within};

    const HS: [f64; 5] = [1.0 / 8.0, 1.0 / 16.0, 1.0 / 32.0, 1.0 / 64.0, 1.0 / 128.0];

    /// `y' = t y^2`, `y(0) = 1`: `y = 1 / (1 - t^2 / 2)`.
    fn riccati(t: f64, y: &[f64], dy: &mut [f64]) {
        dy[0] = t * y[0] * y[0];
    }

    fn riccati_solution(t: f64) -> f64 {
        1.0 / (1.0 - 0.5 * t * t)
    }

    /// `y' = y cos t`, `y(0) = 1`: `y = exp(sin t)`.
    fn wave(t: f64, y: &[f64], dy: &mut [f64]) {
        dy[0] = y[0] * libm::cos(t);
    }

    fn wave_solution(t: f64) -> f64 {
        libm::exp(libm::sin(t))
    }

    #[test]
    fn fixed_steps_are_of_order_five() {
        let errors = HS.map(|h| {
            let path = dormand_prince_fixed(wave, 0.0, 3.0, &[1.0], (3.0 / h) as usize).unwrap();
            (path.last()[0] - wave_solution(3.0)).abs()
        });
        has_order(&HS, &errors, 5.0).unwrap();
        assert!(has_order(&HS, &errors, 4.0).is_err());
    }

    #[test]
    fn dense_output_is_of_order_four_between_the_steps() {
        // One step from an exact state, so that only the interpolant errs: locally one order more.
        let errors = HS.map(|h| {
            let path = dormand_prince_fixed(wave, 1.0, 1.0 + h, &[wave_solution(1.0)], 1).unwrap();
            let gap = |share: f64| {
                let t = 1.0 + share * h;
                (path.at(t).unwrap()[0] - wave_solution(t)).abs()
            };
            (1..20).map(|i| gap(f64::from(i) / 20.0)).fold(0.0, f64::max)
        });
        has_order(&HS, &errors, 5.0).unwrap();
        assert!(has_order(&HS, &errors, 4.0).is_err());
    }

    #[test]
    fn a_linear_system_follows_the_matrix_exponential() {
        // exp(t [[-1, 2], [-2, -1]]) is a rotation by 2t that shrinks like exp(-t).
        let f = |_: f64, y: &[f64], dy: &mut [f64]| {
            dy[0] = -y[0] + 2.0 * y[1];
            dy[1] = -2.0 * y[0] - y[1];
        };
        let solver = DormandPrince { rtol: 1e-11, atol: 1e-14, ..DormandPrince::default() };
        let path = solver.solve(f, 0.0, 3.0, &[1.0, 0.5]).unwrap();
        for i in 0..=30 {
            let t = 0.1 * f64::from(i);
            let (cos, sin, decay) = (libm::cos(2.0 * t), libm::sin(2.0 * t), libm::exp(-t));
            let y = path.at(t).unwrap();
            within(y[0], decay * (cos + 0.5 * sin), 0.0, 1e-9).unwrap();
            within(y[1], decay * (0.5 * cos - sin), 0.0, 1e-9).unwrap();
        }
    }

    #[test]
    fn a_nonlinear_problem_meets_its_solution_at_every_tolerance() {
        let mut worst = 0.0;
        for rtol in [1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
            let solver = DormandPrince { rtol, atol: rtol, ..DormandPrince::default() };
            let path = solver.solve(riccati, 0.0, 1.3, &[1.0]).unwrap();
            // The solution amplifies early errors by about y^2 = 42.
            within(path.last()[0], riccati_solution(1.3), 100.0 * rtol, 0.0).unwrap();
            worst = f64::max(worst, (path.last()[0] / riccati_solution(1.3) - 1.0).abs() / rtol);
        }
        assert!(worst > 1e-3, "the tolerance is used up: {worst:e}");
    }

    #[test]
    fn backward_integration_returns_to_the_start() {
        let solver = DormandPrince::default();
        let path = solver.solve(riccati, 1.0, 0.0, &[2.0]).unwrap();
        agrees_to_digits(path.last()[0], 1.0, 8.0).unwrap();
        agrees_to_digits(path.at(0.6).unwrap()[0], riccati_solution(0.6), 7.0).unwrap();
        assert!(path.times().is_sorted_by(|a, b| a > b) && path.at(1.1).is_err());
    }

    #[test]
    fn a_trajectory_meets_its_states_and_ends_where_it_was_asked_to() {
        let path = DormandPrince::default().solve(riccati, 0.0, 1.0, &[1.0]).unwrap();
        assert_eq!(path.times()[path.steps()].to_bits(), 1.0_f64.to_bits());
        for (i, &t) in path.times().iter().enumerate() {
            agrees_to_digits(path.at(t).unwrap()[0], path.state(i).unwrap()[0], 14.5).unwrap();
        }
        assert!(path.state(path.steps() + 1).is_none() && path.evaluations() > 6 * path.steps());
        assert!(path.at(1.0 + f64::EPSILON).is_ok() && path.at(f64::NAN).is_err());
    }

    #[test]
    fn nothing_to_do_is_done_without_a_step() {
        let path = DormandPrince::default().solve(riccati, 2.0, 2.0, &[1.0]).unwrap();
        assert_eq!((path.steps(), path.last(), path.at(2.0)), (0, &[1.0][..], Ok(vec![1.0])));
        let empty = DormandPrince::default().solve(|_, _, _| {}, 0.0, 1.0, &[]).unwrap();
        assert!(empty.last().is_empty());
        let still =
            DormandPrince::default().solve(|_, _, dy| dy[0] = 0.0, 0.0, 1e6, &[3.0]).unwrap();
        assert!((still.last()[0] - 3.0).abs() < 1e-15 && still.steps() < 40, "{}", still.steps());
    }

    #[test]
    fn a_given_first_step_is_taken() {
        let solver = DormandPrince { h0: Some(1e-3), ..DormandPrince::default() };
        let path = solver.solve(riccati, 0.0, 1.0, &[1.0]).unwrap();
        agrees_to_digits(path.times()[1], 1e-3, 15.0).unwrap();
    }

    #[test]
    fn failures_say_where_they_happened() {
        let solver = DormandPrince::default();
        // The solution explodes at t = sqrt 2.
        let explosion = solver.solve(riccati, 0.0, 2.0, &[1.0]).unwrap_err();
        let (OdeError::StepTooSmall { t, .. } | OdeError::NotFinite { t }) = explosion else {
            panic!("{explosion:?}")
        };
        assert!((t - std::f64::consts::SQRT_2).abs() < 1e-6, "{explosion}");
        let hasty = DormandPrince { max_steps: 3, ..solver }.solve(riccati, 0.0, 1.0, &[1.0]);
        assert!(matches!(hasty, Err(OdeError::TooManySteps { max_steps: 3, .. })));
        let undefined = solver.solve(|_, _, dy| dy[0] = f64::NAN, 0.0, 1.0, &[1.0]);
        assert_eq!(undefined.unwrap_err(), OdeError::NotFinite { t: 0.0 });
        let wall = |t: f64, _: &[f64], dy: &mut [f64]| dy[0] = if t > 0.5 { f64::NAN } else { 1.0 };
        let wall = solver.solve(wall, 0.0, 1.0, &[1.0]).unwrap_err();
        assert!(matches!(wall, OdeError::NotFinite { t } if (t - 0.5).abs() < 1e-9), "{wall}");
        let careless = DormandPrince { rtol: 0.0, atol: 0.0, ..solver };
        assert!(matches!(
            careless.solve(riccati, 0.0, 1.0, &[1.0]),
            Err(OdeError::BadTolerance { .. })
        ));
        let endless = solver.solve(riccati, 0.0, f64::INFINITY, &[1.0]);
        assert_eq!(endless.unwrap_err(), OdeError::BadEnd { end: f64::INFINITY });
    }
}
