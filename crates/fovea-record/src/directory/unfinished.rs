//! What an unfinished run keeps to be resumed, in addition to its results so far.

use super::disk::{make_folder, read_file, write_whole};
use super::{Manifest, RunDir, limits};
use crate::error::RecordError;
use fovea_core::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folder that holds the jobs of an experiment that ended.
const JOBS: &str = "jobs";
/// The beginning of their files, before the checksum of what follows.
const MAGIC: &[u8; 16] = b"fovea jobs 0001\n";

/// The SHA-256 of some bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

impl RunDir {
    /// Removes what only an unfinished run needs: jobs that ended, and checkpoints that were kept by time and not by step.
    pub(super) fn sweep(&self, manifest: &Manifest<'_>) {
        let steps = manifest.settings.iter().find(|(key, _)| key == "checkpoint_every");
        let by_time = steps.is_some_and(|(_, every)| *every == Value::Int(0));
        for folder in [JOBS].into_iter().chain(by_time.then_some("checkpoints")) {
            // What cannot be removed is superfluous in the record, but not wrong.
            let _ = fs::remove_dir_all(self.path().join(folder));
        }
    }

    /// Removes the results of an interrupted run, so that none of them is left among those of the complete run.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn begin_again(&self) -> Result<(), RecordError> {
        for folder in ["arrays", "figures", "runs"].map(|name| self.path().join(name)) {
            match fs::remove_dir_all(&folder) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(RecordError::io("remove", folder)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Where an unfinished run keeps the jobs that ended, some in each file, each file complete or absent.
pub struct Shelf(PathBuf);

impl Shelf {
    /// That of a run directory.
    pub fn of(dir: &Path) -> Self {
        Self(dir.join(JOBS))
    }

    /// Keeps some bytes in a file of their own, under their checksum.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn put(&self, bytes: &[u8]) -> Result<(), RecordError> {
        make_folder(&self.0)?;
        let sum = sha256(bytes);
        let name = u64::from_be_bytes(*sum.first_chunk().expect("a checksum has 32 bytes"));
        write_whole(&self.0.join(format!("{name:016x}")), &[&MAGIC[..], &sum, bytes].concat())
    }

    /// The bytes of every file, and how many files are damaged or of another format: their jobs are ignored.
    ///
    /// # Errors
    /// The folder or a file cannot be read.
    pub fn all(&self) -> Result<(Vec<Vec<u8>>, usize), RecordError> {
        let entries = match fs::read_dir(&self.0) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok((Vec::new(), 0)),
            entries => entries.map_err(RecordError::io("read", &self.0))?,
        };
        let (mut whole, mut damaged) = (Vec::new(), 0);
        for entry in entries {
            let path = entry.map_err(RecordError::io("read", &self.0))?.path();
            // Half a file that a kill left behind.
            if path.extension().is_some() {
                continue;
            }
            let bytes = read_file(&path, limits::array())?;
            match content(&bytes) {
                Some(content) => whole.push(content.to_vec()),
                None => damaged += 1,
            }
        }
        Ok((whole, damaged))
    }
}

/// The content of a file, where its checksum is right.
fn content(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (sum, content) = rest.split_first_chunk::<32>()?;
    (*sum == sha256(content)).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_flipped_bit_of_a_kept_job_is_read() {
        let dir = std::env::temp_dir().join(format!("fovea-shelf-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let shelf = Shelf::of(&dir);
        assert_eq!(shelf.all().unwrap(), (Vec::new(), 0));
        shelf.put(b"one").unwrap();
        shelf.put(b"one").unwrap();
        shelf.put(b"another").unwrap();
        let (mut whole, damaged) = shelf.all().unwrap();
        whole.sort();
        assert_eq!((whole, damaged), (vec![b"another".to_vec(), b"one".to_vec()], 0));
        let file = fs::read_dir(dir.join(JOBS)).unwrap().next().unwrap().unwrap().path();
        let bytes = fs::read(&file).unwrap();
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(content(&flipped), None, "bit {bit}");
        }
        fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
        assert_eq!(shelf.all().unwrap().1, 1);
        fs::remove_dir_all(&dir).unwrap();
    }
}
