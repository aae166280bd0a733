//! Free-form training: any stimulus, task, network, loss and dynamics, from one file.

mod checkpoint;
mod due;
mod figure;
mod keeper;
mod memory;
mod readings;
mod session;
#[cfg(test)]
mod tests;

pub use checkpoint::{Saved, latest};
use due::Clock;
pub use fovea_sim::classes::{ClassSpec, Classes};
use keeper::{Keeper, Keeping};
pub use session::Session;

use fovea_core::params::{Assignments, Schema, any, between};
use fovea_core::registry::{resolve, shallow};
use fovea_core::streams::{Generator, Streams};
use fovea_core::work::Stopped;
use fovea_core::{Item, ParamError, Params, Value, params};
use fovea_desk::conditions::Conditions;
use fovea_desk::error::LabError;
use fovea_desk::experiment::Prepared;
use fovea_desk::runs::add_readings;
use fovea_page::report::Block;
use fovea_record::complete::complete;
use fovea_record::outcome::{Outcome, Series, Status};
use fovea_record::present::{Words, report};
use fovea_sim::dynamics::Diverged;
use fovea_sim::network::Architecture;
use fovea_sim::probe::{self, Needs, Probes};
use fovea_sim::train::{Precision, train};
use fovea_sim::{Dynamics, Ended, Labels, Network, Plan, Progress, Run, Target, Task, Times, loss};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The name of a training run in its record, as experiment and as only curve.
pub const EXPERIMENT: &str = "train";

/// The time between checkpoints that are kept by time.
const PAUSE: Duration = Duration::from_mins(1);

fovea_core::choice! {
    /// How records are spaced.
    pub enum Spacing {
        /// Every `record_every` steps.
        Linear = "linear",
        /// `records` of them, evenly spaced in the logarithm of the step.
        Log = "log",
    }
}

params! {
    /// A training run.
    pub struct Training {
        /// The classes: tables `[class.NAME]` with a stimulus, a share and a label each.
        class: Classes = Classes::default(), any(), "";
        /// How the classes of a batch are sampled.
        labels: Labels = Labels::Iid, any(), "";
        /// Target of the network.
        target: Target = Target::Label, any(), "";
        /// The network.
        network: Item<Box<dyn Architecture>> = Item::named("committee"), any(), "";
        /// The loss.
        loss: &'static loss::Entry = &loss::mse::ENTRY, any(), "";
        /// How the network is trained.
        dynamics: Item<Box<dyn Dynamics>> = Item::named("sgd"), any(), "";
        /// Steps to take.
        steps: usize = 1000, between(0.0, 1e12), "steps";
        /// What is measured at every record.
        probes: Probes = Probes(vec![&probe::loss::ENTRY, &probe::ipr::ENTRY, &probe::weights::ENTRY]), any(), "";
        /// How records are spaced; the start and the end are always recorded.
        record: Spacing = Spacing::Linear, any(), "";
        /// Steps between records, where they are spaced linearly.
        record_every: usize = 10, between(1.0, 1e12), "steps";
        /// Number of records, where they are spaced logarithmically.
        records: usize = 100, between(2.0, 1e6), "";
        /// Samples for the probes loss, accuracy, kurtosis and gates: fresh ones, or at most this many held-out rows of arrays, each once.
        eval_samples: usize = 8192, between(1.0, 1e9), "samples";
        /// Steps between checkpoints, from which an interrupted run resumes bit for bit; 0 keeps one per minute, and of those the latest two until the run ends.
        checkpoint_every: usize = 0, between(0.0, 1e12), "steps";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
        /// Random number generator; `philox` checks a result with other numbers than the usual ones.
        rng: Generator = Generator::Xoshiro, any(), "";
    }
}

impl Params for Training {
    fn check(&self) -> Result<(), ParamError> {
        let parts = self.parts(&Streams::new(0))?;
        memory::check(self, &parts)
    }
}

/// What a training file describes, made.
struct Parts {
    task: Task,
    network: Network,
    dynamics: Box<dyn Dynamics>,
}

const WORDS: Words<'static> = Words {
    title: "Training run",
    lead: "One network, trained as described by its settings.",
    caption: figure::CAPTION,
    formulas: &[],
};

impl Training {
    fn parts(&self, streams: &Streams) -> Result<Parts, ParamError> {
        let task = self.class.task(self.labels, self.target)?.split(streams)?;
        self.loss.fits(&task)?;
        let architecture = self.network.build("network")?;
        let dynamics = self.dynamics.build("dynamics")?;
        memory::of_network(self, architecture.as_ref(), dynamics.as_ref(), task.dim())?;
        let network = architecture.network(&task.shape(), task.outputs(), streams);
        let network = network.map_err(|error| error.inside("network"))?;
        let pace = dynamics.pace();
        pace.estimator.fits(&task).map_err(|error| error.inside("dynamics"))?;
        task.shares_out(pace.batch)?;
        Needs::fit(&self.probes.0, &task, pace)?;
        Ok(Parts { task, network, dynamics })
    }

    fn times(&self) -> Times {
        match self.record {
            Spacing::Linear => Times::Every(self.record_every as u64),
            Spacing::Log => Times::log(self.steps as u64, self.records),
        }
    }

