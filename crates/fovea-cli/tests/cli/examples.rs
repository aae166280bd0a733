//! Every example runs, is documented, and every stimulus has one.

use super::Scratch;
use super::record::{assert_finite, manifest};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Every example by its name.
fn examples() -> Vec<(String, PathBuf)> {
    let paths = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let toml = paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let name = |path: &PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut examples: Vec<_> = toml.map(|path| (name(&path), path)).collect();
    examples.sort();
    examples
}

#[test]
fn every_example_runs_and_leaves_a_whole_record() {
    let scratch = Scratch::new();
    for (name, path) in examples() {
        let out = format!("o/{name}");
        let few = ["--set", "steps=20", "--set", "checkpoint_every=0"];
        let args = ["train", path.to_str().unwrap(), "--out", &out];
        scratch.fovea(&[&args[..], &few].concat()).fine();
        let run = scratch.path(&out);
        assert_finite(&run);
        assert_eq!(manifest(&run)["status"].as_str(), Some("completed"), "{name}");
        for file in ["figures/training.png", "figures/training.svg", "report.html"] {
            assert!(run.join(file).metadata().unwrap().len() > 1000, "{name}: {file}");
        }
        assert!(!run.join("checkpoints").exists(), "{name}");
    }
}

#[test]
fn every_stimulus_has_an_example_that_is_documented() {
    let examples = examples();
    for item in fovea_lab::catalogue().iter().filter(|item| item.kind == "stimulus") {
        let found = examples.iter().find(|(name, _)| name == item.name);
        let missing =
            || panic!("there is no examples/{}.toml that trains on the stimulus", item.name);
        let (_, path) = found.unwrap_or_else(missing);
        let named =
            fs::read_to_string(path).unwrap().contains(&format!("name = \"{}\"", item.name));
        assert!(named, "examples/{}.toml does not train on the stimulus of its name", item.name);
    }
    for (name, path) in &examples {
        let text = fs::read_to_string(path).unwrap();
        let about = text.lines().next().unwrap().strip_prefix("# ").unwrap_or_default();
        assert!(
            about.split_whitespace().count() >= 5,
            "examples/{name}.toml does not begin by saying what it shows"
        );
    }
}
