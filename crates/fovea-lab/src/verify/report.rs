//! The findings as a report: every claim, and the errata.

use super::table::numbers;
use super::{Finding, Status, summary};
use fovea_checks::claims::Verdict;
use fovea_page::report::{Block, Report};
use fovea_record::claim::whole;
use fovea_record::present::number;

/// The report: what the counts are, what failed, the errata of the sources, and every claim by document.
pub fn report(findings: &[Finding], quick: bool) -> Report {
    let lead = "Every claim of the notes and the lectures, with what became of it and, where it is checked, both sides \
                computed apart and the distance between them.";
    let mut report = Report::new("The claims, put to the test", lead);
    if quick {
        let note =
            "Sampled checks drew a tenth of their samples: they resolve less than they would.";
        report = report.with(Block::Note(note.to_owned()));
    }
    for line in summary(findings) {
        report = report.with(Block::paragraph(line));
    }
    let failed: Vec<&Finding> =
        findings.iter().filter(|finding| finding.status() == Status::Fail).collect();
    for finding in &failed {
        let what = finding.claim.as_ref().map_or("", |claim| claim.statement.as_str());
        let text = format!("{} fails: {} ({what})", finding.row.id, finding.row.statement);
        report = report.with(Block::Warning(text));
    }
    report = errata(report, findings);
    let mut documents: Vec<&str> = Vec::new();
    for finding in findings {
        let document = document(finding);
        if !documents.contains(&document) {
            documents.push(document);
        }
    }
    for name in documents {
        let own: Vec<&Finding> =
            findings.iter().filter(|finding| document(finding) == name).collect();
        report = report.with(Block::heading(format!("{name}, {}", own[0].row.document)));
        report = report.with(claims(&own));
    }
    report
}

/// `L000` of `L000.3`.
fn document(finding: &Finding) -> &str {
    finding.row.id.split('.').next().unwrap_or_default()
}

/// The source's forms beside the right ones, with the numbers that tell them apart.
fn errata(report: Report, findings: &[Finding]) -> Report {
    let corrected: Vec<&Finding> =
        findings.iter().filter(|finding| finding.row.verdict == Verdict::Corrected).collect();
    if corrected.is_empty() {
        return report;
    }
    let header = ["claim", "place", "the source has", "right is", "told apart by"];
    let rows = corrected.iter().map(|finding| {
        let row = finding.row;
        [
            row.id.clone(),
            format!("{} {}", row.document, row.equation),
            literal(row.source.as_deref().unwrap_or_default()),
            literal(row.correct.as_deref().unwrap_or_default()),
            told_apart(finding),
        ]
    });
    let caption = "Predicted against measured, where each form is furthest off: first the right form, then the source's own in its \
                   place, which must fail. Its distance is counted in standard errors, or in allowed errors where nothing is sampled.";
    report.with(Block::heading("Errata")).with(Block::table(
        header.map(str::to_owned),
        rows,
        caption,
    ))
}

/// The numbers that tell the source's form from the right one.
fn told_apart(finding: &Finding) -> String {
    match (&finding.claim, &finding.remark) {
        (Some(claim), remark) => {
            let [predicted, measured, distance, _] = numbers(finding);
            let right = format!("right: {predicted} against {measured} ({distance})");
            match (&claim.control, remark) {
                (Some(control), _) => {
                    let unit = if claim.digits.is_some() { "allowed errors" } else { "s.e." };
                    format!(
                        "{right}; source: {} against {} ({} {unit} off)",
                        number(control.predicted),
                        number(control.measured),
                        whole(control.z.abs())
                    )
                }
                (None, Some(remark)) => format!("{right}; {remark}"),
                (None, None) => right,
            }
        }
        (None, _) => "not checked yet".to_owned(),
    }
}

/// Every claim of a document.
fn claims(findings: &[&Finding]) -> Block {
    let header = [
        "claim",
        "place",
        "statement",
        "verdict",
        "status",
        "predicted",
        "measured",
        "distance",
        "resolves",
        "compared",
    ];
    let rows = findings.iter().map(|finding| {
        let [predicted, measured, distance, resolves] = numbers(finding);
        let compared = finding.claim.as_ref().map(|claim| {
            let why = claim.why().map(|why| format!("; {why}")).unwrap_or_default();
            let remark = finding.remark.as_ref().map(|r| format!("; {r}")).unwrap_or_default();
            literal(&format!("{}{why}{remark}", claim.statement))
        });
        [
            finding.row.id.clone(),
            finding.row.equation.clone(),
            literal(&finding.row.statement),
            finding.row.verdict.word().to_owned(),
            finding.status().word().to_owned(),
            predicted,
            measured,
            distance,
            resolves,
            compared.unwrap_or_default(),
        ]
    });
    let caption = "The pair furthest apart is shown where a claim covers many numbers. Resolves: the relative error in the \
                   prediction that would be noticed.";
    Block::table(header.map(str::to_owned), rows, caption)
}

/// Text in which no dollar begins a formula.
fn literal(text: &str) -> String {
    text.replace('$', "\u{ff04}")
}
