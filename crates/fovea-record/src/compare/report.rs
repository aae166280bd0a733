//! A comparison as a report.

use super::Comparison;
use super::figure::{CAPTION, figure, literal, names};
use super::series::MANY_LANES;
use super::text::{claim_cells, ends, heading, value};
use fovea_page::report::{Block, Report};

/// The report: what differs, the readings over one another, the claims side by side.
pub fn report(comparison: &Comparison) -> Report {
    let lead = "What the records share and where they part: their settings, their readings, and what came of their claims.";
    let mut report = Report::new(format!("{} side by side", names(comparison)), lead);
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
    report = report.with(records(comparison));
    report = report.with(Block::heading("Settings that differ")).with(settings(comparison));
    report = readings(report, comparison);
    if comparison.claims.is_empty() {
        return report;
    }
    report.with(Block::heading("Claims")).with(claims(comparison))
}

fn records(comparison: &Comparison) -> Block {
    let rows = comparison.names.iter().zip(&comparison.records).map(|(name, record)| {
        [
            literal(name),
            record.experiment.clone(),
            record.status.clone(),
            format!("`{}`", record.seed),
            format!("`{}`", record.hash.get(..12).unwrap_or(&record.hash)),
        ]
    });
    let header = ["record", "experiment", "status", "seed", "configuration"].map(str::to_owned);
    Block::table(header, rows, "The records.")
}

fn settings(comparison: &Comparison) -> Block {
    if comparison.settings.is_empty() {
        return Block::paragraph("All settings are the same, the seed included.");
    }
    let header =
        std::iter::once("setting".to_owned()).chain(comparison.names.iter().map(|n| literal(n)));
    let row = |setting: &super::Setting| -> Vec<String> {
        let values = setting.values.iter().map(|v| literal(&value(v.as_ref())));
        std::iter::once(format!("`{}`", setting.path)).chain(values).collect()
    };
    let rows: Vec<Vec<String>> = comparison.settings.iter().map(row).collect();
    Block::Table {
        header: header.collect(),
        rows,
        caption: "Settings that are not the same in all records; a dash where a record has none of the name.".into(),
    }
}

fn readings(report: Report, comparison: &Comparison) -> Report {
    let mut report = report.with(Block::heading("Readings"));
    match figure(comparison) {
        Some(figure) => {
            let files = ["figures/compare.svg", "figures/compare.png"];
            report = report.with(Block::figure(&figure, CAPTION, files));
            let rows = ends(comparison);
            let (header, rows) =
                rows.split_first().map_or((Vec::new(), &rows[..0]), |(h, r)| (h.clone(), r));
            let over = comparison.over.word();
            let caption = format!(
                "The mean at the last {over} of each line, and the middle 80 % of the readings in brackets."
            );
            report = report.with(Block::Table { header, rows: rows.to_vec(), caption });
            if comparison.lanes.len() > MANY_LANES {
                let more = comparison.lanes.len() - MANY_LANES;
                report = report
                    .with(Block::Note(format!("{more} more readings are in the table alone.")));
            }
        }
        None => report = report.with(Block::paragraph("The records share no reading.")),
    }
    for (probe, record) in &comparison.alone {
        let name = literal(&comparison.names[*record]);
        report = report.with(Block::paragraph(format!("`{probe}` is measured in {name} alone.")));
    }
    report
}

fn claims(comparison: &Comparison) -> Block {
    let header = heading();
    let rows = comparison.claims.iter().flat_map(|row| {
        row.judged.iter().enumerate().filter_map(move |(i, judged)| {
            let mut cells = vec![row.id.clone(), literal(&comparison.names[i])];
            cells.extend(claim_cells(judged.as_ref()?));
            cells.push(judged.as_ref()?.statement.clone());
            if row.differs() {
                cells[0] = format!("\u{2260} {}", row.id);
            }
            Some(cells)
        })
    });
    let caption =
        "Every claim in each record that makes it; \u{2260} marks those that come out differently.";
    Block::Table { header, rows: rows.collect(), caption: caption.into() }
}
