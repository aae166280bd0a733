//! One training run as plain data: its start, its task, its dynamics, and what is recorded.
//!
//! An experiment describes what is to be trained as a list of jobs; an [`Engine`](crate::Engine) carries them out. A job owns
//! its random streams, so that neither its label nor its place in the list changes a number.

mod trained;

pub use trained::{Recorded, Trained};

use crate::classes::Classes;
use crate::dynamics::{Dynamics, Pace, Sgd};
use crate::network::{Architecture, Bias, Network, Units};
use crate::probe;
use crate::stimulus::Stimulus;
use crate::task::{Labels, Target, Task};
use crate::train::{Plan, Progress};
use fovea_core::streams::Streams;
use fovea_core::{Item, ParamError};
use std::sync::Arc;

/// A task made of items: what the network has to learn.
#[derive(Clone, Debug)]
pub struct TaskSpec {
    /// The classes by name.
    pub classes: Classes,
    /// How the classes of a batch are drawn.
    pub labels: Labels,
    /// What the network should output.
    pub target: Target,
}

impl TaskSpec {
    /// An even mixture of two classes, labels 1 for `pos` and `negative_label` for `neg`.
    pub fn pair(
        pos: Item<Box<dyn Stimulus>>,
        neg: Item<Box<dyn Stimulus>>,
        negative_label: f64,
        labels: Labels,
    ) -> Self {
        Self { classes: Classes::pair(pos, neg, negative_label), labels, target: Target::Label }
    }

    /// The task itself, with its samplers.
    ///
    /// # Errors
    /// A stimulus cannot be made, or they do not go together.
    pub fn build(&self) -> Result<Task, ParamError> {
        self.classes.task(self.labels, self.target)
    }
}

/// A moment in the training of another job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// After its last step.
    End,
    /// At its record after this many steps of its only stage; its plan must have the probe `weights`.
    Step(u64),
}

/// The network a job starts from.
#[derive(Clone, Debug)]
pub enum Start {
    /// Drawn by an architecture, for the task of the first stage.
    Drawn {
        /// The architecture.
        network: Item<Box<dyn Architecture>>,
        /// The streams that its weights are sampled from.
        streams: Streams,
    },
    /// This one.
    Given(Network),
    /// That of another job of the same list, without biases; the step count continues from the moment of its weights.
    From {
        /// The label of the other job.
        job: String,
        /// The moment its weights are taken from.
        weights: Moment,
        /// The moment of the gates that linear units are put behind; `None` leaves the units as they are.
        gates: Option<Moment>,
    },
}

/// A stretch of training: a task, the dynamics, how long and what is recorded.
#[derive(Clone, Debug)]
pub struct Stage {
    /// What is learned; jobs that share one share its samplers.
    pub task: Arc<TaskSpec>,
    /// How a step is taken.
    pub dynamics: Item<Box<dyn Dynamics>>,
    /// How many steps, and what is recorded.
    pub plan: Plan<'static>,
    /// The streams that samples come from.
    pub streams: Streams,
}

impl Stage {
    /// Plain online descent: fresh samples at every step, a constant learning rate.
    pub fn online(
        task: &Arc<TaskSpec>,
        (lr, batch): (f64, usize),
        plan: Plan<'static>,
        streams: Streams,
    ) -> Self {
        Self { task: Arc::clone(task), dynamics: sgd(Pace::online(lr, batch)), plan, streams }
    }
}

/// One training run.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its name in records, unique in the experiment.
    pub label: String,
    /// The name it shares with the jobs that repeat it from other seeds.
    pub group: String,
    /// The network it starts from.
    pub start: Start,
    /// Its stages in order; each starts with the network of the one before.
    pub stages: Vec<Stage>,
    /// Whether its readings go into the series of the record.
    pub in_series: bool,
    /// Whether it may diverge without ending the experiment.
    pub may_diverge: bool,
}

/// Descent at this pace, as an item.
pub fn sgd(pace: Pace) -> Item<Box<dyn Dynamics>> {
    Item::of("sgd", &Sgd { pace })
}

impl Job {
    /// A job of one stage, in a group of its own, whose readings go into the series.
    pub fn new(label: impl Into<String>, start: Start, stage: Stage) -> Self {
        let label = label.into();
        let group = label.clone();
        Self { label, group, start, stages: vec![stage], in_series: true, may_diverge: false }
    }

    /// One of several in a group.
    #[must_use]
    pub fn in_group(self, group: impl Into<String>) -> Self {
        Self { group: group.into(), ..self }
    }

    /// The same job, whose readings stay out of the series.
    #[must_use]
    pub fn unlisted(self) -> Self {
        Self { in_series: false, ..self }
    }

    /// The same job with one more stage.
    #[must_use]
    pub fn then(mut self, stage: Stage) -> Self {
        self.stages.push(stage);
        self
    }

    /// The label of the job it starts from.
    pub fn after(&self) -> Option<&str> {
        match &self.start {
            Start::From { job, .. } => Some(job),
            Start::Drawn { .. } | Start::Given(_) => None,
        }
    }

    /// The step at which its first stage starts.
    fn first_step(&self) -> u64 {
        match self.start {
            Start::From { weights: Moment::Step(step), .. } => step,
            _ => 0,
        }
    }

    /// Steps that it takes.
    pub fn steps(&self) -> u64 {
        let all: u64 = self.stages.iter().map(|stage| stage.plan.steps).sum();
        all - self.first_step()
    }

    /// The network and the step it starts with; `task` is that of its first stage, `from` the job it starts from.
    ///
    /// # Errors
    /// The network does not fit the task.
    ///
    /// # Panics
    /// It starts from a job that does not exist or did not record its weights at that step.
    pub fn begin(&self, task: &Task, from: Option<&Trained>) -> Result<Progress, ParamError> {
        let network = match &self.start {
            Start::Drawn { network, streams } => {
                network.build("network")?.network(&task.shape(), task.outputs(), streams)?
            }
            Start::Given(network) => network.clone(),
            Start::From { weights, gates, .. } => {
                let from = from.expect("the job that this one starts from was trained");
                let network = from.network();
                let at = |moment: Moment| match moment {
                    Moment::End => network.weights().to_vec(),
                    Moment::Step(step) => from.reading(&probe::weights::ENTRY, step).concat(),
                };
                let offsets = vec![0.0; network.width()];
                let units = match gates {
                    Some(moment) => Units::Gated { gates: at(*moment), offsets: offsets.clone() },
                    None => network.units().clone(),
                };
                Network::new(network.shape(), network.width(), units, Bias::None)
                    .with(&at(*weights), &offsets)?
            }
        };
        Ok(Progress { step: self.first_step(), ..Progress::from(network) })
    }
}
