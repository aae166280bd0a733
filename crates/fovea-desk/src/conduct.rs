//! An experiment is three functions, and this is the driver that runs it.
//!
//! `jobs` returns what is to be trained, as data; `measure` computes numbers from the runs; `show` makes arrays, claims and
//! figures from those. The driver does everything else: progress, stop, divergence, the series with its clock, notes, report
//! and outcome. So a rehearsal, an analysis without training, another engine or a part of the jobs on another machine differ
//! only in the engine, which no experiment knows.

use crate::conditions::{Conditions, Phase};
use crate::desk::{Desk, train};
use crate::error::LabError;
use crate::experiment::{Entry, Full, Prepared, Size};
use crate::runs::Runs;
use crate::stated::{leave_unchecked, need_a_wrong_form, outside};
use fovea_core::params::Assignments;
use fovea_core::registry::shallow;
use fovea_core::streams::Streams;
use fovea_core::work::Stopped;
use fovea_core::{ParamError, Params};
use fovea_page::figure::Figure;
use fovea_page::report::Block;
use fovea_page::table::Table;
use fovea_record::claim::Claim;
use fovea_record::complete::{complete, plain};
use fovea_record::outcome::{Array, Outcome, Series, Status};
use fovea_record::present::{Words, report};
use fovea_sim::Job;

/// An experiment is its settings: `Default` is the source's.
pub trait Experiment: Params + Send + Sync + 'static {
    /// What `measure` computes from runs that live for `'r`: numbers only.
    type Found<'r>;

    /// The words of its report.
    const WORDS: Words<'static>;

    /// The published size, where the defaults are reduced from it.
    const FULL: Option<Full<Self>> = None;

    /// A reduced setting that takes a few seconds.
    fn quick() -> Self;

    /// What is to be trained.
    ///
    /// # Errors
    /// A start or a task cannot be made at these settings.
    fn jobs(&self, _: &Streams) -> Result<Vec<Job>, LabError> {
        Ok(Vec::new())
    }

    /// The number type of the record, where that is not the one of the first job.
    fn dtype(&self) -> Option<&'static str> {
        None
    }

    /// How many items the fleets of `measure` have in all, where one progress bar is to show them; 0 for a bar per fleet.
    fn parts(&self) -> u64 {
        0
    }

    /// Computes numbers from the runs: everything that computes or samples.
    ///
    /// # Errors
    /// A closed form has no value at these settings, or the run was stopped.
    fn measure<'r>(&self, runs: &'r Runs, desk: &Desk<'_>) -> Result<Self::Found<'r>, LabError>;

    /// Makes arrays, claims, lines and figures from the numbers; samples and trains nothing.
    ///
    /// # Errors
    /// A claim or a figure cannot be made from them.
    fn show<'r>(&self, runs: &'r Runs, found: &Self::Found<'r>) -> Result<Shown, LabError>;
}

/// What an experiment shows of what it found.
#[derive(Default)]
pub struct Shown {
    /// Weights, spectra and their predictions.
    pub arrays: Vec<Array>,
    /// Theory against simulation.
    pub claims: Vec<Claim>,
    /// Figures by file name.
    pub figures: Vec<(&'static str, Figure)>,
    /// The resulting numbers: printed, on the page, and a file each.
    pub tables: Vec<Table>,
    /// The sentences printed after the tables.
    pub summary: Vec<String>,
    /// Question and answer in a sentence or two, where the answer depends on what was found.
    pub lead: Option<String>,
    /// Formulas that replace those of the words, where they depend on the settings.
    pub formulas: Option<&'static [&'static str]>,
    /// Rows of the series that are not readings of a probe.
    pub series: Series,
}

/// An experiment with all settings resolved and checked, and its driver.
pub struct Conducted<E>(pub E);

impl<E: Experiment> Prepared for Conducted<E> {
    fn settings(&self) -> Assignments {
        complete(&self.0.values(), &E::schema())
    }
    fn run(&self, conditions: &Conditions<'_>) -> Result<Outcome, LabError> {
        conduct(&self.0, conditions)
    }
}

