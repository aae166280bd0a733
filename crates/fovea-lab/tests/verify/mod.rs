//! Every check: it covers what it says, it passes, and it would notice what it says it would.

use fovea_core::streams::Streams;
use fovea_lab::check::{self, Check, Comparison, Effort};
use fovea_lab::claims::{self, Verdict};
use rayon::prelude::*;

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

/// Documents and numbers whose claims all have a check, unless there is nothing to test: the theory of one neuron.
const BUILT: [(&str, u32, u32); 7] = [
    ("L000", 1, 51),
    ("L001", 1, 34),
    ("L001", 53, 66),
    ("L001", 69, 69),
    ("L001", 78, 81),
    ("L003", 1, 27),
    ("L003", 57, 64),
];

#[test]
fn every_claim_about_one_neuron_is_checked_or_has_nothing_to_test() {
    let covered: Vec<&str> =
        check::ALL.iter().flat_map(|check| check.covers.iter().copied()).collect();
    let mut missing = Vec::new();
    for (document, first, last) in BUILT {
        for number in first..=last {
            let id = format!("{document}.{number}");
            let row = claims::row(&id).unwrap();
            if !row.verdict.is_listed() && !covered.contains(&id.as_str()) {
                missing.push(id);
            }
        }
    }
    assert!(missing.is_empty(), "no check covers {missing:?}");
}
