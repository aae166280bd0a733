//! Trained networks kept with a record, and an analysis of them without training.
//!
//! A run that keeps its runs writes three tables in the folder `runs`: every job with how each of its stages ended, every
//! reading, and every network. [`Kept`] is an engine that looks a job up by its label instead of training it, so that
//! the driver makes the same record again.

mod tables;

pub use tables::Keeper;

use crate::error::LabError;
use fovea_core::ParamError;
use fovea_record::RecordError;
use fovea_record::directory::columns::{self, Column};
use fovea_sim::engine::{Tasks, in_waves};
use fovea_sim::train::Record;
use fovea_sim::{Diverged, Ended, Engine, Job, Run, Trained, Watch};
use std::collections::BTreeMap;
use std::path::Path;
use tables::{Jobs, Networks, Records};

/// The folder of a record that holds what was trained.
pub const FOLDER: &str = "runs";
const JOBS: &str = "jobs.parquet";
const RECORDS: &str = "records.parquet";
const NETWORKS: &str = "networks.parquet";

/// What probes read at one record, by their names.
type Readings = BTreeMap<String, Vec<Vec<f64>>>;

/// One stage as it was kept.
struct KeptStage {
    ended: Ended,
    /// Step and readings of every record.
    records: Vec<(u64, Readings)>,
    theta: Vec<f64>,
}

/// The training kept in a record, as an engine that trains nothing.
pub struct Kept(BTreeMap<String, Vec<KeptStage>>);

impl Kept {
    /// Reads the runs that a record keeps.
    ///
    /// # Errors
    /// It keeps none, or they cannot be read.
    pub fn open(dir: &Path) -> Result<Self, LabError> {
        if !dir.join(FOLDER).is_dir() {
            return Err(spoilt(dir, "keeps no runs".to_owned()));
        }
        let mut kept = Self(BTreeMap::new());
        kept.read_jobs(&dir.join(FOLDER).join(JOBS))?;
        kept.read_records(&dir.join(FOLDER).join(RECORDS))?;
        kept.read_networks(&dir.join(FOLDER).join(NETWORKS))?;
        Ok(kept)
    }

    fn read_jobs(&mut self, path: &Path) -> Result<(), LabError> {
        let columns = read(path, &Jobs::default().columns())?;
        let [Column::Words(label), _, Column::Ints(stage), Column::Words(ended), Column::Longs(at)] =
            &columns[..]
        else {
            return Err(spoilt(path, OTHER.to_owned()));
        };
        for i in 0..label.len() {
            let step = at[i] as u64;
            let ended = match ended[i].as_str() {
                "completed" => Ended::Completed,
                "interrupted" => Ended::Interrupted { step },
                "diverged" => Ended::Diverged(Diverged { step }),
                word => return Err(spoilt(path, format!("has a stage that ended as `{word}`"))),
            };
            let stages = self.0.entry(label[i].clone()).or_default();
            if stage[i] as usize != stages.len() {
                return Err(spoilt(path, format!("lists the stages of `{}` twice", label[i])));
            }
            stages.push(KeptStage { ended, records: Vec::new(), theta: Vec::new() });
        }
        Ok(())
    }

    fn read_records(&mut self, path: &Path) -> Result<(), LabError> {
        let columns = read(path, &Records::default().columns())?;
        let [
            Column::Words(label),
            Column::Ints(stage),
            Column::Longs(step),
            Column::Words(probe),
            Column::Ints(row),
            Column::Ints(column),
            Column::Reals(value),
        ] = &columns[..]
        else {
            return Err(spoilt(path, OTHER.to_owned()));
        };
        for i in 0..label.len() {
            let stage = self.stage(path, &label[i], stage[i])?;
            let step = step[i] as u64;
            if stage.records.last().is_none_or(|(last, _)| *last != step) {
                stage.records.push((step, BTreeMap::new()));
            }
            let Some((_, readings)) = stage.records.last_mut() else { continue };
            let reading = readings.entry(probe[i].clone()).or_default();
            if row[i] >= 0 && row[i] as usize == reading.len() {
                reading.push(Vec::new());
            }
            if column[i] >= 0 {
                match reading.last_mut() {
                    Some(numbers) if numbers.len() == column[i] as usize => numbers.push(value[i]),
                    _ => return Err(spoilt(path, format!("has line {} out of order", i + 1))),
                }
            }
        }
        Ok(())
    }

