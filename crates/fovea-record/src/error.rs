//! Errors with files, with the next step for each.

use fovea_core::ParamError;
use std::io::ErrorKind;
use std::path::PathBuf;

/// Why something could not be read, written or drawn.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A setting cannot be used.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// A configuration file does not parse.
    #[error("{path} does not parse at line {line}, column {column}: {message}")]
    Config {
        /// The file.
        path: String,
        /// Line of the first problem, from 1.
        line: usize,
        /// Column of the first problem, from 1.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// A record of a newer format than this program knows.
    #[error("{path} has format {found}; this program reads formats up to {known}")]
    NewerFormat {
        /// The file.
        path: String,
        /// Its format.
        found: i64,
        /// The newest known.
        known: i64,
    },
    /// A directory is not a record, or a file of a record cannot be used.
    #[error("{path} {what}")]
    Spoilt {
        /// The directory or file.
        path: String,
        /// What is wrong with it.
        what: String,
        /// What to do about it.
        hint: String,
    },
    /// The output directory is there already.
    #[error("{path} exists already, and a run never overwrites another")]
    Exists {
        /// The directory.
        path: String,
    },
    /// An output path such as `a/..`, which has no name of its own.
    #[error("{path} has no name of its own for a run to be kept under")]
    Nameless {
        /// The path.
        path: String,
    },
    /// An output path with the name of an unfinished run.
    #[error("{path} ends in .partial, the name of an unfinished run")]
    Unfinished {
        /// The path.
        path: String,
    },
    /// Another program writes to the directory.
    #[error("{path} is being written by another program{}", owner.map_or(String::new(), |pid| format!(", process {pid}")))]
    Busy {
        /// The directory.
        path: String,
        /// The number of that program, where the system says it.
        owner: Option<u32>,
    },
    /// What was named is a device, a pipe or a socket.
    #[error("{path} is not a file: it is a device, a pipe or a socket, or a link to one")]
    NoFile {
        /// What was named.
        path: String,
    },
    /// A file is larger than one of its kind can be.
    #[error("{path} holds more than {}, the limit for such a file", in_bytes(*most))]
    TooLarge {
        /// The file.
        path: String,
        /// The most bytes.
        most: u64,
    },
    /// A configuration is the record of another experiment.
    #[error("{path} is the record of `{found}`, not of `{wanted}`")]
    OtherExperiment {
        /// The file.
        path: String,
        /// Its experiment.
        found: String,
        /// The one to be run.
        wanted: String,
    },
    /// A file or directory could not be read or written.
    #[error("could not {action} {path}: {source}")]
    Io {
        /// What was being done.
        action: &'static str,
        /// To which file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file that should hold an array of numbers does not.
    #[error("{path} is not an array of numbers: {why}")]
    NotAnArray {
        /// The file.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// A directory that should hold an unfinished run does not.
    #[error("{path} is not an unfinished run")]
    NotUnfinished {
        /// The directory.
        path: String,
    },
    /// A figure could not be turned into an image.
    #[error("figure `{name}` could not be drawn: {message}")]
    Figure {
        /// The figure.
        name: String,
        /// What went wrong.
        message: String,
    },
}

impl RecordError {
    /// An input or output error at `path` while trying to `action` it.
    pub fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }

    /// The same error, said to be about a setting.
    #[must_use]
    pub fn about(self, key: &str) -> Self {
        match self {
            Self::NotAnArray { path, why } => {
                Self::NotAnArray { path: format!("`{key}`: {path}"), why }
            }
            other => other,
        }
    }

    /// The next step for the user.
    pub fn hint(&self) -> String {
        match self {
            Self::Param(error) => error.hint(),
            Self::Config { .. } => {
                "a configuration is TOML: `key = value` lines, one parameter each".to_owned()
            }
            Self::NewerFormat { .. } => "use the program that wrote it, or a newer one".to_owned(),
            Self::Spoilt { hint, .. } => hint.clone(),
            Self::Exists { .. } => "choose another --out, or move the old run away".to_owned(),
            Self::Nameless { .. } => "end --out in the name of a new directory".to_owned(),
            Self::Unfinished { .. } => {
                "leave .partial out of --out: it is added while the run lasts".to_owned()
            }
            Self::Busy { owner, .. } => {
                let stop = owner.map_or(String::new(), |pid| format!(" or stop it (kill {pid})"));
                format!("wait until it ends{stop}; for another run choose another --out")
            }
            Self::NoFile { .. } => {
                "give a file; the output of a pipe can be written to one first".to_owned()
            }
            Self::TooLarge { .. } => "check that it is the right file".to_owned(),
            Self::OtherExperiment { path, found, .. } => {
                format!(
                    "write fovea run {found} --config {path}, or keep only its [settings] lines in a file"
                )
            }
            Self::Io { action: "read", source, .. } => read_hint(source.kind()).to_owned(),
            Self::Io { action: "print to", .. } => {
                "send the output where there is space".to_owned()
            }
            Self::Io { source, .. } => write_hint(source.kind()).to_owned(),
            Self::NotAnArray { .. } => {
                "write it with numpy.save, as an array of numbers without gaps".to_owned()
            }
            Self::NotUnfinished { .. } => {
                "name the directory of an interrupted run, which ends in .partial".to_owned()
            }
            Self::Figure { .. } => "the numbers are in series.parquet and arrays/".to_owned(),
        }
    }
}

/// A number of bytes in a unit that fits.
fn in_bytes(bytes: u64) -> String {
    match bytes {
        b if b < 1 << 20 => format!("{} KiB", b >> 10),
        b if b < 1 << 30 => format!("{} MiB", b >> 20),
        b => format!("{:.1} GiB", b as f64 / f64::from(1 << 30)),
    }
}

/// The next step where a configuration could not be read.
fn read_hint(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::NotFound => "check the path",
        ErrorKind::InvalidData => "a configuration is a text file in UTF-8",
        _ => "choose a file that can be read",
    }
}

/// The next step where a record could not be written.
fn write_hint(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => {
            "free some space or choose another --out; what was written is left under a name ending in .partial"
        }
        ErrorKind::NotADirectory => "a part of the path is a file; choose another --out",
        _ => "choose a path that can be written, with --out",
    }
}
