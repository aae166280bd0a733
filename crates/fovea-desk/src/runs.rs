//! The results of the jobs of an experiment, by label and by group.

use crate::error::LabError;
use fovea_core::activation::Entry;
use fovea_core::streams::Streams;
use fovea_core::{Item, Value};
use fovea_record::outcome::{Array, Series, Status};
use fovea_sim::dynamics::Pace;
use fovea_sim::job::sgd;
use fovea_sim::network::Architecture;
use fovea_sim::probe::{self, Probe};
use fovea_sim::train::Record;
use fovea_sim::{Bias, Ended, Job, Plan, Stage, Start, TaskSpec, Trained};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The trainings of an experiment, in the order of its jobs.
#[derive(Default)]
pub struct Runs {
    trained: Vec<Trained>,
    places: BTreeMap<String, usize>,
}

impl Runs {
    /// The runs of some jobs.
    ///
    /// # Panics
    /// Two jobs have one label.
    pub fn new(trained: Vec<Trained>) -> Self {
        let mut places = BTreeMap::new();
        for (place, run) in trained.iter().enumerate() {
            let before = places.insert(run.job.label.clone(), place);
            assert!(before.is_none(), "two jobs are called {}", run.job.label);
        }
        Self { trained, places }
    }

    /// The run of one label.
    ///
    /// # Panics
    /// No job has that label.
    pub fn get(&self, label: &str) -> &Trained {
        let place = self.places.get(label);
        &self.trained[*place.unwrap_or_else(|| panic!("no job is called {label}"))]
    }

    /// All of them, in the order of the jobs.
    pub fn iter(&self) -> std::slice::Iter<'_, Trained> {
        self.trained.iter()
    }

    /// The runs of one group, in the order of the jobs; none where no job belongs to it.
    pub fn group(&self, name: &str) -> Group<'_> {
        let runs = self.iter().filter(|run| run.job.group == name).collect();
        Group { name: name.to_owned(), runs }
    }

    /// Every group, in the order of its first job.
    pub fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for run in self {
            match groups.iter_mut().find(|group| group.name == run.job.group) {
                Some(group) => group.runs.push(run),
                None => groups.push(Group { name: run.job.group.clone(), runs: vec![run] }),
            }
        }
        groups
    }

    /// The first divergence that no job allows for, else an interruption, else completed.
    pub fn status(&self) -> Status {
        let mut status = Status::Completed;
        for run in self {
            match run.ended() {
                Ended::Interrupted { .. } => status = Status::Interrupted,
                Ended::Diverged(diverged) if !run.job.may_diverge => {
                    return Status::Diverged { curve: run.job.label.clone(), step: diverged.step };
                }
                Ended::Completed | Ended::Diverged(_) => {}
            }
        }
        status
    }

    /// These runs, where all of them took every step.
    ///
    /// # Errors
    /// One was stopped, or diverged and may not.
    pub fn whole(self) -> Result<Self, LabError> {
        match self.status() {
            Status::Completed => Ok(self),
            status => Err(LabError::Unfinished(status)),
        }
    }

    /// Every named reading of every listed job, with the times of one clock.
    pub fn series(&self) -> Series {
        let mut series = Series::default();
        for run in self.iter().filter(|run| run.job.in_series) {
            for recorded in run.records() {
                let (at, record) = ((recorded.step as i64, recorded.time), recorded.record);
                add_readings(&mut series, &run.job.label, at, recorded.plan, record);
            }
        }
        series
    }

    /// The fields of every group at the end.
    pub fn weights(&self) -> Vec<Array> {
        self.groups().iter().map(Group::weights).collect()
    }

    /// The notes on the tasks, each once.
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for note in self.iter().flat_map(|run| &run.notes) {
            if !notes.contains(note) {
                notes.push(note.clone());
            }
        }
        notes
    }
}