impl Entry {
    /// The entry of an experiment, with the file that it is written in.
    pub const fn of<E: Experiment>(
        name: &'static str,
        summary: &'static str,
        source: &'static str,
    ) -> Self {
        let full = match &E::FULL {
            Some(full) => Some(full.takes),
            None => None,
        };
        let prepare = |size: Size, given: &Assignments| -> Result<Box<dyn Prepared>, ParamError> {
            let mut settings = match (size, E::FULL) {
                (Size::Quick, _) => E::quick(),
                (Size::Full, Some(full)) => (full.settings)(),
                (Size::Full | Size::Default, _) => E::default(),
            };
            shallow(given)?;
            for (key, value) in given {
                settings.assign(key, value)?;
            }
            settings.check()?;
            // In one spelling, so that a report says the same however the settings were given.
            for (key, value) in plain(&settings.values(), &E::schema()) {
                settings.assign(&key, &value)?;
            }
            let prepared = Conducted(settings);
            // With every default written out: the record must be one that can be read.
            shallow(&prepared.settings())?;
            Ok(Box::new(prepared))
        };
        Self { name, summary, source, schema: E::schema, full, prepare }
    }
}

/// The result of work, where a stop is one way for it to be unfinished.
fn finished<T>(done: Result<Result<T, LabError>, Stopped>) -> Result<T, LabError> {
    done.unwrap_or(Err(LabError::Unfinished(Status::Interrupted)))
}

/// The result of work, none where it was stopped.
fn unless_unfinished<T>(done: Result<T, LabError>) -> Result<Option<T>, LabError> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(LabError::Unfinished(Status::Interrupted)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Why a run does not have the settings that claims of its experiment are about, if it does not.
fn elsewhere<E: Experiment>(settings: &E) -> Option<String> {
    let mut stated = vec![E::default().values(), E::quick().values()];
    stated.extend(E::FULL.map(|full| (full.settings)().values()));
    outside(&settings.values(), &stated)
}

/// Runs an experiment from its jobs to its outcome.
///
/// # Errors
/// Its jobs, numbers or figures cannot be made.
pub fn conduct<E: Experiment>(
    settings: &E,
    conditions: &Conditions<'_>,
) -> Result<Outcome, LabError> {
    let jobs = finished(conditions.unless_stopped(|| settings.jobs(&conditions.streams())));
    let (jobs, begun) = unless_unfinished(jobs)?.map_or((Vec::new(), false), |jobs| (jobs, true));
    let trained = || jobs.first().map_or("f64", |job| job.stages[0].plan.precision.word());
    let dtype = settings.dtype().unwrap_or_else(trained);
    let runs = unless_unfinished(finished(conditions.unless_stopped(|| train(conditions, &jobs))))?;
    let whole = begun && runs.is_some();
    let runs = runs.unwrap_or_default();
    let mut series = runs.series();
    let mut status = if whole { runs.status() } else { Status::Interrupted };
    let mut shown = Shown::default();
    if status == Status::Completed {
        let parts = settings.parts();
        if parts > 0 {
            conditions.progress.phase(Phase::Measure, parts);
        }
        let desk = Desk::new(conditions, parts > 0);
        let found = finished(conditions.unless_stopped(|| {
            let found = settings.measure(&runs, &desk)?;
            settings.show(&runs, &found)
        }));
        series.extend(desk.series());
        match found {
            Ok(found) => {
                shown = found;
                leave_unchecked(&mut shown.claims, elsewhere(settings).as_deref());
                need_a_wrong_form(&mut shown.claims);
            }
            Err(LabError::Unfinished(how)) => status = how,
            Err(error) => return Err(error),
        }
    }
    if status != Status::Completed {
        // What was done so far: the fields as they are.
        shown.arrays = runs.weights();
    }
    series.extend(std::mem::take(&mut shown.series));
    let summary = [runs.notes(), std::mem::take(&mut shown.summary)].concat();
    let words = Words {
        lead: shown.lead.as_deref().unwrap_or(E::WORDS.lead),
        formulas: shown.formulas.unwrap_or(E::WORDS.formulas),
        ..E::WORDS
    };
    let Shown { arrays, claims, figures, tables, .. } = shown;
    let mut below: Vec<Block> = Block::lines(&summary).into_iter().collect();
    below.extend(tables.into_iter().map(Block::Data));
    let report = report(&words, settings, &figures, &claims, below);
    Ok(Outcome { status, dtype, series, arrays, claims, figures, report, summary })
}
