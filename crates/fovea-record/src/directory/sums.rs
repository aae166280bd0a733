//! Sums: the SHA-256 of every file in a list, and of the list itself, so that every changed byte is noticed.
//!
//! A list is a `[files]` table of a TOML file, whose last line is the sum of the lines above it.

use super::{disk, open};
use crate::error::RecordError;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::Read;
use std::path::{Component, Path};

/// The sum of every file by its path from where the list is.
pub type Sums = BTreeMap<String, String>;

/// The table of a list.
pub const TABLE: &str = "files";

/// The beginning of the last line of a list, before its sum.
const SEAL: &str = "# sha256 of the lines above: ";

/// The SHA-256 of some bytes, in hexadecimal.
pub fn sum(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("writing to memory cannot fail");
        hex
    })
}

/// The sum of a file, read piece by piece.
fn sum_of_file(path: &Path) -> Result<String, RecordError> {
    let mut file = disk::open(path)?;
    let (mut state, mut piece) = (Sha256::new(), vec![0; 1 << 18]);
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(hex(&state.finalize())),
            Ok(length) => state.update(&piece[..length]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(RecordError::io("read", path)(error)),
        }
    }
}

/// A TOML table with the sums of files.
pub fn list(sums: &Sums) -> toml::Table {
    sums.iter().map(|(name, sum)| (name.clone(), sum.as_str().into())).collect()
}

/// A text with the sum of all its lines as the last one.
pub fn seal(text: &str) -> String {
    format!("{text}{SEAL}{}\n", sum(text.as_bytes()))
}

/// Whether a text ends in the sum of its lines; none where it does not end in a sum.
fn is_whole(text: &str) -> Option<bool> {
    let at = text.rfind(SEAL)?;
    Some(text[at + SEAL.len()..] == format!("{}\n", sum(&text.as_bytes()[..at])))
}

/// The list in the text of a TOML file; none in one from before files were listed.
///
/// # Errors
/// The text, or the list in it, was changed.
pub fn listed(path: &Path, text: &str, table: &toml::Table) -> Result<Option<Sums>, RecordError> {
    let whole = is_whole(text);
    let Some(files) = table.get(TABLE) else {
        // Without its list a text with a sum would look like an older one.
        return if whole.is_none() { Ok(None) } else { Err(changed(path)) };
    };
    if whole != Some(true) {
        return Err(changed(path));
    }
    let one = |(name, sum): (&String, &toml::Value)| {
        let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        Some((name.clone(), sum.as_str().filter(|_| inside)?.to_owned()))
    };
    let sums = files.as_table().and_then(|files| files.iter().map(one).collect());
    sums.map(Some).ok_or_else(|| open::spoilt(path, "its list of files cannot be read"))
}

/// Refuses a text that ends in a wrong sum; before it is parsed, since a change is not a mistake of its author.
///
/// # Errors
/// It was changed.
pub fn check_text(path: &Path, text: &str) -> Result<(), RecordError> {
    if is_whole(text) == Some(false) { Err(changed(path)) } else { Ok(()) }
}

/// Refuses a file that is missing or was changed.
///
/// # Errors
/// It differs from the list, or cannot be read.
pub fn check_file(folder: &Path, name: &str, sum: &str) -> Result<(), RecordError> {
    let path = folder.join(name);
    if !path.exists() {
        return Err(missing(&path));
    }
    if sum_of_file(&path)? == sum { Ok(()) } else { Err(changed(&path)) }
}

/// A file that is listed and missing.
pub(super) fn missing(path: &Path) -> RecordError {
    let (path, hint) = (path.display().to_string(), open::AGAIN.to_owned());
    RecordError::Spoilt { path, what: "is missing".into(), hint }
}

/// A file that was changed.
pub(super) fn changed(path: &Path) -> RecordError {
    let (path, hint) = (path.display().to_string(), open::AGAIN.to_owned());
    let what = "has been changed since it was written: its SHA-256 differs".into();
    RecordError::Spoilt { path, what, hint }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_a_list_and_of_its_seal_is_noticed() {
        let sums: Sums = [("a/b.npy".to_owned(), sum(b"1")), ("c".to_owned(), sum(b"2"))].into();
        let mut table = toml::Table::new();
        table.insert("format".into(), 1.into());
        table.insert(TABLE.into(), list(&sums).into());
        let text = seal(&table.to_string());
        let read = |text: &str| {
            let path = Path::new("run.toml");
            check_text(path, text).map_err(|error| error.to_string())?;
            let table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
            listed(path, text, &table).map_err(|error| error.to_string())
        };
        assert_eq!(read(&text), Ok(Some(sums)));
        for at in 0..text.len() {
            for bit in 0..8 {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                let Ok(flipped) = String::from_utf8(bytes) else { continue };
                assert!(read(&flipped).is_err(), "bit {bit} of byte {at}: {flipped}");
            }
        }
    }

    #[test]
    fn a_text_from_before_has_no_list_and_a_list_names_no_file_elsewhere() {
        let path = Path::new("run.toml");
        let parse = |text: &str| listed(path, text, &text.parse().unwrap());
        assert_eq!(parse("format = 1\n").unwrap(), None);
        for name in ["../a", "/a", "a/../../b"] {
            let text = seal(&format!("[files]\n\"{name}\" = \"0\"\n"));
            assert!(parse(&text).is_err(), "{name}");
        }
    }
}
