//! SIGKILL at any moment: what is left is complete, or can be resumed, or says what to do; nothing that was kept is lost.

use super::super::bits::assert_same_record;
use super::super::resume::{start, train_to, with_file};
use super::super::{Scratch, TINY, Told, files_and_folders};
use super::tried;
use fovea_core::agree::{test_seed, trials};
use std::fs;
use std::time::{Duration, Instant};

/// Kills a program after a share of `whole` that the trial decides; whether it was still going.
fn killed_within(scratch: &Scratch, args: &[&str], whole: Duration, trial: u64) -> bool {
    let mut child = start(scratch, args);
    let share = (test_seed(module_path!(), trial) % 10_000) as f64 / 10_000.0;
    std::thread::sleep(whole.mul_f64(1.05 * share));
    child.kill().unwrap();
    let told = Told::of(&child.wait_with_output().unwrap());
    assert!(told.code.is_none_or(|code| code == 0), "{args:?}: {told:?}");
    assert!(!told.err.contains("panicked"), "{}", told.err);
    told.code.is_none()
}

/// Nothing of the work is left in a record that is done.
#[track_caller]
fn assert_clean(scratch: &Scratch, out: &str) {
    for path in files_and_folders(&scratch.path(out)) {
        let name = path.file_name().unwrap().to_string_lossy();
        assert!(!name.starts_with('.') && !name.ends_with(".draft"), "{}", path.display());
    }
    assert!(!scratch.path(&format!("{out}.partial")).exists());
}

/// How a command makes a record, and how long it takes.
fn timed(scratch: &Scratch, args: &[&str]) -> Duration {
    #[expect(clippy::disallowed_methods, reason = "how long to wait before a kill")]
    let began = Instant::now();
    scratch.fovea(args).fine();
    began.elapsed()
}

#[test]
fn training_that_is_killed_at_any_moment_ends_in_the_same_record() {
    let scratch = with_file();
    let whole = timed(&scratch, &train_to("whole", &["dynamics.name=adam"]));
    let (times, mut kills, mut fresh) = (trials(6, 50), 0, 0);
    for trial in 0..times {
        let out = format!("cut{trial}");
        let args = train_to(&out, &["dynamics.name=adam"]);
        let partial = format!("{out}.partial");
        let mut going = killed_within(&scratch, &args, whole, 8 * trial as u64);
        for again in 1..6 {
            if scratch.path(&out).exists() {
                break;
            }
            kills += usize::from(going);
            let resumable = scratch.path(&partial).join("run.toml").exists();
            fresh += usize::from(!resumable);
            let resume = ["train", "--resume", &partial];
            // Once more at some moment of what is left, in the end without.
            let next: &[&str] = if resumable { &resume } else { &args };
            if again < 3 {
                going = killed_within(&scratch, next, whole, 8 * trial as u64 + again);
            } else {
                assert_eq!(scratch.fovea(next).code, Some(0), "{next:?}");
            }
        }
        assert_same_record(&scratch.path("whole"), &scratch.path(&out));
        assert_clean(&scratch, &out);
        fs::remove_dir_all(scratch.path(&out)).unwrap();
    }
    assert!(kills > 0, "all was over before it was killed");
    let what =
        format!("{kills} kills, {fresh} before there was a run; every record the same in the end");
    tried("SIGKILL of training and of resuming", times, &what);
}

/// A run of a fraction of a second.
fn args(out: &str) -> Vec<&str> {
    [&["run", "localize", "--out", out], &TINY[..]].concat()
}

#[test]
fn an_experiment_that_is_killed_at_any_moment_leaves_a_name_to_use_or_says_so() {
    let scratch = Scratch::new();
    let whole = timed(&scratch, &args("whole"));
    let (times, mut kills, mut moved) = (trials(6, 50), 0, 0);
    for trial in 0..times {
        let (out, partial) = (format!("cut{trial}"), format!("cut{trial}.partial"));
        kills += usize::from(killed_within(&scratch, &args(&out), whole, 1000 + trial as u64));
        if !scratch.path(&out).exists() {
            let told = scratch.fovea(&args(&out));
            if told.code == Some(2) {
                let message = format!("error: {partial} exists already");
                assert!(told.err.starts_with(&message) && told.err.contains("hint: "), "{told:?}");
                fs::rename(scratch.path(&partial), scratch.path(&format!("aside{trial}"))).unwrap();
                moved += 1;
                scratch.fovea(&args(&out)).fine();
            }
        }
        assert_same_record(&scratch.path("whole"), &scratch.path(&out));
        assert_clean(&scratch, &out);
    }
    assert!(kills > 0, "all was over before it was killed");
    let what =
        format!("{kills} kills, {moved} left a run to move away, as was said; every record whole");
    tried("SIGKILL of run and of its writing", times, &what);
}
