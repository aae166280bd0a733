//! A comparison as lines of text.

use super::{Comparison, tables};
use fovea_page::table::{Table, wrapped};

/// How far tables are indented below their headings.
const INDENT: usize = 2;

/// Everything, top to bottom, in lines of at most `room` characters.
pub fn text(comparison: &Comparison, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut section = |heading: &str, table: Option<Table>, below: &[&str]| {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(wrapped(heading, room));
        let table = table.map(|table| table.lines_below(room.saturating_sub(INDENT), below));
        let indented =
            |line: String| if line.is_empty() { line } else { " ".repeat(INDENT) + &line };
        lines.extend(table.into_iter().flatten().map(indented));
    };
    section("records", Some(tables::records(comparison)), &[]);
    for warning in comparison.warnings() {
        section(&warning, None, &[]);
    }
    match tables::settings(comparison) {
        Some(table) => section("settings that differ", Some(table), &[]),
        None => section("all settings are the same, the seed included", None, &[]),
    }
    match tables::readings(comparison) {
        Some(table) => {
            let heading = format!("readings at the last {}", comparison.over.word());
            section(&heading, Some(table), &[]);
        }
        None => section("the records share no reading", None, &[]),
    }
    if !comparison.alone.is_empty() {
        section(&alone(comparison).join("; "), None, &[]);
    }
    if let Some(table) = tables::claims(comparison) {
        section("claims", Some(table), &["statement"]);
        section("both sides of the claims", tables::sides(comparison), &["statement"]);
        section(&differing(comparison), None, &[]);
    }
    lines
}

/// The probes that one record alone has.
pub(super) fn alone(comparison: &Comparison) -> Vec<String> {
    let told = |(probe, record): &(String, usize)| {
        format!("{probe} is measured in {} alone", comparison.names[*record])
    };
    comparison.alone.iter().map(told).collect()
}

/// Which claims do not come out the same.
fn differing(comparison: &Comparison) -> String {
    let differing: Vec<&str> =
        comparison.claims.iter().filter(|row| row.differs()).map(|row| row.id.as_str()).collect();
    match differing.len() {
        0 => "every claim comes out the same wherever it is made".to_owned(),
        _ => format!("\u{2260} comes out differently: {}", differing.join(", ")),
    }
}
