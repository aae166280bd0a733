//! The desk at which an experiment measures: its streams, a fleet for other work, and training for what was found.

use crate::bench::{Bench, Phase, Rehearse};
use crate::error::LabError;
use crate::runs::Runs;
use fovea_core::ParamError;
use fovea_core::streams::Streams;
use fovea_record::outcome::{Series, Status};
use fovea_sim::engine::{Tasks, carry_out, dependencies};
use fovea_sim::{Crew, Engine, Job, Trained, Watch, crew};
use std::sync::{Mutex, PoisonError};

/// What `measure` gets besides the runs.
pub struct Desk<'a> {
    bench: &'a Bench<'a>,
    /// Whether the parts of `measure` were announced all at once.
    announced: bool,
    /// Readings of what was trained on the way.
    series: Mutex<Series>,
}

impl<'a> Desk<'a> {
    /// The desk of one run.
    pub(crate) fn new(bench: &'a Bench<'a>, announced: bool) -> Self {
        Self { bench, announced, series: Mutex::default() }
    }

    /// The run's random streams.
    pub fn streams(&self) -> Streams {
        self.bench.streams()
    }

    /// Goes on, unless the run is to end.
    ///
    /// # Errors
    /// It is.
    pub fn go_on(&self) -> Result<(), LabError> {
        if self.bench.stopped() {
            return Err(LabError::Unfinished(Status::Interrupted));
        }
        Ok(())
    }

    /// One part of what was announced is done.
    pub fn stepped(&self) {
        self.bench.progress.stepped();
    }

    /// Does independent work over all threads, one part of the progress per item; results come back in their order.
    ///
    /// # Errors
    /// The run was stopped before all of it was done.
    pub fn fleet<J: Sync, R: Send>(
        &self,
        items: &[J],
        work: impl Fn(&J) -> R + Sync + Send,
    ) -> Result<Vec<R>, LabError> {
        if !self.announced {
            self.bench.progress.phase(Phase::Measure, items.len() as u64);
        }
        let done = self.bench.fleet(items, |item| {
            let result = (!self.bench.stopped()).then(|| work(item));
            self.stepped();
            result
        });
        let all: Option<Vec<R>> = done.into_iter().collect();
        all.ok_or(LabError::Unfinished(Status::Interrupted))
    }

    /// The same for work that may fail; the first failure is that of all.
    ///
    /// # Errors
    /// The run was stopped, or an item failed.
    pub fn try_fleet<J: Sync, R: Send, E: Into<LabError> + Send>(
        &self,
        items: &[J],
        work: impl Fn(&J) -> Result<R, E> + Sync + Send,
    ) -> Result<Vec<R>, LabError> {
        self.fleet(items, work)?.into_iter().map(|result| result.map_err(Into::into)).collect()
    }

    /// Trains what follows from what was found; its readings go into the series of the record.
    ///
    /// # Errors
    /// A network does not fit its task, or a run was stopped or left the finite numbers.
    pub fn train(&self, jobs: &[Job]) -> Result<Runs, LabError> {
        let runs = train(self.bench, jobs)?;
        self.series.lock().unwrap_or_else(PoisonError::into_inner).extend(runs.series());
        runs.whole()
    }

    /// The readings of what was trained at this desk.
    pub(crate) fn series(self) -> Series {
        self.series.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Has jobs carried out, announced as one phase.
pub(crate) fn train(bench: &Bench<'_>, jobs: &[Job]) -> Result<Runs, LabError> {
    if !jobs.is_empty() {
        bench.progress.phase(Phase::Train, jobs.iter().map(Job::steps).sum());
    }
    let trained = match bench.rehearsal {
        Some(rehearsal) => Rehearsed(rehearsal).train(jobs, bench),
        None => bench.engine.unwrap_or(&Crew).train(jobs, bench),
    }?;
    let runs = Runs::new(trained);
    if let Some(keeper) = bench.keeper {
        keeper.keep(&runs);
    }
    Ok(runs)
}

/// Some steps of every job, timed by whoever rehearses.
struct Rehearsed<'a>(&'a dyn Rehearse);

impl Engine for Rehearsed<'_> {
    fn train(&self, jobs: &[Job], watch: &dyn Watch) -> Result<Vec<Trained>, ParamError> {
        let (tasks, after) = (Tasks::of(jobs)?, dependencies(jobs));
        let mut done: Vec<Option<Trained>> = jobs.iter().map(|_| None).collect();
        loop {
            let ready = |job: &usize| {
                done[*job].is_none() && after[*job].is_none_or(|from| done[from].is_some())
            };
            let ready: Vec<usize> = (0..jobs.len()).filter(ready).collect();
            if ready.is_empty() {
                return Ok(done.into_iter().flatten().collect());
            }
            let one = |index: usize| {
                let job = ready[index];
                let from = after[job].and_then(|from| done[from].as_ref());
                carry_out(&jobs[job], &tasks, from, watch)
            };
            let runner = |count: usize, run: &(dyn Fn(usize) + Sync)| self.0.conduct(count, run);
            let results = crew::gather(ready.len(), one, &runner);
            for (job, result) in ready.iter().zip(results) {
                done[*job] = Some(result?);
            }
        }
    }
}
