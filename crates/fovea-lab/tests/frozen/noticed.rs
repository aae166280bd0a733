//! What the hashes of an outcome must notice, and what they must not.

use crate::outcome::hashes;
use fovea_lab::figure::Figure;
use fovea_lab::report::{Block, Report};
use fovea_lab::table::{Cells, Table};
use fovea_lab::{Array, Claim, Outcome, Series, Status};

/// What the hashes must notice, and what they must not.
pub(crate) const CONTROLS: &[(&str, fn())] = &[
    ("controls::the_same_outcome_has_the_same_hashes", the_same_outcome_has_the_same_hashes),
    ("controls::one_bit_of_a_number_is_noticed", one_bit_of_a_number_is_noticed),
    ("controls::a_time_is_held_to_twelve_digits", a_time_is_held_to_twelve_digits),
    ("controls::a_changed_word_moves_only_the_words", a_changed_word_moves_only_the_words),
    ("controls::a_nan_among_the_numbers_is_refused", a_nan_among_the_numbers_is_refused),
];

/// An outcome with one of everything.
pub(crate) fn sample() -> Outcome {
    use fovea_core::stats::Estimate;
    use fovea_lab::figure::{Axis, Mark, Panel, Style};
    let estimate = Estimate::from_parts(0.5, 1.0, 1000).unwrap();
    let claim =
        Claim::family("L000.3", "a half", &[(estimate, 0.4)]).rejecting("ten", &[(estimate, 10.0)]);
    let missing = Claim::undecided("L000.4", "nothing", 1.0, "it was not measured");
    let panel = Panel::new("a", Axis::new("x"), Axis::new("y"));
    let figure = Figure::new("b").panel(panel.with(Mark::line(
        &[0.1, 0.2],
        &[0.3, 0.4],
        "c",
        Style::series(0),
    )));
    let report = Report::new("title", "lead").with(Block::paragraph("text"));
    Outcome {
        status: Status::Completed,
        dtype: "f32",
        series: Series {
            curve: vec!["k".to_owned(); 2],
            step: vec![0, 1],
            time: vec![0.0, 0.3],
            probe: vec!["loss".to_owned(); 2],
            unit: vec![0, 0],
            value: vec![0.7, 0.6],
        },
        arrays: vec![Array::of_entries("w", &[0.1, 0.2]), Array::of_entries("v", &[0.1])],
        claims: vec![claim, missing],
        report: report
            .with(Block::figure(&figure, "caption", ["figures/b.svg"]))
            .with(Block::Data(ends())),
        figures: vec![("b", figure)],
        summary: vec!["one".to_owned(), "two".to_owned()],
    }
}

/// A table with a gap.
fn ends() -> Table {
    Table::of("ends", &[("one", 0.25), ("two", f64::NAN)])
        .words("what", |row| row.0)
        .real("ipr", 2, |row| row.1)
        .caption("caption")
}

/// What moves where the sample is changed in this way.
fn moved(change: impl FnOnce(&mut Outcome)) -> (Vec<String>, Vec<String>) {
    let mut changed = sample();
    change(&mut changed);
    let moved = hashes(&changed).moved_from(&hashes(&sample()));
    (moved.numbers, moved.words)
}

/// The number whose last bit is the other one.
fn flipped(number: f64) -> f64 {
    f64::from_bits(number.to_bits() ^ 1)
}

fn the_same_outcome_has_the_same_hashes() {
    assert_eq!(moved(|_| {}), (vec![], vec![]));
}

