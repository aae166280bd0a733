//! A training run that is killed at any moment and resumed ends in the same bytes as one that was not.

use super::bits::assert_same_record;
use super::record::{amend, manifest, rewrite};
use super::{FOVEA, Scratch, Told};
use fovea_core::agree::test_seed;
use fovea_lab::catalogue;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

/// Some tenths of a second, most of them for the ten checkpoints.
const FILE: &str = r#"
steps = 1100
record_every = 70
eval_samples = 100
checkpoint_every = 100
probes = ["loss", "ipr", "bias", "weights"]

[class.pos]
stimulus = { name = "nlgp", n = 12, xi = 1 }

[class.neg]
stimulus = { name = "nlgp", n = 12, xi = 0.5 }

[network]
name = "committee"
width = 3
bias = "trainable"
init = { name = "glorot", init_scale = 0.5 }

[dynamics]
name = "sgd"
lr = 0.1
batch = 64
schedule = { name = "cosine", end = 0.1 }
"#;

/// A scratch directory with the training file.
pub(super) fn with_file() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("t.toml", FILE);
    scratch
}

/// `train t.toml --out OUT` with these settings.
pub(super) fn train_to<'a>(out: &'a str, sets: &[&'a str]) -> Vec<&'a str> {
    let sets = sets.iter().flat_map(|set| ["--set", set]);
    ["train", "t.toml", "--out", out].into_iter().chain(sets).collect()
}

pub(super) fn start(scratch: &Scratch, args: &[&str]) -> Child {
    let mut command = scratch.command(FOVEA);
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The step of the latest whole checkpoint of an unfinished run.
pub(super) fn latest(partial: &Path) -> Option<u64> {
    let entries = fs::read_dir(partial.join("checkpoints")).ok()?;
    let step = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    entries.flatten().filter_map(step).max()
}

/// The folder of a checkpoint.
pub(super) fn checkpoint(partial: &Path, step: u64) -> std::path::PathBuf {
    partial.join(format!("checkpoints/{step:012}"))
}

/// Waits for a checkpoint after `before`, a while longer, and kills; whether the run was still going.
fn killed(mut child: Child, partial: &Path, before: Option<u64>, delay: f64) -> bool {
    while latest(partial) <= before && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_secs_f64(delay));
    child.kill().unwrap();
    let told = Told::of(&child.wait_with_output().unwrap());
    assert!(told.code.is_none_or(|code| code == 0), "{told:?}");
    told.code.is_none()
}

/// Leaves `cut.partial`, killed after its first checkpoint.
pub(super) fn killed_run(scratch: &Scratch, sets: &[&str]) {
    let partial = scratch.path("cut.partial");
    let more = [sets, &["steps=1e9", "record_every=1e7"]].concat();
    assert!(killed(start(scratch, &train_to("cut", &more)), &partial, None, 0.0));
}

/// Checks that two records are the same, apart from checkpoints.
fn assert_same_but_for_checkpoints(a: &Path, b: &Path) {
    for run in [a, b] {
        assert!(latest(run).is_some(), "{} kept no checkpoint", run.display());
        fs::remove_dir_all(run.join("checkpoints")).unwrap();
    }
    assert_same_record(a, b);
}

/// Kills a run twice at random moments, resumes it to the end and compares; `index` picks the moments.
fn survives(sets: &[&str], index: u64) {
    let scratch = with_file();
    scratch.fovea(&train_to("whole", sets)).fine();
    let seconds = manifest(&scratch.path("whole"))["stamp"]["seconds"].as_float().unwrap();
    for attempt in 0..8 {
        let moment = |kill: u64| {
            let seed = test_seed(module_path!(), 1000 * index + 10 * attempt + kill);
            seconds / 4.0 * (seed % 1000) as f64 / 1000.0
        };
        let out = format!("cut{attempt}");
        let partial = scratch.path(&format!("{out}.partial"));
        let resume = ["train", "--resume", partial.to_str().unwrap()];
        if !killed(start(&scratch, &train_to(&out, sets)), &partial, None, moment(0)) {
            continue;
        }
        let reached = latest(&partial);
        assert!(reached.is_some() && !scratch.path(&out).exists());
        if !killed(start(&scratch, &resume), &partial, reached, moment(1)) {
            continue;
        }
        assert!(latest(&partial) > reached, "{sets:?} began again");
        scratch.fovea(&resume).resumed("resuming from step ");
        assert!(!partial.exists());
        return assert_same_but_for_checkpoints(&scratch.path("whole"), &scratch.path(&out));
    }
    panic!("{sets:?} was always over before it was killed");
}

/// Every network with every dynamics, and what else changes what there is to remember.
fn cases() -> Vec<Vec<String>> {
    let items = catalogue();
    let named = |kind: &'static str| items.iter().filter(move |item| item.kind == kind);
    let mut cases: Vec<Vec<String>> = Vec::new();
    for network in named("network") {
        for dynamics in named("dynamics") {
            cases.push(vec![
                format!("network.name={}", network.name),
                format!("dynamics.name={}", dynamics.name),
            ]);
        }
    }
    let others: [&[&str]; 6] = [
        &["precision=f64"],
        &["record=log", "records=20"],
        &["dynamics.samples=fixed", "labels=balanced"],
        &["target=one-hot", "network.name=two-layer", "loss=cross-entropy"],
        &["dynamics.name=momentum", "dynamics.warmup=400", "dynamics.weight_decay=0.01"],
        &[
            "class.pos.stimulus=gaussian-clone(base=nlgp(n=12, xi=1, gain=inf))",
            "target=sign-changes",
        ],
    ];
    cases.extend(others.map(|sets| sets.iter().map(ToString::to_string).collect()));
    cases
}

#[test]
fn a_run_that_is_killed_twice_and_resumed_has_the_same_bytes() {
    let cases: Vec<(u64, Vec<String>)> = (0..).zip(cases()).collect();
    assert!(cases.len() >= 18);
    // Most of the time goes into waiting for the disk.
    let (one, other) = cases.split_at(cases.len() / 2);
    std::thread::scope(|scope| {
        for part in [one, other] {
            scope.spawn(move || {
                for (index, sets) in part {
                    survives(&sets.iter().map(String::as_str).collect::<Vec<_>>(), *index);
                }
            });
        }
    });
}

#[test]
fn a_run_that_is_killed_before_its_first_checkpoint_begins_again() {
    let scratch = with_file();
    let long = ["steps=1e9", "record_every=1e7", "checkpoint_every=1e9"];
    let mut child = start(&scratch, &train_to("cut", &long));
    while !scratch.path("cut.partial/run.toml").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(latest(&scratch.path("cut.partial")), None);
    // As it was left, except for its steps: nobody waits for that many.
    rewrite(&scratch.path("cut.partial/run.toml"), |text| {
        text.replace("steps = 1000000000", "steps = 1100")
    });
    scratch.fovea(&["train", "--resume", "cut.partial"]).resumed("there is no checkpoint");
    scratch.fovea(&train_to("whole", &["record_every=1e7", "checkpoint_every=1e9"])).fine();
    assert_same_record(&scratch.path("whole"), &scratch.path("cut"));
}

#[test]
fn a_run_that_is_interrupted_and_resumed_has_the_same_bytes() {
    let scratch = with_file();
    scratch.fovea(&train_to("whole", &[])).fine();
    let (mut child, partial) =
        (start(&scratch, &train_to("cut", &[])), scratch.path("cut.partial"));
    while latest(&partial).is_none() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let told = scratch.sh(&format!("kill -INT {}", child.id()));
    assert_eq!(told.code, Some(0), "{told:?}");
    let told = Told::of(&child.wait_with_output().unwrap());
    assert_eq!((told.code, told.err.as_str()), (Some(130), ""), "{told:?}");
    assert!(told.out.contains("record: cut.partial ("), "{}", told.out);
    assert_eq!(manifest(&partial)["status"].as_str(), Some("interrupted"));
    scratch.fovea(&["train", "--resume", "cut.partial"]).resumed("resuming from step ");
    assert_same_but_for_checkpoints(&scratch.path("whole"), &scratch.path("cut"));
}

#[test]
fn a_resumed_run_goes_on_from_its_checkpoint_and_not_from_the_start() {
    let scratch = with_file();
    scratch.fovea(&train_to("whole", &[])).fine();
    let partial = scratch.path("cut.partial");
    assert!(killed(start(&scratch, &train_to("cut", &[])), &partial, None, 0.0));
    // With another weight in the checkpoint the rest of the run is another one.
    let state = checkpoint(&partial, latest(&partial).unwrap()).join("state.toml");
    amend(&state, "weights.npy", |mut bytes| {
        let last = bytes.len() - 8;
        bytes[last..].copy_from_slice(&1.5_f64.to_le_bytes());
        bytes
    });
    scratch.fovea(&["train", "--resume", "cut.partial"]).resumed("resuming from step ");
    let weights = |run: &str| fs::read(scratch.path(run).join("arrays/weights.npy")).unwrap();
    assert_ne!(weights("whole"), weights("cut"));
}
