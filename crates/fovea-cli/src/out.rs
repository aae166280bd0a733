//! Printing: data to stdout, complaints to stderr. A reader that goes away is no error.

use crate::{FINE, USAGE};
use fovea_lab::LabError;
use std::io::Write;

/// Version of the JSON lines.
const JSON_VERSION: i64 = 1;

/// Prints one line of data.
pub(crate) fn line(text: impl AsRef<str>) {
    let mut stdout = std::io::stdout().lock();
    if writeln!(stdout, "{}", text.as_ref()).is_err() {
        std::process::exit(i32::from(FINE));
    }
}

/// Prints one JSON object; `kind` says what it is.
pub(crate) fn json(kind: &str, mut object: serde_json::Value) {
    object["v"] = JSON_VERSION.into();
    object["type"] = kind.into();
    line(object.to_string());
}

/// Prints one line of talk.
pub(crate) fn talk(text: impl AsRef<str>) {
    // Nobody is left to tell that stderr is gone.
    let _ = writeln!(std::io::stderr().lock(), "{}", text.as_ref());
}

/// Prints an error with its hint; returns the exit code.
pub(crate) fn complain(error: &LabError) -> u8 {
    talk(format!("error: {error}\n\nhint: {}", error.hint()));
    USAGE
}