fn one_bit_of_a_number_is_noticed() {
    let one = |what: &str| (vec![what.to_owned()], vec![]);
    let series = moved(|o| o.series.value[1] = flipped(o.series.value[1]));
    assert_eq!(series, one("the series"));
    let series = moved(|o| o.series.unit[1] ^= 1);
    assert_eq!(series, one("the series"));
    let array = moved(|o| o.arrays[0].data[1] = flipped(o.arrays[0].data[1]));
    assert_eq!(array, one("the array w"));
    let shape = moved(|o| o.arrays[0].shape = vec![1, 2]);
    assert_eq!(shape, one("the array w"));
    let gone = moved(|o| drop(o.arrays.pop()));
    assert_eq!(gone, one("the array v is gone"));
    let new = moved(|o| o.arrays.push(Array::of_entries("u", &[])));
    assert_eq!(new, one("the array u is new"));
    let numbers: [fn(&mut Claim) -> &mut f64; 6] = [
        |c| &mut c.predicted,
        |c| &mut c.measured,
        |c| &mut c.se,
        |c| &mut c.z,
        |c| &mut c.limit,
        |c| &mut c.resolution,
    ];
    for number in numbers {
        let claim = moved(|o| {
            let number = number(&mut o.claims[0]);
            *number = flipped(*number);
        });
        assert_eq!(claim, one("the claims"));
    }
    let digits = moved(|o| o.claims[0].digits = Some(3.0));
    assert_eq!(digits, one("the claims"));
    let control = moved(|o| o.claims[0].control.iter_mut().for_each(|c| c.z = flipped(c.z)));
    assert_eq!(control, one("the claims"));
    let measured = moved(|o| o.claims[1].measured = 0.0);
    assert_eq!(measured, one("the claims"));
    let order = moved(|o| o.claims.swap(0, 1));
    assert_eq!(order, (one("the claims").0, vec!["the statements".to_owned()]));
    let in_table = |change: fn(&mut Vec<f64>)| {
        moved(|o| match &mut o.report.blocks[2] {
            Block::Data(table) => match &mut table.columns[1].cells {
                Cells::Reals { values, .. } => change(values),
                _ => panic!("the second column has numbers"),
            },
            _ => panic!("the sample has a table there"),
        })
    };
    assert_eq!(in_table(|values| values[0] = flipped(values[0])), one("the table ends"));
    assert_eq!(in_table(|values| values[1] = 0.0), one("the table ends"));
    let end = moved(|o| o.status = Status::Diverged { curve: "k".to_owned(), step: 7 });
    assert_eq!(end, one("the end"));
}

fn a_time_is_held_to_twelve_digits() {
    for (relative, noticed) in [(1e-14, false), (-1e-14, false), (1e-10, true), (-1e-10, true)] {
        let (numbers, words) = moved(|o| o.series.time[1] *= 1.0 + relative);
        assert_eq!((numbers.len(), words.len()), (usize::from(noticed), 0), "{relative}");
    }
}

fn a_changed_word_moves_only_the_words() {
    let one = |what: &str| (vec![], vec![what.to_owned()]);
    assert_eq!(moved(|o| o.claims[0].statement.push('.')), one("the statements"));
    let form = moved(|o| o.claims[0].control.iter_mut().for_each(|c| c.form.push('.')));
    assert_eq!(form, one("the statements"));
    let why = moved(|o| o.claims[1].why_unchecked.iter_mut().for_each(|why| why.push('.')));
    assert_eq!(why, one("the statements"));
    assert_eq!(moved(|o| o.report.lead.push('.')), one("the report"));
    assert_eq!(moved(|o| drop(o.report.blocks.remove(0))), one("the report"));
    assert_eq!(moved(|o| o.summary[1].push('.')), one("the summary"));
    let caption = moved(|o| match &mut o.report.blocks[1] {
        Block::Figure { caption, .. } => caption.push('.'),
        _ => panic!("the sample has a figure there"),
    });
    assert_eq!(caption, one("the report"));
    let cell = moved(|o| match &mut o.report.blocks[2] {
        Block::Data(table) => table.columns[0].cells = Cells::Words(vec!["one".into(); 2]),
        _ => panic!("the sample has a table there"),
    });
    assert_eq!(cell, one("the report"));
    let drawn = moved(|o| match &mut o.report.blocks[1] {
        Block::Figure { figure, .. } => figure.width = flipped(figure.width),
        _ => panic!("the sample has a figure there"),
    });
    assert_eq!(drawn, one("the figures"));
}

fn a_nan_among_the_numbers_is_refused() {
    let hushed = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let refused = [
        std::panic::catch_unwind(|| moved(|o| o.series.value[0] = f64::NAN)),
        std::panic::catch_unwind(|| moved(|o| o.arrays[0].data[0] = f64::NAN)),
    ];
    std::panic::set_hook(hushed);
    assert!(refused.iter().all(Result::is_err));
}
