//! Fields on a torus of two dimensions side by side in one panel.

use super::{Entry, example};
use crate::figure::{Axis, ColorMap, Heat, Mark, Panel};

/// A panel with every field as a tile, about `wide` times as many across as down, grey lines between them; colours run to the
/// largest absolute weight.
pub fn tiles(
    title: impl Into<String>,
    weights: &[f64],
    side: (usize, usize),
    wide: usize,
) -> Panel {
    let (values, rows, cols) = cells(weights, side, wide);
    let limit = weights.iter().fold(f64::MIN_POSITIVE, |m: f64, w| m.max(w.abs()));
    let heat = Heat {
        values,
        rows,
        cols,
        x_range: (-0.5, cols as f64 - 0.5),
        y_range: (-0.5, rows as f64 - 0.5),
        map: ColorMap::Diverging,
        limits: Some((-limit, limit)),
        bar: Some("weight".to_owned()),
    };
    let bare = || Axis::new("").without_ticks();
    Panel::new(title, bare(), bare().reversed()).with(Mark::Heat(heat))
}

/// Tiles down and across, about `wide` times as many across as down.
pub fn grid(units: usize, wide: usize) -> (usize, usize) {
    let across = (1..=units).find(|a| a * a >= wide * units).unwrap_or(units);
    (units.div_ceil(across), across)
}

/// Values, rows and columns of fields side by side, a gap between them.
fn cells(
    weights: &[f64],
    (height, width): (usize, usize),
    wide: usize,
) -> (Vec<f64>, usize, usize) {
    let (down, across) = grid(weights.len() / (height * width), wide);
    let (rows, cols) = (down * (height + 1) - 1, across * (width + 1) - 1);
    // What is not finite is a gap of the heat map.
    let mut values = vec![f64::NAN; rows * cols];
    for (unit, field) in weights.chunks(height * width).enumerate() {
        let (top, left) = (unit / across * (height + 1), unit % across * (width + 1));
        for (i, w) in field.iter().enumerate() {
            values[(top + i / width) * cols + left + i % width] = *w;
        }
    }
    (values, rows, cols)
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "tiles",
    summary: "fields on a torus of two dimensions side by side",
    examples: || {
        let shown = |units: usize, side: (usize, usize), wide: usize| {
            let weights = example::fields(units, side.0 * side.1).concat();
            tiles("fields", &weights, side, wide)
        };
        vec![
            ("typical", shown(12, (8, 8), 1)),
            ("one", shown(1, (5, 3), 1)),
            ("wide", shown(7, (4, 4), 6)),
            ("zero", tiles("fields", &[0.0; 16], (2, 2), 1)),
            ("gaps", tiles("fields", &[f64::NAN, 1.0, f64::INFINITY, -2.0], (2, 2), 1)),
        ]
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_keep_every_weight_and_a_gap_between_fields() {
        let weights: Vec<f64> = (1..=12).map(f64::from).collect();
        let (values, rows, cols) = cells(&weights, (2, 2), 1);
        // Three fields of 2 x 2: two across, two down.
        assert_eq!((rows, cols), (5, 5));
        assert_eq!((&values[..2], &values[3..5]), (&[1.0, 2.0][..], &[5.0, 6.0][..]));
        assert!(values[2].is_nan() && values[10..15].iter().all(|w| w.is_nan()));
        assert_eq!(values[15..17], [9.0, 10.0]);
        assert_eq!(values.iter().filter(|w| w.is_finite()).count(), 12);
    }
}
