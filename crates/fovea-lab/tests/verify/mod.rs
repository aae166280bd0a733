//! Every check: it covers what it says, it passes, and it would notice what it says it would.

use fovea_core::streams::Streams;
use fovea_lab::check::{self, Check, Comparison, Effort};
use fovea_lab::claims::{self, Verdict};
use fovea_lab::experiments;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Every check with its comparisons, at full effort.
fn comparisons() -> Vec<(&'static Check, Vec<Comparison>)> {
    let run = |check: &&'static Check| {
        let effort = Effort { streams: Streams::new(0).part(check.name), quick: false };
        let comparisons = (check.run)(&effort).unwrap_or_else(|e| panic!("{}: {e}", check.name));
        (*check, comparisons)
    };
    check::ALL.par_iter().map(run).collect()
}

#[test]
fn every_check_decides_what_it_covers_and_would_notice_an_error() {
    let mut faults = Vec::new();
    for (check, comparisons) in comparisons() {
        let decided: Vec<&str> = comparisons.iter().flat_map(|c| c.ids.iter().copied()).collect();
        let mut sorted = (decided.clone(), check.covers.to_vec());
        sorted.0.sort_unstable();
        sorted.1.sort_unstable();
        if sorted.0 != sorted.1 {
            faults
                .push(format!("{} covers {:?} but decides {decided:?}", check.name, check.covers));
        }
        for comparison in &comparisons {
            for id in comparison.ids {
                let Some(row) = claims::row(id) else {
                    faults.push(format!("{id} is no claim"));
                    continue;
                };
                let claim = comparison.claim(id);
                if claim.status() != "pass" {
                    faults.push(format!("{}: {}", claim.in_words(), check.name));
                }
                let fault = comparison.fault(row.verdict == Verdict::Corrected);
                faults.extend(fault.map(|fault| format!("{id} ({}): {fault}", check.name)));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn no_claim_is_decided_twice() {
    let mut seen: Vec<&str> = Vec::new();
    for id in check::ALL.iter().flat_map(|check| check.covers) {
        assert!(!seen.contains(id), "{id} is covered twice");
        seen.push(id);
    }
}

/// Documents and numbers whose claims all have a check, unless there is nothing to test: the theory of one neuron, and wide networks.
const BUILT: [(&str, u32, u32); 15] = [
    ("L000", 1, 51),
    ("L001", 1, 34),
    ("L001", 53, 66),
    ("L001", 69, 69),
    ("L001", 78, 81),
    ("L003", 1, 27),
    ("L003", 57, 64),
    ("T01", 1, 11),
    ("T02", 1, 19),
    ("T03", 1, 11),
    ("T04", 1, 8),
    ("T05", 1, 4),
    ("T11", 1, 8),
    ("T12", 1, 10),
    ("T13", 1, 8),
];

#[test]
fn every_claim_of_what_is_built_is_checked_or_has_nothing_to_test() {
    let covered: Vec<&str> =
        check::ALL.iter().flat_map(|check| check.covers.iter().copied()).collect();
    let mut missing = Vec::new();
    for (document, first, last) in BUILT {
        for number in first..=last {
            let id = format!("{document}.{number}");
            let row = claims::row(&id).unwrap_or_else(|| panic!("there is no claim {id}"));
            if !row.verdict.is_listed() && !covered.contains(&id.as_str()) {
                missing.push(id);
            }
        }
    }
    assert!(missing.is_empty(), "no check covers {missing:?}");
}

/// Names in backticks after the word of their kind: "in the checks `a` and `b`".
fn named_after(text: &str, word: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices(word) {
        let mut rest = &text[at + word.len()..];
        rest = rest.strip_prefix('s').unwrap_or(rest).trim_start();
        while let Some((name, behind)) = rest.strip_prefix('`').and_then(|r| r.split_once('`')) {
            names.push(name.to_owned());
            let joined = [", ", " and "].iter().find_map(|join| behind.strip_prefix(*join));
            rest = joined.unwrap_or("");
        }
    }
    names
}

/// What every form of theory says it is checked by, file by file.
fn checked_by(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            checked_by(&path, found);
        } else if let Ok(source) = std::fs::read_to_string(&path)
            && let Some((_, section)) = source.split_once("//! # Checked by\n")
        {
            let lines = section.lines().map_while(|line| line.strip_prefix("//!"));
            let lines = lines.map(str::trim).take_while(|line| !line.starts_with('#'));
            found.push((path, lines.collect::<Vec<&str>>().join(" ")));
        }
    }
}

#[test]
fn every_check_and_experiment_that_a_form_names_exists() {
    let text = "networks in the checks `a` and `b-c`; runs in experiment `d`; `e` checks the rest";
    assert_eq!(named_after(text, "check"), ["a", "b-c"]);
    assert_eq!(named_after(text, "experiment"), ["d"]);
    let mut sections = Vec::new();
    checked_by(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../fovea-theory/src"), &mut sections);
    assert!(sections.len() > 100, "{} forms say what they are checked by", sections.len());
    let checks: Vec<&str> = check::ALL.iter().map(|check| check.name).collect();
    let experiments: Vec<&str> = experiments::ALL.iter().map(|row| row.name).collect();
    let mut missing = Vec::new();
    for (path, text) in sections {
        for (kind, known) in [("check", &checks), ("experiment", &experiments)] {
            for name in named_after(&text, kind) {
                // A check may be named as its file is.
                if !known.contains(&name.replace('_', "-").as_str()) {
                    missing.push(format!("{}: {kind} `{name}`", path.display()));
                }
            }
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}
