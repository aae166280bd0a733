//! A stimulus made from an array uses the rows that a run trains on, and no others.

use super::super::{ALL, Split, Stimulus};
use crate::sampled::samples;
use fovea_core::agree::test_seed;
use fovea_core::params::{Assignments, Kind};
use fovea_core::streams::Streams;
use fovea_core::{Entry, Item, Matrix};

const ROWS: usize = 60;
const COLS: usize = 4;

/// An array of normal numbers, those of some rows replaced.
fn array(other: &[usize]) -> Item<Box<dyn Stimulus>> {
    let mut numbers = vec![0.0; ROWS * COLS];
    Streams::new(test_seed(module_path!(), 0)).named("rows").normals(0, &mut numbers);
    for row in other {
        numbers[row * COLS..(row + 1) * COLS].fill(1000.0);
    }
    let samples = fovea_core::Value::Array(Matrix::new(COLS, numbers));
    Item::named("array").set("samples", samples)
}

/// The stimulus made from an array, with a random factor per row where it must be symmetric.
fn made_of(
    entry: &'static Entry<Box<dyn Stimulus>>,
    base: &Item<Box<dyn Stimulus>>,
) -> Box<dyn Stimulus> {
    use fovea_core::params::ParamType;
    let build = |base: &Item<Box<dyn Stimulus>>| {
        let mut settings: Assignments = vec![("base".to_owned(), base.write())];
        if (entry.schema)().iter().any(|field| field.name == "keep") {
            settings.push(("keep".to_owned(), COLS.into()));
        }
        (entry.build)(&settings)
    };
    build(base).unwrap_or_else(|_| {
        let symmetric = Item::<Box<dyn Stimulus>>::named("scaled").set("base", base.write());
        build(&symmetric).unwrap_or_else(|error| panic!("{}: {error}", entry.name))
    })
}

fn split(stimulus: &dyn Stimulus) -> Split {
    stimulus.split(&Streams::new(5)).unwrap().expect("it is made from rows")
}

#[test]
fn what_is_made_of_an_array_never_sees_the_rows_that_are_held_out() {
    let order = super::super::split::shuffled(ROWS, &Streams::new(5));
    let (held_out, trained) = order.split_at(ROWS / 5);
    let places = |rows: &[u32]| rows.iter().map(|row| *row as usize).collect::<Vec<_>>();
    let (held_out, trained) = (places(held_out), places(&trained[..1]));
    let takes_a_stimulus = |entry: &&&'static Entry<Box<dyn Stimulus>>| {
        let item = |kind| matches!(kind, Kind::Item(nested) if nested.noun == "stimulus");
        (entry.schema)().iter().any(|field| item(field.kind))
    };
    let mut tried = 0;
    for entry in ALL.iter().filter(takes_a_stimulus) {
        let drawn = |other: &[usize]| {
            let stimulus = made_of(entry, &array(other));
            assert!(stimulus.has_rows(), "{}", entry.name);
            let Split { training, rows } = split(stimulus.as_ref());
            let rows: Option<Vec<f64>> =
                rows.map(|rows| rows.training.rows().flatten().copied().collect());
            (samples::<f64>(training.as_ref(), module_path!(), 1, 40), rows)
        };
        let plain = drawn(&[]);
        assert_eq!(plain, drawn(&held_out), "{} sees what is held out", entry.name);
        assert_ne!(plain, drawn(&trained), "{}: a control, one row that is trained on", entry.name);
        tried += 1;
    }
    assert!(tried >= 5, "scaled, filtered, mirrored, window and gaussian-clone at least");
}

#[test]
fn every_row_comes_with_what_is_made_of_it() {
    let rows = |typed: &str| {
        let value = fovea_core::Value::from_typed(typed);
        let mut item =
            <Item<Box<dyn Stimulus>> as fovea_core::params::ParamType>::read(&value).unwrap();
        item = item.set("base", fovea_core::params::ParamType::write(&array(&[])));
        split(item.build("stimulus").unwrap().as_ref()).rows.unwrap()
    };
    let plain = split(array(&[]).build("stimulus").unwrap().as_ref()).rows.unwrap();
    let window = rows("window(keep=2, factor=3)").held_out;
    assert_eq!((window.dim(), window.count()), (2, plain.held_out.count()));
    let cut = |row: &[f64]| vec![3.0 * row[0], 3.0 * row[1]];
    assert!(window.rows().zip(plain.held_out.rows()).all(|(window, row)| window == cut(row)));
    let filtered = rows("filtered(site=1)");
    for (kept, of) in [(&filtered.training, &plain.training), (&filtered.held_out, &plain.held_out)]
    {
        assert!(kept.rows().eq(of.rows().filter(|row| row[1] >= 0.0)));
        assert!(kept.count() > 0 && kept.count() < of.count());
    }
    let signed = rows("scaled(factor=sign)");
    for (signed, of) in [(&signed.training, &plain.training), (&signed.held_out, &plain.held_out)] {
        let turned = signed.rows().zip(of.rows()).filter(|(a, b)| {
            let sign = a[0] / b[0];
            assert!(
                (sign.abs() - 1.0).abs() < 1e-15
                    && a.iter().zip(*b).all(|(a, b)| (a - sign * b).abs() < 1e-12)
            );
            sign < 0.0
        });
        let turned = turned.count();
        assert!(turned > 0 && turned < of.count());
    }
}
