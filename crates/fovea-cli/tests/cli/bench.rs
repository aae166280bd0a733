//! `fovea bench`: what it measures and how it says so. No test asserts a speed.

use super::Scratch;
use serde_json::Value;

/// A row needs its numbers whatever the machine is.
#[track_caller]
fn assert_is_a_row(row: &Value) {
    let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key} of {row}"));
    let (best, median) = (number("best"), number("median"));
    assert!(best >= median && median > 0.0 && number("spread") >= 0.0, "{row}");
    assert_eq!(row["repeats"].as_array().unwrap().len(), 3, "{row}");
    assert!(row["about"].is_string() && row["unit"].is_string(), "{row}");
    assert!(
        row["foreign_load"].is_null() || (0.0..=1.0).contains(&number("foreign_load")),
        "{row}"
    );
}

#[test]
fn the_whole_table_is_one_document_with_every_kind_of_row() {
    let lines = Scratch::new().fovea(&["bench", "--quick", "--json"]).json();
    let [document] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(document["type"], "bench");
    let rows = document["rows"].as_array().unwrap();
    rows.iter().for_each(assert_is_a_row);
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap();
    for name in ["a", "b", "c-relu", "c-sigmoid", "d", "d-sigmoid", "e"] {
        assert_eq!(row(&format!("step-{name}"))["cores"], 1);
        assert!(row(&format!("threads-{name}"))["relations"]["over_one_core"].is_number());
    }
    for name in ["b", "c-relu", "d"] {
        let relations = &row(&format!("network-{name}"))["relations"];
        assert!(relations["share_of_peak"].is_number() && relations["step_over_parts"].is_number());
    }
    assert_eq!(row("sample-nlgp")["path"], "vector");
    assert_eq!(row("sample-conditional")["path"], "plain");
    assert!(row("fleet-b")["relations"]["samples_per_s"].is_number());
    assert!(row("peak-f64")["path"].is_null());
    assert!(document["machine"]["cpu"].is_string() && document["seconds"].is_number());
}

#[test]
fn a_table_has_a_line_for_each_chosen_row() {
    let scratch = Scratch::new();
    let table =
        scratch.fovea(&["bench", "--quick", "--only", "peak", "step_c", "sample-sign"]).fine();
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].contains(" cores, ") && lines[1].is_empty(), "{table}");
    let first = |line: &&str| line.split_whitespace().next().unwrap_or_default().to_owned();
    let names: Vec<String> = lines[2..8].iter().map(first).collect();
    assert_eq!(
        names,
        ["row", "peak-f32", "peak-f64", "sample-sign", "step-c-relu", "step-c-sigmoid"]
    );
    assert!(lines[6].contains("steps/s") && lines[6].ends_with("M samples/s"), "{table}");
    assert_eq!(scratch.tree().len(), 0);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let scratch = Scratch::new();
    let message = "there is no row of the benchmark called `stepp-b`";
    scratch.refuses(&["bench", "--only", "stepp-b"], message, "did you mean `step-b`?");
    let message = "there is no workload of the benchmark called `zz`";
    let hint = "every workload: a, b, c-relu, c-sigmoid, d, d-sigmoid, e, ntk-f32, ntk-f64";
    scratch.refuses(&["bench", "--against", "python3", "--only", "zz"], message, hint);
    let hint = "give a Python 3 that has jax or torch, such as --against python3";
    let message = "`against` is no-such: No such file or directory (os error 2)";
    scratch.refuses(&["bench", "--against", "no-such", "--only", "a"], message, hint);
    let message = "`against` is true: it runs no Python program";
    scratch.refuses(&["bench", "--against", "true", "--only", "a"], message, hint);
    let told = scratch.fovea(&["bench", "--only"]);
    assert_eq!(told.code, Some(2), "{}", told.err);
}

#[cfg(unix)]
mod against {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A stand-in for Python: `jax` answers as `answers` says, `torch` is missing unless `answers` speaks for it.
    fn stand_in(scratch: &Scratch, first: &str, torch: &str, run: &str) -> String {
        let script = format!(
            "#!/bin/sh\ncase \"$2\" in *'import torch'*) echo '{torch}';; *) echo '{first}';; esac\n\
             while read -r line; do case \"$line\" in *prepare*) echo '{{\"route\": \"modes\"}}';; *) {run};; esac; done\n"
        );
        scratch.write("python", script);
        let path = scratch.path("python");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    }

    const JAX: &str = r#"{"name": "jax", "version": "9.8.7"}"#;
    const NO_TORCH: &str = r#"{"missing": "torch", "why": "No module named torch"}"#;

    #[test]
    fn a_program_takes_turns_and_one_that_learns_nothing_fails() {
        let scratch = Scratch::new();
        let run = r#"echo '{"cpu": 0.5, "loss": 0.77}'"#;
        let python = stand_in(&scratch, JAX, NO_TORCH, run);
        let args = ["bench", "--quick", "--against", python.as_str(), "--only", "c-relu"];
        let told = scratch.fovea(&args);
        assert_eq!((told.code, told.err.as_str()), (Some(1), ""), "{}", told.out);
        assert!(told.out.contains("jax 9.8.7, in turns on one core"), "{}", told.out);
        let install = format!(
            "torch takes no part: No module named torch; install with {python} -m pip install torch numpy"
        );
        assert!(told.out.contains(&install), "{}", told.out);
        assert!(
            told.out.contains("jax does not learn workload c-relu as ours does"),
            "{}",
            told.out
        );

        let lines = scratch.fovea(&[&args[..], &["--json"]].concat()).json();
        let workload = &lines[0]["workloads"][0];
        let jax = &workload["against"][0];
        assert_eq!((&jax["program"], &jax["route"]), (&"jax".into(), &"modes".into()));
        assert_eq!(jax["steps_per_s"]["best"], workload["steps"].as_f64().unwrap() / 0.5);
        assert_eq!((&jax["agrees"], &jax["loss"]), (&false.into(), &0.77.into()));
        assert!(jax["ratio"]["median"].as_f64().unwrap() > 0.0);
        assert_eq!(lines[0]["programs"][0]["version"], "9.8.7");
        assert_eq!(lines[0]["missing"][0]["name"], "torch");
    }

    #[test]
    fn python_without_any_of_the_packages_is_refused() {
        let scratch = Scratch::new();
        let no_jax = r#"{"missing": "jax", "why": "No module named jax"}"#;
        let python = stand_in(&scratch, no_jax, NO_TORCH, "exit 1");
        let message = format!(
            "`against` is {python}, which has none of jax, torch: No module named jax; No module named torch"
        );
        let hint =
            format!("install with {python} -m pip install jax torch numpy, or name another Python");
        scratch.refuses(&["bench", "--against", &python, "--only", "a"], &message, &hint);
    }

    #[test]
    fn a_program_that_breaks_down_is_named() {
        let scratch = Scratch::new();
        let hint = "what it printed above says why; another version of the package may do";
        for (run, how) in
            [("exit 1", "ended without an answer"), ("echo nonsense", "answered nonsense")]
        {
            let python = stand_in(&scratch, JAX, NO_TORCH, run);
            let message = format!("the program for jax {how}");
            scratch.refuses(
                &["bench", "--quick", "--against", &python, "--only", "a"],
                &message,
                hint,
            );
        }
    }
}
