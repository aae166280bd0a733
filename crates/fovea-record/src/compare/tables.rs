//! What is compared, as tables: the same for a terminal and for a page.

use super::figure::literal;
use super::{ClaimRow, Comparison, Lane, Line, Setting};
use crate::directory::Judged;
use fovea_core::Value;
use fovea_page::table::{Rows, Table};

/// What stands where a record has nothing.
const NONE: &str = "\u{2013}";
/// Characters of a value; longer ones are cut.
const MOST: usize = 400;
/// What marks a claim that does not come out the same in all records.
const DIFFERS: &str = "\u{2260}";
/// Significant digits of readings and of both sides of a claim.
const DIGITS: usize = 4;

/// The records.
pub(super) fn records(comparison: &Comparison) -> Table {
    let rows: Vec<_> = comparison.names.iter().zip(&comparison.records).collect();
    Table::of("records", &rows)
        .words("record", |row| literal(row.0))
        .words("experiment", |row| row.1.experiment.clone())
        .words("status", |row| row.1.status.clone())
        .words("seed", |row| row.1.seed.to_string())
        .words("configuration", |row| row.1.hash.get(..12).unwrap_or(&row.1.hash))
        .caption("The records.")
}

/// One column per record, headed by its name.
fn by_record<'r, T>(
    comparison: &Comparison,
    start: Rows<'r, T>,
    cell: impl Fn(&T, usize) -> String,
) -> Rows<'r, T> {
    comparison.names.iter().enumerate().fold(start, |rows, (place, name)| {
        let column = format!("record_{}", place + 1);
        rows.words(&column, |row| cell(row, place)).label(literal(name))
    })
}

/// The settings that differ, if there are any.
pub(super) fn settings(comparison: &Comparison) -> Option<Table> {
    let rows = &comparison.settings;
    let start = Table::of("settings", rows).words("setting", |row: &Setting| row.path.clone());
    let table =
        by_record(comparison, start, |row, place| literal(&value(row.values[place].as_ref())));
    let caption =
        "Settings that are not the same in all records; a dash where a record has no such setting.";
    (!rows.is_empty()).then(|| table.caption(caption))
}

/// A setting's value in a cell.
fn value(value: Option<&Value>) -> String {
    let text = value.map_or_else(|| NONE.to_owned(), Value::to_string).replace('\n', ", ");
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST - 1).chain(['\u{2026}']).collect()
}

/// Where a line of a record ends.
struct End<'a> {
    reading: String,
    record: String,
    line: &'a Line,
}

/// The last reading of every line, if the records share any: curve by curve, and record by record.
pub(super) fn readings(comparison: &Comparison) -> Option<Table> {
    let ends: Vec<End> = comparison.lanes.iter().flat_map(|lane| ends(comparison, lane)).collect();
    let last = |values: &[f64]| values.last().copied().unwrap_or(f64::NAN);
    let mut table = Table::of("readings", &ends)
        .words("reading", |end| end.reading.clone())
        .words("record", |end| end.record.clone())
        .digits("mean", DIGITS, |end| last(&end.line.mean));
    let mut bands = "";
    if ends.iter().any(|end| !end.line.low.is_empty()) {
        let (low, high) = (|end: &End| last(&end.line.low), |end: &End| last(&end.line.high));
        table = table.digits("low", DIGITS, low).label("10 % quantile");
        table = table.digits("high", DIGITS, high).label("90 % quantile");
        bands = ", and the quantiles where there are three readings or more at a time";
    }
    let over = comparison.over.word();
    (!ends.is_empty())
        .then(|| table.caption(format!("The mean of each reading at its last {over}{bands}.")))
}

