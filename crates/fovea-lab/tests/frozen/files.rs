//! No golden record and no file of hashes is left behind by what it was of.

use crate::examples;
use crate::kept::{folder, names};
use fovea_lab::experiments;
use std::path::Path;

/// Which files there may be.
pub(crate) const CONTROLS: &[(&str, fn())] = &[
    (
        "controls::every_golden_record_belongs_to_an_experiment",
        every_golden_record_belongs_to_an_experiment,
    ),
    ("controls::every_hash_belongs_to_something_frozen", every_hash_belongs_to_something_frozen),
];

/// Names in a folder to which nothing belongs.
fn strays(folder: &Path, ending: &str, known: &[String]) -> Vec<String> {
    names(folder, ending).into_iter().filter(|name| !known.contains(name)).collect()
}

fn every_golden_record_belongs_to_an_experiment() {
    let experiments: Vec<String> = experiments::ALL.iter().map(|row| row.name.to_owned()).collect();
    let hashes = folder().join("hashes/experiments");
    let none: [String; 0] = [];
    assert_eq!(strays(&folder(), "json", &experiments), none, "no experiment is called so");
    assert_eq!(strays(&hashes, "toml", &experiments), none, "no experiment is called so");
    assert_eq!(strays(&hashes, "toml", &experiments[1..]), experiments[..1], "a control");
}

fn every_hash_belongs_to_something_frozen() {
    let hashes = folder().join("hashes");
    let none: [String; 0] = [];
    let examples = examples::names();
    assert_eq!(
        strays(&hashes.join("examples"), "toml", &examples),
        none,
        "no example is called so"
    );
    let single = ["forms", "verify"].map(str::to_owned);
    assert_eq!(strays(&hashes, "toml", &single), none, "nothing is called so");
}
