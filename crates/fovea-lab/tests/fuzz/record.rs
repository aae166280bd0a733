//! Whatever was trained, its `run.toml` reads back to the same run: what reproduces and resumes it.

use super::book::Book;
use super::make::configuration;
use super::{as_toml, none_failed, without_panic};
use fovea_core::agree::test_seed;
use fovea_core::params::Schema;
use fovea_lab::Prepared;
use fovea_lab::config::read_config;
use fovea_lab::record::{Manifest, RunDir, config_hash};
use fovea_lab::training::{EXPERIMENT, Training, TrainingJob};
use rayon::prelude::*;
use std::fs;
use std::path::Path;

const COUNT: u64 = 2000;

/// Whether the run is written and read back to one of the same hash.
fn check(job: &TrainingJob, path: &Path) -> Result<(), String> {
    let settings = job.settings();
    let schema = Training::schema();
    let manifest =
        Manifest { experiment: EXPERIMENT, settings: &settings, schema: &schema, seed: 3 };
    let run = RunDir::create(path).unwrap();
    run.begin(&manifest).unwrap();
    let config = read_config(&run.path().join("run.toml"), EXPERIMENT, &Training::schema())
        .map_err(|error| format!("not read: {error}"))?;
    let again = TrainingJob::new(&config.settings).map_err(|error| format!("refused: {error}"))?;
    let read = again.settings();
    let back = Manifest { settings: &read, ..manifest };
    if config.seed == Some(3) && config_hash(&back) == config_hash(&manifest) {
        return Ok(());
    }
    let changed = settings.iter().zip(&read).find(|(a, b)| a.1.to_string() != b.1.to_string());
    Err(format!("another run: {:?}", changed.map_or(&settings[0], |(before, _)| before)))
}

#[test]
fn a_record_reads_back_to_the_same_run() {
    let book = Book::new();
    let folder = std::env::temp_dir().join(format!("fovea-record-{}", std::process::id()));
    fs::create_dir(&folder).unwrap();
    let try_one = |index: u64| {
        let seed = test_seed(module_path!(), index);
        let settings = configuration(&book, seed);
        let path = folder.join(index.to_string());
        let checked =
            without_panic(|| TrainingJob::new(&settings).ok().map(|job| check(&job, &path)));
        match checked {
            Ok(None) => Ok(false),
            Ok(Some(Ok(()))) => Ok(true),
            Ok(Some(Err(what))) | Err(what) => {
                Err(format!("configuration {index}, seed {seed}: {what}\n{}", as_toml(&settings)))
            }
        }
    };
    let all: Vec<Result<bool, String>> = (0..COUNT).into_par_iter().map(try_one).collect();
    fs::remove_dir_all(&folder).unwrap();
    let failures: Vec<String> = all.iter().filter_map(|one| one.as_ref().err().cloned()).collect();
    none_failed(&failures);
    let built = all.iter().flatten().filter(|built| **built).count();
    println!("{COUNT} configurations: {built} written and read back");
    assert!(built as u64 > COUNT / 5);
}
