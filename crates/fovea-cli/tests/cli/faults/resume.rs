//! `fovea run --resume`: an experiment that was killed or stopped resumes job by job and ends in the bytes of one that was not.

use super::super::bits::assert_same_record;
use super::super::record::rewrite;
use super::super::{FOVEA, Scratch, Told};
use super::tried;
use fovea_core::agree::{test_seed, trials};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Sixteen jobs of a tenth of a second or more, and theory after them.
const ARGS: [&str; 9] = [
    "localize",
    "--gain=0.01,3,inf,30",
    "--steps=1200",
    "--record-every=300",
    "--batch=20000",
    "--n=24",
    "--xi-pos=1.5",
    "--replicas=4",
    "--seed=5",
];

fn run_to(out: &str) -> Vec<&str> {
    [&["run"], &ARGS[..], &["--out", out]].concat()
}

fn start(scratch: &Scratch, args: &[&str]) -> Child {
    let mut command = scratch.command(FOVEA);
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// It went well and began by saying so; on a slow machine lines of progress follow.
#[track_caller]
fn ended_well(told: &Told, first: &str) {
    let well = told.code == Some(0) && told.err.starts_with(first) && !told.err.contains("error: ");
    assert!(well, "{told:?}");
}

/// Files of jobs that ended.
fn kept(partial: &Path) -> usize {
    let entries = fs::read_dir(partial.join("jobs"));
    entries
        .map_or(0, |entries| entries.flatten().filter(|e| e.path().extension().is_none()).count())
}

/// Waits until another job was kept, and some seconds more; sends a signal. Whether the run was still going.
fn hit(mut child: Child, partial: &Path, signal: &str, after: f64) -> Option<Told> {
    let before = kept(partial);
    while kept(partial) <= before && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(Duration::from_secs_f64(after));
    let _ = Command::new("kill").args([signal, &child.id().to_string()]).output().unwrap();
    let told = Told::of(&child.wait_with_output().unwrap());
    (told.code != Some(0)).then_some(told)
}

/// Kills a run that has kept a job. On a busy machine one may end before it is hit, and makes room for the next.
fn cut(scratch: &Scratch, partial: &Path) {
    let killed = (0..10).any(|_| {
        let _ = fs::remove_dir_all(scratch.path("cut"));
        hit(start(scratch, &run_to("cut")), partial, "-KILL", 0.0).is_some()
    });
    assert!(killed, "ten runs ended before they were killed");
}

#[test]
fn an_experiment_that_is_killed_and_resumed_has_the_same_bytes() {
    let scratch = Scratch::new();
    ended_well(&scratch.fovea(&run_to("whole")), "");
    let count = trials(2, 40);
    let (mut killed, mut jobs) = (0, 0);
    for trial in 0..count {
        let out = format!("cut{trial}");
        let partial = scratch.path(&format!("{out}.partial"));
        let resume = ["run", "--resume", partial.to_str().unwrap()];
        let signals =
            [["-KILL", "-KILL"], ["-TERM", "-KILL"], ["-KILL", "-INT"], ["-HUP", "-USR1"]];
        let moments = [0, 1]
            .map(|hit| (test_seed(module_path!(), 2 * trial as u64 + hit) % 1000) as f64 / 2000.0);
        let [first, second] = signals[trial % signals.len()];
        let Some(told) = hit(start(&scratch, &run_to(&out)), &partial, first, moments[0]) else {
            continue;
        };
        if first != "-KILL" {
            let on = format!("to resume: fovea run --resume {out}.partial\n");
            assert!(told.code == Some(130) && told.out.contains(&on), "{told:?}");
        }
        killed += 1;
        jobs += kept(&partial);
        if hit(start(&scratch, &resume), &partial, second, moments[1]).is_some() {
            ended_well(&scratch.fovea(&resume), "resuming after ");
        }
        assert!(!partial.exists());
        assert_same_record(&scratch.path("whole"), &scratch.path(&out));
        fs::remove_dir_all(scratch.path(&out)).unwrap();
    }
    assert!(killed > 0 && jobs > 0, "{killed} of {count} were hit, {jobs} files of jobs kept");
    tried(
        "an experiment killed or stopped twice, then resumed",
        killed,
        "same bytes as one that was not",
    );
}

#[test]
fn jobs_that_ended_are_not_trained_again_and_damaged_ones_are() {
    let scratch = Scratch::new();
    ended_well(&scratch.fovea(&run_to("whole")), "");
    let partial = scratch.path("cut.partial");
    cut(&scratch, &partial);
    let copy = |to: &str| {
        let told = scratch.sh(&format!("cp -r cut.partial {to}.partial"));
        assert_eq!(told.code, Some(0), "{told:?}");
        scratch.path(&format!("{to}.partial"))
    };
    // A flipped bit: that job is trained again, which is said, and the record is right.
    let damaged = copy("damaged");
    let file = fs::read_dir(damaged.join("jobs")).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 16;
    fs::write(&file, bytes).unwrap();
    let told = scratch.fovea(&["run", "--resume", "damaged.partial"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    assert!(told.err.contains("1 damaged job files are ignored"), "{told:?}");
    assert_same_record(&scratch.path("whole"), &scratch.path("damaged"));
    ended_well(&scratch.fovea(&["run", "--resume", "cut.partial"]), "resuming after ");
    assert_same_record(&scratch.path("whole"), &scratch.path("cut"));
}

#[test]
fn a_run_that_is_killed_before_a_job_ended_begins_again() {
    let scratch = Scratch::new();
    let mut child = start(&scratch, &run_to("cut"));
    while !scratch.path("cut.partial/run.toml").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    if kept(&scratch.path("cut.partial")) > 0 {
        return;
    }
    let told = scratch.fovea(&["run", "--resume", "cut.partial"]);
    ended_well(&told, "no job had finished: starting again\n");
    ended_well(&scratch.fovea(&run_to("whole")), "");
    assert_same_record(&scratch.path("whole"), &scratch.path("cut"));
}

#[test]
fn a_quick_run_keeps_no_jobs_and_a_whole_record_holds_none() {
    let scratch = Scratch::new();
    scratch.tiny("o", &[]).fine();
    assert!(!scratch.path("o/jobs").exists());
}

#[test]
fn the_right_verb_is_named_where_the_other_one_is_taken() {
    let scratch = Scratch::new();
    for (name, experiment, wrong, right) in [
        ("a", "localize", "train", "write fovea run --resume a.partial"),
        ("b", "train", "run", "write fovea train --resume b.partial"),
        ("c", "verify", "run", "run fovea verify again: it keeps no partial results"),
    ] {
        let folder = format!("{name}.partial");
        fs::create_dir(scratch.path(&folder)).unwrap();
        let manifest = format!(
            "format = 1\nexperiment = \"{experiment}\"\nstatus = \"running\"\nhash = \"0\"\nseed = 0\n\
             numeric_version = 1\n[settings]\n[stamp]\n"
        );
        scratch.write(&format!("{folder}/run.toml"), manifest);
        let message = format!("{folder} is an unfinished run of `{experiment}`");
        scratch.refuses(&[wrong, "--resume", &folder], &message, right);
    }
    let message = "gone.partial is not an unfinished run";
    let hint = "name the directory of an interrupted run, which ends in .partial";
    scratch.refuses(&["run", "--resume", "gone.partial"], message, hint);
}

#[test]
fn a_run_of_other_settings_is_not_gone_on_with() {
    let scratch = Scratch::new();
    cut(&scratch, &scratch.path("cut.partial"));
    let path = scratch.path("cut.partial/run.toml");
    rewrite(&path, |text| text.replace("batch = 20000", "batch = 20002"));
    scratch.refuses(
        &["run", "--resume", "cut.partial"],
        "cut.partial was started with other settings or inputs, or by another program",
        "run the experiment again, or put back the files that it reads",
    );
}
