//! Reading a run directory back.

use super::in_memory::Held;
use super::sums::{self, Sums};
use super::written::TABLES;
use super::{
    FORMAT, Judged, MANIFEST, PARTIAL, claims, disk, limits, npy, read_report, report, table,
};
use crate::convert::{from_toml, read_seed};
use crate::error::RecordError;
use crate::outcome::{Array, Series};
use fovea_core::params::Assignments;
use fovea_page::report::Report;
use std::fs;
use std::path::{Path, PathBuf};

/// What to give instead.
pub(super) const WANTED: &str = "give the directory of a run, such as one under runs/";

/// A run directory, on disk or in memory: what was run, and its files on request.
#[derive(Clone, Debug)]
pub struct Record {
    path: PathBuf,
    /// Its files, where it was never written.
    pub(super) held: Option<Held>,
    /// The sum of every file; none in a record from before files were listed.
    pub(super) sums: Option<Sums>,
    /// What was run: an experiment, `train` or `verify`.
    pub experiment: String,
    /// `completed`, `diverged`, `interrupted`, or `running` where the run did not end.
    pub status: String,
    /// The seed.
    pub seed: u64,
    /// The hash of everything that determines the numbers.
    pub hash: String,
    /// The numeric version of the program that ran it.
    pub numeric_version: i64,
    /// Number type of sampling and training, where the run ended.
    pub dtype: Option<String>,
    /// Every setting; arrays from files are named, not read.
    pub settings: Assignments,
    /// When and where it ran, and for how long.
    pub stamp: Assignments,
}

impl Record {
    /// Reads what was run; finished and interrupted runs are read alike.
    ///
    /// # Errors
    /// The directory is not a record, or its `run.toml` is damaged, changed, or of a newer format.
    pub fn open(dir: &Path) -> Result<Self, RecordError> {
        check_directory(dir)?;
        let path = dir.join(MANIFEST);
        if !path.exists() {
            return Err(not_a_record(dir, "it holds no run.toml"));
        }
        let text = disk::read_text(&path, disk::SMALL)?;
        sums::check_text(&path, &text)?;
        let parsed: Result<toml::Table, _> = text.parse();
        let file = parsed.map_err(|error| {
            let line = error.span().map_or(1, |span| lines_before(&text, span.start) + 1);
            spoilt(&path, &format!("line {line}: {}", error.message()))
        })?;
        check_format(&path, file.get("format").and_then(toml::Value::as_integer))?;
        let sums = sums::listed(&path, &text, &file)?;
        let record = Self::from_file(dir, &file).map_err(|why| spoilt(&path, &why))?;
        Ok(Self { sums, ..record })
    }

    /// A record in memory, from its manifest.
    pub(super) fn from_manifest(text: &str, held: Held) -> Result<Self, RecordError> {
        let path = Path::new(MANIFEST);
        sums::check_text(path, text)?;
        let file: toml::Table = text.parse().map_err(|_| spoilt(path, "it does not parse"))?;
        check_format(path, file.get("format").and_then(toml::Value::as_integer))?;
        let sums = sums::listed(path, text, &file)?;
        let record = Self::from_file(Path::new(""), &file).map_err(|why| spoilt(path, &why))?;
        Ok(Self { held: Some(held), sums, ..record })
    }

    fn from_file(dir: &Path, file: &toml::Table) -> Result<Self, String> {
        let get = |key: &str| file.get(key).ok_or(format!("it holds no `{key}`"));
        let text = |key: &str| {
            get(key)?.as_str().map(str::to_owned).ok_or(format!("its `{key}` is not a text"))
        };
        let table = |key: &str| -> Result<Assignments, String> {
            let table = get(key)?.as_table().ok_or(format!("its `{key}` is not a table"))?;
            Ok(table.iter().map(|(key, value)| (key.clone(), from_toml(value))).collect())
        };
        // Seeds beyond TOML's integers are written as words.
        let seed = get("seed")?;
        let seed = seed.as_str().map_or_else(|| seed.to_string(), str::to_owned);
        Ok(Self {
            path: dir.components().collect(),
            held: None,
            sums: None,
            experiment: text("experiment")?,
            status: text("status")?,
            seed: read_seed(&seed).map_err(|error| error.to_string())?,
            hash: text("hash")?,
            numeric_version: get("numeric_version")?
                .as_integer()
                .ok_or("its `numeric_version` is not a number")?,
            dtype: file.contains_key("dtype").then(|| text("dtype")).transpose()?,
            settings: table("settings")?,
            stamp: table("stamp")?,
        })
    }

    /// The directory; empty where there is none.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The readings over time.
    ///
    /// # Errors
    /// `series.parquet` is missing or damaged.
    pub fn series(&self) -> Result<Series, RecordError> {
        let (path, bytes) = self.read("series.parquet")?;
        table::read(bytes::Bytes::from(bytes)).map_err(|why| spoilt(&path, &why))
    }

    /// Every claim and its result.
    ///
    /// # Errors
    /// `claims.json` is missing, damaged or of a newer format.
    pub fn claims(&self) -> Result<Vec<Judged>, RecordError> {
        let (path, bytes) = self.read("claims.json")?;
        let file = parse_json(&path, &bytes)?;
        claims::parse(file).map_err(|why| spoilt(&path, &why))
    }

    /// The names of its arrays, in order.
    ///
    /// # Errors
    /// Their folder cannot be read.
    pub fn array_names(&self) -> Result<Vec<String>, RecordError> {
        if let Some(held) = &self.held {
            return Ok(held.array_names());
        }
        if let Some(sums) = self.sums.as_ref().filter(|_| self.status != "running") {
            return Ok(array_names(sums.keys()));
        }
        let folder = self.path.join("arrays");
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let entries = fs::read_dir(&folder).map_err(RecordError::io("read", &folder))?;
        let name = |entry: fs::DirEntry| entry.file_name().into_string().ok();
        let mut names: Vec<String> = entries
            .filter_map(|entry| Some(name(entry.ok()?)?.strip_suffix(".npy")?.to_owned()))
            .collect();
        names.sort();
        Ok(names)
    }

