//! Records: a run directory that is complete or named as unfinished, and never overwritten.
//!
//! Work goes to `NAME.partial`; when everything is written it is renamed to `NAME`. Two runs of one seed
//! differ only in the `[stamp]` table of `run.toml`. Every file is listed there with its SHA-256, and [`Record::open`]
//! reads a directory back, checked.

mod check;
mod claims;
pub mod columns;
mod disk;
mod in_memory;
pub(crate) mod inputs;
mod limits;
mod lock;
mod manifest;
mod npy;
mod open;
mod report;
pub mod sums;
mod table;
mod unfinished;
mod written;

pub use check::{CHECKPOINTS, STATE};
pub use claims::Judged;
pub use disk::SMALL;
pub use disk::{draft_in, make_folder, read_text, rename_to_free, sync_folder, write_whole};
pub use manifest::{Manifest, NUMERIC_VERSION, config_hash, former_hashes, peak_memory};
pub use npy::{bytes as npy_bytes, read as read_npy};
pub use open::Record;
pub use report::{checked_report, draw, read_report, write_report};
pub use table::json as table_json;
pub use unfinished::{Shelf, sha256};
pub use written::{size, usual_directory};

use crate::error::RecordError;
use crate::outcome::{Outcome, Status};
use lock::Lock;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use sums::{Sums, sum};

/// Version of the layout of a run directory; a newer one is refused.
///
/// 2: `tables/*.parquet`, and tables of typed cells in `report.json`.
pub const FORMAT: i64 = 2;

/// The ending of the name of an unfinished run.
const PARTIAL: &str = ".partial";

/// The manifest of a record.
const MANIFEST: &str = "run.toml";

/// A run directory that is being written; no other program writes to it while this lives.
pub struct RunDir {
    target: PathBuf,
    partial: PathBuf,
    lock: Lock,
    /// The files written in addition to the outcome.
    beside: Mutex<Sums>,
}

impl RunDir {
    /// The name of a new run, if it is free; nothing is created.
    ///
    /// # Errors
    /// The directory exists, has no name of its own, or has that of an unfinished run.
    pub fn free(target: &Path) -> Result<PathBuf, RecordError> {
        // Without its trailing slash, to which `.partial` could not be added.
        let target: PathBuf = target.components().collect();
        let exists = |path: &Path| RecordError::Exists { path: path.display().to_string() };
        if target.symlink_metadata().is_ok() {
            return Err(exists(&target));
        }
        let partial = disk::with_ending(&target, PARTIAL);
        if partial.symlink_metadata().is_ok() {
            return match Lock::is_held(&partial) {
                Some(busy) => Err(busy),
                None if is_leftover(&partial) => Ok(target),
                None => Err(exists(&partial)),
            };
        }
        match target.file_name() {
            None => Err(RecordError::Nameless { path: target.display().to_string() }),
            Some(name) if disk::ends_in(name, PARTIAL).is_some() => {
                Err(RecordError::Unfinished { path: target.display().to_string() })
            }
            Some(_) => Ok(target),
        }
    }

