//! Data to stdout, talk to stderr, JSON that any parser reads, and readers that may go away.

use super::{FOVEA, Scratch, TINY};

#[test]
fn an_error_without_a_terminal_has_no_escape_codes() {
    let scratch = Scratch::new();
    let told = scratch.fovea(&["run", "localize", "--zzzzz"]);
    assert!(!told.err.contains('\u{1b}') && told.out.is_empty(), "{told:?}");
    let told = scratch.tiny("o", &[]);
    assert_eq!(told.err, "");
    assert!(!told.out.contains('\u{1b}'), "{}", told.out);
}

#[test]
fn no_color_is_honoured_even_where_color_is_forced() {
    let scratch = Scratch::new();
    let help = |no_color: bool| {
        let mut command = scratch.command(FOVEA);
        command.arg("--help").env("CLICOLOR_FORCE", "1");
        if no_color {
            command.env("NO_COLOR", "1");
        }
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert!(help(false).contains('\u{1b}'), "forced color shows that the test can see color");
    assert!(!help(true).contains('\u{1b}'));
}

#[test]
fn a_long_run_without_a_terminal_reports_in_plain_lines_on_stderr() {
    let scratch = Scratch::new();
    // Seven seconds: the first line is due after five.
    let script =
        "timeout -s INT 7 \"$FOVEA\" run localize --out o --steps 1e8 --record-every 1e5 --gain 3";
    let told = scratch.sh(script);
    let line = told.err.lines().next().unwrap_or_default();
    assert!(line.starts_with("localize: 0 % of 100000000 steps after "), "{told:?}");
    assert!(!told.err.contains(['\u{1b}', '\r']), "{}", told.err);
    assert!(!told.out.contains("% of"), "{}", told.out);
}

#[test]
fn every_verb_speaks_json() {
    let scratch = Scratch::new();
    let items = |args: &[&str]| {
        let told = scratch.fovea(args);
        assert_eq!((told.code, told.err.as_str()), (Some(0), ""));
        told.json()
    };
    let listed = items(&["list", "--json"]);
    assert!(listed.len() > 30 && listed.iter().all(|item| item["type"] == "item"));
    let plain = scratch.fovea(&["list"]).fine();
    // Claims are too many for the plain list, which counts them.
    for item in listed.iter().filter(|item| item["kind"] != "claim") {
        let name = item["name"].as_str().unwrap();
        assert!(plain.contains(&format!("\n  {name} ")), "{name}");
        let shown = items(&["show", name, "--json"]);
        assert!(shown.iter().any(|shown| shown["summary"] == item["summary"]), "{name}");
    }
    let shown = &items(&["show", "localize", "--json"])[0];
    let gain = shown["parameters"].as_array().unwrap().iter().find(|p| p["name"] == "gain");
    assert_eq!(gain.unwrap()["default"].as_array().unwrap().last().unwrap(), "inf");

    let value = &items(&["eval", "nlgp.excess_kurtosis", "--set", "gain=inf", "--json"])[0];
    assert_eq!((&value["type"], &value["value"]), (&"eval".into(), &(-2.0).into()));
    assert_eq!(value["arguments"]["gain"], "inf");
}

/// A run that cannot check its claim, which is about Gaussian data: its data are binary.
const UNCHECKED: [&str; 8] = [
    "run",
    "gaussian-flow",
    "--gain=inf",
    "--lr=0.05",
    "--steps=600",
    "--batch=200",
    "--seeds=16",
    "--record-every=60",
];

#[test]
fn a_run_in_json_begins_has_tables_and_claims_and_ends() {
    let scratch = Scratch::new();
    let told = scratch.fovea(&[&UNCHECKED[..], &["--out", "o", "--seed=1", "--json"]].concat());
    let lines = told.json();
    let types: Vec<&str> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["begin", "table", "claim", "end"], "{}", told.out);
    let table = &lines[1];
    assert_eq!(
        (&table["name"], &table["units"]["distance"]),
        (&"distance_to_the_flow".into(), &"%".into())
    );
    assert_eq!(table["columns"]["distance"].as_array().map(Vec::len), Some(4));
    assert_eq!((&lines[0]["experiment"], &lines[0]["seed"]), (&"gaussian-flow".into(), &1.into()));
    assert_eq!(lines[0]["settings"]["gain"], "inf");
    assert_eq!(lines[3]["status"], "completed");
    assert_eq!(lines[3]["record"], "o");
    assert_eq!((lines[2]["status"].as_str(), told.code), (Some("unchecked"), Some(0)));
    assert!(lines[2]["why"].as_str().is_some_and(|why| !why.is_empty()), "{}", lines[2]);
    let kept: serde_json::Value =
        serde_json::from_slice(&std::fs::read(scratch.path("o/claims.json")).unwrap()).unwrap();
    for key in ["status", "why", "measured"] {
        assert_eq!(kept["claims"][0][key], lines[2][key], "{key}");
    }
}

#[test]
fn the_same_unchecked_claim_is_said_in_words() {
    let told = Scratch::new().fovea(&[&UNCHECKED[..], &["--out", "o"]].concat()).fine();
    assert!(told.lines().any(|line| line.starts_with("unchecked L003.8: ")), "{told}");
    assert!(told.lines().all(|line| !line.starts_with("pass ")), "{told}");
}

#[test]
fn an_error_in_json_is_an_object_too() {
    let scratch = Scratch::new();
    let told = scratch.fovea(&["eval", "nlgp.cov", "--set", "gian=3", "--json"]);
    let lines = told.json();
    assert_eq!((lines.len(), told.code), (1, Some(2)));
    assert_eq!(lines[0]["type"], "error");
    assert_eq!(lines[0]["hint"], "did you mean `gain`?");
    assert!(told.err.starts_with("error: there is no parameter `gian`"), "{}", told.err);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let scratch = Scratch::new();
    for line in ["list", "list --json", "show localize", "eval dictator.fixed_point", "--help"] {
        // The status of a program whose reader is gone before it starts to print.
        let told = scratch.sh(&format!("{{ sleep 0.2; \"$FOVEA\" {line}; echo $? >&2; }} | true"));
        assert_eq!(told.err, "0\n", "{line}");
    }
    let pipe = "set -o pipefail; \"$FOVEA\" list | head -n 1";
    let told = scratch.command("bash").args(["-c", pipe]).env("FOVEA", FOVEA).output().unwrap();
    assert_eq!((told.status.code(), &told.stdout[..]), (Some(0), &b"experiment:\n"[..]));
}

#[test]
fn a_run_whose_reader_goes_away_is_done_and_keeps_its_status() {
    let scratch = Scratch::new();
    let tiny = [&["run", "localize"], &TINY[..]].concat().join(" ");
    // The second diverges.
    let runs = [("a", format!("{tiny} --json"), "0\n"), ("b", format!("{tiny} --lr=1e6"), "1\n")];
    for (out, run, code) in runs {
        let run = format!("\"$FOVEA\" {run} --out {out}");
        let told = scratch.sh(&format!("{{ sleep 0.2; {run}; echo $? >&2; }} | true"));
        assert_eq!(told.err, code);
        assert!(scratch.path(out).join("run.toml").exists());
    }
}
