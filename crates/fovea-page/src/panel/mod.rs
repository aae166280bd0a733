//! Named panels: data and words in, a [`Panel`] out.
//!
//! A panel is a function of a title, its axes and data, one per file. It decides how the data are drawn, and returns a plain
//! [`Panel`], to which a caller adds marks, a span or a height. Whatever range the axes are given, it is widened until it holds all
//! of the data. What every panel keeps to is tested on its examples in `tests.rs`.
//!
//! ```
//! use fovea_page::figure::{Axis, Figure};
//! use fovea_page::panel::{measured_with_theory, xy};
//! let width = [16.0, 32.0, 64.0];
//! let measured = xy(&width, [0.9, 0.45, 0.22]).with_error(vec![0.05; 3]);
//! let theory = xy(&width, width.map(|n| 14.4 / n));
//! let (x, y) = (Axis::new("width $n$").log(), Axis::new("distance").log());
//! let figure = Figure::new("One over the width").panel(measured_with_theory("", x, y, measured, theory));
//! assert!(figure.svg().contains("theory"));
//! ```

mod data;
mod example;
#[cfg(test)]
mod tests;

pub use about_zero::about_zero;
pub use arms_with_theory::{Compared, arms_with_theory};
pub use data::{
    Named, Place, Xy, along, counted, estimates, guide_at_x, guide_at_y, line_at_x, line_at_y,
    named, ordered, series, series_from, unnamed, xy,
};
pub use diagonal::diagonal;
pub use field_over_time::field_over_time;
pub use heat_map::{Cells, heat_map};
pub use histogram::histogram;
pub use lines::lines;
pub use lines_per_run::lines_per_run;
pub use lines_with_range::{Range, lines_with_range};
pub use means_along::means_along;
pub use means_by_category::{categories, means_by_category};
pub use measured_with_theory::measured_with_theory;
pub use ring_fields::{Sites, ring_fields};
pub use rows_of_fields::rows_of_fields;
pub use runs_by_category::runs_by_category;
pub use scatter::scatter;
pub use spectrum::spectrum;
pub use tiles::tiles;

use crate::figure::{Axis, Mark, Panel, Spacing};

/// A named panel, as a reader of the registry sees it.
pub struct Entry {
    /// The name, which is that of the function and of its file.
    pub name: &'static str,
    /// What it shows, in one sentence.
    pub summary: &'static str,
    /// The panel of constructed data, some of them awkward, each under a name.
    pub examples: fn() -> Vec<(&'static str, Panel)>,
}

fovea_core::registry! {
    "src/panel": Entry, beside data, example, tests;
    about_zero,
    arms_with_theory,
    diagonal,
    field_over_time,
    heat_map,
    histogram,
    lines,
    lines_per_run,
    lines_with_range,
    means_along,
    means_by_category,
    measured_with_theory,
    ring_fields,
    rows_of_fields,
    runs_by_category,
    scatter,
    spectrum,
    tiles,
}

/// A panel of marks whose axes hold all of them.
fn holding(
    title: impl Into<String>,
    [x, y]: [Axis; 2],
    marks: impl IntoIterator<Item = Mark>,
) -> Panel {
    Panel::new(title, x, y).with_all(marks).holding_all()
}

/// Moves the points of several series apart, in the order of the series, so that their bars do not hide each other: by a share of
/// the smallest distance between two places, or of their ratio where the axis is logarithmic.
fn apart(spacing: Spacing, all: &mut [Named<Xy>]) {
    let log = spacing == Spacing::Log10;
    let place = |x: f64| if log { libm::log10(x) } else { x };
    let mut places: Vec<f64> =
        all.iter().flat_map(|named| &named.data.x).map(|x| place(*x)).collect();
    places.retain(|x| x.is_finite());
    places.sort_by(f64::total_cmp);
    let reach = places.last().copied().unwrap_or(0.0) - places.first().copied().unwrap_or(0.0);
    let gaps = places.windows(2).map(|pair| pair[1] - pair[0]);
    // On a logarithmic axis no more than of a factor of two: few places may lie decades apart.
    let most = if log { 0.3 } else { f64::INFINITY };
    let gap = gaps.filter(|gap| *gap > 1e-9 * reach).fold(most, f64::min);
    let gap = if gap.is_finite() { gap } else { 1.0 };
    let count = all.len() as f64;
    let step = gap * (0.3 / count).min(0.06);
    for (i, named) in all.iter_mut().enumerate() {
        let shift = step * (i as f64 - 0.5 * (count - 1.0));
        for x in &mut named.data.x {
            *x = if log { *x * libm::pow(10.0, shift) } else { *x + shift };
        }
    }
}