/// The lines of a lane, those of one curve together.
fn ends<'a>(comparison: &Comparison, lane: &'a Lane) -> Vec<End<'a>> {
    let mut curves: Vec<Option<&String>> = Vec::new();
    for line in &lane.lines {
        if !curves.contains(&line.curve.as_ref()) {
            curves.push(line.curve.as_ref());
        }
    }
    let of_curve = |curve: Option<&String>| -> Vec<End<'a>> {
        let reading = match lane.curve.as_ref().or(curve) {
            Some(curve) => literal(&format!("{}, {curve}", lane.probe)),
            None => lane.probe.clone(),
        };
        let own = lane.lines.iter().filter(|line| line.curve.as_ref() == curve);
        let end = |line: &'a Line| {
            let record = literal(&comparison.names[line.record]);
            End { reading: reading.clone(), record, line }
        };
        own.map(end).collect()
    };
    curves.into_iter().flat_map(of_curve).collect()
}

/// The outcome of every claim in each record, if there are any.
pub(super) fn claims(comparison: &Comparison) -> Option<Table> {
    let rows = numbered(&comparison.claims);
    let mut table = Table::of("claims", &rows);
    if rows.iter().any(|(_, row)| row.differs()) {
        let mark = |(_, row): &(String, &ClaimRow)| if row.differs() { DIFFERS } else { "" };
        table = table.words("differs", mark).label(DIFFERS);
    }
    let status = |(_, row): &(String, &ClaimRow), place: usize| {
        row.judged[place].as_ref().map_or_else(|| NONE.to_owned(), |judged| judged.status.clone())
    };
    let table = by_record(comparison, table.words("claim", |(id, _)| id.clone()), status)
        .words("statement", |(_, row)| row.statement.clone());
    let caption = "The outcome of every claim in each record; \u{2260} marks those that do not come out the same, a dash those that \
                   a record does not make.";
    (!rows.is_empty()).then(|| table.caption(caption))
}

/// Claims with their ids, which are numbered where one comes more than once.
fn numbered(claims: &[ClaimRow]) -> Vec<(String, &ClaimRow)> {
    let same = |upto: usize, id: &str| claims[..upto].iter().filter(|row| row.id == id).count();
    let name = |(at, row): (usize, &ClaimRow)| {
        if same(claims.len(), &row.id) == 1 {
            return row.id.clone();
        }
        format!("{} ({})", row.id, same(at, &row.id) + 1)
    };
    claims.iter().enumerate().map(|row| (name(row), row.1)).collect()
}

/// A claim in one record.
struct Sides<'a> {
    claim: String,
    record: String,
    judged: &'a Judged,
    /// Its words, where they are not those of the first record that has it.
    statement: &'a str,
}

/// A number of a claim in a record.
type Of = fn(&Judged) -> Option<f64>;

/// Both sides of every claim in each record that makes it, if there are any.
pub(super) fn sides(comparison: &Comparison) -> Option<Table> {
    let mut rows = Vec::new();
    for (claim, row) in numbered(&comparison.claims) {
        for (name, judged) in comparison.names.iter().zip(&row.judged) {
            let Some(judged) = judged else { continue };
            let other = judged.statement != row.statement;
            let statement = if other { judged.statement.as_str() } else { "" };
            rows.push(Sides { claim: claim.clone(), record: literal(name), judged, statement });
        }
    }
    let number = |of: Of| move |row: &Sides| of(row.judged).unwrap_or(f64::NAN);
    let mut table = Table::of("sides", &rows)
        .words("claim", |row| row.claim.clone())
        .words("record", |row| row.record.clone())
        .digits("predicted", DIGITS, number(|judged| judged.predicted))
        .digits("measured", DIGITS, number(|judged| judged.measured));
    let distances: [(&str, usize, Of); 4] = [
        ("std_err", 2, |judged| judged.std_err),
        ("z", 3, |judged| judged.z),
        ("limit", 2, |judged| judged.limit),
        ("digits", 3, |judged| judged.digits),
    ];
    // Without noise there is no standard error, and with it there are no digits.
    for (name, digits, of) in distances {
        if rows.iter().any(|row| of(row.judged).is_some()) {
            table = table.digits(name, digits, number(of));
        }
    }
    let table = table.words("statement", |row| row.statement);
    let caption = "Both sides of every claim and their distance: in standard errors, z, which may be as large as the limit, or in digits \
                   that they share. The statement is given where it is in other words than above.";
    (!rows.is_empty()).then(|| table.caption(caption))
}
