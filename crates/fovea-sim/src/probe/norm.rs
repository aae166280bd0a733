//! Euclidean norm of each field.

use super::{Probe, per_unit};

/// The registry row.
pub const ENTRY: Probe = Probe {
    name: "norm",
    summary: "Euclidean norm |w| of each unit",
    observe: |view| per_unit(view, |w| vec![w.iter().map(|w| w * w).sum::<f64>().sqrt()]),
};
