//! Euclidean norm of each field.

use super::{Change, Probe, per_unit};

/// The registry row.
pub const ENTRY: Probe = Probe {
    unmoved_by: &[Change::Sign, Change::OwnShift],
    ..Probe::of_units("norm", "Euclidean norm |w| of each unit", |view| {
        per_unit(view, |w| vec![w.iter().map(|w| w * w).sum::<f64>().sqrt()])
    })
};
