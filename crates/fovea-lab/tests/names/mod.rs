//! Names that a form says it is checked by.

use fovea_lab::{check, experiments};
use std::path::{Path, PathBuf};

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