    fn plan(&self) -> Plan<'_> {
        let looks = Needs::samples(&self.probes.0);
        Plan {
            steps: self.steps as u64,
            record: self.times(),
            checkpoint_every: self.checkpoint_every as u64,
            eval_samples: if looks { self.eval_samples } else { 0 },
            probes: &self.probes.0,
            loss: self.loss,
            precision: self.precision,
        }
    }

    /// The outcome of a run.
    fn outcome(&self, task: &Task, dynamics: &dyn Dynamics, plan: &Plan<'_>, run: &Run) -> Outcome {
        let mut series = Series::default();
        for (record, time) in run.records.iter().zip(readings::times(dynamics, plan, run)) {
            add_readings(&mut series, EXPERIMENT, (record.step as i64, time), plan, record);
        }
        let status = match run.ended {
            Ended::Completed => Status::Completed,
            Ended::Interrupted { .. } => Status::Interrupted,
            Ended::Diverged(Diverged { step }) => {
                Status::Diverged { curve: EXPERIMENT.to_owned(), step }
            }
        };
        let mut summary = task.notes();
        summary.extend(run.network.notes());
        if let Status::Diverged { step, .. } = status {
            let rate = dynamics.pace().lr;
            summary.push(format!(
                "diverged at step {step}, at a learning rate of {}: figures and arrays show the last finite network",
                Value::Real(rate)
            ));
        }
        summary.extend(readings::summary(plan, run));
        let tables = readings::table(task, plan, run).into_iter().map(Block::Data);
        let blocks = Block::lines(&summary).into_iter().chain(tables).collect();
        let figures = figure::figure(self, task, plan, run).map(|f| ("training", f));
        let figures: Vec<_> = figures.into_iter().collect();
        let report = report(&WORDS, self, &figures, &[], blocks);
        Outcome {
            status,
            dtype: self.precision.word(),
            series,
            arrays: readings::arrays(plan, run),
            claims: Vec::new(),
            figures,
            report,
            summary,
        }
    }
}

/// The settings with the default's name where a network or dynamics has parameters and no name.
fn named(settings: &Assignments) -> Assignments {
    let schema = Training::schema();
    let named = |(key, value): &(String, Value)| {
        let default = schema.iter().find(|field| field.name == key).map(|field| &field.default);
        let name = default.and_then(|default| default.get("name")).cloned();
        match (value, name) {
            (Value::Table(rows), Some(name)) if !rows.is_empty() && value.get("name").is_none() => {
                let name = vec![("name".to_owned(), name)];
                (key.clone(), Value::Table([name, rows.clone()].concat()))
            }
            _ => (key.clone(), value.clone()),
        }
    };
    settings.iter().map(named).collect()
}

/// A training run that is ready to go, from its beginning or from a checkpoint.
pub struct TrainingJob {
    training: Training,
    start: Option<Saved>,
    keeper: Option<Keeper>,
    /// The least time between checkpoints, where the settings name no steps.
    pause: Duration,
}

impl TrainingJob {
    /// The run that these settings describe.
    ///
    /// # Errors
    /// A setting cannot be used.
    pub fn new(settings: &Assignments) -> Result<Self, ParamError> {
        let mut training: Training = resolve(&named(settings))?;
        // With every default written out, so that a report says the same however the settings were given.
        let complete = complete(&training.values(), &Training::schema());
        // Written out, an item contains its default items as well: the record must be readable.
        shallow(&complete)?;
        for (key, value) in complete {
            training.assign(&key, &value)?;
        }
        Ok(Self { training, start: None, keeper: None, pause: PAUSE })
    }

    /// The same run from where it was when a checkpoint was kept.
    #[must_use]
    pub fn from_checkpoint(mut self, saved: Saved) -> Self {
        self.start = Some(saved);
        self
    }

    /// The same run, keeping its checkpoints in `run_dir`; `hash` is that of its configuration.
    #[must_use]
    pub fn keeping_in(mut self, run_dir: &Path, hash: &str) -> Self {
        self.keeper = Some(Keeper::new(run_dir, hash, &self.training.probes.0));
        self
    }
}

impl Prepared for TrainingJob {
    fn settings(&self) -> Assignments {
        complete(&self.training.values(), &Training::schema())
    }

    fn run(&self, conditions: &Conditions<'_>) -> Result<Outcome, LabError> {
        let training = &self.training;
        let streams = conditions.streams().drawn_by(training.rng);
        // While samplers are made there is nothing yet to be kept of the run.
        let parts = conditions.unless_stopped(|| training.parts(&streams));
        let parts = parts.map_err(|Stopped| LabError::Unfinished(Status::Interrupted))?;
        let Parts { task, network, dynamics } = parts?;
        let plan = training.plan();
        let start = match &self.start {
            Some(saved) => saved.progress(network, training)?,
            None => Progress::from(network),
        };
        conditions.progress.expect(plan.steps - start.step);
        if let Some(rehearsal) = conditions.rehearsal {
            rehearsal.holds_some(memory::record(&plan, &start.network, task.classes().len()));
        }
        let keeper = self.keeper.as_ref();
        let by_time = keeper.is_some() && plan.checkpoint_every == 0;
        let clock = by_time.then(|| Clock::begin(self.pause));
        let watch = Keeping { conditions, keeper, clock, failure: Mutex::new(None) };
        let (task, dynamics) = (&task, dynamics.as_ref());
        let run =
            conditions.unless_stopped(|| train(task, start, dynamics, &streams, &plan, &watch));
        let run = run.map_err(|Stopped| LabError::Unfinished(Status::Interrupted))?;
        if let Some(error) = watch.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }

        if let Some(rehearsal) = conditions.rehearsal {
            rehearsal.writes_beside(keeper::bytes(&plan, dynamics, &run));
        }
        Ok(training.outcome(task, dynamics, &plan, &run))
    }
}