    /// Reserves `target`; nothing may be there yet, except what a run left that was killed before it began.
    ///
    /// # Errors
    /// The directory exists, has no name of its own, or cannot be made.
    pub fn create(target: &Path) -> Result<Self, RecordError> {
        let target = Self::free(target)?;
        let partial = disk::with_ending(&target, PARTIAL);
        if let Some(parent) = target.parent().filter(|p| !p.as_os_str().is_empty()) {
            fs::create_dir_all(parent)
                .map_err(disk::not_a_directory)
                .map_err(RecordError::io("create", parent))?;
        }
        let made = fs::create_dir(&partial);
        match made {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                return Err(RecordError::io("create", &partial)(error));
            }
            // Another run took the name a moment ago, or left it behind.
            Err(_) if !is_leftover(&partial) => {
                let exists = RecordError::Exists { path: partial.display().to_string() };
                return Err(Lock::is_held(&partial).unwrap_or(exists));
            }
            _ => {}
        }
        let lock = Lock::take(&partial)?;
        // What another run wrote before this one got the lock is not ours.
        if !is_leftover(&partial) {
            return Err(RecordError::Exists { path: partial.display().to_string() });
        }
        let _ = fs::remove_dir_all(partial.join(inputs::FOLDER));
        disk::sweep(&partial);
        Ok(Self { target, partial, lock, beside: Mutex::default() })
    }

    /// Reserves the first free of `target`, `target-2`, `target-3`, ...
    ///
    /// # Errors
    /// The directory cannot be made.
    pub fn create_next(target: &Path) -> Result<Self, RecordError> {
        next_name(target, Self::create)
    }

    /// The first free of `target`, `target-2`, `target-3`, ...; nothing is made.
    ///
    /// # Errors
    /// It has no name of its own.
    pub fn free_next(target: &Path) -> Result<PathBuf, RecordError> {
        next_name(target, Self::free)
    }

    /// Reopens the directory of a run that was interrupted or killed.
    ///
    /// # Errors
    /// It is not an unfinished run, another program writes to it, or its manifest was changed.
    pub fn reopen(partial: &Path) -> Result<Self, RecordError> {
        let partial: PathBuf = partial.components().collect();
        let name = partial.file_name().and_then(|name| disk::ends_in(name, PARTIAL));
        let Some(name) = name.filter(|_| partial.join(MANIFEST).is_file()) else {
            return Err(RecordError::NotUnfinished { path: partial.display().to_string() });
        };
        let lock = Lock::take(&partial)?;
        Record::open(&partial)?.check_inputs()?;
        Ok(Self { target: partial.with_file_name(name), partial, lock, beside: Mutex::default() })
    }

    /// Where the run is being written.
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Writes the manifest of a run that has begun, and removes what a kill left half written.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn begin(&self, manifest: &Manifest<'_>) -> Result<(), RecordError> {
        disk::sweep(&self.partial);
        let write = || {
            let mut files = Sums::new();
            for (name, array) in inputs::arrays(manifest.settings) {
                let bytes = npy::bytes(&array);
                files.insert(name.clone(), sum(&bytes));
                self.write(&name, &bytes)?;
            }
            let text = manifest.to_toml("running", (None, None), &files);
            self.write(MANIFEST, text.as_bytes())
        };
        write().inspect_err(|_| self.abandon())?;
        disk::sync_folder(&self.partial);
        Ok(())
    }

    /// Frees the name where a run ended before it had anything to record.
    pub fn abandon(&self) {
        // A checkpoint, or anything else that was added, is worth keeping, and useless without the directory.
        let given = |name: &std::ffi::OsStr| name == MANIFEST || is_nothing(name);
        let other =
            |entry: std::io::Result<fs::DirEntry>| entry.is_ok_and(|e| !given(&e.file_name()));
        if fs::read_dir(&self.partial).is_ok_and(|mut entries| entries.any(other)) {
            return;
        }
        let _ = fs::remove_dir_all(self.partial.join(inputs::FOLDER));
        disk::sweep(&self.partial);
        // What cannot be removed stays under its .partial name.
        let _ = fs::remove_file(self.partial.join(MANIFEST));
        let _ = fs::remove_file(self.partial.join(lock::FILE));
        let _ = fs::remove_dir(&self.partial);
    }

    /// Writes everything and, unless the run was interrupted, gives the directory its final name, or the next free one
    /// where that was taken meanwhile.
    ///
    /// # Errors
    /// A file cannot be written or a figure not drawn; the directory keeps its `.partial` name.
    pub fn finish(
        self,
        manifest: &Manifest<'_>,
        outcome: &Outcome,
        seconds: f64,
    ) -> Result<PathBuf, RecordError> {
        let beside = self.beside.lock().unwrap_or_else(PoisonError::into_inner).clone();
        written::files(manifest, outcome, seconds, beside, &mut |name, bytes| {
            self.write(name, bytes)
        })?;
        let interrupted = outcome.status == Status::Interrupted;
        if !interrupted {
            self.sweep(manifest);
        }
        self.close(interrupted)
    }

    /// Writes a file in addition to those of the outcome, in a folder of its own.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put(&self, folder: &str, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        let name = format!("{folder}/{name}");
        self.write(&name, bytes)?;
        self.beside.lock().unwrap_or_else(PoisonError::into_inner).insert(name, sum(bytes));
        Ok(())
    }

    /// Flushes everything to the disk and, if the record is complete, gives the directory its final name.
    fn close(self, interrupted: bool) -> Result<PathBuf, RecordError> {
        let Self { target, partial, lock, .. } = self;
        for entry in fs::read_dir(&partial).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                disk::sync_folder(&entry.path());
            }
        }
        disk::sync_folder(&partial);
        if interrupted {
            lock.release(&partial);
            return Ok(partial);
        }
        let rename = |name: &Path| match disk::rename_to_free(&partial, name) {
            Ok(()) => Ok(name.to_owned()),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Err(RecordError::Exists { path: name.display().to_string() })
            }
            Err(error) => Err(RecordError::io("rename", &partial)(error)),
        };
        let target = next_name(&target, rename)?;
        lock.release(&target);
        disk::sync_folder(target.parent().unwrap_or(Path::new("")));
        Ok(target)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        if let Some((folder, _)) = name.split_once('/') {
            disk::make_folder(&self.partial.join(folder))?;
        }
        write_whole(&self.partial.join(name), bytes)
    }
}

/// Whether a `.partial` directory holds only what a run writes before it begins.
fn is_leftover(partial: &Path) -> bool {
    let nothing = |entry: std::io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| is_nothing(&entry.file_name()))
    };
    // A link to a directory was made by someone.
    partial.symlink_metadata().is_ok_and(|found| found.is_dir())
        && fs::read_dir(partial).is_ok_and(|mut entries| entries.all(nothing))
}

/// Whether a directory entry with this name is useless without a manifest.
fn is_nothing(name: &std::ffi::OsStr) -> bool {
    name == inputs::FOLDER || name == lock::FILE || disk::is_draft(name)
}

/// Tries one name after the other until one is not taken.
fn next_name<T>(
    target: &Path,
    attempt: impl Fn(&Path) -> Result<T, RecordError>,
) -> Result<T, RecordError> {
    let mut candidate = target.to_owned();
    for number in 2.. {
        match attempt(&candidate) {
            Err(RecordError::Exists { .. } | RecordError::Busy { .. }) => {
                candidate = disk::with_ending(target, &format!("-{number}"));
            }
            done => return done,
        }
    }
    unreachable!("a free number is found before the integers end")
}
