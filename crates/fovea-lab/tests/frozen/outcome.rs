//! The hashes of the outcome of a run: its numbers, each array by name, and its words.

use crate::digest::Digest;
use crate::kept::{Hashes, WORDS};
use fovea_lab::figure::Figure;
use fovea_lab::report::{Block, Report};
use fovea_lab::table::{Cells, Table};
use fovea_lab::{Array, Claim, Outcome, Series, Status};

/// Every hash of an outcome.
pub(crate) fn hashes(outcome: &Outcome) -> Hashes {
    let mut hashes = Hashes::default();
    hashes.put("numbers", "series", series(&outcome.series));
    hashes.put("numbers", "claims", claims(&outcome.claims));
    hashes.put("numbers", "end", end(outcome));
    for each in &outcome.arrays {
        hashes.put("arrays", &each.name, array(each));
    }
    for each in outcome.report.tables() {
        hashes.put("tables", &each.name, table(each));
    }
    hashes.put(WORDS, "statements", statements(&outcome.claims));
    hashes.put(WORDS, "report", report(&outcome.report));
    hashes.put(WORDS, "figures", figures(&outcome.report));
    hashes.put(WORDS, "summary", lines("the summary", &outcome.summary));
    hashes
}

/// Every reading; its time may have been added up in another order.
fn series(series: &Series) -> String {
    let mut digest = Digest::of("the series");
    let rows = series.value.len();
    let [curve, step, time, probe, unit] = [
        series.curve.len(),
        series.step.len(),
        series.time.len(),
        series.probe.len(),
        series.unit.len(),
    ];
    assert!([curve, step, time, probe, unit] == [rows; 5], "a column of the series is short");
    digest.count(rows);
    for row in 0..rows {
        digest.text(&series.curve[row]);
        digest.whole(series.step[row]);
        digest.rounded(series.time[row]);
        digest.text(&series.probe[row]);
        digest.whole(series.unit[row].into());
        digest.real(series.value[row]);
    }
    digest.hex()
}

fn array(array: &Array) -> String {
    let mut digest = Digest::of(format!("the array {}", array.name));
    digest.count(array.shape.len());
    for length in &array.shape {
        digest.count(*length);
    }
    digest.count(array.data.len());
    for entry in &array.data {
        digest.real(*entry);
    }
    digest.hex()
}

/// The numbers of a table by the names of their columns, to the bit; how many places a reader sees is a matter of words.
pub(crate) fn table(table: &Table) -> String {
    let mut digest = Digest::of(format!("the table {}", table.name));
    digest.count(table.columns.len());
    // A gap is none.
    let number = |x: f64| Some(x).filter(|x| !x.is_nan());
    for column in &table.columns {
        digest.text(&column.name);
        digest.count(column.cells.len());
        match &column.cells {
            Cells::Words(_) => {}
            Cells::Whole(values) => values.iter().for_each(|x| digest.whole(*x)),
            Cells::Reals { values, .. } => {
                for x in values {
                    digest.real_if_any(number(*x));
                }
            }
            Cells::Estimates { values, errors, .. } => {
                for x in values.iter().chain(errors) {
                    digest.real_if_any(number(*x));
                }
            }
        }
    }
    digest.hex()
}

/// How the run ended, and in which number type it ran: a step of divergence is a number.
fn end(outcome: &Outcome) -> String {
    let mut digest = Digest::of("the end");
    digest.text(outcome.status.word());
    if let Status::Diverged { curve, step } = &outcome.status {
        digest.text(curve);
        digest.whole(*step as i64);
    }
    digest.text(outcome.dtype);
    digest.hex()
}

fn claims(claims: &[Claim]) -> String {
    let mut digest = Digest::of("the claims");
    digest.count(claims.len());
    for claim in claims {
        claim_numbers(&mut digest, claim);
    }
    digest.hex()
}

/// Every number of a claim, and its status.
pub(crate) fn claim_numbers(digest: &mut Digest, claim: &Claim) {
    digest.text(claim.id);
    digest.text(claim.status());
    let Claim { predicted, measured, se, z, limit, resolution, .. } = claim;
    for number in [predicted, measured, se, z, limit, resolution] {
        // NaN stands for what was not measured.
        digest.real_if_any(Some(*number).filter(|number| !number.is_nan()));
    }
    digest.real_if_any(claim.digits);
    digest.count(usize::from(claim.control.is_some()));
    if let Some(control) = &claim.control {
        for number in [control.predicted, control.measured, control.z] {
            digest.real(number);
        }
    }
}

fn statements(claims: &[Claim]) -> String {
    let mut digest = Digest::of("the statements");
    digest.count(claims.len());
    for claim in claims {
        claim_words(&mut digest, claim);
    }
    digest.hex()
}

/// What a claim says, of the wrong form and of why it is undecided as well.
pub(crate) fn claim_words(digest: &mut Digest, claim: &Claim) {
    digest.text(claim.id);
    digest.text(&claim.statement);
    digest.text(claim.evidence.word());
    digest.text_if_any(claim.control.as_ref().map(|control| control.form.as_str()));
    digest.text_if_any(claim.why().as_deref());
}

/// The report without its figures, whose captions stay, and the numbers of its tables.
pub(crate) fn report(report: &Report) -> String {
    let mut bare = report.clone();
    for block in &mut bare.blocks {
        match block {
            Block::Figure { figure, .. } => **figure = Figure::new(""),
            // Its numbers have a hash of their own.
            Block::Data(table) => table.columns.iter_mut().for_each(|column| {
                if column.cells.numeric() {
                    column.cells = Cells::Whole(Vec::new());
                }
            }),
            _ => {}
        }
    }
    let mut digest = Digest::of("the report");
    digest.json(&serde_json::to_value(bare).unwrap());
    digest.hex()
}

/// The figures as data, as `report.json` keeps them.
fn figures(report: &Report) -> String {
    let mut digest = Digest::of("the figures");
    digest.count(report.figures().count());
    for (figure, _) in report.figures() {
        digest.json(&serde_json::to_value(figure).unwrap());
    }
    digest.hex()
}

pub(crate) fn lines(of: &str, lines: &[String]) -> String {
    let mut digest = Digest::of(of);
    digest.count(lines.len());
    for line in lines {
        digest.text(line);
    }
    digest.hex()
}
