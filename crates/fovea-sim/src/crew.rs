//! How work is spread over the threads: whole jobs first, the parts of a job only where a thread would be left without one.
//!
//! A thread that is woken for part of a small step costs more than it helps, and in a fleet every thread has a job of its
//! own anyway until the last ones end. Who does what changes no number.

use rayon::prelude::*;
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

thread_local! {
    /// Jobs that have not ended in the fleet whose job this thread is at.
    static UNFINISHED: RefCell<Option<Arc<AtomicUsize>>> = const { RefCell::new(None) };
}

/// Runs independent jobs over all threads; results come back in the order of the jobs.
pub fn fleet<J: Sync, R: Send>(jobs: &[J], run: impl Fn(&J) -> R + Sync) -> Vec<R> {
    gather(jobs.len(), |job| run(&jobs[job]), &spread)
}

/// Who runs jobs: told how many there are, it calls the job of each number once.
pub type Runner<'a> = dyn Fn(usize, &(dyn Fn(usize) + Sync)) + 'a;

/// Has so many jobs run, and hands back their results in order. Whoever runs them is compiled once for all kinds of jobs.
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

/// Takes up the jobs of a fleet on all threads.
fn spread(count: usize, run: &(dyn Fn(usize) + Sync)) {
    let unfinished = Arc::new(AtomicUsize::new(count));
    // Every job can be taken by itself: none waits behind a long one while a thread is idle.
    (0..count).into_par_iter().with_max_len(1).for_each(|job| {
        let outside = UNFINISHED.replace(Some(Arc::clone(&unfinished)));
        run(job);
        unfinished.fetch_sub(1, Ordering::Relaxed);
        UNFINISHED.set(outside);
    });
}

/// Whether some thread has no job of its own to do.
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
            parts.par_iter_mut().enumerate().for_each(one);
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

    /// Parts are shared where no job is waiting, and kept together where every thread has a job.
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
