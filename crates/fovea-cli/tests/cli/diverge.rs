//! Training that runs away: a whole record that says so, exit 1, and no number in it that is not finite.

use super::Scratch;
use super::record::{assert_finite, manifest};

/// Runs `args` and checks that the record and the talk agree on where training broke.
#[track_caller]
fn diverges(args: &[&str]) {
    let scratch = Scratch::new();
    let told = scratch.fovea(&[&["run"], args, &["--out", "o"]].concat());
    assert_eq!((told.code, told.err.as_str()), (Some(1), ""), "{told:?}");
    let run = scratch.path("o");
    let manifest = manifest(&run);
    assert_eq!(manifest["status"].as_str(), Some("diverged"));
    let step = manifest["diverged_at_step"].as_integer().unwrap();
    let curve = manifest["diverged_curve"].as_str().unwrap();
    let line = format!("diverged: {curve} is no longer finite at step {step}; ");
    assert!(told.out.contains(&line), "{line:?} is not in {}", told.out);
    assert!(!told.out.contains("NaN"), "{}", told.out);
    assert!(!scratch.path("o.partial").exists());
    assert_finite(&run);
}

#[test]
fn a_learning_rate_of_a_million_diverges_into_a_finite_record() {
    diverges(&["localize", "--replicas=2", "--steps=400", "--batch=64", "--lr=1e6"]);
    diverges(&["gaussian-flow", "--steps=400", "--batch=64", "--seeds=2", "--lr=1e6"]);
}

#[test]
fn divergence_is_seen_in_double_precision_too() {
    diverges(&[
        "localize",
        "--replicas=2",
        "--steps=400",
        "--batch=64",
        "--lr=1e6",
        "--precision=f64",
    ]);
}

#[test]
fn a_learning_rate_beyond_single_precision_diverges_as_well() {
    diverges(&[
        "localize",
        "--replicas=2",
        "--steps=400",
        "--batch=64",
        "--lr=1e300",
        "--record-every=4",
    ]);
    diverges(&["gaussian-flow", "--steps=400", "--batch=64", "--seeds=2", "--lr=1e300"]);
}

#[test]
fn a_run_that_does_not_diverge_says_nothing_of_it() {
    let scratch = Scratch::new();
    let told = scratch.tiny("o", &[]).fine();
    assert!(!told.contains("diverged"), "{told}");
    let manifest = manifest(&scratch.path("o"));
    assert_eq!(manifest["status"].as_str(), Some("completed"));
    assert!(!manifest.contains_key("diverged_at_step"));
    assert_finite(&scratch.path("o"));
}

#[test]
fn divergence_is_in_the_json_too() {
    let scratch = Scratch::new();
    let told = scratch.tiny("o", &["--lr=1e6", "--json"]);
    let lines = told.json();
    let end = lines.last().unwrap();
    assert_eq!((end["type"].as_str(), end["status"].as_str()), (Some("end"), Some("diverged")));
    assert!(end["trouble"].as_str().unwrap().starts_with("diverged: gain=3 "), "{end}");
    assert_eq!(told.code, Some(1));
}
