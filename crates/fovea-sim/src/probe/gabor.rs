//! The best-fitting Gabor function of a field.

use super::shapes::{Gabor, gabor, peak_line};
use super::{Columns, Probe, per_unit};

/// The registry entry.
pub const ENTRY: Probe = Probe {
    columns: Columns::Named(&[
        "amplitude",
        "centre",
        "width",
        "frequency",
        "phase",
        "amplitude_se",
        "centre_se",
        "width_se",
        "frequency_se",
        "phase_se",
        "share",
    ]),
    ..Probe::of_units(
        "gabor",
        "the A exp(-d^2/2s^2) cos(2 pi f d + phase), wound around the ring, nearest to each field (on a torus: to its line along the last axis through the largest weight): A > 0, centre, s, f in cycles per site up to 1/2, phase up to pi, their standard errors (at most the range of each, which means undetermined), and rss/|w|^2",
        |view| {
            per_unit(view, |w| {
                let (fitted, share, errors) = gabor(peak_line(w, view.network.shape()));
                let Gabor { amplitude, centre, width, frequency, phase } = fitted;
                let mut row = vec![amplitude, centre, width, frequency, phase];
                row.extend(errors);
                row.push(share);
                row
            })
        },
    )
};
