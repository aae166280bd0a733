//! Whole outputs, as stored. `FOVEA_BLESS=1` rewrites them; the change is reviewed like code.

use super::Scratch;
use std::fs;
use std::path::Path;

/// The first line in which two texts differ, from 1.
fn first_difference(kept: &str, got: &str) -> Option<usize> {
    let same = kept.lines().zip(got.lines()).take_while(|(kept, got)| kept == got).count();
    (kept != got).then_some(same + 1)
}

/// The command that stores what the present test compares; the harness calls a test's thread by the test's name.
fn bless() -> String {
    let thread = std::thread::current();
    let test = thread.name().filter(|name| name.contains("::")).unwrap_or("cli::");
    format!("FOVEA_BLESS=1 cargo test --release -p fovea-cli --test main -- {test}")
}

/// Compares what `fovea args` prints, stdout then stderr, with the stored text.
#[track_caller]
pub(super) fn assert_stored(name: &str, args: &[&str]) {
    let scratch = Scratch::new();
    assert_stored_in(&scratch, name, args);
    assert_eq!(scratch.tree().len(), 0);
}

/// The same in a directory that holds something already.
#[track_caller]
pub(super) fn assert_stored_in(scratch: &Scratch, name: &str, args: &[&str]) {
    let told = scratch.fovea(args);
    let code = told.code.unwrap();
    let got = format!("$ fovea {}\n{}{}[exit {code}]\n", args.join(" "), told.out, told.err);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    if std::env::var_os("FOVEA_BLESS").is_some_and(|bless| bless == "1") {
        fs::write(&path, &got).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    if let Some(line) = first_difference(&kept, &got) {
        let bless = bless();
        panic!("{name} differs from line {line} on; if that is meant:\n{bless}\nIt is now:\n{got}");
    }
}

#[test]
fn list_is_as_stored() {
    assert_stored("list.txt", &["list"]);
}

#[test]
fn show_of_an_experiment_is_as_stored() {
    assert_stored("show-localize.txt", &["show", "localize"]);
}

#[test]
fn show_of_a_form_is_as_stored() {
    assert_stored("show-nlgp.cov.txt", &["show", "nlgp.cov"]);
}

#[test]
fn eval_of_a_table_is_as_stored() {
    assert_stored("eval-dictator.fixed_point.txt", &["eval", "dictator.fixed_point"]);
}

#[test]
fn help_of_an_experiment_is_as_stored() {
    assert_stored("help-localize.txt", &["run", "localize", "--help"]);
}

#[test]
fn help_of_the_verbs_that_read_is_as_stored() {
    for verb in ["report", "compare", "measure", "bench"] {
        assert_stored(&format!("help-{verb}.txt"), &[verb, "--help"]);
    }
}

#[test]
fn an_error_of_usage_is_as_stored() {
    assert_stored("error-flag.txt", &["run", "localize", "--xi-poz", "3"]);
}

#[test]
fn an_error_of_science_is_as_stored() {
    assert_stored("error-kernel.txt", &["run", "localize", "--xi-pos", "5.5"]);
}

#[test]
fn a_text_that_is_another_is_noticed() {
    assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
    assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
    assert_eq!(first_difference("a\nb\n", "a\nb"), Some(3));
    assert_eq!(first_difference("", "a\n"), Some(1));
}
