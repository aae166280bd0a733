//! `fovea run --keep-runs`, then `fovea report --recompute`: the same record without training.

use super::{Scratch, files_and_folders};
use std::fs;
use std::path::Path;

/// Keeps the runs of an experiment at these settings, and makes its record again from them.
#[track_caller]
fn keep_and_recompute(scratch: &Scratch, name: &str, settings: &[&str]) {
    let run = ["run", name, "--quick", "--keep-runs", "--out", "first"];
    assert_eq!(scratch.fovea(&[&run[..], settings].concat()).code, Some(0));
    let told = scratch.fovea(&["report", "first", "--recompute", "--out", "again"]);
    assert_eq!(told.code, Some(0), "{}", told.err);
}

/// Whether every file of numbers and words but the stamp and the kept runs is the same in both.
#[track_caller]
fn assert_same(scratch: &Scratch) {
    let first = scratch.path("first");
    let mut compared = 0;
    for path in files_and_folders(&first).into_iter().filter(|path| path.is_file()) {
        let name = path.strip_prefix(&first).unwrap();
        if name == Path::new("run.toml") || name.starts_with("runs") {
            continue;
        }
        let again = fs::read(scratch.path("again").join(name)).unwrap();
        assert!(fs::read(&path).unwrap() == again, "{}", name.display());
        compared += 1;
    }
    assert!(compared > 4);
}

#[test]
fn kept_runs_are_analysed_again_to_the_byte() {
    for (name, settings) in [
        ("localize", &["--set", "steps=120", "--set", "replicas=2"][..]),
        ("gaussian-flow", &["--set", "steps=100", "--set", "seeds=3"]),
        // Stages, starts from other jobs' records, many labels, and training inside the analysis.
        ("deformation", &[]),
        ("gate-flips", &[]),
        ("where-it-lands", &[]),
        ("dictator", &[]),
        ("ising-transition", &[]),
    ] {
        let scratch = Scratch::new();
        keep_and_recompute(&scratch, name, settings);
        assert_same(&scratch);
    }
}

#[test]
fn what_cannot_be_analysed_again_is_refused() {
    let scratch = Scratch::new();
    scratch.tiny("plain", &[]).fine();
    let hint = "run the experiment with --keep-runs to keep what it trains";
    let args = ["report", "plain", "--recompute", "--out", "new"];
    scratch.refuses(&args, "plain keeps no runs", hint);
    scratch.refuses(
        &["report", "plain", "--recompute"],
        "--recompute makes a new record and needs a name for it",
        "write fovea report DIR --recompute --out NEW",
    );
}
