//! Files as a record needs them: only regular files are read; a file is written completely or not at all, never through a link and never over another.

use crate::error::RecordError;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The most bytes of a file that people write or read: a configuration, a manifest, claims.
pub const SMALL: u64 = 16 << 20;

/// The ending of the names of temporary files, and of no others.
const DRAFT: &str = ".draft";

/// The bytes of a file of at most `most` bytes.
///
/// # Errors
/// It cannot be read, holds more, or is a device, a pipe or a socket.
pub(crate) fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, RecordError> {
    let io = |error| RecordError::io("read", path)(error);
    let file = open(path)?;
    let length = file.metadata().map_err(io)?.len();
    let mut bytes = Vec::with_capacity(length.min(most) as usize);
    // A file that grows while it is read, or has no length, has the same limit.
    if length <= most {
        (&file).take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(io)?;
    }
    if length > most || bytes.len() as u64 > most {
        return Err(RecordError::TooLarge { path: path.display().to_string(), most });
    }
    Ok(bytes)
}

/// The text of such a file.
///
/// # Errors
/// The same, or it is not text in UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String, RecordError> {
    String::from_utf8(read_file(path, most)?).map_err(|_| {
        let error = Error::new(ErrorKind::InvalidData, "stream did not contain valid UTF-8");
        RecordError::io("read", path)(error)
    })
}

/// Opens a file for reading; neither a device nor a pipe, which may have no end or block for ever.
pub(super) fn open(path: &Path) -> Result<File, RecordError> {
    let io = |error| RecordError::io("read", path)(error);
    let plain = |kind: fs::FileType| kind.is_file() || kind.is_dir();
    let refused = || RecordError::NoFile { path: path.display().to_string() };
    // Checked before, since opening a device may already do something, and after, since it may have been exchanged.
    if !plain(fs::metadata(path).map_err(io)?.file_type()) {
        return Err(refused());
    }
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits() as i32,
    );
    let file = options.open(path).map_err(io)?;
    if plain(file.metadata().map_err(io)?.file_type()) { Ok(file) } else { Err(refused()) }
}

/// A unique name for a temporary file in this folder.
pub fn draft_in(folder: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    folder.join(format!(".{}-{number}{DRAFT}", std::process::id()))
}

/// Writes a file completely: to a temporary file first, flushed to the disk, then renamed. A link in its place is replaced, not followed.
///
/// # Errors
/// It cannot be written; nothing is left behind.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    let mut draft = draft_in(path.parent().unwrap_or(Path::new("")));
    let mut create = || loop {
        match write_new(&draft, bytes) {
            // Left by an earlier program with the same process number; it is removed when the run is resumed.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                draft = draft_in(path.parent().unwrap_or(Path::new("")));
            }
            done => return done,
        }
    };
    let written = create();
    written.and_then(|()| fs::rename(&draft, path)).map_err(|error| {
        // Half a file is of no use and takes space that the disk may lack.
        let _ = fs::remove_file(&draft);
        RecordError::io("write", path)(error)
    })
}

/// Writes a new file and flushes it.
fn write_new(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes a folder where there is none; a link to one does not count.
///
/// # Errors
/// It cannot be made.
pub fn make_folder(path: &Path) -> Result<(), RecordError> {
    let made = fs::create_dir(path).or_else(|error| match fs::symlink_metadata(path) {
        Ok(found) if error.kind() == ErrorKind::AlreadyExists && found.is_dir() => Ok(()),
        _ => Err(error),
    });
    made.map_err(RecordError::io("create", path))
}

/// Asks the disk to keep what was named, renamed and removed in a folder, where its file system can.
pub fn sync_folder(path: &Path) {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let _ = File::open(path).and_then(|folder| folder.sync_all());
}

/// Renames a directory to a name that is free; whatever has the name is left alone.
///
/// # Errors
/// The name is taken (`AlreadyExists`), or it cannot be renamed.
pub fn rename_to_free(from: &Path, to: &Path) -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            // Some file systems, and old kernels, do not support this.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            done => return done.map_err(Error::from),
        }
    }
    // An empty directory holds the name; a directory replaces one that is empty, and no other.
    fs::create_dir(to)?;
    fs::rename(from, to).inspect_err(|_| {
        let _ = fs::remove_dir(to);
    })
}

/// Removes the temporary files that a kill left in a directory and in its folders.
pub(super) fn sweep(directory: &Path) {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let is_draft = |entry: &fs::DirEntry| is_draft(&entry.file_name());
    // Neither step goes through a link.
    let folder = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    for entry in entries(directory) {
        let inside: Vec<fs::DirEntry> = if is_draft(&entry) {
            vec![entry]
        } else if folder(&entry) {
            entries(&entry.path()).filter(is_draft).collect()
        } else {
            continue;
        };
        for draft in inside {
            let path = draft.path();
            let _ = if folder(&draft) { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
    }
}

/// Whether a name is that of a temporary file, or of an unfinished checkpoint of an earlier program. Other names may end so too.
pub(super) fn is_draft(name: &OsStr) -> bool {
    let stem = name.to_str().and_then(|name| name.strip_suffix(DRAFT)).unwrap_or_default();
    let ours = stem.strip_prefix('.').unwrap_or(stem);
    !ours.is_empty() && ours.chars().all(|c| c.is_ascii_digit() || c == '-')
}

/// A name without its ending, whatever bytes it is made of.
pub(super) fn ends_in(name: &OsStr, ending: &str) -> Option<OsString> {
    let bytes = name.as_encoded_bytes().strip_suffix(ending.as_bytes())?;
    #[cfg(unix)]
    {
        Some(std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec()))
    }
    #[cfg(not(unix))]
    {
        String::from_utf8(bytes.to_vec()).ok().map(OsString::from)
    }
}

/// A path with something added to its last name.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// The error where a file has the name of a folder; the system only says that it exists.
pub(super) fn not_a_directory(error: Error) -> Error {
    if error.kind() == ErrorKind::AlreadyExists { ErrorKind::NotADirectory.into() } else { error }
}

#[cfg(test)]
mod tests;