impl<'a> IntoIterator for &'a Runs {
    type Item = &'a Trained;
    type IntoIter = std::slice::Iter<'a, Trained>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A committee with Glorot weights.
pub fn committee(
    width: usize,
    activation: &'static Entry,
    bias: Bias,
    init_scale: f64,
) -> Item<Box<dyn Architecture>> {
    let init = Value::table([("name", "glorot".into()), ("init_scale", init_scale.into())]);
    Item::named("committee")
        .set("width", width)
        .set("activation", activation.name)
        .set("bias", bias.word())
        .set("init", init)
}

/// One parameter point, trained from several seeds.
pub struct Arm {
    /// The name of its group; its curves are called `NAME,seed=0` and so on.
    pub name: String,
    /// What is learned.
    pub task: Arc<TaskSpec>,
    /// The network, initialized anew for every seed.
    pub network: Item<Box<dyn Architecture>>,
    /// How it is trained.
    pub pace: Pace,
    /// How long, and what is recorded.
    pub plan: Plan<'static>,
}

impl Arm {
    /// One job per seed, whose start and samples come from the seed's replica of the arm's streams.
    pub fn jobs(&self, streams: Streams, seeds: usize) -> Vec<Job> {
        let job = |seed: usize| {
            let streams = streams.replica(seed as u64);
            let start = Start::Drawn { network: self.network.clone(), streams };
            let stage = Stage {
                task: Arc::clone(&self.task),
                dynamics: sgd(self.pace.clone()),
                plan: self.plan.clone(),
                streams,
            };
            Job::new(format!("{},seed={seed}", self.name), start, stage).in_group(&*self.name)
        };
        (0..seeds).map(job).collect()
    }
}

/// The fields of one run at the end, one per unit.
pub fn fields(run: &Trained) -> std::slice::Chunks<'_, f64> {
    run.network().weights().chunks(run.network().inputs())
}

/// Runs that repeat each other from other seeds.
#[derive(Clone)]
pub struct Group<'a> {
    /// The name they have in common.
    pub name: String,
    /// One per seed, in order.
    pub runs: Vec<&'a Trained>,
}

impl<'a> Group<'a> {
    /// The last reading of a probe for one seed, a row per unit.
    pub fn last(&self, seed: usize, probe: &Probe) -> &'a [Vec<f64>] {
        self.runs[seed].last(probe)
    }

    /// One number per seed, computed from the last reading of a probe.
    pub fn per_seed(&self, probe: &Probe, of: impl Fn(&[Vec<f64>]) -> f64) -> Vec<f64> {
        self.runs.iter().map(|run| of(run.last(probe))).collect()
    }

    /// One column of the last reading of a probe, over the units of all seeds.
    pub fn units(&self, probe: &Probe, column: usize) -> Vec<f64> {
        self.runs.iter().flat_map(|run| run.last(probe).iter().map(|row| row[column])).collect()
    }

    /// The fields of networks of one unit, `[run][record]`.
    pub fn fields(&self) -> Vec<Vec<Vec<f64>>> {
        let of = |run: &&Trained| -> Vec<Vec<f64>> {
            run.readings(&probe::weights::ENTRY).iter().map(|units| units[0].clone()).collect()
        };
        self.runs.iter().map(of).collect()
    }

    /// The time of every record, which runs of one plan share.
    pub fn times(&self) -> Vec<f64> {
        self.runs[0].records().iter().map(|record| record.time).collect()
    }

    /// Whether every run took all its steps.
    pub fn completed(&self) -> bool {
        self.runs.iter().all(|run| run.completed())
    }

    /// The fields at the end, `weights_GROUP[seed * unit][site]`.
    pub fn weights(&self) -> Array {
        let rows: Vec<Vec<f64>> =
            self.runs.iter().flat_map(|run| fields(run)).map(<[f64]>::to_vec).collect();
        Array::of_rows(format!("weights_{}", self.name), &rows)
    }
}

/// Adds every reading of a record that has a name of its own.
pub fn add_readings(
    series: &mut Series,
    curve: &str,
    at: (i64, f64),
    plan: &Plan<'_>,
    record: &Record,
) {
    for (probe, units) in plan.probes.iter().zip(&record.readings) {
        for (unit, row) in units.iter().enumerate() {
            for (name, value) in probe.named(row) {
                series.push(curve, at, name, unit, value);
            }
        }
    }
}
