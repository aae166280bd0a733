//! A rehearsal of an experiment: everything runs in full except training. Of each kind of training only the first few take some
//! steps; the others are assumed to cost the same, and the cost of the whole is computed.
//!
//! Trainings of a fleet run on all threads at once, one per thread, so that a step costs as much as it does while others
//! run; their sum is divided by the threads. Everything else is timed as it runs.

use crate::clock::{Alone, Together};
use crate::progress::{Phase, Progress};
use fovea_core::ParamError;
use fovea_sim::engine::{carry_out, in_waves};
use fovea_sim::train::{Director, Timed};
use fovea_sim::{Engine, Job, Trained, Watch, crew};
use rayon::ThreadPoolBuilder;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Builder;

/// Seconds that all trainings together may spend on steps, on one thread; one of them takes at most a share of what is
/// left, and a little in any case.
const PATIENCE: f64 = 2.0;
const SHARE: f64 = 0.05;
const LEAST: f64 = 0.004;
/// Bytes that the records of a training may take in a rehearsal that holds only some of them.
const ROOM: f64 = 1e8;
/// Trainings of a kind that are timed before the rest are taken to cost the same.
const ENOUGH: usize = 2;

thread_local! {
    /// The job of a fleet that this thread does.
    static JOB: Cell<Option<InJob>> = const { Cell::new(None) };
}

/// What a job costs; until it ends, what it costs beyond its rehearsal.
#[derive(Clone, Copy, Default)]
struct InJob {
    seconds: f64,
    /// Whether its steps are work for several threads.
    shared: bool,
}

/// A rehearsal; also the progress display and the engine of what it rehearses.
pub struct Rehearsal {
    sums: Mutex<Sums>,
    /// Parts of measuring that were done; no lock, as there may be millions.
    done: AtomicU64,
    /// Records that a training fills in at most.
    most_records: AtomicU64,
}

struct Sums {
    found: Found,
    /// Since when the present stretch lasts, of work between fleets or of a fleet.
    since: Together,
    /// The seconds that were found when measuring began.
    trained: Option<f64>,
    patience: f64,
    /// What was timed of the trainings of each kind.
    kinds: BTreeMap<String, Vec<Timed>>,
}

/// What a rehearsal has found so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// Seconds of the whole.
    pub seconds: f64,
    /// Those of them that went on measuring.
    pub measuring: f64,
    /// Trainings that were rehearsed.
    pub trainings: u64,
    /// The steps of all of them together.
    pub steps: u64,
    /// Bytes that are written in addition to the outcome, such as checkpoints.
    pub beside: u64,
    /// Parts of measuring that were announced, and those that were done.
    pub parts: (u64, u64),
    /// Records of all trainings for each that was filled in: 1, unless they were too many to be held for a rehearsal.
    pub thinned: f64,
}

impl Default for Rehearsal {
    fn default() -> Self {
        let sums = Sums {
            found: Found { thinned: 1.0, ..Found::default() },
            since: Together::begin(),
            trained: None,
            patience: PATIENCE,
            kinds: BTreeMap::new(),
        };
        let most_records = AtomicU64::new(u64::MAX);
        Self { sums: Mutex::new(sums), done: AtomicU64::new(0), most_records }
    }
}

impl Rehearsal {
    /// What has been found so far.
    pub fn found(&self) -> Found {
        let sums = self.sums();
        let seconds = sums.seconds();
        let measuring = sums.trained.map_or(0.0, |trained| seconds - trained);
        let parts = (sums.found.parts.0, self.done.load(Ordering::Relaxed));
        Found { seconds, measuring, parts, ..sums.found }
    }

    /// Trainings fill in only some of their records, given the bytes of each; the rest is counted in proportion. For runs whose
    /// records are not analysed one by one.
    pub fn holds_some(&self, bytes: f64) {
        let most = (ROOM / bytes).max(100.0) as u64;
        self.most_records.store(most, Ordering::Relaxed);
    }

    /// The run would write this many bytes in addition to its outcome.
    pub fn writes_beside(&self, bytes: u64) {
        self.sums().found.beside += bytes;
    }

    /// Runs the jobs of a fleet, `run(0)` to `run(count - 1)`, and adds what all of them would cost.
    pub fn fleet<R: Send>(&self, count: usize, run: impl Fn(usize) -> R + Sync) -> Vec<R> {
        crew::gather(count, run, &|count, run| {
            // A fleet within a job shares its thread.
            if JOB.get().is_some() {
                (0..count).for_each(run);
            } else {
                self.conduct(count, run);
            }
        })
    }

