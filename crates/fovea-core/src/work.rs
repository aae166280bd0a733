//! Ending work early: when it costs more than an evaluation may, or when a stop was requested.
//!
//! The cost of an evaluation is counted, not timed: it is the same on every machine, so a refusal is as repeatable as a number.
//! A unit of work is a point of an integral, a component of a velocity, a step of a search, or sixteen products of a matrix
//! with a vector: about a tenth of a microsecond, so that a hundred million of them take about ten seconds. A loop without a
//! bound of its own calls [`spend`] and ends, with any value, once that returns `false`; the caller of [`within`] then gets an
//! error instead of the value, and no code in between has to pass an error on. Work without a limit is never refused.
//!
//! A stop takes effect in code that calls [`spend`] or [`poll`] below [`until`]. The stack is then unwound to there, so that a
//! value of half-done work is never seen: a loop needs no exit of its own, only a poll in each round. The unwinding is not a
//! panic, and no panic hook is called. Threads that help get the stop through [`Listening`].

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// The units left to the evaluation in progress on this thread.
    static LEFT: Cell<u64> = const { Cell::new(UNLIMITED) };
    /// The flag that ends the work in progress on this thread once it is raised.
    static STOP: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// No limit is set.
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

/// The flag that may stop the work in progress, to be passed to threads that help with it.
#[derive(Clone, Default)]
pub struct Listening(Option<Arc<AtomicBool>>);

impl Listening {
    /// The flag that may stop this thread now.
    pub fn here() -> Self {
        Self(STOP.with_borrow(Clone::clone))
    }

    /// Runs `f` on this thread under that flag; a stop passes through, to where the help was asked for.
    pub fn help<T>(&self, f: impl FnOnce() -> T) -> T {
        let _outside = Outside(STOP.replace(self.0.clone()));
        f()
    }
}

/// The flag this thread listened to before, restored however the work in between ended.
struct Outside(Option<Arc<AtomicBool>>);

impl Drop for Outside {
    fn drop(&mut self) {
        STOP.set(self.0.take());
    }
}

/// What `f` returns, unless `stop` is raised and noticed while it runs.
///
/// # Errors
/// It was stopped: there is no value.
pub fn until<T>(stop: &Arc<AtomicBool>, f: impl FnOnce() -> T) -> Result<T, Stopped> {
    Listening(Some(Arc::clone(stop))).help(|| unless_stopped(f))
}

/// What `f` returns, unless it is stopped by the flag of this thread.
///
/// # Errors
/// It was stopped: there is no value. What `f` changed outside itself stays as it was at the stop.
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

/// Takes `units` from what is left; `false` once none are left, and from then on. It [polls](poll) as well.
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

/// Takes the units of this many products that are added up, as in a matrix times a vector: sixteen products are one unit.
#[inline]
pub fn spend_products(products: usize) -> bool {
    spend(products / 16)
}

/// What `f` returns, if less than `budget` units were spent on it; inside another call, what that one has left is a limit as well.
///
/// # Errors
/// The units were not enough: what `f` returned is not its value.
#[inline]
pub fn within<T>(budget: u64, f: impl FnOnce() -> T) -> Result<T, Exhausted> {
    let outer = LEFT.get();
    let allowed = budget.min(outer);
    LEFT.set(allowed);
    // Also after a stop: the next evaluation on this thread has a budget of its own.
    let back = Back { outer, allowed };
    let found = f();
    let left = LEFT.get();
    drop(back);
    if left > 0 { Ok(found) } else { Err(Exhausted { budget }) }
}

/// Returns to the enclosing evaluation what this one did not spend.
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
        assert_eq!(steps(), 1000, "the limit ends with the call");
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
            // Other work on the same thread does not end ours.
            assert_eq!(until(&other, steps), Err(Stopped));
            loop {
                poll();
                rounds += 1;
                stop.store(rounds == 7, Ordering::Relaxed);
            }
        });
        assert_eq!((stopped, rounds), (Err::<(), _>(Stopped), 7));
        assert_eq!(steps(), 1000, "no flag is listened to any more");
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
