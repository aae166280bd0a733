//! The findings as lines of text: the sentence of every claim, and below it what was compared, clause by clause.

use super::{Decided, Finding};
use fovea_page::table::wrapped;
use fovea_record::claim::Evidence;
use fovea_record::present::number;

/// Up to so many claims are told in full.
const IN_FULL: usize = 5;

/// The findings in full where they are few, else a line for each claim and one for each of its clauses, of `width` characters.
pub fn table(findings: &[Finding], width: usize) -> Vec<String> {
    if findings.len() <= IN_FULL {
        return findings.iter().flat_map(|finding| in_full(finding, width)).collect();
    }
    let ids = findings.iter().map(|finding| finding.row.id.len()).fold(5, usize::max);
    let line = |cells: [&str; 6], text: &str| {
        let [id, status, evidence, predicted, measured, distance] = cells;
        let facts = format!(
            "{id:<ids$}  {status:<9}  {evidence:<9}  {predicted:>10}  {measured:>10}  {distance:>14}  "
        );
        let room = width.saturating_sub(facts.chars().count()).max(24);
        facts + &cut(text, room)
    };
    let headings = ["claim", "status", "evidence", "predicted", "measured", "distance"];
    let mut lines = vec![line(headings, "what was compared")];
    for finding in findings {
        let facts = format!("{:<ids$}  {:<9}  ", finding.row.id, finding.status().word());
        let said = format!("{}: {}", finding.row.verdict.word(), finding.row.statement);
        let room = width.saturating_sub(facts.chars().count()).max(24);
        lines.push(facts + &cut(&said, room));
        for decided in finding.clauses.iter().filter(|_| !finding.is_listed()) {
            let [predicted, measured, distance, _] = numbers(decided);
            let (status, evidence) = match &decided.claim {
                // The claim's own line has the status of its only clause.
                Some(claim) if finding.clauses.len() == 1 => ("", claim.evidence.word()),
                Some(claim) => (decided.status().word(), claim.evidence.word()),
                None => ("", ""),
            };
            let name = decided.name().map(|name| format!("{name}: ")).unwrap_or_default();
            let compared = match &decided.claim {
                Some(claim) => claim.statement.clone(),
                None => decided.why().unwrap_or_default(),
            };
            let cells = ["", status, evidence, &predicted, &measured, &distance];
            lines.push(line(cells, &(name + &compared)));
        }
    }
    lines
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
        let [predicted, measured, distance, resolves] = numbers(decided);
        let (status, evidence) = (decided.status().word(), claim.evidence.word());
        tell(4, &format!("compared: {}", claim.statement));
        let of =
            |word: &str| format!("{status} ({evidence}): {word} {predicted}, measured {measured}");
        // A phenomenon has a bound to lie beyond, and no value to be near to.
        tell(
            4,
            &match (claim.evidence, &claim.cases) {
                (_, Some(_)) => format!("{}, {distance}", of("predicted")),
                (Evidence::Shown, None) if claim.digits.is_none() => {
                    format!("{}, {distance}", of("bound"))
                }
                _ => format!(
                    "{}, {distance}; an error of {resolves} would be noticed",
                    of("predicted")
                ),
            },
        );
        if let Some(criterion) = &decided.clause.criterion {
            tell(4, &format!("criterion: {criterion}"));
        }
        if let Some(control) = &claim.control {
            let (wrong, there) = (number(control.predicted), number(control.measured));
            let by = match (claim.evidence, claim.digits, &claim.cases) {
                (_, _, Some(_)) => format!("a share of {there} obeys it, where all must"),
                (Evidence::Simulated, None, None) => {
                    let far = format!("{:+.1}/{:.1} s.e.", control.z, claim.limit);
                    format!("{wrong} where {there} is measured, {far}")
                }
                _ => format!("{wrong} where {there} is measured"),
            };
            tell(4, &format!("rejects: {} ({by})", control.form));
        }
        for more in decided.why().iter().chain(&decided.remarks()) {
            tell(4, more);
        }
    }
    lines.push(String::new());
    lines
}

/// Both sides, their distance in digits or standard errors, and what the check resolves.
pub(super) fn numbers(decided: &Decided) -> [String; 4] {
    let Some(claim) = &decided.claim else { return Default::default() };
    let distance = match (claim.cases, claim.digits) {
        (Some(cases), _) => format!("{} of {}", cases.hits, cases.trials),
        (None, Some(digits)) if digits >= 17.0 => "exact".to_owned(),
        (None, Some(digits)) => format!("{digits:.1} digits"),
        (None, None) => match (claim.evidence, &claim.control) {
            // From the other side of the bound.
            (Evidence::Shown, Some(control)) => format!("{:.1} s.e. past", control.z.abs()),
            _ => format!("{:+.2}/{:.1} s.e.", claim.z, claim.limit),
        },
    };
    let resolves = if claim.resolution >= 1e-3 {
        format!("{:.2} %", 100.0 * claim.resolution)
    } else {
        format!("{:.0e}", claim.resolution)
    };
    [number(claim.predicted), number(claim.measured), distance, resolves]
}

/// The text, or as much of it as fits in `room` characters with a mark that it goes on.
fn cut(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    text.chars().take(room - 1).chain(['\u{2026}']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_checks::claims::row;
    use fovea_record::claim::Claim;

    #[test]
    fn a_claim_is_told_in_lines_that_fit_and_in_full_where_there_are_few() {
        let id = "L000.5";
        let claim = Claim::exact(id, "one scale beside another", &[0.5], &[0.5], 1e-9)
            .rejecting_exact("twice", &[1.0], &[0.5]);
        let mut finding = Finding::undecided(row(id).unwrap());
        finding.clauses[0].claim = Some(claim);
        let lines = table(&vec![finding.clone(); IN_FULL + 1], 110);
        assert_eq!(lines.len(), 1 + 2 * (IN_FULL + 1));
        assert!(lines[1].starts_with("L000.5  pass       holds: "), "{}", lines[1]);
        assert!(lines[2].contains("form") && lines[2].contains("exact"), "{}", lines[2]);
        assert!(lines[2].ends_with("one scale beside another"), "{}", lines[2]);
        assert!(lines.iter().all(|line| line.chars().count() <= 110), "{lines:?}");
        let full = table(&[finding], 110).join("\n");
        for part in
            ["compared: one scale", "pass (form)", "1e-9 would be noticed", "rejects: twice"]
        {
            assert!(full.contains(part), "{part} is not in {full}");
        }
        assert_eq!(cut("localized", 4), "loc\u{2026}");
    }
}
