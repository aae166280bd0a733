//! Records that stand in memory: the files of numbers a directory would hold. What is drawn is drawn when they are saved.

use super::{Manifest, Record, RunDir, inputs, kept, numbers};
use crate::error::RecordError;
use crate::outcome::{Outcome, Status};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of a record by their paths in it.
#[derive(Clone, Debug)]
pub(super) struct Held(Arc<BTreeMap<String, Vec<u8>>>);

const MANIFEST: &str = "run.toml";

impl Held {
    pub(super) fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(Vec::as_slice)
    }

    pub(super) fn array_names(&self) -> Vec<String> {
        let name =
            |path: &String| Some(path.strip_prefix("arrays/")?.strip_suffix(".npy")?.to_owned());
        self.0.keys().filter_map(name).collect()
    }
}

impl Record {
    /// What [`RunDir::finish`] would write, kept in memory.
    ///
    /// # Errors
    /// The outcome cannot be read back, which would be a mistake of this program.
    pub fn of(
        manifest: &Manifest<'_>,
        outcome: &Outcome,
        seconds: f64,
    ) -> Result<Self, RecordError> {
        let mut files = BTreeMap::new();
        numbers(manifest, outcome, &mut |name, bytes| {
            files.insert(name.to_owned(), bytes.to_vec());
            Ok(())
        })?;
        let done = manifest.to_toml(outcome.status.word(), Some(outcome), Some(seconds));
        files.insert(MANIFEST.to_owned(), done.into_bytes());
        Self::from_files(files)
    }

    /// The record that these files are, by their paths in it.
    ///
    /// # Errors
    /// There is no manifest among them, or it is spoilt or of a newer format.
    pub fn from_files(files: BTreeMap<String, Vec<u8>>) -> Result<Self, RecordError> {
        let text = files.get(MANIFEST).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        Self::from_manifest(&text.unwrap_or_default(), Held(Arc::new(files)))
    }

    /// Its files of numbers, by their paths in it: what [`Record::from_files`] takes.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn files(&self) -> Result<BTreeMap<String, Vec<u8>>, RecordError> {
        if let Some(held) = &self.held {
            return Ok(held.0.as_ref().clone());
        }
        let mut names: Vec<String> =
            ["series.parquet", "claims.json", kept::FILE, MANIFEST].map(str::to_owned).to_vec();
        names.extend(self.array_names()?.iter().map(|name| format!("arrays/{name}.npy")));
        let inputs = fs::read_dir(self.path().join(inputs::FOLDER)).into_iter().flatten().flatten();
        names.extend(inputs.filter_map(|file| {
            Some(format!("{}/{}", inputs::FOLDER, file.file_name().into_string().ok()?))
        }));
        names.into_iter().map(|name| Ok((name.clone(), self.read(&name)?.1))).collect()
    }

    /// Writes it to a new directory, figures and page drawn; a record of a run that was interrupted keeps its `.partial` name.
    ///
    /// # Errors
    /// The directory exists, or something cannot be drawn or written.
    pub fn save(&self, target: &Path) -> Result<PathBuf, RecordError> {
        let (files, report) = (self.files()?, self.report()?);
        let dir = RunDir::create(target)?;
        let mut folders = BTreeSet::new();
        let mut put = |name: &str, bytes: &[u8]| {
            if let Some((folder, _)) = name.split_once('/')
                && folders.insert(folder.to_owned())
            {
                dir.make(folder)?;
            }
            dir.write(name, bytes)
        };
        let (manifest, numbers): (Vec<_>, Vec<_>) =
            files.iter().partition(|(name, _)| *name == MANIFEST);
        for (name, bytes) in numbers {
            put(name, bytes)?;
        }
        for (name, bytes) in kept::files(&report)? {
            put(&name, &bytes)?;
        }
        for (name, bytes) in manifest {
            put(name, bytes)?;
        }
        if self.status == Status::Interrupted.word() { Ok(dir.partial) } else { dir.rename() }
    }
}
