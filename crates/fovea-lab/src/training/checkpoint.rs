//! Checkpoints: the complete state of a run between two steps, in a folder of `.npy` files.
//!
//! `checkpoints/STEP/` holds `state.toml`, every block of parameters, the state of the dynamics, and the readings so
//! far. It is written under another name, flushed and renamed, so that a kill at any moment leaves only complete ones.
//! `state.toml` lists the SHA-256 of every file and of itself: a changed file is refused by name.

use super::Training;
use super::keeper::{FORMAT, folder_of, steps_in};
use fovea_core::ParamError;
use fovea_desk::error::LabError;
use fovea_record::RecordError;
use fovea_record::directory::sums;
use fovea_record::directory::{CHECKPOINTS, SMALL, STATE, read_npy, read_text};
use fovea_record::outcome::Array;
use fovea_sim::Network;
use fovea_sim::probe::{Needs, Probe};
use fovea_sim::train::{Progress, Record};
use std::path::{Path, PathBuf};

/// A checkpoint on disk, unchanged since it was written.
pub struct Saved {
    folder: PathBuf,
    step: u64,
    /// Whether it lists the sums of its files; older ones do not.
    checked: bool,
    /// Whether a program of an earlier numeric version kept it.
    former: bool,
}

/// The latest checkpoint in a run directory, if there is one.
///
/// A changed one is refused, not skipped: the user should know of a disk that changes files.
///
/// # Errors
/// It cannot be read, was changed, is of a newer format, or belongs to another configuration than that of `hash`, or of
/// `former`, the hashes that earlier programs gave it.
pub fn latest(run_dir: &Path, hash: &str, former: &[String]) -> Result<Option<Saved>, LabError> {
    let folder = run_dir.join(CHECKPOINTS);
    let Some(step) = steps_in(&folder).into_iter().max() else { return Ok(None) };
    let folder = folder.join(folder_of(step));
    let path = folder.join(STATE);
    let text = read_text(&path, SMALL)?;
    let changed = |error: RecordError| match error {
        RecordError::Spoilt { path, what, .. } => spoilt(Path::new(&path), &format!("it {what}")),
        other => other.into(),
    };
    sums::check_text(&path, &text).map_err(changed)?;
    let state: toml::Table = text.parse().map_err(|_| spoilt(&path, "it does not parse"))?;
    let found = state.get("format").and_then(toml::Value::as_integer).unwrap_or(0);
    if found > FORMAT {
        let path = path.display().to_string();
        return Err(RecordError::NewerFormat { path, found, known: FORMAT }.into());
    }
    let own = state.get("hash").and_then(toml::Value::as_str).unwrap_or_default();
    let former = former.iter().any(|former| former == own);
    if own != hash && !former {
        return Err(spoilt(
            &path,
            "it belongs to another configuration, or an input file has changed",
        ));
    }
    let own = state.get("step").and_then(toml::Value::as_integer);
    if own.and_then(|own| u64::try_from(own).ok()) != Some(step) {
        return Err(spoilt(&path, "its step is not the one its folder is named after"));
    }
    let files = sums::listed(&path, &text, &state).map_err(changed)?;
    for (name, sum) in files.iter().flatten() {
        sums::check_file(&folder, name, sum).map_err(changed)?;
    }
    Ok(Some(Saved { folder, step, checked: files.is_some(), former }))
}

fn spoilt(path: &Path, why: &str) -> LabError {
    LabError::Param(ParamError::Inconsistent {
        what: format!("{} cannot be resumed from: {why}", path.display()),
        hint: "remove that checkpoint to resume from the one before, or start again".to_owned(),
    })
}

impl Saved {
    /// Steps that were taken when it was kept.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// What a user who resumes from it should know, line by line.
    pub fn remarks(&self) -> Vec<String> {
        let folder = self.folder.display();
        let unchecked =
            format!("{folder} has no checksums: whether its files were changed cannot be checked");
        let former = format!(
            "{folder} is of an earlier numeric version: some numbers have changed since, see CHANGELOG.md"
        );
        let remarks = [(!self.checked, unchecked), (self.former, former)];
        remarks.into_iter().filter_map(|(holds, line)| holds.then_some(line)).collect()
    }

