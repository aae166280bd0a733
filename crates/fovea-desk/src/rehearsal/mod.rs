//! A rehearsal of an experiment: it runs as it is, but every training takes some of its steps only, and what the whole
//! would cost is worked out.
//!
//! Trainings of a fleet run as many at a time as there are threads, each on a thread of its own, so that a step costs what
//! it costs beside others; what they sum to is divided by the threads. Whatever is no training is timed as it runs.

mod clock;

pub use clock::{Alone, Together, seconds_run};
pub use fovea_record::directory::peak_memory;

use crate::bench::{Phase, Progress, Rehearse};
use fovea_sim::train::{Cost, Director, Record};
use rayon::ThreadPoolBuilder;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Seconds that the trainings of one fleet may spend on steps, all its jobs together on one thread.
const PATIENCE: f64 = 2.0;
/// Most and fewest seconds of one training.
const LONGEST: f64 = 0.4;
const SHORTEST: f64 = 0.004;
/// Records of a kind that are timed before the rest are taken to cost the same.
const RECORDS: u32 = 3;

thread_local! {
    /// The job of a fleet that this thread is at.
    static JOB: Cell<Option<InJob>> = const { Cell::new(None) };
}

/// How far a job has come.
#[derive(Clone, Copy)]
struct InJob {
    /// Seconds its trainings may still spend on steps.
    patience: f64,
    /// Seconds that the whole job takes beyond its rehearsal.
    beyond: f64,
    /// Whether the steps of all its trainings are work for several threads; none has trained yet.
    shared: Option<bool>,
}

/// A rehearsal; also the progress display of what it rehearses.
pub struct Rehearsal {
    sums: Mutex<Sums>,
    expected: AtomicU64,
    /// Steps of trainings that come after other work.
    later: AtomicU64,
    stepped: AtomicU64,
}

struct Sums {
    /// Seconds of everything whose end was seen.
    seconds: f64,
    /// Since when the present stretch without fleets or trainings lasts.
    since: Option<Together>,
    trainings: u64,
    steps: u64,
    /// Bytes that go to the disk beside what the outcome holds.
    beside: u64,
    records: BTreeMap<String, (Record, f64, u32)>,
}

/// What a rehearsal has found so far.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Seconds of the whole.
    pub seconds: f64,
    /// Trainings that were rehearsed.
    pub trainings: u64,
    /// The steps of all of them together.
    pub steps: u64,
    /// Bytes that go to the disk beside what the outcome holds, such as checkpoints.
    pub beside: u64,
    /// Steps other than of training that were announced, and those that were taken.
    pub others: (u64, u64),
    /// Whether trainings that were announced are still to come.
    pub to_come: bool,
}

impl Default for Rehearsal {
    fn default() -> Self {
        let sums = Sums {
            seconds: 0.0,
            since: Some(Together::begin()),
            trainings: 0,
            steps: 0,
            beside: 0,
            records: BTreeMap::new(),
        };
        let counter = || AtomicU64::new(0);
        Self { sums: Mutex::new(sums), expected: counter(), later: counter(), stepped: counter() }
    }
}

impl Rehearsal {
    /// What was found until now.
    pub fn found(&self) -> Found {
        let sums = self.sums();
        let [expected, later, stepped] =
            [&self.expected, &self.later, &self.stepped].map(|x| x.load(Ordering::Relaxed));
        Found {
            seconds: sums.seconds + sums.since.as_ref().map_or(0.0, Together::seconds),
            trainings: sums.trainings,
            steps: sums.steps,
            beside: sums.beside,
            others: (expected.saturating_sub(sums.steps.saturating_sub(later)), stepped),
            to_come: later > sums.steps,
        }
    }

