//! Free-form training: in one call, record by record, and many at once.

use crate::attend::{Counter, attend};
use crate::convert::{arrays, assignments, seed};
use crate::error::OrRaise;
use crate::record::Record;
use crate::run::{Jobs, Ran, carry_out, keep, now};
use fovea_core::params::{Assignments, Field, Schema};
use fovea_lab::config::read_config;
use fovea_lab::record::{Manifest, Record as Kept, RunDir, config_hash, former_hashes};
use fovea_lab::training::{EXPERIMENT, Session as Steps, Training, TrainingJob, latest};
use fovea_lab::{LabError, Prepared};
use numpy::PyArray1;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// A run that is ready to go, and where its record goes.
struct Ready {
    job: TrainingJob,
    settings: Assignments,
    schema: Vec<Field>,
    seed: u64,
    dir: Option<RunDir>,
}

impl Ready {
    /// The run that these settings describe.
    fn new(settings: &Bound<'_, PyDict>, seed: u64, out: Option<PathBuf>) -> PyResult<Self> {
        let job = TrainingJob::new(&assignments(settings)?).or_raise()?;
        let dir = out.map(|out| RunDir::create(&out)).transpose().or_raise()?;
        Ok(Self { settings: job.settings(), schema: Training::schema(), job, seed, dir }.keeping())
    }

    /// The run that a `.partial` directory holds, from its latest checkpoint.
    fn resumed(path: &std::path::Path) -> Result<Self, LabError> {
        let dir = RunDir::reopen(path)?;
        let schema = Training::schema();
        let config = read_config(&dir.path().join("run.toml"), EXPERIMENT, &schema)?;
        let job = TrainingJob::new(&config.settings)?;
        let (settings, seed) = (job.settings(), config.seed.unwrap_or(0));
        let manifest =
            Manifest { experiment: EXPERIMENT, settings: &settings, schema: &schema, seed };
        let (hash, former) = (config_hash(&manifest), former_hashes(&manifest));
        let job = match latest(dir.path(), &hash, &former)? {
            Some(saved) => job.from_checkpoint(saved),
            None => job,
        };
        Ok(Self { job, settings, schema, seed, dir: Some(dir) }.keeping())
    }

    fn keeping(mut self) -> Self {
        if let Some(dir) = &self.dir {
            let hash = config_hash(&self.manifest());
            self.job = self.job.keeping_in(dir.path(), &hash);
        }
        self
    }

    fn manifest(&self) -> Manifest<'_> {
        let (settings, schema, seed) = (&self.settings, self.schema.as_slice(), self.seed);
        Manifest { experiment: EXPERIMENT, settings, schema, seed }
    }
}

/// Trains by the settings, or resumes the run in `resume`.
#[pyfunction]
pub(crate) fn train(
    py: Python<'_>,
    settings: &Bound<'_, PyDict>,
    seed_given: &Bound<'_, PyAny>,
    out: Option<PathBuf>,
    resume: Option<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Ran> {
    let mut ready = match resume {
        Some(path) => Ready::resumed(&path).or_raise()?,
        None => Ready::new(settings, seed(seed_given)?, out)?,
    };
    let dir = ready.dir.take();
    carry_out(py, &ready.job, &ready.manifest(), (dir, Jobs::Checkpointed), progress)
}

/// Trains many networks over all threads, each with its settings and its seed.
#[pyfunction]
pub(crate) fn fleet<'py>(
    py: Python<'py>,
    runs: Vec<(Bound<'py, PyDict>, Bound<'py, PyAny>)>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<(Record, Vec<String>)>> {
    let ready = |(settings, given): &(Bound<'py, PyDict>, Bound<'py, PyAny>)| {
        Ready::new(settings, seed(given)?, None)
    };
    let ready = runs.iter().map(ready).collect::<PyResult<Vec<_>>>()?;
    let (counter, began) = (Counter::default(), now());
    let said = attend(py, &counter, progress, || {
        let conditions = counter.conditions(0);
        let run = |ready: &Ready| -> Result<(Kept, Vec<String>), LabError> {
            let conditions = counter.conditions(ready.seed);
            let outcome = ready.job.run(&conditions)?;
            keep(&ready.manifest(), &outcome, None, began.elapsed().as_secs_f64())
        };
        conditions.fleet(&ready, run)
    })?;
    let done =
        said.whole()?.into_iter().map(|said| said.map(|(kept, lines)| (Record(kept), lines)));
    done.collect::<Result<Vec<_>, LabError>>().or_raise()
}

/// A training run taken record by record.
#[pyclass(frozen, module = "fovea._fovea")]
pub(crate) struct Session(Mutex<State>);

struct State {
    steps: Steps,
    settings: Assignments,
    seed: u64,
    dir: Option<RunDir>,
    began: Instant,
}

impl Session {
    fn with<R>(&self, py: Python<'_>, ask: impl FnOnce(&mut State) -> R + Send) -> R
    where
        R: Send,
    {
        py.detach(|| ask(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

#[pymethods]
impl Session {
    #[new]
    fn new(
        settings: &Bound<'_, PyDict>,
        seed_given: &Bound<'_, PyAny>,
        out: Option<PathBuf>,
        resume: Option<PathBuf>,
    ) -> PyResult<Self> {
        let ready = match resume {
            Some(path) => Ready::resumed(&path).or_raise()?,
            None => Ready::new(settings, seed(seed_given)?, out)?,
        };
        if let Some(dir) = &ready.dir {
            dir.begin(&ready.manifest()).or_raise()?;
        }
        let Ready { job, settings, seed, dir, .. } = ready;
        let steps = Steps::new(job, seed).or_raise()?;
        Ok(Self(Mutex::new(State { steps, settings, seed, dir, began: now() })))
    }

    /// Trains until the next record; `False` where there are no more.
    fn advance(&self, py: Python<'_>) -> PyResult<bool> {
        let counter = Counter::default();
        // Taken here, not among the workers: one that waits for it could be the one it waits for.
        let Ok(mut state) = self.0.try_lock() else {
            return Err(PyRuntimeError::new_err("another thread is at this training run"));
        };
        let steps = &mut state.steps;
        let said = attend(py, &counter, None, || steps.advance(&counter.conditions(0)))?;
        said.whole()?.or_raise()
    }

    /// Steps taken at the latest record.
    #[getter]
    fn step(&self, py: Python<'_>) -> u64 {
        self.with(py, |state| state.steps.records().last().map_or(0, |record| record.step))
    }

    /// The named numbers of the latest record.
    fn readings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let named = PyDict::new(py);
        for (name, values) in self.with(py, |state| state.steps.readings()) {
            named.set_item(name, PyArray1::from_vec(py, values))?;
        }
        Ok(named)
    }

    /// The network's parameters as they are now.
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        arrays(py, self.with(py, |state| state.steps.parameters()))
    }

    /// The outcome of the run, written to its directory where it has one.
    fn finish(&self, py: Python<'_>) -> PyResult<(Record, Vec<String>)> {
        let said = self.with(py, |state| {
            let outcome = state.steps.outcome();
            let schema = Training::schema();
            let manifest = Manifest {
                experiment: EXPERIMENT,
                settings: &state.settings,
                schema: &schema,
                seed: state.seed,
            };
            keep(&manifest, &outcome, state.dir.take(), state.began.elapsed().as_secs_f64())
        });
        said.map(|(record, lines)| (Record(record), lines)).or_raise()
    }
}
