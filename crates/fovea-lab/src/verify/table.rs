//! The findings as lines of text, one a claim.

use super::Finding;
use fovea_record::present::number;

/// The heading and one line a claim; statements are cut to `width` characters in all.
pub fn table(findings: &[Finding], width: usize) -> Vec<String> {
    let ids = findings.iter().map(|finding| finding.row.id.len()).fold(5, usize::max);
    let line = |cells: [&str; 7], statement: &str| {
        let [id, verdict, status, predicted, measured, distance, resolves] = cells;
        let facts = format!(
            "{id:<ids$}  {verdict:<10}  {status:<9}  {predicted:>10}  {measured:>10}  {distance:>14}  {resolves:>8}  "
        );
        let room = width.saturating_sub(facts.chars().count()).max(24);
        facts + &cut(statement, room)
    };
    let heading = ["claim", "verdict", "status", "predicted", "measured", "distance", "resolves"];
    let mut lines = vec![line(heading, "statement")];
    lines.extend(findings.iter().map(|finding| {
        let [predicted, measured, distance, resolves] = numbers(finding);
        let cells = [
            finding.row.id.as_str(),
            finding.row.verdict.word(),
            finding.status().word(),
            &predicted,
            &measured,
            &distance,
            &resolves,
        ];
        line(cells, &finding.row.statement)
    }));
    lines
}

/// Both sides, their distance in digits or standard errors, and what the check resolves.
pub(super) fn numbers(finding: &Finding) -> [String; 4] {
    let Some(claim) = &finding.claim else { return Default::default() };
    let distance = match claim.digits {
        Some(digits) if digits >= 17.0 => "exact".to_owned(),
        Some(digits) => format!("{digits:.1} digits"),
        None => format!("{:+.2}/{:.1} s.e.", claim.z, claim.limit),
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

    #[test]
    fn a_line_fits_and_says_what_was_found() {
        let claim = fovea_record::claim::Claim::exact("L000.3", "x", &[0.5], &[0.5], 1e-9);
        let finding = Finding {
            row: row("L000.3").unwrap(),
            check: Some("x"),
            claim: Some(claim),
            remark: None,
        };
        let lines = table(&[finding], 120);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].starts_with("L000.3  corrected   pass"), "{}", lines[1]);
        assert!(lines[1].contains("exact") && lines[1].contains("1e-9"), "{}", lines[1]);
        assert!(lines.iter().all(|line| line.chars().count() <= 120), "{lines:?}");
        assert_eq!(cut("localized", 4), "loc\u{2026}");
    }
}
