//! Whether a record is unchanged: every file against the list in its manifest, every checkpoint against its own.

use super::sums::{self, Sums};
use super::{Record, disk, inputs, report};
use crate::error::RecordError;
use std::fs;
use std::path::Path;

/// The folder of a run that holds its checkpoints, one folder each.
pub const CHECKPOINTS: &str = "checkpoints";

/// The manifest of a checkpoint.
pub const STATE: &str = "state.toml";

/// Whether a file is made from others, so that no number is lost with it.
fn is_drawn(name: &str) -> bool {
    name == report::PAGE || name.starts_with(report::FIGURES)
}

impl Record {
    /// Compares every file with what was written; returns what a reader should know, a line each: what could not be
    /// compared, changed figures and pages, and changed checkpoints.
    ///
    /// # Errors
    /// A file of numbers is missing or not what was written; the message names it.
    pub fn check(&self) -> Result<Vec<String>, RecordError> {
        let dir = self.path();
        let mut told = Vec::new();
        match &self.sums {
            None => told.push(format!(
                "{} has no checksums: whether its files were changed cannot be checked",
                dir.display()
            )),
            Some(sums) => {
                if self.status == "running" {
                    told.push(format!(
                        "the run of {} did not end: not all of its files can be checked",
                        dir.display()
                    ));
                }
                check_listed(dir, sums, &mut told)?;
            }
        }
        for folder in checkpoints(dir) {
            if let Err(error) = check_checkpoint(&folder) {
                told.push(format!("{error}; that checkpoint is not read here"));
            }
        }
        Ok(told)
    }

    /// Compares the arrays from the user, without which a run cannot be resumed.
    ///
    /// # Errors
    /// One is missing or not what was written.
    pub(super) fn check_inputs(&self) -> Result<(), RecordError> {
        let given = |name: &str| name.split('/').next() == Some(inputs::FOLDER);
        let mut listed = self.sums.iter().flatten().filter(|(name, _)| given(name));
        listed.try_for_each(|(name, sum)| sums::check_file(self.path(), name, sum))
    }
}

fn check_listed(dir: &Path, sums: &Sums, told: &mut Vec<String>) -> Result<(), RecordError> {
    for (name, sum) in sums {
        match sums::check_file(dir, name, sum) {
            // Deleted pictures are drawn again, from a report that is checked itself.
            Err(_) if is_drawn(name) && !dir.join(name).exists() => {}
            Err(error) if is_drawn(name) => {
                told.push(format!(
                    "{error}; it can be drawn again from {}, which is unchanged",
                    report::FILE
                ));
            }
            checked => checked?,
        }
    }
    Ok(())
}

/// The folders of checkpoints, in order.
fn checkpoints(dir: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(dir.join(CHECKPOINTS)).into_iter().flatten().flatten();
    let mut folders: Vec<_> =
        entries.filter(|entry| !disk::is_draft(&entry.file_name())).map(|e| e.path()).collect();
    folders.sort();
    folders
}

/// Compares the files of a checkpoint with its own list; an older one has none.
fn check_checkpoint(folder: &Path) -> Result<(), RecordError> {
    let path = folder.join(STATE);
    let text = disk::read_text(&path, disk::SMALL)?;
    sums::check_text(&path, &text)?;
    let table = text.parse().map_err(|_| sums::changed(&path))?;
    let listed = sums::listed(&path, &text, &table)?.unwrap_or_default();
    listed.iter().try_for_each(|(name, sum)| sums::check_file(folder, name, sum))
}
