//! The findings as lines of a terminal: in full where they are few, else a table.

use super::table::{SIDES, claims, distance};
use super::{Decided, Finding};
use fovea_page::table::{Places, wrapped};
use fovea_record::claim::{Claim, Evidence};

/// Up to this many claims are told in full.
const IN_FULL: usize = 5;
/// Columns of a terminal from which on a row has room for evidence and verdict.
const BROAD: usize = 100;
/// What stands below a row of the table.
const SENTENCES: [&str; 2] = ["statement", "compared"];

/// The findings in full where they are few, else the table of claims, in lines of `width` characters.
pub fn lines(findings: &[Finding], width: usize) -> Vec<String> {
    if findings.len() <= IN_FULL {
        return findings.iter().flat_map(|finding| in_full(finding, width)).collect();
    }
    let columns: &[&str] = if width < BROAD {
        &["claim", "status", "predicted", "measured", "distance"]
    } else {
        &["claim", "verdict", "status", "evidence", "predicted", "measured", "distance"]
    };
    claims(findings).only(&[columns, &SENTENCES].concat()).lines_below(width, &SENTENCES)
}

/// Everything that was found of one claim.
fn in_full(finding: &Finding, width: usize) -> Vec<String> {
    let row = finding.row;
    let mut lines = vec![format!(
        "{}, {} {}: {}, {}",
        row.id,
        row.document,
        row.equation,
        row.verdict.word(),
        finding.status().word()
    )];
    let mut tell = |indent: usize, text: &str| {
        let room = width.saturating_sub(indent).max(24);
        lines.extend(wrapped(text, room).into_iter().map(|line| format!("{:indent$}{line}", "")));
    };
    tell(2, &row.statement);
    for decided in finding.clauses.iter().filter(|_| !finding.is_listed()) {
        if let Some(name) = decided.name() {
            tell(2, &format!("{name}: {}", decided.clause.says));
        }
        let Some(claim) = &decided.claim else {
            tell(4, &format!("not decided: {}", decided.why().unwrap_or_default()));
            continue;
        };
        tell(4, &format!("compared: {}", claim.statement));
        tell(4, &outcome(decided, claim));
        if let Some(criterion) = &decided.clause.criterion {
            tell(4, &format!("criterion: {criterion}"));
        }
        for more in rejects(claim).iter().chain(&decided.why()).chain(&decided.remarks()) {
            tell(4, more);
        }
    }
    lines.push(String::new());
    lines
}

/// A number as the table of claims shows it.
fn side(x: f64) -> String {
    Places::Digits(SIDES).shown(x)
}

/// Both sides and their distance. A phenomenon has a bound to lie beyond, and no value to be near to.
fn outcome(decided: &Decided, claim: &Claim) -> String {
    let (status, evidence) = (decided.status().word(), claim.evidence.word());
    let (predicted, measured, distance) =
        (side(claim.predicted), side(claim.measured), distance(claim));
    let of = |word: &str| {
        format!("{status} ({evidence}): {word} {predicted}, measured {measured}, {distance}")
    };
    match (claim.evidence, &claim.cases) {
        (_, Some(_)) => of("predicted"),
        (Evidence::Shown, None) if claim.digits.is_none() => of("bound"),
        _ => {
            format!("{}; an error of {} would be noticed", of("predicted"), share(claim.resolution))
        }
    }
}

/// A relative error, as a percentage where it is not tiny.
fn share(error: f64) -> String {
    if error >= 1e-3 { format!("{:.2} %", 100.0 * error) } else { format!("{error:.0e}") }
}

/// The wrong form, and how it fails.
fn rejects(claim: &Claim) -> Option<String> {
    let control = claim.control.as_ref()?;
    let (wrong, there) = (side(control.predicted), side(control.measured));
    let by = match (claim.evidence, claim.digits, &claim.cases) {
        (_, _, Some(_)) => format!("a share of {there} obeys it, where all must"),
        (Evidence::Simulated, None, None) => {
            format!(
                "{wrong} where {there} is measured, {:.1} of {:.1} s.e.",
                control.z, claim.limit
            )
        }
        _ => format!("{wrong} where {there} is measured"),
    };
    Some(format!("rejects: {} ({by})", control.form))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_checks::claims::row;

    #[test]
    fn a_claim_is_told_in_lines_that_fit_and_in_full_where_there_are_few() {
        let id = "L000.5";
        let claim = Claim::exact(id, "one scale next to another", &[0.5], &[0.5], 1e-9)
            .rejecting_exact("twice", &[1.0], &[0.5]);
        let mut finding = Finding::undecided(row(id).unwrap());
        finding.clauses[0].claim = Some(claim);
        let many = vec![finding.clone(); IN_FULL + 1];
        for (width, first) in [(80, "L000.5  pass"), (110, "L000.5  holds    pass    form")] {
            let table = lines(&many, width);
            assert!(table.iter().all(|line| line.chars().count() <= width), "{table:#?}");
            assert!(table[1].starts_with(first) && table[1].ends_with("exact"), "{}", table[1]);
            assert!(table[2].starts_with("    statement: The gated mean"), "{}", table[2]);
            let compared = |line: &&String| *line == "    compared: one scale next to another";
            assert_eq!(table.iter().filter(compared).count(), IN_FULL + 1, "{table:#?}");
        }
        let full = lines(&[finding], 110).join("\n");
        for part in
            ["compared: one scale", "pass (form)", "1e-9 would be noticed", "rejects: twice"]
        {
            assert!(full.contains(part), "{part} is not in {full}");
        }
    }
}
