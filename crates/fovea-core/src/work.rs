//! When work ends early: because it costs more than an evaluation may, or because somebody asked for a stop.
//!
//! What an evaluation may cost is counted and not timed: the same on every machine, so a refusal is as repeatable as a number. A unit of work is a point of an integral, a component of a velocity, a step of a search, or sixteen products of a matrix with a vector:
//! about a tenth of a microsecond, so that a hundred million of them are some ten seconds. Whoever loops without a bound of its own
//! calls [`spend`] and ends the loop, with any value, once it says no; whoever asked for the value learns from [`within`] that there is none. Nobody
//! in between has to hand an error on. Work that nobody limits is never refused.
//!
//! A stop is heard by whoever calls [`spend`] or [`poll`] below [`until`]. The stack is then unwound to there, past everybody in
//! between, so that nobody ever sees a value of half-done work: a loop needs no way out of its own, only a poll in each round.
//! It is no panic, and no panic hook is called. Threads that help are told by [`Listening`].

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// The units left to the evaluation in progress on this thread.
    static LEFT: Cell<u64> = const { Cell::new(UNLIMITED) };
    /// What ends the work in progress on this thread, once it is raised.
    static STOP: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
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

/// Work was stopped from outside before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it was stopped")]
pub struct Stopped;

/// Who may stop the work in progress, to be handed to threads that help with it.
#[derive(Clone, Default)]
pub struct Listening(Option<Arc<AtomicBool>>);

impl Listening {
    /// Whoever may stop this thread now.
    pub fn here() -> Self {
        Self(STOP.with_borrow(Clone::clone))
    }

    /// Does `f` on this thread for those who may stop it; a stop passes through, to where the help was asked for.
    pub fn help<T>(&self, f: impl FnOnce() -> T) -> T {
        let _outside = Outside(STOP.replace(self.0.clone()));
        f()
    }
}

/// What this thread listened to before, and does again however the work in between ended.
struct Outside(Option<Arc<AtomicBool>>);

impl Drop for Outside {
    fn drop(&mut self) {
        STOP.set(self.0.take());
    }
}

/// What `f` returns, unless `stop` is raised and heard on the way.
///
/// # Errors
/// It was: there is no value.
pub fn until<T>(stop: &Arc<AtomicBool>, f: impl FnOnce() -> T) -> Result<T, Stopped> {
    Listening(Some(Arc::clone(stop))).help(|| unless_stopped(f))
}

/// What `f` returns, unless it is stopped by whoever may stop this thread.
///
/// # Errors
/// It was: there is no value. What `f` changed outside of itself stands as it was when the stop was heard.
pub fn unless_stopped<T>(f: impl FnOnce() -> T) -> Result<T, Stopped> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|ended| match ended.downcast::<Stopped>() {
        Ok(stopped) => *stopped,
        Err(panic) => resume_unwind(panic),
    })
}

/// Ends the work in progress if it is to be stopped.
#[inline]
pub fn poll() {
    let raised = |stop: &Arc<AtomicBool>| stop.load(Ordering::Relaxed);
    if STOP.with_borrow(|stop| stop.as_ref().is_some_and(raised)) {
        resume_unwind(Box::new(Stopped));
    }
}

/// Takes `units` from what is left; `false` once there are none, and from then on. It [polls](poll) as well.
#[inline]
pub fn spend(units: usize) -> bool {
    poll();
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
    // Also where it is stopped: the next evaluation on this thread has a budget of its own.
    let back = Back { outer, allowed };
    let found = f();
    let left = LEFT.get();
    drop(back);
    if left > 0 { Ok(found) } else { Err(Exhausted { budget }) }
}

/// Gives the evaluation outside what this one did not spend.
struct Back {
    outer: u64,
    allowed: u64,
}

impl Drop for Back {
    fn drop(&mut self) {
        let spent = self.allowed - LEFT.get();
        LEFT.set(if self.outer == UNLIMITED { UNLIMITED } else { self.outer - spent });
    }
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

    fn raised(raised: bool) -> Arc<AtomicBool> {
        Arc::new(AtomicBool::new(raised))
    }

    #[test]
    fn a_stop_is_heard_where_it_was_asked_for_and_nowhere_else() {
        let (stop, other) = (raised(false), raised(true));
        assert_eq!(until(&stop, steps), Ok(1000));
        let mut rounds = 0;
        let stopped = until(&stop, || {
            // Somebody else's work on the same thread does not end ours.
            assert_eq!(until(&other, steps), Err(Stopped));
            loop {
                poll();
                rounds += 1;
                stop.store(rounds == 7, Ordering::Relaxed);
            }
        });
        assert_eq!((stopped, rounds), (Err::<(), _>(Stopped), 7));
        assert_eq!(steps(), 1000, "nobody listens any more");
    }

    #[test]
    fn a_stop_leaves_the_budget_of_others_alone() {
        let stop = raised(true);
        let inside = within(5000, || {
            let stopped = until(&stop, || within(100, || spend(1)));
            (stopped, steps())
        });
        assert_eq!(inside, Ok((Err(Stopped), 1000)));
        assert_eq!(steps(), 1000);
    }

    #[test]
    fn threads_that_help_hear_it_and_panics_stay_panics() {
        let stop = raised(true);
        let heard = until(&stop, || {
            let here = Listening::here();
            let deaf = std::thread::scope(|scope| scope.spawn(steps).join());
            assert_eq!(deaf.ok(), Some(1000));
            let told = std::thread::scope(|scope| {
                scope.spawn(|| here.help(|| unless_stopped(steps))).join().unwrap()
            });
            told.is_err()
        });
        assert_eq!(heard, Ok(true));
        let panic = catch_unwind(|| unless_stopped(|| resume_unwind(Box::new("a fault"))));
        assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"a fault"));
    }
}
