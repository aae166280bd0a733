//! The best of four forms for a field.

use super::shapes::{peak_line, shapes};
use super::{Change, Columns, Probe, per_unit};

/// The numbers of one field: the place of the best form, its width, frequency and residual share, then the residual shares and the
/// weights of bump, wave, difference of Gaussians and Gabor.
pub fn field_shape(w: &[f64]) -> Vec<f64> {
    let (n, shapes) = (w.len(), shapes(w));
    let best = shapes.fits[shapes.order[0]];
    let mut row =
        vec![shapes.order[0] as f64, best.form.width(n), best.form.frequency(n), best.share];
    row.extend(shapes.fits.map(|fit| fit.share));
    row.extend(shapes.fits.map(|fit| fit.weight));
    row
}

/// The registry entry.
pub const ENTRY: Probe = Probe {
    columns: Columns::Named(&[
        "best",
        "width",
        "frequency",
        "share",
        "share_bump",
        "share_wave",
        "share_dog",
        "share_gabor",
        "weight_bump",
        "weight_wave",
        "weight_dog",
        "weight_gabor",
    ]),
    unmoved_by: &[Change::Scale, Change::Sign, Change::OwnShift],
    ..Probe::of_units(
        "field-shape",
        "the best of four forms of each field (on a torus: of its line along the last axis through the largest weight): bump (0), wave of whole frequency (1), difference of Gaussians (2) or Gabor (3), by weights exp(-BIC/2); its width in sites, frequency in cycles per site and rss/|w|^2; rss/|w|^2 and weight of all four",
        |view| per_unit(view, |w| field_shape(peak_line(w, view.network.shape()))),
    )
};