    /// The run as it was; `network` is the one it began with.
    pub(super) fn progress(
        &self,
        network: Network,
        training: &Training,
    ) -> Result<Progress, LabError> {
        if self.step > training.steps as u64 {
            return Err(spoilt(&self.folder, "the run has fewer steps"));
        }
        let mut theta = Vec::with_capacity(network.theta().len());
        for part in network.parts() {
            let name = part.role.name();
            let array = self.read(name)?;
            if array.data.len() != part.at.len() {
                return Err(spoilt(&self.folder, &format!("{name}.npy has another size")));
            }
            theta.extend(array.data);
        }
        // As many as the dynamics keep: one that is missing must not be taken for zeros.
        let slots = training.dynamics.build("dynamics")?.memory();
        let memory = (0..slots).map(|i| self.read(&format!("memory_{i}")));
        let memory = memory.collect::<Result<Vec<_>, _>>()?;
        if memory.iter().any(|array| array.data.len() != theta.len()) {
            return Err(spoilt(&self.folder, "the state of the dynamics has another size"));
        }
        let parameters = theta.len();
        let records = self.records(&training.probes.0)?;
        let trail = self.trail(training, parameters)?;
        if !trail.is_empty() && trail.len() != records.len() {
            return Err(spoilt(&self.folder, "trail.npy does not fit the records"));
        }
        Ok(Progress {
            step: self.step,
            network: network.with_theta(theta)?,
            memory: memory.into_iter().map(|array| array.data).collect(),
            records,
            trail,
        })
    }

    /// The parameters at every record, where a probe needs them later.
    fn trail(&self, training: &Training, parameters: usize) -> Result<Vec<Vec<f64>>, LabError> {
        if !Needs::Gates.of(&training.probes.0) {
            return Ok(Vec::new());
        }
        let trail = self.read("trail")?;
        if trail.shape.last() != Some(&parameters) {
            return Err(spoilt(&self.folder, "trail.npy has another size"));
        }
        Ok(trail.data.chunks(parameters).map(<[f64]>::to_vec).collect())
    }

    fn read(&self, name: &str) -> Result<Array, LabError> {
        let path = self.folder.join(format!("{name}.npy"));
        read_npy(&path).map_err(|error| match error {
            RecordError::NotAnArray { why, .. } => spoilt(&path, &why),
            other => other.into(),
        })
    }

    fn records(&self, probes: &[&'static Probe]) -> Result<Vec<Record>, LabError> {
        let steps = self.read("record_steps")?.data;
        let whole = |step: &f64| (0.0..=self.step as f64).contains(step) && step.fract() == 0.0;
        if !steps.iter().all(whole) || steps.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(spoilt(&self.folder, "record_steps.npy holds no steps in order"));
        }
        let readings = |probe: &&'static Probe| self.read(&format!("probe_{}", probe.name));
        let readings = probes.iter().map(readings).collect::<Result<Vec<_>, _>>()?;
        if readings.iter().any(|array| array.shape.len() != 3 || array.shape[0] != steps.len()) {
            return Err(spoilt(&self.folder, "the readings do not fit the records"));
        }
        let record = |(index, step): (usize, &f64)| {
            let rows = |array: &Array| -> Vec<Vec<f64>> {
                let (units, cols) = (array.shape[1], array.shape[2]);
                let at = index * units * cols;
                let row =
                    |unit: usize| array.data[at + unit * cols..at + (unit + 1) * cols].to_vec();
                (0..units).map(row).collect()
            };
            Record { step: *step as u64, readings: readings.iter().map(rows).collect() }
        };
        Ok(steps.iter().enumerate().map(record).collect())
    }
}
