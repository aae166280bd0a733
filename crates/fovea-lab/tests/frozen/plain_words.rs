//! What a run says, held to the list of phrases: every title, caption, label, heading, claim, note and cell of words.

use crate::plain::Reader;
use fovea_lab::Outcome;
use fovea_lab::verify::Finding;
use serde_json::Value;

/// Whether an outcome speaks in plain words.
///
/// # Errors
/// Every phrase that is not plain, in the order of its places.
pub(crate) fn of_outcome(name: &str, outcome: &Outcome) -> Result<(), String> {
    let mut reader = Reader::default();
    read(&mut reader, name, outcome);
    reader.ended()
}

/// The same for what `verify` found, claim by claim, and for its report.
///
/// # Errors
/// As for an outcome.
pub(crate) fn of_findings(findings: &[Finding], outcome: &Outcome) -> Result<(), String> {
    let mut reader = Reader::default();
    for finding in findings {
        strings(&mut reader, &format!("verify::{}", finding.row.id), &finding.to_json());
    }
    read(&mut reader, "verify::quick", outcome);
    reader.ended()
}

/// Both results, where either is an error.
///
/// # Errors
/// What is wrong with one or both.
pub(crate) fn both(first: Result<(), String>, second: Result<(), String>) -> Result<(), String> {
    match (first, second) {
        (Err(first), Err(second)) => Err(format!("{first}\n{second}")),
        (first, second) => first.and(second),
    }
}

fn read(reader: &mut Reader, name: &str, outcome: &Outcome) {
    let report = serde_json::to_value(&outcome.report).expect("a report is data");
    strings(reader, &format!("{name}, report"), &report);
    for (file, figure) in &outcome.figures {
        let figure = serde_json::to_value(figure).expect("a figure is data");
        strings(reader, &format!("{name}, figure {file}"), &figure);
    }
    for claim in &outcome.claims {
        reader.read(format!("{name}, claim {}", claim.id), &claim.in_words());
    }
    reader.read(format!("{name}, summary"), &outcome.summary.join("\n"));
}

/// Keys of what is a name: of a table and its columns, of a setting, of a file.
const NAMES: [&str; 2] = ["name", "files"];

/// Reads every text in a document.
fn strings(reader: &mut Reader, place: &str, value: &Value) {
    match value {
        Value::String(text) => reader.read(place, text),
        Value::Array(values) => {
            for (i, value) in values.iter().enumerate().filter(|(_, value)| !value.is_number()) {
                strings(reader, &format!("{place}[{i}]"), value);
            }
        }
        Value::Object(entries) => {
            for (key, value) in entries.iter().filter(|(key, _)| !NAMES.contains(&key.as_str())) {
                strings(reader, &format!("{place}.{key}"), value);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What must not pass.
pub(crate) const CONTROLS: &[(&str, fn())] =
    &[("controls::a_phrase_of_the_list_is_noticed_in_any_text", a_phrase_is_noticed_anywhere)];

/// A change to an outcome.
type Change = fn(&mut Outcome);

fn a_phrase_is_noticed_anywhere() {
    use fovea_lab::report::Block;
    let error = |change: Change| {
        let mut outcome = crate::noticed::sample();
        change(&mut outcome);
        of_outcome("sample", &outcome).err()
    };
    assert_eq!(error(|_| {}), None);
    let changes: [(&str, Change); 6] = [
        ("sample, report.blocks[1].Figure.caption", |o| match &mut o.report.blocks[1] {
            Block::Figure { caption, .. } => *caption = "The weights, one a site.".to_owned(),
            _ => panic!("the sample has a figure there"),
        }),
        ("sample, figure b.title", |o| o.figures[0].1.title = "Fields, one a site".to_owned()),
        ("sample, report.blocks[2].Data.caption", |o| match &mut o.report.blocks[2] {
            Block::Data(table) => table.caption = "one a site".to_owned(),
            _ => panic!("the sample has a table there"),
        }),
        ("sample, report.lead", |o| o.report.lead = "Weights, one a site.".to_owned()),
        ("sample, claim L000.3", |o| o.claims[0].statement = "one a site".to_owned()),
        ("sample, summary:3", |o| o.summary.push("one a site".to_owned())),
    ];
    for (place, change) in changes {
        let error = error(change).unwrap_or_else(|| panic!("{place} is not read"));
        assert!(error.contains(&format!("\n{place}: ")), "{place} is not named: {error}");
        assert!(error.contains("one a site") && error.contains("say \"per\""), "{error}");
    }
    assert_eq!(both(Ok(()), Ok(())), Ok(()));
    assert_eq!(both(Err("a".to_owned()), Err("b".to_owned())), Err("a\nb".to_owned()));
}
