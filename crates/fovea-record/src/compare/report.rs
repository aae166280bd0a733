//! A comparison as a report.

use super::figure::{CAPTION, figure, literal, names};
use super::series::MANY_LANES;
use super::text::alone;
use super::{Comparison, tables};
use fovea_page::report::{Block, Report};

/// The report: what differs, the readings over one another, the claims side by side.
pub fn report(comparison: &Comparison) -> Report {
    let lead = "What the records share and where they differ: their settings, their readings, and the outcome of their claims.";
    let mut report = Report::new(format!("{} side by side", names(comparison)), lead).broad();
    for warning in comparison.warnings() {
        report = report.with(Block::Warning(literal(&warning)));
    }
    for row in comparison.claims.iter().filter(|row| row.differs()) {
        let told = comparison.names.iter().zip(&row.judged).filter_map(|(name, judged)| {
            Some(format!("{} in {}", judged.as_ref()?.status, literal(name)))
        });
        let told = told.collect::<Vec<_>>().join(", ");
        let text = format!("{} comes out differently: {told} ({})", row.id, row.statement);
        report = report.with(Block::Warning(text));
    }
    report = report.with(Block::Data(tables::records(comparison)));
    report = report.with(Block::heading("Settings that differ")).with(settings(comparison));
    report = readings(report, comparison);
    let claims = [tables::claims(comparison), tables::sides(comparison)];
    if comparison.claims.is_empty() {
        return report;
    }
    claims
        .into_iter()
        .flatten()
        .map(Block::Data)
        .fold(report.with(Block::heading("Claims")), Report::with)
}

fn settings(comparison: &Comparison) -> Block {
    let same = || Block::paragraph("All settings are the same, the seed included.");
    tables::settings(comparison).map_or_else(same, Block::Data)
}

fn readings(report: Report, comparison: &Comparison) -> Report {
    let mut report = report.with(Block::heading("Readings"));
    match (figure(comparison), tables::readings(comparison)) {
        (Some(figure), Some(table)) => {
            let files = ["figures/compare.svg", "figures/compare.png"];
            report = report.with(Block::figure(&figure, CAPTION, files)).with(Block::Data(table));
            if comparison.lanes.len() > MANY_LANES {
                let more = comparison.lanes.len() - MANY_LANES;
                report = report
                    .with(Block::Note(format!("{more} more readings are in the table alone.")));
            }
        }
        _ => report = report.with(Block::paragraph("The records share no reading.")),
    }
    let alone = alone(comparison).into_iter();
    alone.fold(report, |report, text| report.with(Block::paragraph(literal(&text) + ".")))
}