    fn conduct(&self, count: usize, run: &(dyn Fn(usize) + Sync)) {
        self.sums().next_stretch(None);
        let threads = rayon::current_num_threads();
        let (next, ends) = (AtomicUsize::new(0), vec![OnceLock::new(); count]);
        let work = || {
            loop {
                let job = next.fetch_add(1, Ordering::Relaxed);
                if job >= count {
                    break;
                }
                JOB.set(Some(InJob::default()));
                let began = Alone::begin();
                run(job);
                let InJob { seconds, shared } = JOB.take().unwrap_or_default();
                // Each place is filled once: every job is taken by one thread.
                let _ = ends[job].set(InJob { seconds: seconds + began.seconds(), shared });
            }
        };
        let alone = || match ThreadPoolBuilder::new().num_threads(1).build() {
            Ok(pool) => pool.install(work),
            Err(_) => work(),
        };
        std::thread::scope(|scope| {
            let start = |_: &usize| Builder::new().spawn_scoped(scope, alone).is_ok();
            let started = (0..threads.min(count)).filter(start).count();
            // Where the system starts no thread, this one does the work.
            if started == 0 {
                work();
            }
        });
        let ends: Vec<InJob> = ends.into_iter().filter_map(OnceLock::into_inner).collect();
        let costs: Vec<f64> = ends.iter().map(|end| end.seconds).collect();
        let shared = ends.iter().all(|end| end.shared);
        self.sums().next_stretch(Some(makespan(&costs, threads, shared)));
    }

    fn sums(&self) -> MutexGuard<'_, Sums> {
        self.sums.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sums {
    /// Seconds of everything so far.
    fn seconds(&self) -> f64 {
        self.found.seconds + self.since.seconds()
    }

    /// Ends the present stretch, with the given or the measured duration, and begins another.
    fn next_stretch(&mut self, took: Option<f64>) {
        self.found.seconds += took.unwrap_or_else(|| self.since.seconds());
        self.since = Together::begin();
    }
}

/// When the last of some jobs is done, each started by the first thread that is free.
///
/// Where the jobs themselves are shared between threads, none is left idle before the end.
fn makespan(costs: &[f64], threads: usize, shared: bool) -> f64 {
    if shared {
        return costs.iter().sum::<f64>() / threads as f64;
    }
    let mut busy = vec![0.0_f64; threads.max(1)];
    for cost in costs {
        if let Some(first) = busy.iter_mut().min_by(|a, b| a.total_cmp(b)) {
            *first += cost;
        }
    }
    busy.into_iter().fold(0.0, f64::max)
}

impl Progress for Rehearsal {
    fn phase(&self, phase: Phase, steps: u64) {
        let mut sums = self.sums();
        if phase == Phase::Measure {
            sums.found.parts.0 += steps;
            sums.trained = sums.trained.or(Some(sums.seconds()));
        }
    }
    /// Steps of a training, which are rehearsed.
    fn expect(&self, _: u64) {}
    fn stepped(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Engine for Rehearsal {
    fn train(&self, jobs: &[Job], watch: &dyn Watch) -> Result<Vec<Trained>, ParamError> {
        // A kind is identified by the address of its task, and these are new.
        self.sums().kinds.clear();
        in_waves(jobs, |job, tasks, from| carry_out(job, tasks, from, watch), &|count, run| {
            self.fleet(count, run);
        })
    }
}

impl Director for Rehearsal {
    fn known(&self, kind: &str) -> Option<Timed> {
        let sums = self.sums();
        let timed = sums.kinds.get(kind).filter(|timed| timed.len() >= ENOUGH)?;
        // In turn, so that all of them count alike.
        Some(timed[sums.found.trainings as usize % timed.len()].clone())
    }

    fn allowance(&self) -> f64 {
        let mut sums = self.sums();
        let allowance = SHARE * sums.patience;
        sums.patience -= allowance;
        allowance.max(LEAST)
    }

    fn time(&self, work: &mut dyn FnMut()) -> f64 {
        if JOB.get().is_some() {
            let began = Alone::begin();
            work();
            return began.seconds();
        }
        let began = Together::begin();
        work();
        began.seconds()
    }

    fn most_records(&self) -> u64 {
        self.most_records.load(Ordering::Relaxed)
    }

    fn filled(&self, all: u64, filled: u64) {
        if filled < all && filled > 0 {
            self.sums().found.thinned = all as f64 / filled as f64;
        }
    }

    fn learn(&self, kind: &str, timed: &Timed) {
        self.sums().kinds.entry(kind.to_owned()).or_default().push(timed.clone());
    }

    fn end(&self, steps: u64, beyond: f64, shared: bool) {
        let mut sums = self.sums();
        sums.found.trainings += 1;
        sums.found.steps += steps;
        match JOB.get() {
            Some(job) => JOB.set(Some(InJob { seconds: job.seconds + beyond, shared })),
            None => sums.found.seconds += beyond,
        }
    }
}

#[cfg(test)]
mod tests;
