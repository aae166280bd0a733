//! One test per check: it decides what it covers, passes, rejects every wrong form it is given, notices when one of its
//! predictions moves, and its measurements do not depend on the forms.
//!
//! `cargo test --release -p fovea-checks --test checks -- gated-mean`; with `FOVEA_SHOW=1` it prints what was compared.

use fovea_checks::check::{self, Check, Comparison, Effort, decide};
use fovea_checks::claims::{self, Verdict};
use fovea_core::streams::Streams;
use libtest_mimic::{Arguments, Failed, Trial};
use std::io::Write;

fn main() {
    let trial = |check: &&'static Check| {
        let check = *check;
        Trial::test(format!("check::{}", check.name), move || judge(check))
    };
    let mut trials: Vec<Trial> = check::ALL.iter().map(trial).collect();
    trials.push(Trial::test("rows::corrected", sources));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// At least one clause of every corrected claim tests the source's own form.
fn sources() -> Result<(), Failed> {
    let several = |row: &&claims::Row| row.verdict == Verdict::Corrected && row.clauses.len() > 1;
    let rows: Vec<&claims::Row> = claims::rows().iter().filter(several).collect();
    let of_row = |id: &str, row: &claims::Row| row.clauses.iter().any(|clause| clause.id == id);
    let wanted = |check: &&&'static Check| {
        check.covers.iter().any(|id| rows.iter().any(|row| of_row(id, row)))
    };
    let mut tested: Vec<&str> = Vec::new();
    let mut decided: Vec<&str> = Vec::new();
    for check in check::ALL.iter().filter(wanted) {
        let comparisons = (check.run)(&effort(check, true)).map_err(|e| e.to_string())?;
        for comparison in &comparisons {
            decided.extend(comparison.ids);
            if comparison.tests_the_source() {
                tested.extend(comparison.ids);
            }
        }
    }
    let lacks = |row: &&&claims::Row| {
        let any = |ids: &[&str]| ids.iter().any(|id| of_row(id, row));
        any(&decided) && !any(&tested)
    };
    let lacking: Vec<&str> = rows.iter().filter(lacks).map(|row| row.id.as_str()).collect();
    if lacking.is_empty() {
        return Ok(());
    }
    Err(format!("no clause of {lacking:?} tests the source's own form").into())
}

fn effort(check: &Check, quick: bool) -> Effort {
    Effort::new(Streams::new(0).part(check.name), quick)
}

fn judge(check: &'static Check) -> Result<(), Failed> {
    let comparisons = decide(check, effort(check, false)).map_err(|e| e.to_string())?;
    let mut faults = covered(check, &comparisons);
    for comparison in &comparisons {
        faults.extend(faults_of(comparison));
    }
    faults.extend(uncaught(&comparisons));
    let again = decide(check, effort(check, true).measuring_again()).map_err(|e| e.to_string())?;
    for comparison in &again {
        for (slip, shared, _) in comparison.slips() {
            if shared {
                let (id, form, what) = (comparison.ids[0], slip.form, slip.what);
                faults.push(format!("{id}: what is measured moves with {form} ({what})"));
            }
        }
    }
    if std::env::var_os("FOVEA_SHOW").is_some() {
        show(check, &comparisons);
    }
    if faults.is_empty() { Ok(()) } else { Err(format!("\n{}", faults.join("\n")).into()) }
}

/// Whether the check decides what it says it covers.
fn covered(check: &Check, comparisons: &[Comparison]) -> Vec<String> {
    let mut decided: Vec<&str> = comparisons.iter().flat_map(|c| c.ids.iter().copied()).collect();
    let mut covers = check.covers.to_vec();
    decided.sort_unstable();
    covers.sort_unstable();
    if decided == covers {
        return Vec::new();
    }
    vec![format!("{} covers {covers:?} but decides {decided:?}", check.name)]
}

fn faults_of(comparison: &Comparison) -> Vec<String> {
    let mut faults = Vec::new();
    for id in comparison.ids {
        let Some((row, _)) = claims::clause(id) else {
            faults.push(format!("{id} is not a clause of claims.toml"));
            continue;
        };
        let claim = comparison.claim(id);
        if claim.status() != "pass" {
            faults.push(claim.in_words());
        }
        let fault = comparison.fault(row.verdict == Verdict::Corrected && row.clauses.len() == 1);
        faults.extend(fault.map(|fault| format!("{id}: {fault}")));
    }
    faults
}

/// Slips that no comparison of the check notices; a check that asks for no form is one itself.
fn uncaught(comparisons: &[Comparison]) -> Vec<String> {
    let mut seen: Vec<(check::Slip, bool)> = Vec::new();
    for (slip, _, claim) in comparisons.iter().flat_map(Comparison::slips) {
        let caught = claim.status() == "fail";
        match seen.iter_mut().find(|(known, _)| *known == slip) {
            Some((_, before)) => *before |= caught,
            None => seen.push((slip, caught)),
        }
    }
    if seen.is_empty() {
        return vec![
            "none of its closed forms was replaced by a wrong one: it asks for none".to_owned(),
        ];
    }
    let missed = seen.iter().filter(|(_, caught)| !caught);
    missed.map(|(slip, _)| format!("{} ({}) is not noticed", slip.form, slip.what)).collect()
}

fn show(check: &Check, comparisons: &[Comparison]) {
    let say = |line: String| {
        let _ = writeln!(std::io::stderr(), "{line}");
    };
    for comparison in comparisons {
        for id in comparison.ids {
            let claim = comparison.claim(id);
            say(format!("{}: {} [{}]", check.name, claim.in_words(), claim.evidence.word()));
            say(format!("    resolves {:.1e}", claim.resolution));
        }
        for (slip, _, claim) in comparison.slips() {
            say(format!("    {} ({}): {}", slip.form, slip.what, claim.status()));
        }
    }
}
