//! Unknown names: each is refused with the nearest right one, or with all of them.

use super::{FOVEA, Scratch, TINY};
use std::os::unix::ffi::OsStrExt;

#[test]
fn an_unknown_setting_names_the_nearest_one_or_all() {
    let scratch = Scratch::new();
    let there_is_no = |key| format!("there is no parameter `{key}`");
    let all = "the parameters are n, xi_pos, xi_neg, kernel, lr, batch, steps, precision, gain, record_every, \
               replicas, init_scale, labels";
    scratch.refuses_setting("xi_poss=3", &there_is_no("xi_poss"), "did you mean `xi_pos`?");
    scratch.refuses_setting("gian=3", &there_is_no("gian"), "did you mean `gain`?");
    scratch.refuses_setting("zzzzz=3", &there_is_no("zzzzz"), all);
}

#[test]
fn an_unknown_flag_names_the_nearest_one_or_the_help() {
    let scratch = Scratch::new();
    let localize = |flag| ["run", "localize", "--out", "o", flag, "3"];
    let unexpected = |flag| format!("unexpected argument `{flag}` found");
    scratch.refuses(&localize("--xi-poz"), &unexpected("--xi-poz"), "did you mean `--xi-pos`?");
    let help = "fovea run localize --help lists what can be given";
    scratch.refuses(&localize("--zzzzz"), &unexpected("--zzzzz"), help);
    scratch.refuses(&["run", "localize", "stray"], &unexpected("stray"), help);
    scratch.refuses(
        &["eval", "nlgp.excess_kurtosis", "--gain", "3"],
        &unexpected("--gain"),
        "write --set gain=VALUE",
    );
}

#[test]
fn an_unknown_item_names_the_nearest_one_or_all_of_its_kind() {
    let scratch = Scratch::new();
    let no = |kind: &str, name: &str| format!("there is no {kind} called `{name}`");
    let localize = "did you mean `localize`?";
    scratch.refuses(&["run", "locallize", "--out", "o"], &no("experiment", "locallize"), localize);
    scratch.refuses(&["show", "localise"], &no("item", "localise"), localize);
    let kurtosis = "did you mean `nlgp.excess_kurtosis`?";
    scratch.refuses(&["eval", "nlgp.excess_kurtosi"], &no("form", "nlgp.excess_kurtosi"), kurtosis);
    scratch.refuses(&["list", "form-s"], &no("kind of item", "form-s"), "did you mean `form`?");

    let told = scratch.fovea(&["list", "zzz"]);
    assert!(told.err.contains("hint: every kind of item: experiment, form,"), "{}", told.err);
    let run = "`fovea list` names every experiment";
    scratch.refuses(&["run", "zzz", "--out", "o"], &no("experiment", "zzz"), run);
    scratch.refuses(&["eval", "zzz"], &no("form", "zzz"), "`fovea list` names every form");
    scratch.refuses(&["show", "zzz"], &no("item", "zzz"), "`fovea list` names every item");
}

#[test]
fn what_was_an_experiment_once_says_where_it_is() {
    let scratch = Scratch::new();
    let place = "use `fovea bench --only scaling` instead";
    for verb in ["run", "show"] {
        scratch.refuses(&[verb, "scaling"], "`scaling` is no longer an experiment", place);
    }
    let table = scratch.fovea(&["bench", "--quick", "--only", "scaling"]).fine();
    assert!(table.contains("scaling-width-512") && table.contains("work as width^1"), "{table}");
}

#[test]
fn an_unknown_command_names_the_nearest_one_or_the_help() {
    let scratch = Scratch::new();
    scratch.refuses(&["lst"], "unrecognized command `lst`", "did you mean `list`?");
    let help = "fovea --help lists what can be given";
    scratch.refuses(&["zzz"], "unrecognized command `zzz`", help);
    let missing = "the following required arguments were not provided: <NAME>";
    scratch.refuses(&["show"], missing, "fovea show --help lists what can be given");
}

#[test]
fn hyphens_and_underscores_are_the_same_in_names_and_flags() {
    let scratch = Scratch::new();
    let out_of_range = "`seeds` is 1; it must be in [2, 10000]";
    let hint = "choose a value of `seeds` that is in [2, 10000]";
    for name in ["reference-parity", "reference_parity"] {
        scratch.refuses(&["run", name, "--seeds", "1"], out_of_range, hint);
    }
    let zero = "`xi_pos` is 0; it must be > 0, finite";
    let hint = "choose a value of `xi_pos` that is > 0, finite";
    for flag in ["--xi-pos", "--xi_pos"] {
        scratch.refuses(&["run", "localize", flag, "0"], zero, hint);
    }
    scratch.refuses(&["run", "localize", "--set", "xi-pos=0"], zero, hint);
    assert_eq!(
        scratch.fovea(&["show", "gaussian_flow"]).fine(),
        scratch.fovea(&["show", "gaussian-flow"]).fine()
    );
}

#[test]
fn bytes_that_are_no_text_are_an_error_and_no_panic() {
    let scratch = Scratch::new();
    let word = std::ffi::OsStr::from_bytes(b"\xff");
    for before in [&["run"][..], &["list"], &["show"], &["eval"], &["run", "localize", "--set"]] {
        let told = scratch.command(FOVEA).args(before).arg(word).output().unwrap();
        let err = String::from_utf8_lossy(&told.stderr).into_owned();
        assert_eq!(told.status.code(), Some(2), "{err}");
        assert!(err.starts_with("error: ") && err.contains("\n\nhint: "), "{err}");
    }
    // A path may be any bytes.
    let mut run = scratch.command(FOVEA);
    run.args(["run", "localize", "--out"]).arg(word).args(TINY);
    assert_eq!(run.output().unwrap().status.code(), Some(0));
    assert!(scratch.0.join(word).join("run.toml").exists());
}
