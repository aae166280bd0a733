//! A comparison as lines of text.

use super::{Comparison, Line};
use crate::directory::Judged;
use crate::present::{aligned, number};
use fovea_core::Value;

/// What stands where a record has nothing.
const NONE: &str = "\u{2013}";
/// Characters of a value; beyond them it goes on unseen.
const MOST: usize = 48;

/// Everything, top to bottom.
pub fn text(comparison: &Comparison) -> Vec<String> {
    let mut lines = vec!["records".to_owned()];
    let rows = comparison.names.iter().zip(&comparison.records).map(|(name, record)| {
        let cells = [name, &record.experiment, &record.status];
        let mut cells: Vec<String> = cells.map(Clone::clone).to_vec();
        cells.push(format!("seed {}", record.seed));
        cells.push(record.hash.get(..12).unwrap_or(&record.hash).to_owned());
        cells
    });
    lines.extend(indented(aligned(&rows.collect::<Vec<_>>())));
    lines.extend(comparison.warnings());

    if comparison.settings.is_empty() {
        section(&mut lines, "all settings are the same, the seed included", &[]);
    } else {
        let head = std::iter::once("setting".to_owned()).chain(comparison.names.clone());
        let mut rows = vec![head.collect::<Vec<_>>()];
        rows.extend(comparison.settings.iter().map(|setting| {
            let values = setting.values.iter().map(|v| value(v.as_ref()));
            std::iter::once(setting.path.clone()).chain(values).collect()
        }));
        section(&mut lines, "settings that differ", &rows);
    }

    if comparison.lanes.is_empty() {
        section(&mut lines, "the records share no reading", &[]);
    } else {
        let over = comparison.over.word();
        let heading = format!("readings at the last {over}: mean [10 %, 90 % quantile]");
        section(&mut lines, &heading, &ends(comparison));
    }
    for (probe, record) in &comparison.alone {
        lines.push(format!("  {probe} is measured in {} alone", comparison.names[*record]));
    }
    claims(&mut lines, comparison);
    lines
}

fn section(lines: &mut Vec<String>, heading: &str, rows: &[Vec<String>]) {
    lines.push(String::new());
    lines.push(heading.to_owned());
    lines.extend(indented(aligned(rows)));
}

fn indented(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("  {line}"))
}

/// A setting's value in a cell.
pub(super) fn value(value: Option<&Value>) -> String {
    let text = value.map_or_else(|| NONE.to_owned(), Value::to_string).replace('\n', ", ");
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST - 1).chain(['\u{2026}']).collect()
}

/// Where every line ends: a heading, then a row a lane, or a row a line where lines have names of their own.
pub(super) fn ends(comparison: &Comparison) -> Vec<Vec<String>> {
    let head = std::iter::once("reading".to_owned()).chain(comparison.names.clone());
    let mut rows: Vec<Vec<String>> = vec![head.collect()];
    for lane in &comparison.lanes {
        let mut curves: Vec<Option<&String>> = Vec::new();
        for line in &lane.lines {
            if !curves.contains(&line.curve.as_ref()) {
                curves.push(line.curve.as_ref());
            }
        }
        for curve in curves {
            let name = match lane.curve.as_ref().or(curve) {
                Some(curve) => format!("{}, {curve}", lane.probe),
                None => lane.probe.clone(),
            };
            let of = |record: usize| {
                let own = lane.lines.iter().filter(|line| line.record == record);
                let own = own.filter(|line| line.curve.as_ref() == curve);
                let ends: Vec<String> = own.map(end).collect();
                if ends.is_empty() { NONE.to_owned() } else { ends.join(" / ") }
            };
            let cells = (0..comparison.records.len()).map(of);
            rows.push(std::iter::once(name).chain(cells).collect());
        }
    }
    rows
}

/// Where a line ends.
fn end(line: &Line) -> String {
    let last = |values: &[f64]| values.last().map_or(NONE.to_owned(), |x| number(*x));
    if line.low.is_empty() {
        return last(&line.mean);
    }
    format!("{} [{}, {}]", last(&line.mean), last(&line.low), last(&line.high))
}

/// The columns of a table of claims.
pub(super) fn heading() -> Vec<String> {
    ["claim", "record", "status", "predicted", "measured", "distance", "statement"]
        .map(str::to_owned)
        .to_vec()
}

/// Status, both sides and their distance.
pub(super) fn claim_cells(judged: &Judged) -> [String; 4] {
    let real = |x: Option<f64>| x.map_or(NONE.to_owned(), number);
    let distance = match (judged.z, judged.digits) {
        (_, Some(digits)) => format!("{digits:.1} digits"),
        (Some(z), None) => format!("z = {z:.2}"),
        (None, None) => NONE.to_owned(),
    };
    [judged.status.clone(), real(judged.predicted), real(judged.measured), distance]
}

fn claims(lines: &mut Vec<String>, comparison: &Comparison) {
    if comparison.claims.is_empty() {
        return;
    }
    lines.push(String::new());
    lines.push("claims".to_owned());
    for row in &comparison.claims {
        let mark = if row.differs() { "\u{2260}" } else { " " };
        lines.push(format!("{mark} {}: {}", row.id, row.statement));
        let told = comparison.names.iter().zip(&row.judged).map(|(name, judged)| {
            let Some(judged) = judged else { return vec![name.clone(), "not claimed".to_owned()] };
            let [status, predicted, measured, distance] = claim_cells(judged);
            let (predicted, measured) =
                (format!("predicted {predicted}"), format!("measured {measured}"));
            vec![name.clone(), status, predicted, measured, distance]
        });
        let told: Vec<Vec<String>> = told.collect();
        lines.extend(aligned(&told).into_iter().map(|line| format!("    {line}")));
    }
    let differing: Vec<&str> =
        comparison.claims.iter().filter(|row| row.differs()).map(|row| row.id.as_str()).collect();
    lines.push(match differing.len() {
        0 => "  every claim comes out the same wherever it is made".to_owned(),
        _ => format!("\u{2260} comes out differently: {}", differing.join(", ")),
    });
}
