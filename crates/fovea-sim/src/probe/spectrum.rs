//! Power of each field by frequency.

use super::{Probe, per_unit};
use fovea_core::fourier::power_by_frequency;

/// The registry row.
pub const ENTRY: Probe = Probe {
    name: "spectrum",
    summary: "power of each unit's field at frequencies 0..n/2; sums to |w|^2",
    observe: |view| per_unit(view, power_by_frequency),
};
