//! Distances that should lie about zero and within a limit, such as distances in standard errors.

use super::{Entry, Named, Xy, example, guide_at_y, holding};
use crate::figure::{Axis, Panel};

/// Points between the lines at plus and minus `limit`; y has one range to both sides, which holds limit and data.
pub fn about_zero(
    title: impl Into<String>,
    x: impl Into<Axis>,
    y: impl Into<Axis>,
    limit: f64,
    groups: impl IntoIterator<Item = Named<Xy>>,
) -> Panel {
    let groups: Vec<Named<Xy>> = groups.into_iter().collect();
    let sizes = groups.iter().flat_map(|named| {
        let error = named.data.error.iter().copied().chain(std::iter::repeat(0.0));
        named.data.y.iter().zip(error).map(|(y, error)| y.abs() + error)
    });
    let most = 1.15 * sizes.filter(|size| size.is_finite()).fold(limit.abs(), f64::max);
    let levels = [-limit, 0.0, limit].map(|at| guide_at_y(at, ""));
    let points = groups.into_iter().map(|named| named.data.points(named.label, named.style));
    holding(title, [x.into(), y.into().range(-most, most)], levels.into_iter().chain(points))
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "about_zero",
    summary: "distances about zero, such as distances in standard errors, between the lines at a limit to both sides",
    examples: || {
        example::of_series(|title, x, _, all| {
            about_zero(title, x, Axis::new("standard errors"), 5.0, all)
        })
    },
};