    /// One of its arrays.
    ///
    /// # Errors
    /// There is no such array, or its file is damaged.
    pub fn array(&self, name: &str) -> Result<Array, RecordError> {
        let (path, bytes) = self.read(&format!("arrays/{name}.npy"))?;
        npy::parse(&bytes, name.to_owned())
            .map_err(|why| RecordError::NotAnArray { path: path.display().to_string(), why })
    }

    /// Its report, with the figures as data.
    ///
    /// # Errors
    /// See [`read_report`].
    pub fn report(&self) -> Result<Report, RecordError> {
        match &self.held {
            Some(_) => {
                let (path, bytes) = self.read(report::FILE)?;
                report::parse(&path, &bytes)
            }
            None => read_report(&self.path),
        }
    }

    /// The bytes of a file, and its path for errors.
    pub(super) fn read(&self, name: &str) -> Result<(PathBuf, Vec<u8>), RecordError> {
        let held = self.held.as_ref().and_then(|held| held.get(name));
        let (path, bytes) = if let Some(bytes) = held {
            (PathBuf::from(name), bytes.to_vec())
        } else {
            let path = self.file(name)?;
            let bytes = disk::read_file(&path, most(name))?;
            (path, bytes)
        };
        let listed = self.sums.as_ref().and_then(|sums| sums.get(name));
        match listed {
            Some(sum) if *sum != sums::sum(&bytes) => Err(sums::changed(&path)),
            _ => Ok((path, bytes)),
        }
    }

    /// The path of a file that every complete record has.
    fn file(&self, name: &str) -> Result<PathBuf, RecordError> {
        let path = self.path.join(name);
        if self.held.is_none() && path.exists() {
            return Ok(path);
        }
        let own = self.path.display();
        let hint = match (self.status.as_str(), self.experiment.as_str()) {
            ("running", "train") => format!("resume it: fovea train --resume {own}"),
            ("running", "verify") => "run fovea verify again".to_owned(),
            ("running", _) => format!("resume it: fovea run --resume {own}"),
            _ => AGAIN.to_owned(),
        };
        Err(RecordError::Spoilt {
            path: path.display().to_string(),
            what: "is missing".into(),
            hint,
        })
    }
}

/// The most bytes of a file of this name.
fn most(name: &str) -> u64 {
    match name {
        report::FILE => limits::report(),
        "series.parquet" => limits::table(),
        name if name.starts_with(TABLES) => limits::table(),
        MANIFEST | "claims.json" => disk::SMALL,
        _ => limits::array(),
    }
}

/// The arrays among files.
pub(super) fn array_names<'a>(files: impl Iterator<Item = &'a String>) -> Vec<String> {
    let name = |path: &String| Some(path.strip_prefix("arrays/")?.strip_suffix(".npy")?.to_owned());
    let mut names: Vec<String> = files.filter_map(name).collect();
    names.sort();
    names
}

/// Refuses what is not a directory.
pub(super) fn check_directory(dir: &Path) -> Result<(), RecordError> {
    if dir.is_dir() {
        return Ok(());
    }
    let path = dir.display().to_string();
    let refuse = |what: &str, hint: String| RecordError::Spoilt {
        path: path.clone(),
        what: what.to_owned(),
        hint,
    };
    if dir.exists() {
        let parent = dir.parent().filter(|parent| parent.join("run.toml").is_file());
        let hint = parent.filter(|parent| !parent.as_os_str().is_empty()).map_or_else(
            || WANTED.to_owned(),
            |parent| format!("give its directory, {}", parent.display()),
        );
        return Err(refuse("is a file, not the directory of a run", hint));
    }
    let partial = disk::with_ending(dir, PARTIAL);
    let hint = if partial.is_dir() {
        format!("its run did not end: give {}", partial.display())
    } else {
        format!("check the path; {WANTED}")
    };
    Err(refuse("does not exist", hint))
}

fn not_a_record(dir: &Path, why: &str) -> RecordError {
    let (path, hint) = (dir.display().to_string(), WANTED.to_owned());
    RecordError::Spoilt { path, what: format!("is not a record: {why}"), hint }
}

/// How a damaged file is repaired.
pub(super) const AGAIN: &str = "restore the file that the run wrote, or run it again";

/// A file of a record that cannot be used.
pub(super) fn spoilt(path: &Path, why: &str) -> RecordError {
    let (path, hint) = (path.display().to_string(), AGAIN.to_owned());
    RecordError::Spoilt { path, what: format!("is damaged: {why}"), hint }
}

/// Refuses a file without a format, and one of a newer format.
fn check_format(path: &Path, found: Option<i64>) -> Result<(), RecordError> {
    match found {
        None => Err(spoilt(path, "it names no format")),
        Some(found) if found > FORMAT => {
            let path = path.display().to_string();
            Err(RecordError::NewerFormat { path, found, known: FORMAT })
        }
        Some(_) => Ok(()),
    }
}

/// A JSON file of a record, once its format is known.
pub(super) fn parse_json(path: &Path, bytes: &[u8]) -> Result<serde_json::Value, RecordError> {
    let file: serde_json::Value =
        serde_json::from_slice(bytes).map_err(|error| spoilt(path, &error.to_string()))?;
    check_format(path, file.get("format").and_then(serde_json::Value::as_i64))?;
    Ok(file)
}

fn lines_before(text: &str, at: usize) -> usize {
    text.get(..at).map_or(0, |before| before.matches('\n').count())
}
