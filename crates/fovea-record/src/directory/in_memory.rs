//! Records in memory: the files of numbers that a directory would hold. Figures are drawn when they are saved.

use super::sums::{Sums, sum};
use super::written::{TABLES, numbers};
use super::{MANIFEST, Manifest, Record, RunDir, inputs, open, report};
use crate::error::RecordError;
use crate::outcome::{Outcome, Status};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of a record by their paths in it.
#[derive(Clone, Debug)]
pub(super) struct Held(Arc<BTreeMap<String, Vec<u8>>>);

impl Held {
    pub(super) fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(name).map(Vec::as_slice)
    }

    pub(super) fn array_names(&self) -> Vec<String> {
        open::array_names(self.0.keys())
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
        let sums = files.iter().map(|(name, bytes)| (name.clone(), sum(bytes))).collect();
        let word = outcome.status.word();
        let done = manifest.to_toml(word, (Some(outcome), Some(seconds)), &sums);
        files.insert(MANIFEST.to_owned(), done.into_bytes());
        Self::from_files(files)
    }

    /// The record that these files are, by their paths in it.
    ///
    /// # Errors
    /// There is no manifest among them, or it is damaged or of a newer format.
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
            ["series.parquet", "claims.json", report::FILE, MANIFEST].map(str::to_owned).to_vec();
        names.extend(self.array_names()?.iter().map(|name| format!("arrays/{name}.npy")));
        let tables = self.sums.iter().flat_map(Sums::keys).filter(|name| name.starts_with(TABLES));
        names.extend(tables.cloned());
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
        let (mut files, report) = (self.files()?, self.report()?);
        let manifest = files.remove(MANIFEST);
        files.extend(report::files(&report)?);
        let dir = RunDir::create(target)?;
        for (name, bytes) in &files {
            dir.write(name, bytes)?;
        }
        // One from before files were listed stays as it is.
        let text = String::from_utf8_lossy(&manifest.unwrap_or_default()).into_owned();
        let sums: Sums = files.iter().map(|(name, bytes)| (name.clone(), sum(bytes))).collect();
        let listed = self.sums.as_ref().map(|_| report::listing(Path::new(MANIFEST), &text, &sums));
        dir.write(MANIFEST, listed.transpose()?.unwrap_or(text).as_bytes())?;
        dir.close(self.status == Status::Interrupted.word())
    }
}
