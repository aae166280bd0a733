//! What training runs leave in an outcome: their readings and how they ended.

use fovea_record::outcome::{Series, Status};
use fovea_sim::train::{Ended, Plan, Run};

/// The status of several runs: the first divergence, else an interruption, else completed.
pub fn status_of<'a>(runs: impl IntoIterator<Item = (String, &'a Run)>) -> Status {
    let mut status = Status::Completed;
    for (curve, run) in runs {
        match run.ended {
            Ended::Completed => {}
            Ended::Interrupted { .. } => status = Status::Interrupted,
            Ended::Diverged(diverged) => return Status::Diverged { curve, step: diverged.step },
        }
    }
    status
}

/// A series that takes up the readings of runs.
pub trait AddRun {
    /// Adds every reading that has a name of its own, of a run at a constant learning rate.
    fn add(&mut self, curve: &str, lr: f64, plan: &Plan<'_>, run: &Run) {
        let times: Vec<f64> = run.records.iter().map(|record| record.step as f64 * lr).collect();
        self.add_at(curve, plan, run, &times);
    }

    /// Adds every reading that has a name of its own, of a run whose records lie at these times.
    fn add_at(&mut self, curve: &str, plan: &Plan<'_>, run: &Run, times: &[f64]);
}

impl AddRun for Series {
    fn add_at(&mut self, curve: &str, plan: &Plan<'_>, run: &Run, times: &[f64]) {
        for (record, time) in run.records.iter().zip(times) {
            for (probe, units) in plan.probes.iter().zip(&record.readings) {
                for (unit, row) in units.iter().enumerate() {
                    for (name, value) in probe.named(row) {
                        self.curve.push(curve.to_owned());
                        self.step.push(record.step as i64);
                        self.time.push(*time);
                        self.probe.push(name);
                        self.unit.push(unit as i32);
                        self.value.push(value);
                    }
                }
            }
        }
    }
}
