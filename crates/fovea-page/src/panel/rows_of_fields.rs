//! Many fields at once: a row of coloured cells per unit.

use super::heat_map::{Cells, heat_map};
use super::{Entry, example};
use crate::figure::{Axis, Panel};
use fovea_core::vector::largest;

/// Fields as rows from the bottom up, each in units of its largest weight; where `bar` holds, a bar explains the colours.
pub fn rows_of_fields(
    title: impl Into<String>,
    fields: &[&[f64]],
    y: impl Into<Axis>,
    bar: bool,
) -> Panel {
    let (rows, cols) = (fields.len(), fields.first().map_or(0, |field| field.len()));
    let scaled = fields.iter().flat_map(|field| {
        let top = largest(field).max(1e-300);
        field.iter().map(move |w| w / top)
    });
    let cells = Cells {
        values: scaled.collect(),
        rows,
        cols,
        x: [0.0, cols as f64 - 1.0],
        y: [0.5, rows as f64 - 0.5],
        limits: Some((-1.0, 1.0)),
        bar: if bar { "weight / largest".to_owned() } else { String::new() },
    };
    heat_map(title, Axis::new("site"), y, cells)
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "rows_of_fields",
    summary: "many fields at once, a row of coloured cells per unit",
    examples: || {
        let shown = |fields: &[Vec<f64>], bar: bool| {
            let fields: Vec<&[f64]> = fields.iter().map(Vec::as_slice).collect();
            rows_of_fields("fields", &fields, Axis::new("unit"), bar)
        };
        vec![
            ("typical", shown(&example::fields(12, 16), true)),
            ("one field", shown(&example::fields(1, 16), false)),
            ("equal", shown(&vec![vec![0.0; 8]; 3], true)),
            ("gaps", shown(&[vec![f64::NAN, 1.0, -1.0], vec![0.5, f64::INFINITY, 2.0]], true)),
        ]
    },
};
