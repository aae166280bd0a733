//! Disks that are full, that end in the middle of a file, that cannot be written: an error, and what was kept can be resumed.

use super::super::bits::assert_same_record;
use super::super::disk::in_own_mounts;
use super::super::resume::{train_to, with_file};
use super::super::{Scratch, TINY, Told};
use super::tried;
use fovea_core::agree::{test_seed, trials};
use std::fs;

/// An error with its hint, and no panic.
#[track_caller]
fn assert_refused(told: &Told) {
    assert!(told.code == Some(2) && told.err.contains("hint: "), "{told:?}");
    assert!(!told.err.contains("panicked"), "{}", told.err);
}

/// Goes on with what a run that met a limit left, where there is room again.
fn finish(scratch: &Scratch, out: &str, args: &[&str]) {
    let partial = format!("{out}.partial");
    if scratch.path(out).exists() {
        return;
    }
    let resumable = scratch.path(&partial).join("run.toml").exists();
    let resume = ["train", "--resume", &partial];
    let told = scratch.fovea(if resumable { &resume } else { args });
    assert_eq!(told.code, Some(0), "{}", told.err);
}

#[test]
fn a_limit_on_files_at_any_size_loses_nothing() {
    let scratch = with_file();
    scratch.fovea(&train_to("whole", &["probes=loss,weights"])).fine();
    let largest = fs::metadata(scratch.path("whole/report.html")).unwrap().len();
    let (times, mut met) = (trials(4, 60), 0);
    for trial in 0..times {
        let out = format!("cut{trial}");
        let args = train_to(&out, &["probes=loss,weights"]);
        // Most files are small: half of the limits are below half of the largest, and so on.
        let seed = test_seed(module_path!(), trial as u64);
        let blocks = ((largest / 512) >> (seed % 11)).saturating_sub(seed / 11 % 5);
        let command = format!("ulimit -f {blocks}; exec \"$FOVEA\" {}", args.join(" "));
        let told = scratch.sh(&command);
        if told.code != Some(0) {
            met += 1;
            assert_refused(&told);
        }
        finish(&scratch, &out, &args);
        assert_same_record(&scratch.path("whole"), &scratch.path(&out));
        fs::remove_dir_all(scratch.path(&out)).unwrap();
    }
    assert!(met > 0, "no run met its limit");
    let what =
        format!("{met} met the limit and said so; with room again every record was the same");
    tried("file-size limits of any size", times, &what);
}

#[test]
fn a_disk_that_fills_at_any_moment_loses_nothing() {
    let scratch = with_file();
    scratch.fovea(&train_to("whole", &[])).fine();
    let args = train_to("m/o", &[]);
    let (times, mut met, mut tries) = (trials(3, 40), 0, 0);
    for trial in 0..times {
        let kilobytes = 16 + test_seed(module_path!(), 1000 + trial as u64) % 600;
        let begin = format!("\"$FOVEA\" {}", args.join(" "));
        let script = format!(
            "mount -t tmpfs -o size={kilobytes}k tmpfs m; {begin}; echo code $? >&2; \
             mount -o remount,size=64m m; \
             if [ -e m/o.partial/run.toml ]; then \"$FOVEA\" train --resume m/o.partial; \
             elif [ ! -e m/o ]; then {begin}; fi; code=$?; rm -rf kept; cp -r m/o kept; exit $code"
        );
        let Some(told) = in_own_mounts(&scratch, &script) else { break };
        tries += 1;
        assert_eq!(told.code, Some(0), "{kilobytes} KiB: {told:?}");
        assert!(!told.err.contains("panicked"), "{}", told.err);
        met += usize::from(told.err.contains("No space left on device"));
        assert_same_record(&scratch.path("whole"), &scratch.path("kept"));
    }
    assert!(tries == 0 || met > 0, "no disk was full");
    tried(
        "full disks of 16 to 616 KiB",
        tries,
        &format!("{met} full; with room again every record was the same"),
    );
}

#[test]
fn a_disk_that_cannot_be_written_and_an_output_that_is_full_are_errors() {
    let scratch = Scratch::new();
    scratch.tiny("o", &[]).fine();
    let run = format!("\"$FOVEA\" run localize --out m/n {}", TINY.join(" "));
    let read_only = "mount -t tmpfs tmpfs m && cp -r o m/o && mv m/o m/o.partial && cp -r o m/o && mount -o remount,ro m";
    let mut times = 0;
    for command in [
        &run,
        "\"$FOVEA\" report m/o",
        "\"$FOVEA\" report m/o.partial",
        "\"$FOVEA\" train --resume m/o.partial",
    ] {
        let Some(told) = in_own_mounts(&scratch, &format!("{read_only} && {command}")) else {
            break;
        };
        assert_refused(&told);
        assert!(told.err.contains("m/") && told.err.contains("Read-only file system"), "{told:?}");
        times += 1;
    }
    for command in ["compare o o", "report o", "show localize", "eval nlgp.normalizer"] {
        let told = scratch.sh(&format!("\"$FOVEA\" {command} > /dev/full"));
        assert_refused(&told);
        assert!(told.err.contains("could not print to stdout"), "{told:?}");
        times += 1;
    }
    scratch.fovea(&["compare", "o", "o"]).fine();
    tried("read-only disks, a full output", times, "all said so, nothing was changed");
}
