//! How work is spread over the threads: whole jobs first; a job is split into parts only where a thread would otherwise be idle.
//!
//! Waking a thread for part of a small step costs more than it saves, and in a fleet every thread has a job of its own until
//! the last ones end. Which thread does what changes no number. Every helping thread can be stopped by whoever may stop the
//! thread that asked for help.

use fovea_core::work::Listening;
use rayon::ScopeFifo;
use rayon::prelude::*;
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

thread_local! {
    /// The number of unfinished jobs in the fleet that this thread is working for.
    static UNFINISHED: RefCell<Option<Arc<AtomicUsize>>> = const { RefCell::new(None) };
}

/// Marks a thread as working on a job of a fleet, until the job ends in whatever way.
struct Fleet {
    outside: Option<Arc<AtomicUsize>>,
}

impl Fleet {
    fn enter(unfinished: &Arc<AtomicUsize>) -> Self {
        Self { outside: UNFINISHED.replace(Some(Arc::clone(unfinished))) }
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        if let Some(fleet) = UNFINISHED.replace(self.outside.take()) {
            fleet.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Runs independent jobs over all threads; results come back in the order of the jobs.
pub fn fleet<J: Sync, R: Send>(jobs: &[J], run: impl Fn(&J) -> R + Sync) -> Vec<R> {
    gather(jobs.len(), |job| run(&jobs[job]), &spread)
}

/// Runs jobs: given their number, it calls each index once.
pub type Runner<'a> = dyn Fn(usize, &(dyn Fn(usize) + Sync)) + 'a;

/// Runs `count` jobs and returns their results in order. The runner is compiled once for all kinds of jobs.
///
/// # Panics
/// A job that `runner` did not call.
pub fn gather<R: Send>(
    count: usize,
    run: impl Fn(usize) -> R + Sync,
    runner: &Runner<'_>,
) -> Vec<R> {
    let places: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
    runner(count, &|job| {
        let result = run(job);
        *places[job].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    let result =
        |place: Mutex<Option<R>>| place.into_inner().unwrap_or_else(PoisonError::into_inner);
    places.into_iter().map(|place| result(place).expect("every job was run")).collect()
}

/// Runs jobs of which some begin where another ended: `after[i]` is the one that job `i` waits for, and it waits for no
/// other. Results come back in the order of the jobs.
///
/// # Panics
/// Jobs that wait for each other.
pub fn after<R: Send + Sync>(
    after: &[Option<usize>],
    run: impl Fn(usize, Option<&R>) -> R + Sync,
) -> Vec<R> {
    let results: Vec<OnceLock<R>> = after.iter().map(|_| OnceLock::new()).collect();
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); after.len()];
    for (job, before) in after.iter().enumerate() {
        if let Some(before) = before {
            waiting[*before].push(job);
        }
    }
    let one = |job: usize| {
        let before = after[job].map(|before| results[before].get().expect("its turn came after"));
        // Each place is filled once: a job is started once, at the beginning or by the one it waits for.
        let _ = results[job].set(run(job, before));
    };
    let unfinished = Arc::new(AtomicUsize::new(after.len()));
    let ready: Vec<usize> = (0..after.len()).filter(|job| after[*job].is_none()).collect();
    let here = Listening::here();
    let one = |job: usize| here.help(|| one(job));
    rayon::scope_fifo(|scope| take_up(scope, &ready, &one, &waiting, &unfinished));
    results.into_iter().map(|place| place.into_inner().expect("no job waits forever")).collect()
}

/// Runs the jobs that are ready, and after each of them those that waited for it.
fn take_up<'s>(
    scope: &ScopeFifo<'s>,
    ready: &[usize],
    run: &'s (dyn Fn(usize) + Sync),
    waiting: &'s [Vec<usize>],
    unfinished: &Arc<AtomicUsize>,
) {
    for &job in ready {
        let unfinished = Arc::clone(unfinished);
        scope.spawn_fifo(move |scope| {
            let fleet = Fleet::enter(&unfinished);
            run(job);
            drop(fleet);
            take_up(scope, &waiting[job], run, waiting, &unfinished);
        });
    }
}

/// Runs the jobs of a fleet on all threads.
fn spread(count: usize, run: &(dyn Fn(usize) + Sync)) {
    let (unfinished, here) = (Arc::new(AtomicUsize::new(count)), Listening::here());
    // Jobs are handed out one by one, so none waits behind a long one while a thread is idle.
    (0..count).into_par_iter().with_max_len(1).for_each(|job| {
        let _fleet = Fleet::enter(&unfinished);
        here.help(|| run(job));
    });
}

/// Whether some thread has no job of its own.
fn hands_free() -> bool {
    let threads = rayon::current_num_threads();
    let few = |unfinished: &Arc<AtomicUsize>| unfinished.load(Ordering::Relaxed) < threads;
    threads > 1 && UNFINISHED.with_borrow(|fleet| fleet.as_ref().is_none_or(few))
}

/// Buffers that are kept from one use to the next.
pub(crate) struct Spare<B>(Mutex<Vec<B>>);

impl<B: Send> Spare<B> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Does the parts of a job, each with its index and with buffers that no other part is using; `fresh` makes more.
    pub(crate) fn share<P: Send>(
        &self,
        parts: &mut [P],
        fresh: impl Fn() -> B + Sync,
        work: impl Fn(&mut B, usize, &mut P) + Sync,
    ) {
        let one = |(index, part): (usize, &mut P)| {
            let mut buffers = self.take().unwrap_or_else(&fresh);
            work(&mut buffers, index, part);
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(buffers);
        };
        if parts.len() > 1 && hands_free() {
            let here = Listening::here();
            parts.par_iter_mut().enumerate().for_each(|part| here.help(|| one(part)));
        } else {
            parts.iter_mut().enumerate().for_each(one);
        }
    }

    fn take(&self) -> Option<B> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::ThreadPoolBuilder;

    /// Parts are shared between threads when no job is waiting, and kept on one thread while every thread has a job.
    #[test]
    fn parts_are_shared_once_a_thread_is_without_a_job() {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let free = |jobs: usize| {
            pool.install(|| {
                let seen = fleet(&vec![(); jobs], |()| hands_free());
                (seen.len(), seen.into_iter().filter(|free| *free).count())
            })
        };
        assert!(pool.install(hands_free), "no fleet");
        assert_eq!(free(1), (1, 1));
        // The last of seven may begin when the others have ended; those before it may not.
        let (all, shared) = free(7);
        assert!(all == 7 && shared <= 1, "{shared} of {all} jobs would share their parts");
        assert!(pool.install(hands_free), "after the fleets");
        let alone = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert!(!alone.install(hands_free), "one thread");
    }

    /// A job sees the result of the one it waits for, whatever the order of the list, and the others wait for none.
    #[test]
    fn a_job_begins_where_the_one_it_waits_for_ended() {
        let order = [Some(3), None, Some(0), None, Some(0), Some(4)];
        let depth = after(&order, |job, before: Option<&(usize, usize)>| {
            (before.map_or(0, |(depth, _)| depth + 1), before.map_or(job, |(_, first)| *first))
        });
        assert_eq!(depth, [(1, 3), (0, 1), (2, 3), (0, 3), (2, 3), (3, 3)]);
    }

    #[test]
    fn every_part_is_done_once_with_buffers_of_its_own() {
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let spare = Spare::new();
        for jobs in [1, 8] {
            let sums = pool.install(|| {
                fleet(&vec![(); jobs], |()| {
                    let mut parts = [0; 50];
                    spare.share(
                        &mut parts,
                        || vec![0; 10],
                        |buffer: &mut Vec<usize>, index, part| {
                            buffer.fill(index);
                            *part = buffer.iter().sum();
                        },
                    );
                    parts
                })
            });
            assert!(sums.iter().flat_map(|s| s.iter().enumerate()).all(|(i, sum)| *sum == 10 * i));
        }
    }
}
