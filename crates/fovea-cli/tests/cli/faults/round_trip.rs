//! `run.toml`, read back, is the same run: for every experiment at every size, and to the byte for some.

use super::super::bits::assert_same_record;
use super::super::{Scratch, TINY};
use super::tried;
use fovea_lab::config::read_config;
use fovea_lab::experiments::{self, Entry, Size};
use fovea_lab::record::{Manifest, RunDir, config_hash};
use std::path::Path;

/// The settings of an experiment and their hash; its run is begun in a directory.
fn begun(row: &Entry, prepared: &dyn fovea_lab::Prepared, dir: &Path) -> (String, String) {
    let (settings, schema) = (prepared.settings(), (row.schema)());
    let manifest = Manifest { experiment: row.name, settings: &settings, schema: &schema, seed: 7 };
    RunDir::create(dir).and_then(|dir| dir.begin(&manifest)).unwrap();
    (format!("{settings:?}"), config_hash(&manifest))
}

#[test]
fn every_experiment_is_made_again_from_its_own_manifest() {
    let scratch = Scratch::new();
    let mut count = 0;
    for row in experiments::ALL.iter() {
        let full = row.full.map(|_| Size::Full);
        for size in [Size::Quick, Size::Default].into_iter().chain(full) {
            let first = (row.prepare)(size, &Vec::new()).unwrap();
            let dir = scratch.path(&format!("{}-{size:?}", row.name));
            let first = begun(row, first.as_ref(), &dir);
            let manifest = dir.with_extension("partial").join("run.toml");
            let config = read_config(&manifest, row.name, &(row.schema)());
            let config = config.unwrap_or_else(|error| panic!("{} {size:?}: {error}", row.name));
            assert_eq!(config.seed, Some(7));
            let again = (row.prepare)(Size::Default, &config.settings);
            let again = again.unwrap_or_else(|error| panic!("{} {size:?}: {error}", row.name));
            let again = begun(row, again.as_ref(), &dir.with_extension("again"));
            assert_eq!(first, again, "{} {size:?}", row.name);
            count += 1;
        }
    }
    tried("an experiment made again from its own run.toml", count, "same settings and hash");
}

/// Words included: a stimulus with every default spelled out gives the samples of one that was named.
#[test]
fn a_run_from_its_own_manifest_has_the_same_bytes() {
    let tiny = [&["localize"], &TINY[..]].concat();
    let runs: [&[&str]; 4] = [
        &["moments", "--samples=2000"],
        &["moments", "--samples=2000", "--set", "stimulus=filtered(base=nlgp(gain=2))"],
        &["ipr-vs-kurtosis", "--quick", "--steps=4", "--late-steps=6", "--batch=100"],
        &tiny,
    ];
    for args in runs {
        let scratch = Scratch::new();
        // Whether a claim holds of so short a run is not the question.
        let told = scratch.fovea(&[&["run"], args, &["--out", "first"]].concat());
        assert!(scratch.path("first").is_dir(), "{args:?} {told:?}");
        let config = ["run", args[0], "--config", "first/run.toml", "--out", "again"];
        let again = scratch.fovea(&config);
        // A line of progress now and then is no complaint.
        let complaint = again.err.contains("error: ");
        assert_eq!((again.code, complaint), (told.code, false), "{args:?} {}", again.err);
        assert_same_record(&scratch.path("first"), &scratch.path("again"));
    }
    tried("a run repeated from its own run.toml", runs.len(), "same bytes, words included");
}
