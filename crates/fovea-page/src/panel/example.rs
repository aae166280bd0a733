//! Constructed data on which panels are tested: typical ones, and those that figures break on.

use super::{Named, Xy, categories, ordered, series, xy};
use crate::figure::{Axis, Panel};

/// Data, in the words of a test.
type Case = (&'static str, Vec<Named<Xy>>);

const LONG: &str =
    "a label that is longer than any that a reader would want to see next to a curve";

/// A curve with errors.
fn curve(points: usize, bend: f64) -> Xy {
    let x: Vec<f64> = (0..points).map(|i| 1.0 + i as f64).collect();
    let y = x.iter().map(|x| 0.5 + bend * libm::sin(0.3 * x * bend));
    xy(&x, y).with_error(vec![0.1; points])
}

/// Several series of curves.
fn curves(count: usize) -> impl Iterator<Item = (String, Xy)> {
    (0..count).map(|i| (format!("gain {i}"), curve(12, 1.0 + 0.2 * i as f64)))
}

fn cases() -> Vec<Case> {
    let gaps = [1.0, f64::NAN, f64::INFINITY, 2.0, f64::NEG_INFINITY, -3.0];
    let x = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
    vec![
        ("typical", series(curves(3))),
        ("ordered", ordered(curves(6))),
        ("one point", series([("alone", curve(1, 1.0))])),
        ("equal", series([("equal", xy(&x, [3.0; 6])), ("zero", xy(&[2.0; 6], [0.0; 6]))])),
        ("gaps", series([("gaps", xy(&x, gaps)), ("ends", xy(&gaps, x))])),
        ("nothing", series([("nothing", Xy::default())])),
        ("large and small", series([("all", xy(&[1e-9, 1.0, 1e9], [1e-300, 1e200, -1e200]))])),
        ("many", series(curves(9))),
        ("long", series([(LONG, curve(5, 1.0)), ("short", curve(5, 2.0))])),
    ]
}

/// A panel of series, of all cases on linear and on logarithmic axes. The ranges that are asked for hold little of the data.
pub(super) fn of_series(
    draw: impl Fn(String, Axis, Axis, Vec<Named<Xy>>) -> Panel,
) -> Vec<(&'static str, Panel)> {
    let mut panels = Vec::new();
    for (name, all) in cases() {
        let (title, narrow) = (name.to_owned(), Axis::new("$x$").range(0.4, 0.6));
        panels.push((name, draw(title.clone(), Axis::new("$x$"), narrow, all.clone())));
        panels
            .push((name, draw(title, Axis::new("$x$").log().to(2.0), Axis::new(LONG).log(), all)));
    }
    panels
}

/// A panel over categories, which are few or many and have short or long names.
pub(super) fn of_categories(
    draw: impl Fn(String, Axis, Axis, Vec<Named<Xy>>) -> Panel,
) -> Vec<(&'static str, Panel)> {
    let short = |n: usize| (0..n).map(|i| format!("case {i}")).collect::<Vec<_>>();
    let names = [
        ("few", short(3)),
        ("one", short(1)),
        ("many", short(24)),
        ("long", vec!["quite a long name of a category".to_owned(); 5]),
    ];
    let mut panels = Vec::new();
    for (name, names) in names {
        let n = names.len();
        let y = |i: usize| (0..n).map(move |k| 0.1 + 0.8 * ((k * 7 + i) % n) as f64 / n as f64);
        let x: Vec<f64> = (0..n).map(|k| k as f64).collect();
        let all = (0..4).map(|i| (format!("arm {i}"), xy(&x, y(i)).with_error(vec![0.1; n])));
        let axis = categories("", names);
        panels.push((
            name,
            draw(name.to_owned(), axis, Axis::new("share").range(0.0, 1.0), series(all)),
        ));
    }
    panels
}

/// Bumps on a ring.
pub(super) fn fields(count: usize, n: usize) -> Vec<Vec<f64>> {
    let bump = |k: usize, i: usize| {
        let d = i as f64 - (n / 2) as f64;
        libm::exp(-d * d / (2.0 + k as f64)) * if k % 3 == 1 { -1.0 } else { 1.0 }
    };
    (0..count).map(|k| (0..n).map(|i| bump(k, i)).collect()).collect()
}

/// One value everywhere.
pub(super) fn flat(n: usize) -> Vec<f64> {
    vec![0.5; n]
}
