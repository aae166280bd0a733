//! The manners of `fovea train`: what it prints, where it writes, and what it refuses.

use super::bits::assert_same_record;
use super::files_and_folders;
use super::record::manifest;
use super::resume::{train_to, with_file};
use super::snapshots::assert_stored;
use std::fs;

const SHORT: &str = "steps=40";

#[test]
fn help_is_as_stored() {
    assert_stored("help-train.txt", &["train", "--help"]);
}

#[test]
fn what_a_training_file_can_set_is_as_stored() {
    assert_stored("show-training.txt", &["show", "training"]);
}

#[test]
fn a_run_says_what_it_measured_and_where_its_record_is() {
    let scratch = with_file();
    let out = scratch.fovea(&train_to("o", &[SHORT])).fine();
    for probe in ["loss", "ipr", "bias"] {
        let row = out.lines().find(|line| line.trim_start().starts_with(probe)).unwrap();
        let ends = row.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
        assert_eq!(ends.count(), 2, "{row}");
    }
    for line in ["record: o (", "figure: o/figures/training.png", "report: o/report.html"] {
        assert!(out.contains(line), "{out}");
    }
    for name in ["run.toml", "series.parquet", "claims.json", "arrays/weights.npy"] {
        assert!(scratch.path("o").join(name).metadata().unwrap().len() > 0, "{name}");
    }
}

/// A typed activation is trained like a registered one, only not vectorised, and the run says so.
#[test]
fn an_activation_may_be_typed() {
    let scratch = with_file();
    for network in ["committee", "two-layer"] {
        let name = format!("network.name={network}");
        let sets = [SHORT, &name, "network.activation=x*tanh(x)"];
        let (first, again) = (format!("{network}-1"), format!("{network}-2"));
        let out = scratch.fovea(&train_to(&first, &sets)).fine();
        assert!(out.contains("the activation was typed: it is not vectorised"), "{out}");
        let kept = fs::read_to_string(scratch.path(&first).join("run.toml")).unwrap();
        assert!(kept.contains("activation = \"x*tanh(x)\""), "{kept}");
        scratch.fovea(&[train_to(&again, &sets), vec!["--threads", "2"]].concat()).fine();
        assert_same_record(&scratch.path(&first), &scratch.path(&again));
    }
    let registered = scratch.fovea(&train_to("r", &[SHORT, "network.activation=tanh"])).fine();
    assert!(!registered.contains("vectorised"), "{registered}");
}

#[test]
fn an_activation_that_cannot_be_used_is_refused_where_it_goes_wrong() {
    let scratch = with_file();
    for (typed, message) in [
        (
            "x*tanh(x",
            "`network.activation` is x*tanh(x, which cannot be read from character 7 on, `(x`: ",
        ),
        ("1/x", "`network.activation` is 1/x: its value at x = 0 is not finite"),
        ("log(x)", "`network.activation` is log(x): its value at x = 0 is not finite"),
    ] {
        let set = format!("network.activation={typed}");
        let told = scratch.fovea(&train_to("o", &[&set]));
        assert_eq!(told.code, Some(2), "{}", told.err);
        assert!(told.err.contains(message), "{}", told.err);
    }
    assert!(!scratch.path("o").exists() && !scratch.path("o.partial").exists());
}

#[test]
fn json_lines_begin_and_end_a_run() {
    let scratch = with_file();
    let told =
        scratch.fovea(&[train_to("o", &[SHORT, "network.width=2"]), vec!["--json"]].concat());
    let lines = told.json();
    let types: Vec<_> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!((types, told.code), (vec!["begin", "table", "end"], Some(0)));
    assert_eq!(lines[0]["experiment"], "train");
    assert_eq!(lines[0]["settings"]["network"]["width"], 2);
    assert_eq!(lines[0]["settings"]["class"]["pos"]["stimulus"]["name"], "nlgp");
    assert_eq!((&lines[2]["status"], &lines[2]["record"]), (&"completed".into(), &"o".into()));
    let told = scratch.fovea(&[train_to("p", &["network.width=0"]), vec!["--json"]].concat());
    assert_eq!((told.json()[0]["type"].as_str(), told.code), (Some("error"), Some(2)));
    assert!(told.json()[0]["message"].as_str().unwrap().contains("`network.width` is 0"));
}

