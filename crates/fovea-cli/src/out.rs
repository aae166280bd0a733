//! Printing: data to stdout, messages to stderr. A reader that goes away is not an error.

use crate::exit::USAGE;
use fovea_lab::{LabError, RecordError};
use std::borrow::Cow;
use std::io::{ErrorKind, Write};
use std::sync::Mutex;

/// Version of the JSON lines.
const JSON_VERSION: i64 = 1;

/// The first failure to print, such as a full disk behind stdout.
static FAILURE: Mutex<Option<std::io::Error>> = Mutex::new(None);

/// Characters per line of data: those of the terminal, or 100 where it goes to a file or another program.
pub(crate) fn room() -> usize {
    console::Term::stdout().size_checked().map_or(100, |(_, columns)| usize::from(columns).max(40))
}

/// Prints one line of data.
pub(crate) fn line(text: impl AsRef<str>) {
    print(&tame(text.as_ref()));
}

fn print(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let printed = writeln!(stdout, "{text}");
    if let (Err(error), Ok(mut failure)) = (printed, FAILURE.lock())
        && error.kind() != ErrorKind::BrokenPipe
    {
        failure.get_or_insert(error);
    }
}

/// Whether every line of data was printed, or its reader was gone.
///
/// # Errors
/// A line was lost.
pub(crate) fn all_printed() -> Result<(), LabError> {
    let failure = FAILURE.lock().ok().and_then(|mut failure| failure.take());
    failure.map_or(Ok(()), |error| Err(RecordError::io("print to", "stdout")(error).into()))
}

/// Prints one JSON object; `kind` says what it is.
pub(crate) fn json(kind: &str, mut object: serde_json::Value) {
    object["v"] = JSON_VERSION.into();
    object["type"] = kind.into();
    // JSON escapes control characters, except for a few.
    let steers = |c: char| ('\u{7f}'..='\u{9f}').contains(&c);
    let text = object.to_string();
    let word = |c: char| if steers(c) { format!("\\u{:04x}", u32::from(c)) } else { c.into() };
    print(&if text.contains(steers) { text.chars().map(word).collect() } else { text });
}

/// A text without control characters, which a name from elsewhere may contain; our own colours are not printed here.
fn tame(text: &str) -> Cow<'_, str> {
    let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(steers) {
        return text.into();
    }
    let word = |c: char| if steers(c) { c.escape_default().to_string() } else { c.into() };
    text.chars().map(word).collect::<String>().into()
}

/// Prints one message.
pub(crate) fn talk(text: impl AsRef<str>) {
    // Nobody is left to tell that stderr is gone.
    let _ = writeln!(std::io::stderr().lock(), "{}", tame(text.as_ref()));
}

/// Prints an error with its hint, and as an object too under `--json`; returns the exit code.
pub(crate) fn complain(error: &LabError, as_json: bool) -> u8 {
    if as_json {
        json("error", serde_json::json!({ "message": error.to_string(), "hint": error.hint() }));
    }
    talk(format!("error: {error}\n\nhint: {}", error.hint()));
    USAGE
}
