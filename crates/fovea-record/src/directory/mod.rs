//! Records: a run directory that is whole or plainly not, and never overwritten.
//!
//! Work goes to `NAME.partial`; when everything is written it is renamed to `NAME`. Between two runs of one seed
//! nothing differs but the `[stamp]` table of `run.toml`. [`Record::open`] reads a directory back.

mod claims;
pub mod columns;
mod held;
pub(crate) mod inputs;
mod kept;
mod manifest;
mod npy;
mod open;
mod table;
mod unfinished;

pub use claims::Judged;
pub use kept::{draw, read_report, write_report};
pub use manifest::{Manifest, NUMERIC_VERSION, config_hash, peak_memory, unsorted_hash};
pub use npy::{bytes as npy_bytes, read as read_npy};
pub use open::Record;
pub use unfinished::{Shelf, sha256};

use crate::error::RecordError;
use crate::outcome::{Outcome, Status};
use fovea_page::report::Report;
use std::collections::BTreeSet;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Version of the layout of a run directory; a newer one is refused.
pub const FORMAT: i64 = 1;

/// What the name of an unfinished run ends in.
const PARTIAL: &str = ".partial";

/// A run directory that is being written.
pub struct RunDir {
    target: PathBuf,
    partial: PathBuf,
}

impl RunDir {
    /// The name of a new run, if it is free; nothing is made.
    ///
    /// # Errors
    /// The directory exists or has no name of its own.
    pub fn free(target: &Path) -> Result<PathBuf, RecordError> {
        // Without its trailing slash, to which `.partial` could not be added.
        let target: PathBuf = target.components().collect();
        for path in [&target, &partial_of(&target)] {
            if path.symlink_metadata().is_ok() {
                return Err(RecordError::Exists { path: path.display().to_string() });
            }
        }
        if target.file_name().is_none() {
            return Err(RecordError::Nameless { path: target.display().to_string() });
        }
        Ok(target)
    }

    /// Reserves `target`; nothing may be there yet.
    ///
    /// # Errors
    /// The directory exists, has no name of its own, or cannot be made.
    pub fn create(target: &Path) -> Result<Self, RecordError> {
        let target = Self::free(target)?;
        let partial = partial_of(&target);
        if let Some(parent) = target.parent().filter(|p| !p.as_os_str().is_empty()) {
            fs::create_dir_all(parent)
                .map_err(not_a_directory)
                .map_err(RecordError::io("create", parent))?;
        }
        match fs::create_dir(&partial) {
            Ok(()) => Ok(Self { target, partial }),
            // Another run took the name a moment ago.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Err(RecordError::Exists { path: partial.display().to_string() })
            }
            Err(error) => Err(RecordError::io("create", &partial)(error)),
        }
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

    /// Takes up the directory of a run that was interrupted or killed.
    ///
    /// # Errors
    /// It is no unfinished run.
    pub fn reopen(partial: &Path) -> Result<Self, RecordError> {
        let partial: PathBuf = partial.components().collect();
        let target =
            partial.to_str().and_then(|path| path.strip_suffix(PARTIAL)).map(PathBuf::from);
        match target {
            Some(target) if partial.join("run.toml").is_file() && !target.exists() => {
                Ok(Self { target, partial })
            }
            _ => Err(RecordError::NotUnfinished { path: partial.display().to_string() }),
        }
    }

    /// Where the run is being written.
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Writes the manifest of a run that has begun.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn begin(&self, manifest: &Manifest<'_>) -> Result<(), RecordError> {
        let text = manifest.to_toml("running", None, None);
        let write = || {
            for (name, array) in inputs::arrays(manifest.settings) {
                self.make(inputs::FOLDER)?;
                self.write(&name, &npy::bytes(&array))?;
            }
            self.write("run.toml", text.as_bytes())
        };
        write().inspect_err(|_| self.abandon())
    }

    /// Gives the name back where a run ended before it had anything to record.
    pub fn abandon(&self) {
        // A checkpoint, or anything else beside what was given, is worth keeping and of no use without it.
        let given = |name: &std::ffi::OsStr| name == "run.toml" || name == inputs::FOLDER;
        let other =
            |entry: std::io::Result<fs::DirEntry>| entry.is_ok_and(|e| !given(&e.file_name()));
        if fs::read_dir(&self.partial).is_ok_and(|mut entries| entries.any(other)) {
            return;
        }
        let _ = fs::remove_dir_all(self.partial.join(inputs::FOLDER));
        // What cannot be removed stays under its .partial name, which says enough.
        let _ = fs::remove_file(self.partial.join("run.toml"));
        let _ = fs::remove_dir(&self.partial);
    }

    /// Writes everything and, unless the run was interrupted, gives the directory its final name.
    ///
    /// # Errors
    /// A file cannot be written or a figure not drawn; the directory keeps its `.partial` name.
    pub fn finish(
        self,
        manifest: &Manifest<'_>,
        outcome: &Outcome,
        seconds: f64,
    ) -> Result<PathBuf, RecordError> {
        let mut folders = BTreeSet::new();
        files(manifest, outcome, seconds, &mut |name, bytes| {
            if let Some((folder, _)) = name.split_once('/')
                && folders.insert(folder.to_owned())
            {
                self.make(folder)?;
            }
            self.write(name, bytes)
        })?;
        if outcome.status == Status::Interrupted {
            return Ok(self.partial);
        }
        self.sweep(manifest);
        self.rename()
    }

