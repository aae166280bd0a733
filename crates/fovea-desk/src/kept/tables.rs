//! The three tables of kept runs, and how they are filled.

use super::{JOBS, NETWORKS, RECORDS};
use crate::conditions::Keep;
use crate::runs::Runs;
use fovea_record::directory::columns::{self, Column};
use fovea_sim::{Diverged, Ended, Run};
use std::sync::{Mutex, PoisonError};

/// Receives what was trained, as it comes.
#[derive(Default)]
pub struct Keeper(Mutex<Tables>);

/// The three tables, column by column.
#[derive(Default)]
struct Tables {
    jobs: Jobs,
    records: Records,
    networks: Networks,
}

#[derive(Default)]
pub(super) struct Jobs {
    label: Vec<String>,
    group: Vec<String>,
    stage: Vec<i32>,
    ended: Vec<String>,
    step: Vec<i64>,
}

#[derive(Default)]
pub(super) struct Records {
    label: Vec<String>,
    stage: Vec<i32>,
    step: Vec<i64>,
    probe: Vec<String>,
    /// The unit, or whatever a row of the reading describes; -1 where a reading has no row.
    row: Vec<i32>,
    /// The place in the row; -1 where a row has no number.
    column: Vec<i32>,
    value: Vec<f64>,
}

#[derive(Default)]
pub(super) struct Networks {
    label: Vec<String>,
    stage: Vec<i32>,
    part: Vec<String>,
    index: Vec<i32>,
    value: Vec<f64>,
}

impl Keep for Keeper {
    fn keep(&self, runs: &Runs) {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for trained in runs {
            let stages = trained.job.stages.iter().zip(&trained.stages);
            for (index, (stage, run)) in stages.enumerate() {
                let at = (trained.job.label.as_str(), index as i32);
                tables.jobs.push(at, &trained.job.group, run);
                for record in &run.records {
                    for (probe, reading) in stage.plan.probes.iter().zip(&record.readings) {
                        tables.records.push(at, record.step, probe.name, reading);
                    }
                }
                tables.networks.push(at, run);
            }
        }
    }
}

impl Keeper {
    /// The files, by their names in the folder.
    pub fn files(self) -> [(&'static str, Vec<u8>); 3] {
        let Tables { jobs, records, networks } =
            self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        [
            (JOBS, columns::parquet("jobs", &jobs.columns())),
            (RECORDS, columns::parquet("records", &records.columns())),
            (NETWORKS, columns::parquet("networks", &networks.columns())),
        ]
    }
}

impl Jobs {
    fn push(&mut self, (label, stage): (&str, i32), group: &str, run: &Run) {
        let (word, step) = match run.ended {
            Ended::Completed => ("completed", 0),
            Ended::Interrupted { step } => ("interrupted", step),
            Ended::Diverged(Diverged { step }) => ("diverged", step),
        };
        self.label.push(label.to_owned());
        self.group.push(group.to_owned());
        self.stage.push(stage);
        self.ended.push(word.to_owned());
        self.step.push(step as i64);
    }

    pub(super) fn columns(self) -> [(&'static str, Column); 5] {
        [
            ("label", Column::Words(self.label)),
            ("group", Column::Words(self.group)),
            ("stage", Column::Ints(self.stage)),
            ("ended", Column::Words(self.ended)),
            ("step", Column::Longs(self.step)),
        ]
    }
}

impl Records {
    fn push(&mut self, (label, stage): (&str, i32), step: u64, probe: &str, reading: &[Vec<f64>]) {
        let mut one = |row: i32, column: i32, value: f64| {
            self.label.push(label.to_owned());
            self.stage.push(stage);
            self.step.push(step as i64);
            self.probe.push(probe.to_owned());
            self.row.push(row);
            self.column.push(column);
            self.value.push(value);
        };
        if reading.is_empty() {
            one(-1, -1, 0.0);
        }
        for (row, numbers) in reading.iter().enumerate() {
            if numbers.is_empty() {
                one(row as i32, -1, 0.0);
            }
            for (column, value) in numbers.iter().enumerate() {
                one(row as i32, column as i32, *value);
            }
        }
    }

    pub(super) fn columns(self) -> [(&'static str, Column); 7] {
        [
            ("label", Column::Words(self.label)),
            ("stage", Column::Ints(self.stage)),
            ("step", Column::Longs(self.step)),
            ("probe", Column::Words(self.probe)),
            ("row", Column::Ints(self.row)),
            ("column", Column::Ints(self.column)),
            ("value", Column::Reals(self.value)),
        ]
    }
}

impl Networks {
    fn push(&mut self, (label, stage): (&str, i32), run: &Run) {
        for part in run.network.parts() {
            for (index, value) in run.network.theta()[part.at.clone()].iter().enumerate() {
                self.label.push(label.to_owned());
                self.stage.push(stage);
                self.part.push(part.role.name().to_owned());
                self.index.push(index as i32);
                self.value.push(*value);
            }
        }
    }

    pub(super) fn columns(self) -> [(&'static str, Column); 5] {
        [
            ("label", Column::Words(self.label)),
            ("stage", Column::Ints(self.stage)),
            ("part", Column::Words(self.part)),
            ("index", Column::Ints(self.index)),
            ("value", Column::Reals(self.value)),
        ]
    }
}
