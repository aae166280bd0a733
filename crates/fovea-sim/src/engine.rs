//! Engines: what carries jobs out.

use crate::crew;
use crate::job::{Job, TaskSpec, Trained};
use crate::task::Task;
use crate::train::{Ended, Progress, Run, Watch, train};
use fovea_core::ParamError;
use fovea_core::work::Listening;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What carries jobs out.
pub trait Engine: Sync {
    /// Trains every job; results come back in the order of the jobs and depend on nothing but the jobs.
    ///
    /// # Errors
    /// A task cannot be made, or a network does not fit it.
    fn train(&self, jobs: &[Job], watch: &dyn Watch) -> Result<Vec<Trained>, ParamError>;
}

/// The tasks of some jobs, each built once.
pub struct Tasks(BTreeMap<usize, Task>);

impl Tasks {
    /// Builds what the jobs learn.
    ///
    /// # Errors
    /// A stimulus cannot be made.
    pub fn of(jobs: &[Job]) -> Result<Self, ParamError> {
        let specs: BTreeMap<usize, &Arc<TaskSpec>> = jobs
            .iter()
            .flat_map(|job| &job.stages)
            .map(|stage| (place(&stage.task), &stage.task))
            .collect();
        let specs: Vec<(usize, &Arc<TaskSpec>)> = specs.into_iter().collect();
        let here = Listening::here();
        let build = |spec: &TaskSpec| here.help(|| spec.build());
        let built = specs.par_iter().map(|(place, spec)| Ok((*place, build(spec)?)));
        Ok(Self(built.collect::<Result<_, ParamError>>()?))
    }

    /// One of them.
    ///
    /// # Panics
    /// It is the task of another list of jobs.
    pub fn get(&self, spec: &Arc<TaskSpec>) -> &Task {
        self.0.get(&place(spec)).expect("the task of one of the jobs")
    }
}

/// Jobs that share a task share its place in memory.
fn place(spec: &Arc<TaskSpec>) -> usize {
    Arc::as_ptr(spec).addr()
}

/// Carries out one job; `from` is the job it starts from.
///
/// # Errors
/// The network does not fit the task.
pub fn carry_out(
    job: &Job,
    tasks: &Tasks,
    from: Option<&Trained>,
    watch: &dyn Watch,
) -> Result<Trained, ParamError> {
    let mut stages: Vec<Run> = Vec::with_capacity(job.stages.len());
    let mut notes = Vec::new();
    for stage in &job.stages {
        // The seed splits the rows, and jobs that share a task may have different seeds.
        let own = match tasks.get(&stage.task) {
            task if task.has_rows() => Some(stage.task.build()?.split(&stage.streams)?),
            _ => None,
        };
        let task = own.as_ref().unwrap_or_else(|| tasks.get(&stage.task));
        notes.extend(task.notes());
        let start = match stages.last() {
            None => job.begin(task, from)?,
            Some(run) => Progress::from(run.network.clone()),
        };
        let dynamics = stage.dynamics.build("dynamics")?;
        let run = train(task, start, dynamics.as_ref(), &stage.streams, &stage.plan, watch);
        let done = run.ended == Ended::Completed;
        stages.push(run);
        if !done {
            break;
        }
    }
    Ok(Trained { job: job.clone(), stages, notes })
}

/// For every job, the index of the one it starts from.
///
/// # Panics
/// There is none of that label.
fn dependencies(jobs: &[Job]) -> Vec<Option<usize>> {
    let places: BTreeMap<&str, usize> =
        jobs.iter().enumerate().map(|(index, job)| (job.label.as_str(), index)).collect();
    let place =
        |label: &str| *places.get(label).unwrap_or_else(|| panic!("no job is called {label}"));
    jobs.iter().map(|job| job.after().map(place)).collect()
}

/// Carries out jobs in waves: those that start from no other job, then those that start from one of these, and so on. `one`
/// trains a job or finds its result elsewhere; `runner` calls the jobs of a wave in any order.
///
/// # Errors
/// A task cannot be made, or `one` fails.
pub fn in_waves(
    jobs: &[Job],
    one: impl Fn(&Job, &Tasks, Option<&Trained>) -> Result<Trained, ParamError> + Sync,
    runner: &crew::Runner<'_>,
) -> Result<Vec<Trained>, ParamError> {
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
        let of_wave = |index: usize| {
            let job = ready[index];
            one(&jobs[job], &tasks, after[job].and_then(|from| done[from].as_ref()))
        };
        let results = crew::gather(ready.len(), of_wave, runner);
        for (job, result) in ready.iter().zip(results) {
            done[*job] = Some(result?);
        }
    }
}

/// Carries out jobs on all threads of this machine, each once the job it starts from has ended. `one` trains a job or finds
/// its result elsewhere.
///
/// # Errors
/// A task cannot be made, or `one` fails.
pub fn on_all_threads(
    jobs: &[Job],
    one: impl Fn(&Job, &Tasks, Option<&Trained>) -> Result<Trained, ParamError> + Sync,
) -> Result<Vec<Trained>, ParamError> {
    let tasks = Tasks::of(jobs)?;
    let trained = crew::after(&dependencies(jobs), |job, from: Option<&Result<Trained, _>>| {
        let from = match from {
            Some(Err(error)) => return Err(ParamError::clone(error)),
            Some(Ok(trained)) => Some(trained),
            None => None,
        };
        let stopped = |from: &&Trained| matches!(from.ended(), Ended::Interrupted { .. });
        match from.filter(stopped) {
            Some(from) => Ok(not_begun(&jobs[job], from)),
            None => one(&jobs[job], &tasks, from),
        }
    });
    trained.into_iter().collect()
}

/// A job that starts from one that was stopped: the network it would start from may not exist.
fn not_begun(job: &Job, from: &Trained) -> Trained {
    let (network, ended) = (from.network().clone(), Ended::Interrupted { step: 0 });
    let run = Run { network, records: Vec::new(), ended };
    Trained { job: job.clone(), stages: vec![run], notes: Vec::new() }
}

/// All threads of this machine: whole jobs first, parts of a job once a thread is idle.
pub struct Crew;

impl Engine for Crew {
    fn train(&self, jobs: &[Job], watch: &dyn Watch) -> Result<Vec<Trained>, ParamError> {
        on_all_threads(jobs, |job, tasks, from| carry_out(job, tasks, from, watch))
    }
}

#[cfg(test)]
mod tests;
