//! Long work: done on threads of our own with the interpreter free; progress is shown, Ctrl-C ends it.

use crate::error::{internal, raise};
use fovea_core::ParamError;
use fovea_lab::conditions::Phase;
use fovea_lab::threads::Wanted;
use fovea_lab::{Conditions, Progress};
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often Python's signals are checked and progress is reported.
const BEAT: Duration = Duration::from_millis(50);

/// The threads, and the process they were started in.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The number of threads, or a new one from now on.
#[pyfunction]
#[pyo3(signature = (count = None))]
pub(crate) fn threads(count: Option<usize>) -> PyResult<usize> {
    if let Some(count) = count {
        let pool = Arc::new(start(Some(count))?);
        *POOL.lock().unwrap_or_else(PoisonError::into_inner) = Some((std::process::id(), pool));
    }
    Ok(pool()?.current_num_threads())
}

/// Forgets the threads of the parent, which a child process does not have.
#[pyfunction]
pub(crate) fn forked() {
    let old = POOL.lock().unwrap_or_else(PoisonError::into_inner).take();
    // Ending them would wait for threads that do not exist.
    std::mem::forget(old);
}

/// This many threads; without a number, or with 0, that of the environment or the machine.
fn start(count: Option<usize>) -> PyResult<ThreadPool> {
    const MOST: usize = 1024;
    if let Some(count) = count
        && count > MOST
    {
        let what = format!("{count} threads could not be started: there are at most {MOST}");
        let hint = "choose fewer threads".to_owned();
        return Err(raise(ParamError::Inconsistent { what, hint }.into()));
    }
    // What was ignored of the environment can be seen from the number of threads.
    let (pool, _) = Wanted::new(count.filter(|count| *count > 0)).pool().map_err(raise)?;
    Ok(pool)
}

/// The threads; started where there are none in this process yet.
fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut kept = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match &*kept {
        Some((process, pool)) if *process == std::process::id() => Ok(Arc::clone(pool)),
        _ => {
            let pool = Arc::new(start(None)?);
            std::mem::forget(kept.replace((std::process::id(), Arc::clone(&pool))));
            Ok(pool)
        }
    }
}

/// How far some work has come, and whether it should end.
#[derive(Default)]
pub(crate) struct Counter {
    done: AtomicU64,
    total: AtomicU64,
    stop: Arc<AtomicBool>,
}

impl Progress for Counter {
    fn phase(&self, _: Phase, steps: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(steps, Ordering::Relaxed);
    }
    fn expect(&self, steps: u64) {
        self.total.fetch_add(steps, Ordering::Relaxed);
    }
    fn stepped(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Counter {
    /// Conditions of this seed whose progress is reported and whose work is stopped here.
    pub(crate) fn conditions(&self, seed: u64) -> Conditions<'_> {
        Conditions::new(seed, self, &self.stop).heard_within(&self.stop)
    }

    /// Whether the work is to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn tell(&self, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let Some(progress) = progress else { return Ok(()) };
        let numbers = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        progress.call1(numbers).map(|_| ())
    }
}

/// The result of some work, and the exception that ended it early.
pub(crate) struct Attended<R> {
    pub(crate) result: R,
    pub(crate) interrupted: Option<PyErr>,
}

impl<R> Attended<R> {
    /// The result of work that is useless in part.
    pub(crate) fn whole(self) -> PyResult<R> {
        self.interrupted.map_or(Ok(self.result), Err)
    }
}

/// Does `work` on our threads. Meanwhile other Python threads run, `progress(done, total)` is called now and then, and a
/// pending signal raises the counter's stop switch; the work then ends on its own.
pub(crate) fn attend<R: Send>(
    py: Python<'_>,
    counter: &Counter,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> R + Send,
) -> PyResult<Attended<R>> {
    let pool = pool()?;
    let (result, bell) = (Mutex::new(None), Condvar::new());
    let mut interrupted: Option<PyErr> = None;
    pool.in_place_scope(|scope| {
        scope.spawn(|_| {
            let said = catch_unwind(AssertUnwindSafe(work));
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(said);
            bell.notify_all();
        });
        loop {
            let done = py.detach(|| {
                let waiting = result.lock().unwrap_or_else(PoisonError::into_inner);
                let (said, _) = bell
                    .wait_timeout_while(waiting, BEAT, |said| said.is_none())
                    .unwrap_or_else(PoisonError::into_inner);
                said.is_some()
            });
            let told = py.check_signals().and_then(|()| counter.tell(progress));
            if let Err(error) = told {
                counter.stop.store(true, Ordering::Relaxed);
                interrupted.get_or_insert(error);
            }
            if done {
                break;
            }
        }
    });
    let said = result.into_inner().unwrap_or_else(PoisonError::into_inner);
    match said {
        Some(Ok(result)) => Ok(Attended { result, interrupted }),
        Some(Err(panic)) => Err(interrupted.unwrap_or_else(|| internal(&panic))),
        None => unreachable!("the loop ends when there is a result"),
    }
}
