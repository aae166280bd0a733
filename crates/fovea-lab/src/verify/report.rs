//! The findings as a report: every claim, and the errata.

use super::power::{predictions, slips};
use super::table::{claims, counts, distances, errata, rejected};
use super::{Status, Verification, summary};
use fovea_page::report::{Block, Report};
use fovea_page::table::Table;

/// The report: the counts, what failed, the errata of the sources, every claim, and what the checks notice.
pub fn report(verified: &Verification, quick: bool) -> Report {
    let findings = verified.findings.as_slice();
    let lead = "Every claim of the notes and the lectures, clause by clause: the verdict on it, what was compared, by which evidence, \
                how far apart both sides are, and which wrong form is rejected.";
    let mut report = Report::new("The claims, tested", lead).broad();
    if quick {
        let note = "Sampled checks used a tenth of their samples: they resolve less.";
        report = report.with(Block::Note(note.to_owned()));
    }
    for line in summary(findings) {
        report = report.with(Block::paragraph(line));
    }
    report = report.with(Block::paragraph(EVIDENCE));
    for finding in findings.iter().filter(|finding| finding.status() == Status::Fail) {
        for decided in finding.clauses.iter().filter(|one| one.status() == Status::Fail) {
            let what = decided.claim.as_ref().map_or("", |claim| claim.statement.as_str());
            let text = format!("{} fails: {} ({what})", decided.clause.id, decided.clause.says);
            report = report.with(Block::Warning(text));
        }
    }
    let section = |report: Report, heading: &str, tables: Vec<Table>| {
        tables
            .into_iter()
            .filter(|table| table.rows() > 0)
            .map(Block::Data)
            .fold(report.with(Block::heading(heading)), Report::with)
    };
    if let Some(errata) = errata(findings) {
        report = section(report, "Errata", vec![errata]);
    }
    report = section(report, "Claims", vec![claims(findings), counts(findings)]);
    let checks = [distances(findings), rejected(findings)];
    let mutations = [slips(&verified.powers), predictions(&verified.powers)];
    report = section(report, "Distances", checks.into());
    section(report, "What the checks notice", mutations.into())
}

/// What the kinds of evidence are.
const EVIDENCE: &str = "Evidence. form: a closed form agrees with an independent computation without noise. simulated: a prediction agrees \
                        with what was sampled or trained. shown: a phenomenon met the criterion that was written down before the run. \
                        A claim passes when all of its clauses do, and has the weakest evidence among them; partial: part of it \
                        passed, and nothing decides the rest. Clauses that take too long for a check are decided by an experiment: its \
                        outcome at default settings is kept with the program, and counts as long as its quick run still has the same \
                        numbers.";