    fn read_networks(&mut self, path: &Path) -> Result<(), LabError> {
        let columns = read(path, &Networks::default().columns())?;
        let [Column::Words(label), Column::Ints(stage), _, _, Column::Reals(value)] = &columns[..]
        else {
            return Err(spoilt(path, OTHER.to_owned()));
        };
        for i in 0..label.len() {
            self.stage(path, &label[i], stage[i])?.theta.push(value[i]);
        }
        Ok(())
    }

    fn stage(&mut self, path: &Path, label: &str, stage: i32) -> Result<&mut KeptStage, LabError> {
        let stages = self.0.get_mut(label);
        let found = stages.and_then(|stages| stages.get_mut(usize::try_from(stage).ok()?));
        found.ok_or_else(|| {
            spoilt(path, format!("names stage {stage} of `{label}`, which {JOBS} has not"))
        })
    }

    /// The runs of one job.
    fn runs(
        &self,
        job: &Job,
        tasks: &Tasks,
        from: Option<&Trained>,
    ) -> Result<Trained, ParamError> {
        let wrong = |what: String| ParamError::Inconsistent {
            what,
            hint: "it was written by another program; run the experiment again".to_owned(),
        };
        let kept = self.0.get(&job.label).filter(|stages| !stages.is_empty());
        let kept = kept.ok_or_else(|| wrong(format!("the record keeps no run `{}`", job.label)))?;
        let (mut stages, mut notes) = (Vec::new(), Vec::new());
        let start = job.begin(tasks.get(&job.stages[0].task), from)?.network;
        for (stage, kept) in job.stages.iter().zip(kept) {
            notes.extend(tasks.get(&stage.task).notes());
            let record = |(step, readings): &(u64, Readings)| {
                let reading = |name: &str| readings.get(name).cloned();
                let readings = stage.plan.probes.iter().map(|probe| reading(probe.name));
                let readings: Option<Vec<_>> = readings.collect();
                readings.map(|readings| Record { step: *step, readings })
            };
            let records: Option<Vec<Record>> = kept.records.iter().map(record).collect();
            let records =
                records.ok_or_else(|| wrong(format!("a reading of `{}` is missing", job.label)))?;
            let network = start.clone().with_theta(kept.theta.clone())?;
            stages.push(Run { network, records, ended: kept.ended });
        }
        Ok(Trained { job: job.clone(), stages, notes })
    }
}

impl Engine for Kept {
    fn train(&self, jobs: &[Job], watch: &dyn Watch) -> Result<Vec<Trained>, ParamError> {
        let one = |job: &Job, tasks: &Tasks, from: Option<&Trained>| {
            let trained = self.runs(job, tasks, from)?;
            (0..job.steps()).for_each(|_| watch.stepped());
            Ok(trained)
        };
        in_waves(jobs, one, &|count, run| (0..count).for_each(run))
    }
}

/// What is wrong with a table of other columns.
const OTHER: &str = "has other columns than a table of runs";

fn spoilt(path: &Path, what: String) -> LabError {
    let hint = "run the experiment with --keep-runs to keep what it trains".to_owned();
    LabError::Record(RecordError::Spoilt { path: path.display().to_string(), what, hint })
}

fn read(path: &Path, like: &[(&'static str, Column)]) -> Result<Vec<Column>, LabError> {
    let file = std::fs::File::open(path).map_err(RecordError::io("read", path))?;
    columns::read(file, like).map_err(|why| spoilt(path, format!("cannot be read: {why}")))
}
