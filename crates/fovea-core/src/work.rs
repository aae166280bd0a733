//! What an evaluation may cost, counted and not timed: the same on every machine, so a refusal is as repeatable as a number.
//!
//! A unit of work is a point of an integral, a component of a velocity, a step of a search, or sixteen products of a matrix with a vector:
//! about a tenth of a microsecond, so that a hundred million of them are some ten seconds. Whoever loops without a bound of its own
//! calls [`spend`] and ends the loop, with any value, once it says no; whoever asked for the value learns from [`within`] that there is none. Nobody
//! in between has to hand an error on. Work that nobody limits is never refused.

use std::cell::Cell;

thread_local! {
    /// The units left to the evaluation in progress on this thread.
    static LEFT: Cell<u64> = const { Cell::new(UNLIMITED) };
}

/// Nobody counts.
const UNLIMITED: u64 = u64::MAX;

/// More work was asked for than was allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than {budget} units of work are needed")]
pub struct Exhausted {
    /// The units that were allowed.
    pub budget: u64,
}

/// Takes `units` from what is left; `false` once there are none, and from then on.
#[inline]
pub fn spend(units: usize) -> bool {
    let left = LEFT.get();
    if left == UNLIMITED {
        return true;
    }
    let rest = left.saturating_sub(units as u64);
    LEFT.set(rest);
    rest > 0
}

/// Takes the units of so many products that are added up, as in a matrix times a vector: sixteen are one.
#[inline]
pub fn spend_products(products: usize) -> bool {
    spend(products / 16)
}

/// What `f` returns, if less than `budget` units were spent on it; inside of another call, what that one has left is a limit as well.
///
/// # Errors
/// The units did not suffice: what `f` returned is not its value.
#[inline]
pub fn within<T>(budget: u64, f: impl FnOnce() -> T) -> Result<T, Exhausted> {
    let outer = LEFT.get();
    let allowed = budget.min(outer);
    LEFT.set(allowed);
    let found = f();
    let left = LEFT.get();
    LEFT.set(if outer == UNLIMITED { UNLIMITED } else { outer - (allowed - left) });
    if left > 0 { Ok(found) } else { Err(Exhausted { budget }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quadrature::adaptive;

    /// Steps taken before the work is spent.
    fn steps() -> usize {
        (0..1000).take_while(|_| spend(1)).count()
    }

    #[test]
    fn work_is_refused_beyond_its_budget_and_only_there() {
        assert_eq!(steps(), 1000);
        assert_eq!(within(1001, steps), Ok(1000));
        assert_eq!(within(1000, steps), Err(Exhausted { budget: 1000 }));
        assert_eq!(steps(), 1000, "what was limited is limited no longer");
        let rows = || (0..1000).take_while(|_| spend_products(80)).count();
        assert_eq!(within(5001, rows), Ok(1000));
        assert_eq!(within(5000, rows), Err(Exhausted { budget: 5000 }));
    }

    #[test]
    fn a_limit_within_a_limit_takes_from_both() {
        let both = within(1500, || (within(600, steps), steps()));
        assert_eq!(both, Err(Exhausted { budget: 1500 }), "600 and then 900 of 1500");
        let inner = within(3000, || (within(600, steps).is_err(), within(2000, steps)));
        assert_eq!(inner, Ok((true, Ok(1000))));
        assert!(within(10, || within(2000, steps)).is_err());
    }

    #[test]
    fn an_integral_that_will_not_settle_ends_with_its_budget() {
        let noise = |x: f64| libm::sin(1e9 * x * x);
        assert!(within(3000, || adaptive(noise, 0.0, 1.0, 1e-13)).is_err());
        let free = adaptive(noise, 0.0, 1.0, 1e-13);
        assert!(free.evaluations > 3000, "{}", free.evaluations);
    }
}
