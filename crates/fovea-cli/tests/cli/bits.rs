//! One seed, one record: the same bytes on any number of threads, apart from the stamp.

use super::{Scratch, files_and_folders};
use std::fs;
use std::path::Path;

/// The lines of `run.toml` before its `[stamp]` table, which is its last.
fn unstamped(run: &Path) -> String {
    let text = fs::read_to_string(run.join("run.toml")).unwrap();
    let (body, stamp) = text.split_once("[stamp]\n").unwrap();
    assert!(!stamp.contains('['), "a table follows the stamp: {stamp}");
    body.to_owned()
}

/// The names of the files whose bytes differ, once both runs have the same files.
fn differing(a: &Path, b: &Path) -> Vec<String> {
    let names = |run: &Path| -> Vec<String> {
        let paths = files_and_folders(run);
        paths.iter().map(|p| p.strip_prefix(run).unwrap().display().to_string()).collect()
    };
    assert_eq!(names(a), names(b));
    let differs = |name: &String| {
        if name == "run.toml" {
            unstamped(a) != unstamped(b)
        } else {
            a.join(name).is_file()
                && fs::read(a.join(name)).unwrap() != fs::read(b.join(name)).unwrap()
        }
    };
    names(a).into_iter().filter(differs).collect()
}

#[track_caller]
pub(super) fn assert_same_record(a: &Path, b: &Path) {
    assert_eq!(differing(a, b), Vec::<String>::new());
}

/// Runs with claims and figures, of many jobs and of batches that are split among threads, and of deep networks.
const RUNS: [&[&str]; 3] = [
    &[
        "localize",
        "--gain=0.01,3,inf",
        "--steps=60",
        "--record-every=1",
        "--batch=3000",
        "--replicas=2",
    ],
    &["gaussian-flow", "--steps=40", "--batch=500", "--seeds=5"],
    &["finite-width-kurtosis", "--quick", "--nets=200"],
];

#[test]
fn one_and_two_threads_give_the_same_bytes() {
    for args in RUNS {
        let scratch = Scratch::new();
        let run = |out: &str, threads: &str| {
            let told =
                scratch.fovea(&[&["run"], args, &["--out", out, "--threads", threads]].concat());
            assert_eq!(told.err, "");
            let stamp = &super::record::manifest(&scratch.path(out))["stamp"];
            assert_eq!(stamp["threads"].as_integer().unwrap().to_string(), threads);
        };
        for threads in ["1", "2", "7"] {
            run(threads, threads);
        }
        assert_same_record(&scratch.path("1"), &scratch.path("2"));
        assert_same_record(&scratch.path("1"), &scratch.path("7"));
        assert!(scratch.path("1/figures").exists() && scratch.path("1/arrays").exists());
    }
}

#[test]
fn one_seed_gives_the_same_bytes_twice_and_another_does_not() {
    // Those that keep a series and the weights they started from.
    for args in &RUNS[..2] {
        let scratch = Scratch::new();
        for (out, seed) in [("a", "5"), ("b", "5"), ("c", "6")] {
            let told = scratch.fovea(&[&["run"], *args, &["--out", out, "--seed", seed]].concat());
            assert_eq!(told.err, "");
        }
        assert_same_record(&scratch.path("a"), &scratch.path("b"));
        // Every file that holds numbers of the run moves with the seed.
        let moved = differing(&scratch.path("a"), &scratch.path("c"));
        for name in ["arrays/start.npy", "report.html", "run.toml", "series.parquet"] {
            assert!(moved.contains(&name.to_owned()), "{name} does not depend on the seed");
        }
    }
}
