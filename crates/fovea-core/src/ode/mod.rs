//! Steppers for ordinary differential equations.
//!
//! A right-hand side is any `FnMut(t, &y, &mut dy)` that writes the velocity of the state `y` at time `t`. [`euler`] takes fixed steps
//! of the first order and is what a training loop does; [`DormandPrince`] takes steps of the fifth order, as long as the tolerance
//! allows, and returns a [`Trajectory`] that can be read at any time in between.

mod control;
mod dormand_prince;
mod euler;
mod stepper;
mod trajectory;

pub use dormand_prince::{DormandPrince, dormand_prince_fixed};
pub use euler::{euler, euler_step};
pub use trajectory::Trajectory;

/// An integration that could not be finished, with the numbers of its message.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum OdeError {
    /// The error stays too large although the step is as small as floating-point time resolves.
    #[error("at t = {t:e} the step shrank to {h:e}, which the time cannot resolve")]
    StepTooSmall {
        /// The time reached.
        t: f64,
        /// The step tried.
        h: f64,
    },
    /// The allowed steps are used up.
    #[error("{max_steps} steps reached t = {t:e}; the end is t = {end:e}")]
    TooManySteps {
        /// The time reached.
        t: f64,
        /// The time requested.
        end: f64,
        /// The steps allowed, rejected ones included.
        max_steps: usize,
    },
    /// The state or its velocity is infinite or NaN, and smaller steps do not help.
    #[error("at t = {t:e} the state or its velocity is not finite")]
    NotFinite {
        /// The time of the last finite state.
        t: f64,
    },
    /// The solver cannot start with these settings.
    #[error("rtol {rtol:e} and atol {atol:e}: both must be finite, at least 0, and not both 0")]
    BadTolerance {
        /// The relative tolerance.
        rtol: f64,
        /// The absolute tolerance.
        atol: f64,
    },
    /// The end is not finite.
    #[error("the end is t = {end:e}; it must be finite")]
    BadEnd {
        /// The end requested.
        end: f64,
    },
    /// The time requested is outside the trajectory.
    #[error("t = {t:e} is outside the trajectory, which runs from {start:e} to {end:e}")]
    OutsideTrajectory {
        /// The time requested.
        t: f64,
        /// Where the trajectory starts.
        start: f64,
        /// Where it ends.
        end: f64,
    },
}

/// Whether every number is finite.
fn all_finite(numbers: &[f64]) -> bool {
    numbers.iter().all(|x| x.is_finite())
}
