//! `--dry-run`: what would be done is said, what it would take is about right, and nothing is written.

use super::{FOVEA, Scratch, TINY};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// The one object that a dry run prints.
fn dry(scratch: &Scratch, args: &[&str]) -> Value {
    let before = scratch.tree();
    let told = scratch.fovea(&[args, &["--dry-run", "--json"]].concat());
    assert_eq!((told.code, told.err.as_str()), (Some(0), ""), "{args:?}");
    assert_eq!(scratch.tree(), before, "{args:?} left something behind");
    let objects = told.json();
    assert_eq!((objects.len(), &objects[0]["type"]), (1, &Value::from("dry-run")));
    objects[0].clone()
}

/// Bytes of all files under a directory, and how many there are.
fn on_disk(root: &Path) -> (f64, usize) {
    let files = super::files_and_folders(root).into_iter().filter(|path| path.is_file());
    let sizes: Vec<u64> = files.map(|path| fs::metadata(path).unwrap().len()).collect();
    (sizes.iter().sum::<u64>() as f64, sizes.len())
}

#[track_caller]
fn within_thirty_percent(estimate: &Value, truth: f64) {
    let ratio = estimate.as_f64().unwrap() / truth;
    assert!((0.7..1.3).contains(&ratio), "{estimate} for {truth}");
}

#[test]
fn a_dry_run_says_what_would_be_done_and_writes_nothing() {
    let scratch = Scratch::new();
    let args = [&["run", "localize", "--out", "o"], &TINY[..]].concat();
    let told = dry(&scratch, &args);
    assert_eq!((&told["experiment"], &told["seed"]), (&"localize".into(), &1.into()));
    assert_eq!((&told["settings"]["steps"], &told["settings"]["n"]), (&40.into(), &12.into()));
    assert_eq!((&told["record"], &told["at_least"]), (&"o".into(), &false.into()));
    assert!(told["seconds"].as_f64().unwrap() > 0.0);
    let words = scratch.fovea(&[&args[..], &["--dry-run"]].concat()).fine();
    for part in ["\n  steps = 40\n", "\ntime: about ", "\nmemory: about ", "\nrecord: about "] {
        assert!(words.contains(part), "{words}");
    }
    assert!(scratch.tree().is_empty());
}

#[test]
fn a_dry_run_is_refused_where_the_run_would_be() {
    let scratch = Scratch::new();
    scratch.write("o", "something");
    let hint = "choose another --out, or move the old run away";
    scratch.refuses(
        &["run", "localize", "--dry-run", "--out", "o"],
        "o exists already, and a run never overwrites another",
        hint,
    );
}

#[test]
fn the_bytes_of_a_record_are_known_beforehand() {
    let scratch = Scratch::new();
    let args = [&["run", "localize"], &TINY[..], &["--record-every=2", "--out", "o"]].concat();
    let told = dry(&scratch, &args);
    scratch.fovea(&args).fine();
    let (bytes, files) = on_disk(&scratch.path("o"));
    within_thirty_percent(&told["record_bytes"], bytes);
    assert_eq!(told["record_files"], files);
}

/// Checkpoints are part of a record, and each holds all readings so far.
#[test]
fn the_bytes_of_checkpoints_are_known_beforehand() {
    let scratch = Scratch::new();
    let settings = "steps = 400\nrecord_every = 2\ncheckpoint_every = 50\n[dynamics]\n\
                    name = \"momentum\"\nbatch = 32\n";
    scratch.write("t.toml", settings);
    let told = dry(&scratch, &["train", "t.toml", "--out", "o"]);
    scratch.fovea(&["train", "t.toml", "--out", "o"]).fine();
    within_thirty_percent(&told["record_bytes"], on_disk(&scratch.path("o")).0);
}

/// The most memory that a run of the program held, watched from outside.
#[cfg(target_os = "linux")]
fn watched(scratch: &Scratch, args: &[&str]) -> f64 {
    let mut command = scratch.command(FOVEA);
    let mut child = command.args(args).stdout(Stdio::null()).spawn().unwrap();
    let mut peak = 0.0_f64;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = peak.max(1024.0 * kilobytes.unwrap_or(0.0));
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(child.wait().unwrap().success());
    peak
}

/// Ten million samples of 40 sites would be 1.6 GB; a step holds some thousands of them at a time.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_bounded_by_chunks_whatever_the_batch() {
    let scratch = Scratch::new();
    let file = |batch: usize| {
        format!("steps = 1\nprobes = [\"weights\"]\n[dynamics]\nname = \"sgd\"\nbatch = {batch}\n")
    };
    scratch.write("huge.toml", file(10_000_000));
    scratch.write("small.toml", file(10_000));
    let told = dry(&scratch, &["train", "huge.toml"]);
    let huge = watched(&scratch, &["train", "huge.toml", "--out", "huge"]);
    let small = watched(&scratch, &["train", "small.toml", "--out", "small"]);
    assert!(huge < 1.2 * small && huge < 1e8, "{huge} and {small} bytes");
    within_thirty_percent(&told["memory_bytes"], huge);
}

/// Many records are what takes memory; the estimate above the program itself sees them.
#[test]
#[cfg(target_os = "linux")]
fn the_memory_of_records_is_known_beforehand() {
    let scratch = Scratch::new();
    let settings = "steps = 3000\nrecord_every = 1\nprobes = [\"weights\", \"spectrum\"]\n\
                    [network]\nname = \"committee\"\nwidth = 20\n[dynamics]\nname = \"sgd\"\nbatch = 16\n";
    scratch.write("t.toml", settings);
    let told = dry(&scratch, &["train", "t.toml"]);
    let base = told["program_bytes"].as_f64().unwrap();
    let peak = watched(&scratch, &["train", "t.toml", "--out", "o"]);
    let above = told["memory_bytes"].as_f64().unwrap() - base;
    within_thirty_percent(&above.into(), peak - base);
    assert!(above > 2e7, "{above} bytes are no test of anything");
}
