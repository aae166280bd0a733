//! Experiments, verification and the benchmark.

use crate::attend::{Counter, attend};
use crate::convert::{assignments, json, seed};
use crate::error::{OrRaise, raise};
use crate::record::Record;
use fovea_core::ParamError;
use fovea_lab::experiments::{self, Size};
use fovea_lab::finished::Finished;
use fovea_lab::record::{Manifest, Record as Kept, RunDir};
use fovea_lab::speed::{self, Setting};
use fovea_lab::{Conditions, LabError, Outcome, Prepared, Status, claims, verify as checks};
use fovea_sim::Engine;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::time::Instant;

/// A record, the lines of the summary, and the exception that ended the run early.
pub(crate) type Ran = (Record, Vec<String>, Option<Py<PyAny>>);

/// The moment a run begins, for its stamp.
#[expect(clippy::disallowed_methods, reason = "the seconds of the stamp")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Runs an experiment; the record goes to `out`, or stays in memory.
#[pyfunction]
pub(crate) fn run(
    py: Python<'_>,
    name: &str,
    settings: &Bound<'_, PyDict>,
    seed_given: &Bound<'_, PyAny>,
    size_and_out: (String, Option<PathBuf>),
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Ran> {
    let row = experiments::find(name).or_raise()?;
    let (size, out) = size_and_out;
    let size = match size.as_str() {
        "quick" => Size::Quick,
        "full" => Size::Full,
        _ => Size::Default,
    };
    if size == Size::Full && row.full.is_none() {
        let what =
            format!("the defaults of {} are its published size: there is no larger one", row.name);
        let hint = "leave `full` out".to_owned();
        return Err(raise(ParamError::Inconsistent { what, hint }.into()));
    }
    let (given, seed) = (assignments(settings)?, seed(seed_given)?);
    let prepared = (row.prepare)(size, &given).or_raise()?;
    let (settings, schema) = (prepared.settings(), (row.schema)());
    let manifest = Manifest { experiment: row.name, settings: &settings, schema: &schema, seed };
    let dir = out.map(|out| RunDir::create(&out)).transpose().or_raise()?;
    carry_out(py, prepared.as_ref(), &manifest, (dir, Jobs::Kept), progress)
}

/// Whether jobs that end are kept in the directory of an unfinished run, for `fovea run --resume`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Jobs {
    /// Each as it ends.
    Kept,
    /// A training has checkpoints instead.
    Checkpointed,
}

/// Runs what was prepared and records it.
pub(crate) fn carry_out(
    py: Python<'_>,
    prepared: &dyn Prepared,
    manifest: &Manifest<'_>,
    (dir, jobs): (Option<RunDir>, Jobs),
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Ran> {
    let (counter, began) = (Counter::default(), now());
    let seed = manifest.seed;
    let said = attend(py, &counter, progress, || -> Result<(Kept, Vec<String>), LabError> {
        if let Some(dir) = &dir {
            dir.begin(manifest)?;
        }
        let kept = dir.as_ref().filter(|_| jobs == Jobs::Kept);
        let finished = kept.map(|dir| Finished::open(dir.path())).transpose()?;
        let engine = finished.as_ref().map(|finished| finished as &dyn Engine);
        let outcome = prepared.run(&Conditions { engine, ..counter.conditions(seed) });
        let ended = outcome.as_ref().is_ok_and(|outcome| outcome.status != Status::Interrupted);
        if let Some(finished) = finished.as_ref().filter(|_| !ended) {
            finished.keep_all();
        }
        let outcome = outcome.inspect_err(|_| dir.iter().for_each(RunDir::abandon))?;
        keep(manifest, &outcome, dir, began.elapsed().as_secs_f64())
    })?;
    let (record, summary) = said.result.or_raise()?;
    let interrupted = said.interrupted.map(|error| error.into_value(py).into_any());
    Ok((Record(record), summary, interrupted))
}

/// Writes or holds the outcome of a run.
pub(crate) fn keep(
    manifest: &Manifest<'_>,
    outcome: &Outcome,
    dir: Option<RunDir>,
    seconds: f64,
) -> Result<(Kept, Vec<String>), LabError> {
    let record = match dir {
        Some(dir) => Kept::open(&dir.finish(manifest, outcome, seconds)?)?,
        None => Kept::of(manifest, outcome, seconds)?,
    };
    Ok((record, outcome.summary.clone()))
}

/// Tests claims: the findings, the record and the counts in words.
#[pyfunction]
pub(crate) fn verify<'py>(
    py: Python<'py>,
    prefixes: Vec<String>,
    quick: bool,
    seed_given: &Bound<'py, PyAny>,
    out: Option<PathBuf>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyAny>, Record, Vec<String>)> {
    let (rows, seed) = (claims::select(&prefixes).or_raise()?, seed(seed_given)?);
    let settings = checks::settings(&prefixes, quick);
    let manifest =
        Manifest { experiment: checks::EXPERIMENT, settings: &settings, schema: &[], seed };
    let dir = out.map(|out| RunDir::create(&out)).transpose().or_raise()?;
    let (counter, began) = (Counter::default(), now());
    let said = attend(py, &counter, progress, || -> Result<_, LabError> {
        let conditions = counter.conditions(seed);
        let found = checks::verify(&rows, quick, &conditions)
            .inspect_err(|_| dir.iter().for_each(RunDir::abandon))?;
        let Some(verified) = found else {
            dir.iter().for_each(RunDir::abandon);
            return Ok(None);
        };
        let outcome = checks::outcome(&verified, quick);
        let kept = keep(&manifest, &outcome, dir, began.elapsed().as_secs_f64())?;
        Ok(Some((verified.findings, kept)))
    })?;
    match said.whole()?.or_raise()? {
        Some((findings, (record, summary))) => {
            let findings = findings.iter().map(checks::Finding::to_json).collect();
            Ok((json(py, &findings)?, Record(record), summary))
        }
        None => unreachable!("what is stopped has been interrupted"),
    }
}

/// Measures the speed of this machine: the document of `fovea bench --json`.
#[pyfunction]
pub(crate) fn bench<'py>(
    py: Python<'py>,
    only: Vec<String>,
    quick: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let setting = if quick { Setting::QUICK } else { Setting::FULL };
    let counter = Counter::default();
    // A row's work is made where it is done; rows themselves do not travel between threads.
    let said = attend(py, &counter, progress, || {
        let conditions = counter.conditions(0);
        let measured = speed::measure(&speed::select(&only)?, setting, &conditions)?;
        Ok::<_, LabError>(measured.map(|measured| speed::to_json(&measured)))
    })?;
    match said.whole()?.or_raise()? {
        Some(document) => json(py, &document),
        None => unreachable!("what is stopped has been interrupted"),
    }
}