    fn rehearse(&self, count: usize, run: &(dyn Fn(usize) + Sync)) {
        self.pause();
        let threads = rayon::current_num_threads();
        let patience = PATIENCE * threads as f64 / count.max(1) as f64;
        let start =
            InJob { patience: patience.clamp(SHORTEST, LONGEST), beyond: 0.0, shared: None };
        let (next, costs) = (AtomicUsize::new(0), Mutex::new(vec![0.0; count]));
        let alone = AtomicBool::new(false);
        let work = || {
            let (here, mut taken) = (Alone::begin(), Vec::new());
            loop {
                let job = next.fetch_add(1, Ordering::Relaxed);
                if job >= count {
                    break;
                }
                JOB.set(Some(start));
                let began = here.on_the_clock();
                run(job);
                let took = here.on_the_clock() - began;
                let end = JOB.take().unwrap_or(start);
                taken.push((job, took, end.beyond));
                alone.fetch_or(end.shared != Some(true), Ordering::Relaxed);
            }
            // To ask how long the thread was kept waiting takes as long as a small job: once for all of them.
            let ran = here.seconds() / here.on_the_clock().max(f64::MIN_POSITIVE);
            let mut costs = locked(&costs);
            for (job, took, beyond) in taken {
                costs[job] = ran * took + beyond;
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..threads.min(count) {
                scope.spawn(|| match ThreadPoolBuilder::new().num_threads(1).build() {
                    Ok(pool) => pool.install(work),
                    Err(_) => work(),
                });
            }
        });
        let shared = !alone.load(Ordering::Relaxed);
        let costs = costs.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.resume(makespan(&costs, threads, shared));
    }

    fn sums(&self) -> MutexGuard<'_, Sums> {
        locked(&self.sums)
    }

    /// Ends the present stretch.
    fn pause(&self) {
        let mut sums = self.sums();
        if let Some(since) = sums.since.take() {
            sums.seconds += since.seconds();
        }
    }

    /// Begins the next stretch, after something that takes so many seconds.
    fn resume(&self, seconds: f64) {
        let mut sums = self.sums();
        sums.seconds += seconds;
        sums.since = Some(Together::begin());
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// When the last of some jobs is done, each taken up by the first thread that is free.
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
        match phase {
            Phase::Train => {
                self.later.fetch_add(steps, Ordering::Relaxed);
            }
            Phase::Measure => self.expect(steps),
        }
    }
    fn expect(&self, steps: u64) {
        self.expected.fetch_add(steps, Ordering::Relaxed);
    }
    fn stepped(&self) {
        self.stepped.fetch_add(1, Ordering::Relaxed);
    }
}

impl Rehearse for Rehearsal {
    fn conduct(&self, count: usize, run: &(dyn Fn(usize) + Sync)) {
        // A fleet within a job shares its thread.
        if JOB.get().is_some() {
            (0..count).for_each(run);
        } else {
            self.rehearse(count, run);
        }
    }

    fn writes_beside(&self, bytes: u64) {
        self.sums().beside += bytes;
    }
}

impl Director for Rehearsal {
    fn begin(&self) {
        if JOB.get().is_none() {
            self.pause();
        }
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

    fn allowance(&self) -> f64 {
        let Some(job) = JOB.get() else { return LONGEST };
        // A job may train again and again: half of what is left each time.
        let patience = 0.5 * job.patience;
        JOB.set(Some(InJob { patience, ..job }));
        patience
    }

    fn known(&self, like: &str) -> Option<(Record, f64)> {
        let sums = self.sums();
        let (record, seconds, count) = sums.records.get(like)?;
        (*count >= RECORDS).then(|| (record.clone(), seconds / f64::from(*count)))
    }

    fn learn(&self, like: &str, record: &Record, seconds: f64) {
        let mut sums = self.sums();
        let kept = sums.records.entry(like.to_owned());
        let (_, sum, count) = kept.or_insert_with(|| (record.clone(), 0.0, 0));
        if *count < RECORDS {
            (*sum, *count) = (*sum + seconds, *count + 1);
        }
    }

    fn end(&self, cost: &Cost) {
        {
            let mut sums = self.sums();
            sums.trainings += 1;
            sums.steps += cost.steps;
        }
        match JOB.get() {
            Some(job) => JOB.set(Some(InJob {
                beyond: job.beyond + cost.seconds - cost.spent,
                shared: Some(job.shared.unwrap_or(true) && cost.shared),
                ..job
            })),
            None => self.resume(cost.seconds),
        }
    }
}

#[cfg(test)]
mod tests;
