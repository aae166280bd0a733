//! Writing checkpoints, and how large they are.

use super::due::Clock;
use fovea_desk::conditions::Conditions;
use fovea_desk::error::LabError;
use fovea_record::RecordError;
use fovea_record::directory::sums::{self, Sums};
use fovea_record::directory::{
    CHECKPOINTS, STATE, draft_in, make_folder, npy_bytes, rename_to_free, sync_folder, write_whole,
};
use fovea_record::outcome::Array;
use fovea_sim::probe::{Needs, Probe};
use fovea_sim::train::Director;
use fovea_sim::train::{Progress, Record};
use fovea_sim::{Dynamics, Plan, Run, Watch};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Version of the layout of a checkpoint.
pub(super) const FORMAT: i64 = 1;

/// Writes checkpoints into a run directory.
pub(super) struct Keeper {
    folder: PathBuf,
    hash: String,
    probes: Vec<&'static Probe>,
}

impl Keeper {
    /// Keeps checkpoints of the run whose configuration has this hash in `run_dir`.
    pub(super) fn new(run_dir: &Path, hash: &str, probes: &[&'static Probe]) -> Self {
        let probes = probes.to_vec();
        Self { folder: run_dir.join(CHECKPOINTS), hash: hash.to_owned(), probes }
    }

    /// Writes one checkpoint; an existing one of the same step is left as it is.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn keep(&self, progress: &Progress) -> Result<(), LabError> {
        let target = self.folder.join(folder_of(progress.step));
        if target.is_dir() {
            return Ok(());
        }
        make_folder(&self.folder)?;
        let draft = draft_in(&self.folder);
        self.write(progress, &draft).inspect_err(|_| {
            // Half a checkpoint is of no use.
            let _ = fs::remove_dir_all(&draft);
        })?;
        rename_to_free(&draft, &target).map_err(RecordError::io("rename", &draft))?;
        sync_folder(&self.folder);
        Ok(())
    }

    /// Writes the files of a checkpoint into a new folder, the list of them last.
    fn write(&self, progress: &Progress, folder: &Path) -> Result<(), RecordError> {
        make_folder(folder)?;
        let mut files = Sums::new();
        for array in arrays(progress, &self.probes) {
            let (name, bytes) = (format!("{}.npy", array.name), npy_bytes(&array));
            write_whole(&folder.join(&name), &bytes)?;
            files.insert(name, sums::sum(&bytes));
        }
        let text = self.state(progress.step, &files);
        write_whole(&folder.join(STATE), text.as_bytes())?;
        sync_folder(folder);
        Ok(())
    }

    /// The text of `state.toml`.
    fn state(&self, step: u64, files: &Sums) -> String {
        let mut state = toml::Table::new();
        state.insert("format".into(), FORMAT.into());
        state.insert("hash".into(), self.hash.as_str().into());
        state.insert("step".into(), (step as i64).into());
        state.insert(sums::TABLE.into(), sums::list(files).into());
        sums::seal(&state.to_string())
    }

    /// Writes one checkpoint; of those that exist the latest two stay, in case one is damaged.
    ///
    /// # Errors
    /// A file cannot be written.
    pub(super) fn keep_latest(&self, progress: &Progress) -> Result<(), LabError> {
        self.keep(progress)?;
        let mut steps = steps_in(&self.folder);
        steps.sort_unstable();
        steps.pop();
        steps.pop();
        for step in steps {
            // One that cannot be removed only takes space.
            let _ = fs::remove_dir_all(self.folder.join(folder_of(step)));
        }
        Ok(())
    }
}

/// The steps of the checkpoints in a folder.
pub(super) fn steps_in(folder: &Path) -> Vec<u64> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let step = |entry: std::io::Result<fs::DirEntry>| {
        let name = entry.ok()?.file_name();
        let step = name.to_str()?.parse::<u64>().ok()?;
        (name == *folder_of(step)).then_some(step)
    };
    entries.filter_map(step).collect()
}

/// The name of the folder of a step.
pub(super) fn folder_of(step: u64) -> String {
    format!("{step:012}")
}

/// Conditions under which checkpoints are kept as well checkpoints.
pub(super) struct Keeping<'a> {
    pub(super) conditions: &'a Conditions<'a>,
    pub(super) keeper: Option<&'a Keeper>,
    /// The clock that says when one is due, where the settings name no steps.
    pub(super) clock: Option<Clock>,
    /// Why a checkpoint could not be written.
    pub(super) failure: Mutex<Option<LabError>>,
}

impl Watch for Keeping<'_> {
    fn stepped(&self) {
        self.conditions.stepped();
    }
    fn stopped(&self) -> bool {
        self.conditions.stopped()
    }
    fn director(&self) -> Option<&dyn Director> {
        self.conditions.director()
    }
    fn due(&self, step: u64) -> bool {
        self.clock.as_ref().is_some_and(|clock| clock.due(step))
    }
    fn keep(&self, progress: &Progress) -> bool {
        let Some(keeper) = self.keeper else { return true };
        let kept = match &self.clock {
            Some(clock) => clock.time(|| keeper.keep_latest(progress)),
            None => keeper.keep(progress),
        };
        match kept {
            Ok(()) => true,
            Err(error) => {
                *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                false
            }
        }
    }
}

/// Bytes of all checkpoints of a run from its beginning; their readings grow with the records.
pub(super) fn bytes(plan: &Plan<'_>, dynamics: &dyn Dynamics, run: &Run) -> u64 {
    if plan.checkpoint_every == 0 {
        return 0;
    }
    let mut step = plan.checkpoint_every;
    let mut total = 0;
    // Of very many, some evenly spaced ones represent the rest.
    let count = (plan.steps.saturating_sub(1)) / plan.checkpoint_every;
    let stride = count.div_ceil(100).max(1);
    while step < plan.steps {
        let records: Vec<Record> =
            run.records.iter().take_while(|record| record.step <= step).cloned().collect();
        let parameters = run.network.theta().to_vec();
        let trail = Needs::Gates.of(plan.probes).then(|| vec![parameters.clone(); records.len()]);
        let progress = Progress {
            step,
            network: run.network.clone(),
            memory: vec![parameters; dynamics.memory()],
            records,
            trail: trail.unwrap_or_default(),
        };
        let arrays = arrays(&progress, plan.probes);
        let size: usize = arrays.iter().map(|array| npy_bytes(array).len()).sum();
        total += stride * (size as u64 + STATE_BYTES + LINE * arrays.len() as u64);
        step += stride * plan.checkpoint_every;
    }
    total
}

/// Bytes of `state.toml` without its list, and of a line of that, about.
const STATE_BYTES: u64 = 210;
const LINE: u64 = 85;

/// Everything of a run's progress, as arrays.
fn arrays(progress: &Progress, probes: &[&'static Probe]) -> Vec<Array> {
    let mut arrays = super::readings::parameters(&progress.network);
    let memory = progress.memory.iter().enumerate();
    arrays.extend(memory.map(|(i, slots)| Array::of_entries(format!("memory_{i}"), slots)));
    let steps: Vec<f64> = progress.records.iter().map(|record| record.step as f64).collect();
    arrays.push(Array::of_entries("record_steps", &steps));
    if !progress.trail.is_empty() {
        arrays.push(Array::of_rows("trail", &progress.trail));
    }
    for (index, probe) in probes.iter().enumerate() {
        arrays.push(super::readings::over_time(
            format!("probe_{}", probe.name),
            index,
            &progress.records,
        ));
    }
    arrays
}
