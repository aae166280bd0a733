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

/// An integration that could not be finished, with everything needed to say so.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum OdeError {
    /// The error stays too large although the step is as small as the clock can resolve.
    #[error("at t = {t:e} the step shrank to {h:e}, which the time cannot resolve")]
    StepTooSmall {
        /// The time reached.
        t: f64,
        /// The step tried.
        h: f64,
    },
    /// The steps allowed are spent.
    #[error("{max_steps} steps reached t = {t:e}; the end is t = {end:e}")]
    TooManySteps {
        /// The time reached.
        t: f64,
        /// The time asked for.
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
    /// There is no way to the end.
    #[error("the end is t = {end:e}; it must be finite")]
    BadEnd {
        /// The end asked for.
        end: f64,
    },
    /// A trajectory was asked for a time it does not cover.
    #[error("t = {t:e} is outside the trajectory, which runs from {start:e} to {end:e}")]
    OutsideTrajectory {
        /// The time asked for.
        t: f64,
        /// Where the trajectory starts.
        start: f64,
        /// Where it ends.
        end: f64,
    },
}

/// Says whether every number is finite.
fn all_finite(numbers: &[f64]) -> bool {
    numbers.iter().all(|x| x.is_finite())
}
