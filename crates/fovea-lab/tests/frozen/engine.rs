//! Every experiment that has networks trained, once more with another engine: who trains moves no number and no word.
//!
//! The engine carries jobs out one by one and in another order. What comes of them is compared with what is kept of the
//! usual run, and never written.

use crate::kept::{Hashes, Moved};
use crate::outcome;
use fovea_core::ParamError;
use fovea_lab::experiments::{self, Entry, Size};
use fovea_lab::{Conditions, LabError, Outcome, Silent};
use fovea_sim::engine::{carry_out, in_waves};
use fovea_sim::{Engine, Job, Trained, Watch};
use libtest_mimic::{Arguments, Failed, Trial};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// One test for each experiment that hands jobs over; who asks for other tests does not wait for the jobs to be made.
pub(crate) fn trials(arguments: &Arguments) -> Vec<Trial> {
    let trial = |row: &&'static Entry| {
        let row = *row;
        let trial = Trial::test(format!("engine::{}", row.name), move || run(row));
        (!arguments.is_filtered_out(&trial) && trains(row)).then_some(trial)
    };
    experiments::ALL.iter().filter_map(trial).collect()
}

fn run(row: &Entry) -> Result<(), Failed> {
    let Moved { numbers, words } = moved(row, &OneByOne::RIGHT)?;
    if numbers.is_empty() && words.is_empty() {
        return Ok(());
    }
    let all = [numbers, words].concat().join(", ");
    Err(format!("another engine came to something else: {all}\n{WHY}").into())
}

/// What it means.
const WHY: &str =
    "if experiments:: agrees, something depends on the order of the jobs or on what they share";

/// What differs from the kept hashes where this engine trains.
fn moved(row: &Entry, engine: &OneByOne) -> Result<Moved, Failed> {
    let outcome = with(row, engine)?;
    let kept = Hashes::kept(&format!("experiments/{}.toml", row.name))?;
    Ok(outcome::hashes(&outcome).moved_from(&kept))
}

/// The quick run of an experiment by an engine.
fn with(row: &Entry, engine: &dyn Engine) -> Result<Outcome, LabError> {
    let prepared = (row.prepare)(Size::Quick, &Vec::new())?;
    let stop = AtomicBool::new(false);
    prepared.run(&Conditions { engine: Some(engine), ..Conditions::new(0, &Silent, &stop) })
}

/// Whether an experiment hands jobs over; the run ends there.
fn trains(row: &Entry) -> bool {
    let counted = Counted(AtomicUsize::new(0));
    assert!(with(row, &counted).is_err(), "{} went on without its runs", row.name);
    counted.0.into_inner() > 0
}

/// An engine that counts jobs and trains none.
struct Counted(AtomicUsize);

impl Engine for Counted {
    fn train(&self, jobs: &[Job], _: &dyn Watch) -> Result<Vec<Trained>, ParamError> {
        self.0.fetch_add(jobs.len(), Ordering::Relaxed);
        let (what, hint) = ("nobody trains here".to_owned(), String::new());
        Err(ParamError::Inconsistent { what, hint })
    }
}

/// Jobs one by one, the last of those that wait for no other first. A wrong one exchanges something before or after.
struct OneByOne {
    before: fn(&mut [Job]),
    after: fn(&mut [Trained]),
}

impl OneByOne {
    const RIGHT: Self = Self { before: |_| (), after: |_| () };
}

impl Engine for OneByOne {
    fn train(&self, jobs: &[Job], watch: &dyn Watch) -> Result<Vec<Trained>, ParamError> {
        let mut jobs = jobs.to_vec();
        (self.before)(&mut jobs);
        let mut trained = in_waves(
            &jobs,
            |job, tasks, from| carry_out(job, tasks, from, watch),
            &|count, run| (0..count).rev().for_each(run),
        )?;
        (self.after)(&mut trained);
        Ok(trained)
    }
}

/// What the comparison must notice.
pub(crate) const CONTROLS: &[(&str, fn())] =
    &[("controls::an_engine_that_errs_is_noticed", an_engine_that_errs_is_noticed)];

fn an_engine_that_errs_is_noticed() {
    // The first two share their streams, so that gains are compared on the same draws; the last has its own.
    let streams: fn(&mut [Job]) = |jobs| {
        let [one, .., other] = jobs else { panic!("two jobs") };
        std::mem::swap(&mut one.stages[0].streams, &mut other.stages[0].streams);
    };
    let results: fn(&mut [Trained]) = |trained| {
        let [one, other, ..] = trained else { panic!("two jobs") };
        std::mem::swap(&mut one.stages, &mut other.stages);
    };
    let row = experiments::find("localize").unwrap();
    for engine in [
        OneByOne { before: streams, ..OneByOne::RIGHT },
        OneByOne { after: results, ..OneByOne::RIGHT },
    ] {
        let moved = moved(row, &engine).map_err(|error| format!("{error:?}")).unwrap();
        assert!(!moved.numbers.is_empty());
    }
}
