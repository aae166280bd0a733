//! Configuration files: what is refused in one, and which of two settings wins.

use super::record::manifest;
use super::{SEEDLESS, Scratch, TINY};
use std::fs;

/// A configuration with this text is refused with exactly this message and hint.
#[track_caller]
fn refuses_file(text: impl AsRef<[u8]>, message: &str, hint: &str) {
    let scratch = Scratch::new();
    scratch.write("c.toml", text);
    let args = [&["run", "localize", "--out", "o", "--config", "c.toml"], &TINY[..]].concat();
    scratch.refuses(&args, message, hint);
}

#[test]
fn a_file_that_does_not_parse_names_line_and_column() {
    let hint = "a configuration is TOML: `key = value` lines, one parameter each";
    refuses_file(
        "n = 40\nxi_pos = = 3\n",
        "c.toml does not parse at line 2, column 10: extra `=`, expected nothing",
        hint,
    );
    // Columns count characters, not bytes.
    refuses_file(
        "# \u{3be}\nlabels = \"\u{3be}\u{3be}\n",
        "c.toml does not parse at line 2, column 13: invalid basic string, expected `\"`",
        hint,
    );
    refuses_file(
        "n = 8\nn = 9\n",
        "c.toml does not parse at line 2, column 1: duplicate key",
        hint,
    );
}

#[test]
fn a_file_that_cannot_be_read_says_why() {
    let scratch = Scratch::new();
    let args = |path| ["run", "localize", "--out", "o", "--config", path];
    let missing = "could not read gone.toml: No such file or directory (os error 2)";
    scratch.refuses(&args("gone.toml"), missing, "check the path");
    let folder = "could not read .: Is a directory (os error 21)";
    scratch.refuses(&args("."), folder, "choose a file that can be read");
    let bytes = "could not read c.toml: stream did not contain valid UTF-8";
    refuses_file(b"\xff\xfe", bytes, "a configuration is a text file in UTF-8");
}

#[test]
fn a_wrong_key_or_value_in_a_file_is_refused_as_on_the_command_line() {
    let poss = "there is no parameter `xi_poss`";
    refuses_file("xi_poss = 3\n", poss, "did you mean `xi_pos`?");
    refuses_file(
        "xi_pos = nan\n",
        "`xi_pos` is NaN; it must be > 0, finite",
        "choose a value of `xi_pos` that is > 0, finite",
    );
    refuses_file(
        "seed = -4\n",
        "`seed` is -4; it must be a whole number from 0 to 18446744073709551615",
        "choose a seed such as 0 or 7",
    );
    // Apart from [settings] only the keys of a record are allowed.
    let sed = "there is no parameter `sed`";
    refuses_file("sed = 4\n[settings]\nn = 8\n", sed, "did you mean `seed`?");
}

#[test]
fn a_record_of_a_newer_format_or_another_experiment_is_refused() {
    refuses_file(
        "format = 99\n[settings]\nn = 8\n",
        "c.toml has format 99; this program reads formats up to 2",
        "use the program that wrote it, or a newer one",
    );
    refuses_file(
        "experiment = \"gaussian-flow\"\n[settings]\nn = 8\n",
        "c.toml is the record of `gaussian-flow`, not of `localize`",
        "write fovea run gaussian-flow --config c.toml, or keep only its [settings] lines in a file",
    );
}

#[test]
fn flags_win_over_the_file_which_wins_over_quick_which_wins_over_defaults() {
    let scratch = Scratch::new();
    scratch
        .write("c.toml", "steps = 12\nrecord_every = 3\nlr = 0.5\nseed = 9\ngain = [3]\nn = 12\n");
    let args = ["run", "localize", "--quick", "--config", "c.toml", "--out", "o"];
    let more = ["--lr", "0.25", "--record-every", "4", "--set", "record_every=5", "--xi-pos=1.5"];
    scratch.fovea(&[&args[..], &more].concat()).fine();
    let run = manifest(&scratch.path("o"));
    let settings = &run["settings"];
    // Default, quick, file, flag, and --set over a flag.
    assert_eq!(settings["init_scale"].as_float(), Some(1.0));
    assert_eq!(settings["batch"].as_integer(), Some(1000));
    assert_eq!(settings["steps"].as_integer(), Some(12));
    assert_eq!(settings["lr"].as_float(), Some(0.25));
    assert_eq!(settings["record_every"].as_integer(), Some(5));
    assert_eq!(run["seed"].as_integer(), Some(9));
}

#[test]
fn the_seed_of_a_flag_wins_over_the_files_and_may_be_any_of_64_bits() {
    let scratch = Scratch::new();
    scratch.write("c.toml", "seed = 9\n");
    let most = u64::MAX.to_string();
    let told = scratch.tiny("o", &["--config", "c.toml"]);
    assert_eq!((told.code, manifest(&scratch.path("o"))["seed"].as_integer()), (Some(0), Some(1)));
    let args = [&["run", "localize", "--out", "p", "--seed", &most], SEEDLESS].concat();
    scratch.fovea(&args).fine();
    assert_eq!(manifest(&scratch.path("p"))["seed"].as_str(), Some(most.as_str()));
    // It reads back.
    scratch.fovea(&["run", "localize", "--out", "q", "--config", "p/run.toml"]).fine();
    let hash = |run: &str| manifest(&scratch.path(run))["hash"].as_str().unwrap().to_owned();
    assert_eq!(hash("p"), hash("q"));
    assert_ne!(hash("p"), hash("o"));
}

#[test]
fn the_manifest_of_a_run_reproduces_it() {
    let scratch = Scratch::new();
    scratch.tiny("a", &["--set", "gain=3, inf", "--record-every=1", "--labels=balanced"]);
    let told = scratch.fovea(&["run", "localize", "--config", "a/run.toml", "--out", "b"]);
    assert_eq!(told.err, "");
    super::bits::assert_same_record(&scratch.path("a"), &scratch.path("b"));
    let text = fs::read_to_string(scratch.path("b/run.toml")).unwrap();
    assert!(text.contains("gain = [3.0, inf]"), "{text}");
}
