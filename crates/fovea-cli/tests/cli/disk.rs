//! A disk that refuses: an error with its hint and exit 2, and nothing that looks like a finished run.

use super::{Scratch, TINY, Told};
use std::io::Write;

/// The run of these tests, for a script.
fn run_to(out: &str) -> String {
    format!("\"$FOVEA\" run localize --out {out} {}", TINY.join(" "))
}

/// Runs a script in a mount namespace of its own where the kernel lets us; what it mounts goes with it.
///
/// Where mounts are refused the part is left out with a plain line; with `CI=true` that is a failure.
pub(super) fn in_own_mounts(scratch: &Scratch, script: &str) -> Option<Told> {
    let allowed = scratch.sh("unshare -rm sh -c 'mkdir -p m && mount -t tmpfs tmpfs m'");
    if allowed.code == Some(0) {
        return Some(scratch.sh(&format!("unshare -rm sh -c '{script}'")));
    }
    let line =
        format!("mounts are not permitted here ({}); a part is left out", allowed.err.trim());
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "{line}");
    // Past the test harness, which keeps what a passing test prints to itself.
    let _ = writeln!(std::io::stderr(), "{line}");
    None
}

#[track_caller]
fn assert_refused(told: &Told, message: &str, hint: &str) {
    assert_eq!(told.err, format!("error: {message}\n\nhint: {hint}\n"));
    assert_eq!(told.code, Some(2));
}

const FULL: &str = "free some space or choose another --out; what was written is left under a name ending in .partial";
const ELSEWHERE: &str = "choose a path that can be written, with --out";

#[test]
fn a_run_cannot_be_kept_under_a_file() {
    let scratch = Scratch::new();
    scratch.write("file", "keep");
    let hint = "a part of the path is a file; choose another --out";
    let args = |out| ["run", "localize", "--quick", "--out", out];
    scratch.refuses(&args("file/o"), "could not create file: not a directory", hint);
    let deeper = "could not create file/a: Not a directory (os error 20)";
    scratch.refuses(&args("file/a/o"), deeper, hint);
}

#[test]
fn a_place_that_takes_no_directory_is_an_error() {
    // Nobody, root included, can make a directory in /proc.
    let scratch = Scratch::new();
    let told = scratch.fovea(&["run", "localize", "--quick", "--out", "/proc/o"]);
    assert!(told.err.starts_with("error: could not create /proc/o.partial: "), "{}", told.err);
    assert!(told.err.ends_with(&format!("\n\nhint: {ELSEWHERE}\n")), "{}", told.err);
    assert_eq!((told.code, scratch.tree().len()), (Some(2), 0));
}

#[test]
fn a_read_only_disk_is_an_error() {
    let scratch = Scratch::new();
    let script = format!("mount -t tmpfs -o ro tmpfs m && {}", run_to("m/o"));
    if let Some(told) = in_own_mounts(&scratch, &script) {
        let message = "could not create m/o.partial: Read-only file system (os error 30)";
        assert_refused(&told, message, ELSEWHERE);
    }
}

#[test]
fn a_disk_that_fills_leaves_a_partial_run_and_says_so() {
    let scratch = Scratch::new();
    let script = format!(
        "mount -t tmpfs -o size=256k tmpfs m && {}; code=$?; ls m m/*; exit $code",
        run_to("m/o")
    );
    if let Some(told) = in_own_mounts(&scratch, &script) {
        let (_, error) = told.err.split_once("could not write m/o.partial/").unwrap();
        assert!(error.contains(": No space left on device (os error 28)"), "{error}");
        assert!(error.ends_with(&format!("\n\nhint: {FULL}\n")), "{error}");
        assert_eq!(told.code, Some(2));
        let names: Vec<&str> = told.out.lines().collect();
        assert!(names.contains(&"o.partial") && !names.contains(&"o"), "{names:?}");
        assert!(!told.out.contains(".draft"), "{}", told.out);
    }
}

#[test]
fn a_full_disk_before_the_first_file_leaves_nothing() {
    let scratch = Scratch::new();
    let fill = "mount -t tmpfs -o size=8k tmpfs m && head -c 8192 /dev/zero > m/fill";
    let script = format!("{fill}; {}; code=$?; ls -A m; exit $code", run_to("m/o"));
    if let Some(told) = in_own_mounts(&scratch, &script) {
        let message = "could not write m/o.partial/run.toml: No space left on device (os error 28)";
        assert_refused(&told, message, FULL);
        assert_eq!(told.out, "fill\n");
    }
}

#[test]
fn a_file_size_limit_is_an_error_and_no_kill() {
    let scratch = Scratch::new();
    let told = scratch.sh(&format!("ulimit -f 128; exec {}", run_to("o")));
    let message = "could not write o.partial/figures/localize.svg: File too large (os error 27)";
    assert_refused(&told, message, FULL);
    assert!(!scratch.path("o").exists());
    let manifest = super::record::manifest(&scratch.path("o.partial"));
    assert_eq!(manifest["status"].as_str(), Some("running"));
    let drafts =
        scratch.tree().into_iter().filter(|path| path.extension() == Some("draft".as_ref()));
    assert_eq!(drafts.count(), 0);
}

#[test]
fn a_file_size_limit_of_nothing_leaves_nothing() {
    let scratch = Scratch::new();
    let told = scratch.sh(&format!("ulimit -f 0; exec {}", run_to("o")));
    let message = "could not write o.partial/run.toml: File too large (os error 27)";
    assert_refused(&told, message, FULL);
    assert_eq!(scratch.tree().len(), 0);
}

#[test]
fn results_that_cannot_be_printed_are_an_error_and_the_record_stays() {
    let scratch = Scratch::new();
    let message = "could not print to stdout: No space left on device (os error 28)";
    let hint = "send the output where there is space";
    assert_refused(&scratch.sh("\"$FOVEA\" list > /dev/full"), message, hint);
    assert_refused(&scratch.sh(&format!("{} > /dev/full", run_to("o"))), message, hint);
    assert!(scratch.path("o/run.toml").exists());
}
