//! Several arms of an experiment as they were measured, each with the curve that predicts it.

use super::{Entry, Named, Xy, along, example, holding};
use crate::figure::{Axis, Panel};

/// What was measured, and what predicts it; either may be empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compared {
    /// Points, with error bars where they have some.
    pub measured: Xy,
    /// A line.
    pub theory: Xy,
}

impl Compared {
    /// A power law as the theory: through the point that was measured at index `through`, with this exponent.
    pub fn power_law(measured: Xy, through: usize, exponent: f64) -> Self {
        let (x, y) = (measured.x[through], measured.y[through]);
        let theory = along(&measured.x, |at| y * libm::pow(at / x, exponent));
        Self { measured, theory }
    }
}

impl From<Xy> for Compared {
    /// What was measured, without a theory.
    fn from(measured: Xy) -> Self {
        Self { measured, theory: Xy::default() }
    }
}

/// Points with error bars and a line in the style of each arm; an entry of the legend shows both.
pub fn arms_with_theory(
    title: impl Into<String>,
    x: impl Into<Axis>,
    y: impl Into<Axis>,
    arms: impl IntoIterator<Item = Named<Compared>>,
) -> Panel {
    let (mut lines, mut points) = (Vec::new(), Vec::new());
    for Named { label, style, data } in arms {
        // An empty curve would still be shown in the legend.
        if !data.theory.x.is_empty() {
            lines.push(data.theory.line(label.clone(), style));
        }
        if !data.measured.x.is_empty() {
            points.push(data.measured.points(label, style));
        }
    }
    holding(title, [x.into(), y.into()], lines.into_iter().chain(points))
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "arms_with_theory",
    summary: "several arms as points with error bars, each with the curve that predicts it",
    examples: || {
        example::of_series(|title, x, y, all| {
            let arms = all.into_iter().map(|Named { label, style, data }| {
                let theory = Xy { error: Vec::new(), ..data.clone() };
                Named { label, style, data: Compared { measured: data, theory } }
            });
            arms_with_theory(title, x, y, arms)
        })
    },
};
