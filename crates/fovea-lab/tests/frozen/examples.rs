//! The first steps of every example: its readings, its arrays, how it ended and what it says.

use crate::kept::Bless;
use crate::{outcome, plain_words};
use fovea_core::Value;
use fovea_core::params::Schema;
use fovea_lab::config::{Config, read_config};
use fovea_lab::experiments::Prepared;
use fovea_lab::training::{EXPERIMENT, Training, TrainingJob};
use fovea_lab::{Conditions, Silent};
use libtest_mimic::{Failed, Trial};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The folder of the examples, from the crate's own, where the tests run.
const FOLDER: &str = "../../examples";

/// What is set anew: few steps, a look at some of them, and nothing written.
const SHORT: [(&str, i64); 3] = [("steps", 20), ("record_every", 5), ("checkpoint_every", 0)];

/// The name of every example.
pub(crate) fn names() -> Vec<String> {
    let paths = std::fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
    let toml = paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let name = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<String> = toml.map(name).collect();
    names.sort();
    names
}

/// One test for each example.
pub(crate) fn trials(bless: Bless) -> Vec<Trial> {
    let trial = |name: String| Trial::test(format!("examples::{name}"), move || run(&name, bless));
    names().into_iter().map(trial).collect()
}

/// Names the files of arrays by their own names: a report says where they were found, which differs between machines.
fn without_folders(value: &mut Value) {
    match value {
        Value::Array(matrix) => {
            let file = matrix.source().and_then(|source| Path::new(source).file_name());
            if let Some(file) = file.and_then(|file| file.to_str()).map(str::to_owned) {
                *value = Value::Array(matrix.clone().from_source(&file));
            }
        }
        Value::Table(rows) => rows.iter_mut().for_each(|(_, value)| without_folders(value)),
        _ => {}
    }
}

fn run(name: &str, bless: Bless) -> Result<(), Failed> {
    let path = Path::new(FOLDER).join(format!("{name}.toml"));
    let Config { mut settings, seed } = read_config(&path, EXPERIMENT, &Training::schema())?;
    for (key, value) in SHORT {
        settings.retain(|(given, _)| given != key);
        settings.push((key.to_owned(), Value::Int(value)));
    }
    for (_, value) in &mut settings {
        without_folders(value);
    }
    let job = TrainingJob::new(&settings)?;
    let stop = AtomicBool::new(false);
    let conditions = Conditions::new(seed.unwrap_or(0), &Silent, &stop);
    let outcome = job.run(&conditions)?;
    let plain = plain_words::of_outcome(&format!("examples::{name}"), &outcome);
    let hashes = outcome::hashes(&outcome);
    Ok(plain_words::both(hashes.settle(&format!("examples/{name}.toml"), bless), plain)?)
}