#[test]
fn a_run_without_a_place_goes_to_runs_and_never_over_another() {
    let scratch = with_file();
    for _ in 0..2 {
        scratch.fovea(&["train", "t.toml", "--set", SHORT]).fine();
    }
    let names: Vec<String> = fs::read_dir(scratch.path("runs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 2);
    assert!(names.iter().all(|name| name.starts_with("train-")), "{names:?}");
    fs::create_dir(scratch.path("o")).unwrap();
    let hint = "choose another --out, or move the old run away";
    let message = "o exists already, and a run never overwrites another";
    scratch.refuses(&train_to("o", &[SHORT]), message, hint);
}

#[test]
fn one_and_two_threads_give_the_same_bytes() {
    let scratch = with_file();
    for threads in ["1", "2"] {
        let sets = [SHORT, "dynamics.batch=3000", "network.width=4", "eval_samples=9000"];
        let args = [train_to(threads, &sets), vec!["--threads", threads]].concat();
        scratch.fovea(&args).fine();
        let stamp = &manifest(&scratch.path(threads))["stamp"];
        assert_eq!(stamp["threads"].as_integer().unwrap().to_string(), threads);
    }
    assert_same_record(&scratch.path("1"), &scratch.path("2"));
    let message = "`threads` is 0; it must be a whole number from 1 to 4096";
    let hint = "write --threads 2, for example, or leave it out to use every core";
    scratch.refuses(&[train_to("o", &[]), vec!["--threads", "0"]].concat(), message, hint);
}

#[test]
fn the_manifest_of_a_run_reproduces_it() {
    let scratch = with_file();
    let sets = [SHORT, "class.pos.stimulus.gain=inf", "network.init=basis(first=3)", "record=log"];
    scratch.fovea(&[train_to("a", &sets), vec!["--seed", "7"]].concat()).fine();
    scratch.fovea(&["train", "a/run.toml", "--out", "b"]).fine();
    assert_same_record(&scratch.path("a"), &scratch.path("b"));
    assert!(!files_and_folders(&scratch.path("a/arrays")).is_empty());
}

#[test]
fn no_file_a_missing_one_and_one_that_does_not_parse_are_refused() {
    let scratch = with_file();
    let hint = "write fovea train FILE.toml; `fovea train --help` has an example";
    scratch.refuses(&["train"], "no training file is given", hint);
    let missing = "could not read gone.toml: No such file or directory (os error 2)";
    scratch.refuses(&["train", "gone.toml"], missing, "check the path");
    scratch.write("bad.toml", "steps = 3\n[network\n");
    let told = scratch.fovea(&["train", "bad.toml"]);
    assert!(told.err.starts_with("error: bad.toml does not parse at line 2, column "), "{told:?}");
    assert!(!scratch.path("runs").exists());
}

#[test]
fn a_path_that_leads_nowhere_names_the_nearest() {
    let scratch = with_file();
    let cases = [
        ("netwrok.width=3", "there is no parameter `netwrok`", "did you mean `network`?"),
        ("network.widht=3", "there is no parameter `network.widht`", "did you mean `width`?"),
        ("stesp=3", "there is no parameter `stesp`", "did you mean `steps`?"),
        ("steps.x=3", "`steps` is 1100, which has no parameter `x`", "set `steps` itself"),
        (
            "class.pos.stimulus.gian=3",
            "there is no parameter `class.pos.stimulus.gian`",
            "did you mean `gain`?",
        ),
        (
            "network.name=comittee",
            "`network` names no network: there is no `comittee`",
            "did you mean `committee`?",
        ),
        (
            "class.pos.stimulus.base.n=3",
            "there is no parameter `class.pos.stimulus.base`",
            "the parameters are n, dim, xi, kernel, waves, gain",
        ),
    ];
    for (set, message, hint) in cases {
        scratch.refuses(&train_to("o", &[set]), message, hint);
    }
}

#[test]
fn what_was_resumed_takes_no_other_settings() {
    let scratch = with_file();
    for more in [&["t.toml"][..], &["--set", "steps=3"], &["--seed", "3"], &["--out", "o"]] {
        let told = scratch.fovea(&[&["train", "--resume", "x.partial"], more].concat());
        assert!(told.err.contains("--resume"), "{}", told.err);
        assert_eq!((told.code, told.out.as_str()), (Some(2), ""));
    }
}
