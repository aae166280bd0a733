//! The findings as a report: every claim, and the errata.

use super::finding::literal;
use super::power::mutations;
use super::table::numbers;
use super::{Decided, Finding, Status, Verification, summary};
use fovea_checks::claims::Verdict;
use fovea_page::report::{Block, Report};
use fovea_record::claim::whole;
use fovea_record::present::number;

/// The report: what the counts are, what failed, the errata of the sources, and every claim by document.
pub fn report(verified: &Verification, quick: bool) -> Report {
    let findings = verified.findings.as_slice();
    let lead = "Every claim of the notes and the lectures, clause by clause: what became of it, what was compared, by which evidence, \
                how far both sides lie apart, and which wrong form is rejected.";
    let mut report = Report::new("The claims, put to the test", lead);
    if quick {
        let note =
            "Sampled checks drew a tenth of their samples: they resolve less than they would.";
        report = report.with(Block::Note(note.to_owned()));
    }
    for line in summary(findings) {
        report = report.with(Block::paragraph(line));
    }
    report = report.with(Block::paragraph(EVIDENCE));
    let failed: Vec<&Finding> =
        findings.iter().filter(|finding| finding.status() == Status::Fail).collect();
    for finding in &failed {
        for decided in finding.clauses.iter().filter(|one| one.status() == Status::Fail) {
            let what = decided.claim.as_ref().map_or("", |claim| claim.statement.as_str());
            let text = format!("{} fails: {} ({what})", decided.clause.id, decided.clause.says);
            report = report.with(Block::Warning(text));
        }
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
    if verified.powers.is_empty() {
        return report;
    }
    report.with(Block::heading("What the checks notice")).with(mutations(&verified.powers))
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

/// The numbers that tell the source's form from the right one, clause by clause.
fn told_apart(finding: &Finding) -> String {
    let told = |decided: &Decided| {
        let claim = decided.claim.as_ref()?;
        let [predicted, measured, distance, _] = numbers(decided);
        let name = decided.name().map(|name| format!("{name}, ")).unwrap_or_default();
        let right = format!("{name}right: {predicted} against {measured} ({distance})");
        let rejected = claim.control.as_ref().map(|control| {
            let unit = match (claim.cases, claim.digits) {
                (Some(_), _) => "cases",
                (None, Some(_)) => "allowed errors",
                (None, None) => "s.e.",
            };
            format!(
                "{}: {} against {} ({} {unit} off)",
                control.form,
                number(control.predicted),
                number(control.measured),
                whole(control.z.abs())
            )
        });
        let parts = [Some(right), rejected].into_iter().flatten().chain(decided.remarks());
        Some(parts.collect::<Vec<_>>().join("; "))
    };
    let all: Vec<String> = finding.clauses.iter().filter_map(told).collect();
    if all.is_empty() { "not checked yet".to_owned() } else { all.join(". ") }
}

/// What the kinds of evidence are.
const EVIDENCE: &str = "Evidence. form: a closed form agrees with an independent computation without noise. simulated: a prediction agrees \
                        with what was sampled or trained. shown: a phenomenon met the criterion that was written down before the run. \
                        A claim passes when all of its clauses do, and is called by the least of their evidence; partial: part of it \
                        passed, and nothing decides the rest. What takes longer than a check may, an experiment decides: its outcome at \
                        default settings is kept with the program, and counts as long as its quick run still has the same numbers.";

/// Every claim of a document, clause by clause.
fn claims(findings: &[&Finding]) -> Block {
    let header = [
        "claim",
        "place",
        "statement",
        "verdict",
        "status",
        "evidence",
        "compared",
        "predicted",
        "measured",
        "distance",
        "resolves",
        "rejects",
    ];
    let rows = findings.iter().flat_map(|finding| {
        let several = finding.clauses.len() > 1;
        let clause = move |decided: &Decided| clause_cells(decided, finding.is_listed());
        let row = finding.row;
        let head = [
            row.id.clone(),
            row.equation.clone(),
            literal(&row.statement),
            row.verdict.word().to_owned(),
            finding.status().word().to_owned(),
        ];
        let evidence = finding.evidence().map_or("", |evidence| evidence.word()).to_owned();
        let first = head.clone().into_iter().chain([evidence]).collect::<Vec<String>>();
        let single = |decided: &Decided| head.iter().cloned().chain(clause(decided)).collect();
        let own = |decided: &Decided| {
            let (id, says) = (decided.clause.id.clone(), literal(&decided.clause.says));
            let status = decided.status().word().to_owned();
            let head = [id, String::new(), says, String::new(), status];
            head.into_iter().chain(clause(decided)).collect()
        };
        let lines: Vec<Vec<String>> = if several {
            std::iter::once(first).chain(finding.clauses.iter().map(own)).collect()
        } else {
            finding.clauses.iter().map(single).collect()
        };
        lines
    });
    let caption = "The pair nearest to its limit is shown where a clause covers many numbers. Resolves: the relative error of any one \
                   prediction that would be noticed. Rejects: the wrong form that was put in the place of the right one.";
    Block::Table {
        header: header.map(str::to_owned).to_vec(),
        rows: rows.collect(),
        caption: caption.to_owned(),
    }
}

/// What was compared, from the evidence on.
fn clause_cells(decided: &Decided, listed: bool) -> Vec<String> {
    let [predicted, measured, distance, resolves] = numbers(decided);
    let evidence = decided.claim.as_ref().map_or("", |claim| claim.evidence.word());
    let rest = decided.why().filter(|_| !listed).into_iter().chain(decided.remarks());
    let criterion = decided.clause.criterion.iter().map(|text| format!("criterion: {text}"));
    let compared = decided.claim.iter().map(|claim| claim.statement.clone());
    let compared: Vec<String> = compared.chain(criterion).chain(rest).collect();
    let rejects = decided.claim.as_ref().and_then(|claim| claim.control.as_ref());
    vec![
        evidence.to_owned(),
        literal(&compared.join("; ")),
        predicted,
        measured,
        distance,
        resolves,
        literal(rejects.map_or("", |control| &control.form)),
    ]
}
