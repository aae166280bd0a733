//! The result of a job.

use super::Job;
use crate::dynamics::Diverged;
use crate::network::Network;
use crate::probe::Probe;
use crate::train::{Ended, Plan, Record, Run};

/// A job that was carried out, to its end or as far as it got.
pub struct Trained {
    /// The job.
    pub job: Job,
    /// One run per stage that was begun.
    pub stages: Vec<Run>,
    /// Notes on its tasks and its network.
    pub notes: Vec<String>,
}

/// One record, placed among all stages of its job.
pub struct Recorded<'a> {
    /// Steps taken until then, over all stages.
    pub step: u64,
    /// The sum of the learning rates of these steps.
    pub time: f64,
    /// The plan of its stage.
    pub plan: &'a Plan<'static>,
    /// The readings.
    pub record: &'a Record,
}

impl Trained {
    /// The network at the end.
    ///
    /// # Panics
    /// A job without stages, which no engine takes.
    pub fn network(&self) -> &Network {
        &self.stages.last().expect("a job has a stage").network
    }

    /// How it ended; steps are counted over all stages.
    pub fn ended(&self) -> Ended {
        let before: u64 =
            self.job.stages[..self.stages.len() - 1].iter().map(|stage| stage.plan.steps).sum();
        match self.stages[self.stages.len() - 1].ended {
            Ended::Completed => Ended::Completed,
            Ended::Interrupted { step } => Ended::Interrupted { step: before + step },
            Ended::Diverged(diverged) => Ended::Diverged(Diverged { step: before + diverged.step }),
        }
    }

    /// Whether every step was taken.
    pub fn completed(&self) -> bool {
        self.ended() == Ended::Completed
    }

    /// Every record in order; the first of a later stage repeats the last of the one before and is left out.
    pub fn records(&self) -> Vec<Recorded<'_>> {
        let (mut all, mut steps, mut time) = (Vec::new(), 0, 0.0);
        for (index, (stage, run)) in self.job.stages.iter().zip(&self.stages).enumerate() {
            let taken: Vec<u64> = run.records.iter().map(|record| record.step).collect();
            let times = self.times(index, &taken);
            for (record, at) in run.records.iter().zip(&times).skip(usize::from(index > 0)) {
                let (step, time) = (steps + record.step, time + at);
                all.push(Recorded { step, time, plan: &stage.plan, record });
            }
            steps += taken.last().copied().unwrap_or(0);
            time += times.last().copied().unwrap_or(0.0);
        }
        all
    }

    /// The time at each of `steps`, from the beginning of a stage.
    fn times(&self, stage: usize, steps: &[u64]) -> Vec<f64> {
        let stage = &self.job.stages[stage];
        let dynamics = stage.dynamics.build("dynamics").expect("dynamics that were built before");
        let pace = dynamics.pace();
        if pace.schedule.name() == "constant" && pace.warmup == 0 {
            return steps.iter().map(|step| *step as f64 * pace.lr).collect();
        }
        pace.rate().times(steps, stage.plan.steps)
    }

    /// The readings of a probe at every record of all stages, in order; a reading has a row per unit.
    ///
    /// # Panics
    /// A stage does not read that probe.
    pub fn readings(&self, probe: &Probe) -> Vec<&[Vec<f64>]> {
        self.records()
            .iter()
            .map(|recorded| reading(recorded.plan, recorded.record, probe))
            .collect()
    }

    /// The reading of a probe after this many steps of the first stage.
    ///
    /// # Panics
    /// There is no such record, or it does not have that probe.
    pub fn reading(&self, probe: &Probe, step: u64) -> &[Vec<f64>] {
        let record = self.stages[0].records.iter().find(|record| record.step == step);
        reading(&self.job.stages[0].plan, record.expect("a record at that step"), probe)
    }

    /// The last reading of a probe, a row per unit.
    ///
    /// # Panics
    /// The last stage does not read that probe.
    pub fn last(&self, probe: &Probe) -> &[Vec<f64>] {
        let last = self.stages.len() - 1;
        let record = self.stages[last].records.last().expect("a run has a record at its start");
        reading(&self.job.stages[last].plan, record, probe)
    }
}

/// What a probe reads at one record.
fn reading<'a>(plan: &Plan<'_>, record: &'a Record, probe: &Probe) -> &'a [Vec<f64>] {
    let index = plan.probes.iter().position(|other| other.name == probe.name);
    let index = index.unwrap_or_else(|| panic!("the plan reads {}", probe.name));
    &record.readings[index]
}
