//! One program at a time writes to a directory. The lock is the system's, on a file of the directory, so that a kill frees it.

use crate::error::RecordError;
use std::fs::{self, File, OpenOptions};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file that is locked.
pub(super) const FILE: &str = ".lock";

/// How often a lock that another program holds is tried again.
const ATTEMPTS: usize = 5;

/// Holds a directory until it is dropped, or the program ends in any way.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Whether the file is new.
    made: bool,
    _file: File,
}

impl Lock {
    /// Takes a directory that nobody holds.
    ///
    /// # Errors
    /// Somebody holds it, or it cannot be written to.
    pub(super) fn take(directory: &Path) -> Result<Self, RecordError> {
        Self::claim(directory, false)
    }

    /// Takes a directory as soon as nobody holds it.
    ///
    /// # Errors
    /// It cannot be written to.
    pub(super) fn wait(directory: &Path) -> Result<Self, RecordError> {
        Self::claim(directory, true)
    }

    fn claim(directory: &Path, wait: bool) -> Result<Self, RecordError> {
        let path = directory.join(FILE);
        let mut attempts = 0;
        loop {
            let (file, made) = open(&path).map_err(RecordError::io("lock", &path))?;
            if !locked(&file, wait).map_err(RecordError::io("lock", &path))? {
                // A program that only checks does not hold it.
                attempts += 1;
                if attempts > ATTEMPTS {
                    return Err(busy(directory, &file));
                }
                std::thread::sleep(Duration::from_millis(5));
                continue;
            }
            // Its last owner may have removed it in between: a lock on a file without a name excludes nobody.
            if same_file(&file, &path) {
                return Ok(Self { path, made, _file: file });
            }
        }
    }

    /// Whether somebody holds a directory now.
    pub(super) fn is_held(directory: &Path) -> Option<RecordError> {
        let file = OpenOptions::new().read(true).write(true).open(directory.join(FILE)).ok()?;
        (!locked(&file, false).unwrap_or(true)).then(|| busy(directory, &file))
    }

    /// Releases the directory, which has been renamed by now.
    pub(super) fn release(mut self, directory: &Path) {
        (self.path, self.made) = (directory.join(FILE), true);
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A file that a killed run left stays: a program that only checks changes nothing.
        if self.made {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The file, and whether it was made now.
fn open(path: &Path) -> std::io::Result<(File, bool)> {
    loop {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        match options.clone().create_new(true).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|file| (file, true)),
        }
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(
            &mut options,
            (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits() as i32,
        );
        match options.open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            found => return found.map(|file| (file, false)),
        }
    }
}

/// Locks the file; `false` where another program has. On a file system without locks every program succeeds.
fn locked(file: &File, wait: bool) -> std::io::Result<bool> {
    #[cfg(unix)]
    {
        use rustix::fs::{FlockOperation, flock};
        use rustix::io::Errno;
        let how = if wait {
            FlockOperation::LockExclusive
        } else {
            FlockOperation::NonBlockingLockExclusive
        };
        loop {
            return match flock(file, how) {
                Ok(()) | Err(Errno::NOLCK | Errno::NOSYS | Errno::NOTSUP | Errno::INVAL) => {
                    Ok(true)
                }
                Err(Errno::WOULDBLOCK) => Ok(false),
                Err(Errno::INTR) => continue,
                Err(error) => Err(Error::from(error)),
            };
        }
    }
    #[cfg(not(unix))]
    {
        let _ = (file, wait);
        Ok::<bool, Error>(true)
    }
}

fn same_file(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let number = |found: fs::Metadata| (found.dev(), found.ino());
        match (file.metadata(), fs::symlink_metadata(path)) {
            (Ok(open), Ok(named)) => number(open) == number(named),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

/// The refusal, with the owner where the system names it.
fn busy(directory: &Path, file: &File) -> RecordError {
    RecordError::Busy { path: directory.display().to_string(), owner: owner(file) }
}

/// The process number of the program that holds the lock.
fn owner(file: &File) -> Option<u32> {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt;
        let number = file.metadata().ok()?.ino();
        let table = fs::read_to_string("/proc/locks").ok()?;
        // 1: FLOCK  ADVISORY  WRITE 4711 08:01:123456 0 EOF
        let holder = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let own = words.get(1) == Some(&"FLOCK")
                && words.get(5)?.rsplit(':').next()?.parse() == Ok(number);
            if own { words.get(4)?.parse::<u32>().ok() } else { None }
        };
        table.lines().find_map(holder).filter(|pid| *pid > 0)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = file;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_has_one_owner_until_it_is_let_go() {
        let dir = std::env::temp_dir().join(format!("fovea-lock-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        assert!(Lock::is_held(&dir).is_none());
        let lock = Lock::take(&dir).unwrap();
        // In the same program too: another handle is another owner.
        let refused = Lock::take(&dir).unwrap_err();
        let own = std::process::id();
        assert!(
            matches!(refused, RecordError::Busy { owner, .. } if owner.is_none_or(|pid| pid == own))
        );
        assert!(Lock::is_held(&dir).is_some() && dir.join(FILE).exists());
        drop(lock);
        assert!(!dir.join(FILE).exists());
        // A file that a kill left is not a lock, and a program that only checks leaves it.
        fs::write(dir.join(FILE), b"").unwrap();
        drop(Lock::take(&dir).unwrap());
        assert!(dir.join(FILE).exists());
        Lock::take(&dir).unwrap().release(&dir);
        assert!(!dir.join(FILE).exists());
        fs::remove_dir_all(dir).unwrap();
    }
}