    /// Writes a file beside those of the outcome, in a folder of its own.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put(&self, folder: &str, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        self.make(folder)?;
        self.write(&format!("{folder}/{name}"), bytes)
    }

    /// Gives the directory its final name.
    fn rename(self) -> Result<PathBuf, RecordError> {
        fs::rename(&self.partial, &self.target)
            .map_err(RecordError::io("rename", &self.partial))?;
        Ok(self.target)
    }

    /// Makes a folder; a resumed run may find it there.
    fn make(&self, folder: &str) -> Result<(), RecordError> {
        let path = self.partial.join(folder);
        fs::create_dir_all(&path).map_err(RecordError::io("create", path))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        write_whole(&self.partial.join(name), bytes)
    }
}

/// Takes the name and the bytes of one file after the other.
type Put<'a> = dyn FnMut(&str, &[u8]) -> Result<(), RecordError> + 'a;

/// Hands over every file of a finished record, in the order of writing.
fn files(
    manifest: &Manifest<'_>,
    outcome: &Outcome,
    seconds: f64,
    put: &mut Put<'_>,
) -> Result<(), RecordError> {
    // Before anything is drawn: from there on every number is kept, and the rest can be drawn again.
    let report = numbers(manifest, outcome, put)?;
    for (name, bytes) in kept::files(&report)? {
        put(&name, &bytes)?;
    }
    let done = manifest.to_toml(outcome.status.word(), Some(outcome), Some(seconds));
    put("run.toml", done.as_bytes())
}

/// Hands over every file of numbers but the manifest; returns the report from which the rest is drawn.
fn numbers(
    manifest: &Manifest<'_>,
    outcome: &Outcome,
    put: &mut Put<'_>,
) -> Result<Report, RecordError> {
    put("series.parquet", &table::parquet(&outcome.series))?;
    for array in &outcome.arrays {
        put(&format!("arrays/{}.npy", array.name), &npy::bytes(array))?;
    }
    for (name, array) in inputs::arrays(manifest.settings) {
        put(&name, &npy::bytes(&array))?;
    }
    let claims: Vec<_> = outcome.claims.iter().map(crate::claim::Claim::to_json).collect();
    let claims = serde_json::json!({ "format": FORMAT, "claims": claims });
    put("claims.json", format!("{claims:#}\n").as_bytes())?;
    let footer = format!(
        "fovea {}: {}, seed {}, configuration {}",
        env!("CARGO_PKG_VERSION"),
        manifest.experiment,
        manifest.seed,
        &config_hash(manifest)[..12]
    );
    let report = outcome.report.clone().footer(footer);
    put(kept::FILE, &kept::bytes(&report))?;
    Ok(report)
}

/// Where a record goes that nobody has named.
pub fn usual_directory(manifest: &Manifest<'_>) -> PathBuf {
    let name = format!("{}-{}", manifest.experiment, &config_hash(manifest)[..8]);
    Path::new("runs").join(name)
}

/// How many files a record of this outcome has and how many bytes they hold; nothing is written.
///
/// # Errors
/// A figure cannot be drawn.
pub fn size(manifest: &Manifest<'_>, outcome: &Outcome) -> Result<(u64, u64), RecordError> {
    let (mut count, mut bytes) = (0, 0);
    files(manifest, outcome, 0.0, &mut |_, content| {
        (count, bytes) = (count + 1, bytes + content.len() as u64);
        Ok(())
    })?;
    Ok((count, bytes))
}

/// Writes a file whole: to a temporary name first, flushed to the disk, then renamed.
///
/// # Errors
/// It cannot be written; nothing is left behind.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".draft");
    let attempt = || -> std::io::Result<()> {
        let mut file = fs::File::create(&draft)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    attempt().map_err(|error| {
        // Half a file helps nobody and holds space that the disk may lack.
        let _ = fs::remove_file(&draft);
        RecordError::io("write", path)(error)
    })
}

/// Tries one name after the other until one is not taken.
fn next_name<T>(
    target: &Path,
    attempt: impl Fn(&Path) -> Result<T, RecordError>,
) -> Result<T, RecordError> {
    let mut candidate = target.to_owned();
    for number in 2.. {
        match attempt(&candidate) {
            Err(RecordError::Exists { .. }) => {
                candidate = PathBuf::from(format!("{}-{number}", target.display()));
            }
            done => return done,
        }
    }
    unreachable!("a free number is found before the integers end")
}

/// Says what is wrong where a file stands in place of a folder; the system says that it exists.
fn not_a_directory(error: std::io::Error) -> std::io::Error {
    if error.kind() == ErrorKind::AlreadyExists { ErrorKind::NotADirectory.into() } else { error }
}

/// The name of a run directory while it is not whole.
fn partial_of(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(PARTIAL);
    PathBuf::from(name)
}
