//! What named panels are given: numbers at places, under names.

use crate::figure::{Mark, Style};
use fovea_core::stats::Estimate;
use std::borrow::Borrow;

/// Numbers `y` at places `x`, with errors where they have some. What is not finite is a gap.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Xy {
    /// Places.
    pub x: Vec<f64>,
    /// Numbers.
    pub y: Vec<f64>,
    /// Half the length of each error bar; empty for none.
    pub error: Vec<f64>,
}

/// What can be a place on an axis: a number, or a count such as a width or a depth.
pub trait Place: Copy {
    /// Where it lies.
    fn place(self) -> f64;
}

impl Place for f64 {
    fn place(self) -> f64 {
        self
    }
}

impl Place for usize {
    fn place(self) -> f64 {
        self as f64
    }
}

impl Place for u64 {
    fn place(self) -> f64 {
        self as f64
    }
}

fn places(x: &[impl Place]) -> Vec<f64> {
    x.iter().map(|x| x.place()).collect()
}

/// Numbers at places.
pub fn xy(x: &[impl Place], y: impl IntoIterator<Item = impl Borrow<f64>>) -> Xy {
    let y = y.into_iter().map(|y| *y.borrow()).collect();
    Xy { x: places(x), y, error: Vec::new() }
}

/// A function at places.
pub fn along(x: &[impl Place], f: impl Fn(f64) -> f64) -> Xy {
    x.iter().map(|x| (x.place(), f(x.place()))).collect()
}

/// Means at places, with bars of two standard errors.
pub fn estimates(x: &[impl Place], all: impl IntoIterator<Item = impl Borrow<Estimate>>) -> Xy {
    let of = |e: &Estimate| (e.mean(), 2.0 * e.se());
    let (y, error) = all.into_iter().map(|e| of(e.borrow())).unzip();
    Xy { x: places(x), y, error }
}

/// Numbers at 0, 1, 2, ...: modes, lags, layers from 0, categories.
pub fn counted(y: impl IntoIterator<Item = impl Borrow<f64>>) -> Xy {
    y.into_iter().enumerate().map(|(i, y)| (i as f64, *y.borrow())).collect()
}

impl FromIterator<(f64, f64)> for Xy {
    fn from_iter<I: IntoIterator<Item = (f64, f64)>>(pairs: I) -> Self {
        let (x, y) = pairs.into_iter().unzip();
        Self { x, y, error: Vec::new() }
    }
}

impl FromIterator<[f64; 2]> for Xy {
    fn from_iter<I: IntoIterator<Item = [f64; 2]>>(pairs: I) -> Self {
        pairs.into_iter().map(|[x, y]| (x, y)).collect()
    }
}

impl FromIterator<(f64, f64, f64)> for Xy {
    /// Of places, numbers and errors.
    fn from_iter<I: IntoIterator<Item = (f64, f64, f64)>>(all: I) -> Self {
        let mut points = Self::default();
        for (x, y, error) in all {
            points.x.push(x);
            points.y.push(y);
            points.error.push(error);
        }
        points
    }
}

impl FromIterator<(f64, Estimate)> for Xy {
    fn from_iter<I: IntoIterator<Item = (f64, Estimate)>>(pairs: I) -> Self {
        let (x, all): (Vec<f64>, Vec<Estimate>) = pairs.into_iter().unzip();
        estimates(&x, all)
    }
}

impl Xy {
    /// The same numbers with error bars of this half length.
    #[must_use]
    pub fn with_error(self, error: Vec<f64>) -> Self {
        Self { error, ..self }
    }

    /// A line through the numbers.
    pub fn line(self, label: impl Into<String>, style: Style) -> Mark {
        Mark::Line { x: self.x, y: self.y, label: label.into(), style }
    }

    /// The numbers as points, with their error bars.
    pub fn points(self, label: impl Into<String>, style: Style) -> Mark {
        Mark::Points { x: self.x, y: self.y, error: self.error, label: label.into(), style }
    }
}

/// Data under a name and in a style, which mean the same in every panel of a figure.
#[derive(Clone, Debug)]
pub struct Named<T> {
    /// What the legend says; empty for no entry.
    pub label: String,
    /// Colour, pattern and shape.
    pub style: Style,
    /// The data.
    pub data: T,
}

/// Data under a name and in a style.
pub fn named<T>(label: impl Into<String>, style: Style, data: T) -> Named<T> {
    Named { label: label.into(), style, data }
}

/// Data in the style of a series, without an entry in the legend.
pub fn unnamed<T>(style: Style, data: T) -> Named<T> {
    named("", style, data)
}

/// An unordered set: styles by their place in it.
pub fn series<T, L: Into<String>>(all: impl IntoIterator<Item = (L, T)>) -> Vec<Named<T>> {
    series_from(0, all)
}

/// An unordered set, some of whose styles belong to other data of the figure: styles from `first` on.
pub fn series_from<T, L: Into<String>>(
    first: usize,
    all: impl IntoIterator<Item = (L, T)>,
) -> Vec<Named<T>> {
    let of = |(i, (label, data))| named(label, Style::series(first + i), data);
    all.into_iter().enumerate().map(of).collect()
}

/// A set ordered by a parameter: colours from dark to light.
pub fn ordered<T, L: Into<String>>(all: impl IntoIterator<Item = (L, T)>) -> Vec<Named<T>> {
    let all: Vec<(L, T)> = all.into_iter().collect();
    let count = all.len();
    let of = |(i, (label, data))| named(label, Style::ordered(i, count), data);
    all.into_iter().enumerate().map(of).collect()
}

/// A line across the panel at one value of y; its label stands at the right.
pub fn line_at_y(at: f64, label: impl Into<String>, style: Style) -> Mark {
    Mark::Horizontal { at, label: label.into(), style }
}

/// A line up the panel at one value of x; its label stands above.
pub fn line_at_x(at: f64, label: impl Into<String>, style: Style) -> Mark {
    Mark::Vertical { at, label: label.into(), style }
}

/// A thin dotted line across the panel at one value of y.
pub fn guide_at_y(at: f64, label: impl Into<String>) -> Mark {
    line_at_y(at, label, Style::guide())
}

/// A thin dotted line up the panel at one value of x.
pub fn guide_at_x(at: f64, label: impl Into<String>) -> Mark {
    line_at_x(at, label, Style::guide())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_from_references_values_and_pairs() {
        let (x, y) = ([0.0, 1.0], vec![2.0, 3.0]);
        assert_eq!(xy(&x, &y), xy(&x, y.iter().map(|y| y * 1.0)));
        assert_eq!(xy(&x, &y), counted(&y));
        assert_eq!(xy(&[0_usize, 1], &y), along(&x, |x| x + 2.0));
        let pairs: Xy = [(0.0, 2.0), (1.0, 3.0)].into_iter().collect();
        assert_eq!(xy(&x, &y), pairs);
        let one = Estimate::from_parts(2.0, 0.25, 10).unwrap();
        assert_eq!(estimates(&[1.0], [one]).error, [0.5]);
        assert_eq!([(1.0, one)].into_iter().collect::<Xy>(), estimates(&[1.0], [&one]));
    }

    #[test]
    fn styles_go_by_the_place_in_the_set() {
        let two = series_from(3, [("a", ()), ("b", ())]);
        assert_eq!((two[0].style, two[1].style), (Style::series(3), Style::series(4)));
        assert_eq!(ordered([("a", ()), ("b", ())])[1].style, Style::ordered(1, 2));
    }
}
