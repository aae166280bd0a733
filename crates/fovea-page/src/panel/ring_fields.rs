//! Fields on the ring: trained ones as points, and what theory says of them as lines.

use super::{Entry, Named, Xy, example, holding};
use crate::figure::{Axis, Panel, Style};

/// How sites are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sites {
    /// From 0, as they are stored.
    Numbered,
    /// From the peak, which the caller has put in the middle, at entry `n / 2`.
    FromPeak,
}

impl Sites {
    /// Where the first of `n` entries lies.
    pub(super) fn first(self, n: usize) -> f64 {
        match self {
            Sites::Numbered => 0.0,
            Sites::FromPeak => -((n / 2) as f64),
        }
    }

    /// The axis of sites.
    pub(super) fn axis(self) -> Axis {
        Axis::new(match self {
            Sites::Numbered => "site",
            Sites::FromPeak => "site, from the peak",
        })
    }

    fn places(self, field: &[f64]) -> Xy {
        let first = self.first(field.len());
        field.iter().enumerate().map(|(i, w)| (first + i as f64, *w)).collect()
    }
}

/// Trained fields as points joined by thin lines, those of theory as lines on top.
pub fn ring_fields(
    title: impl Into<String>,
    sites: Sites,
    y: impl Into<Axis>,
    trained: impl IntoIterator<Item = Named<Vec<f64>>>,
    theory: impl IntoIterator<Item = Named<Vec<f64>>>,
) -> Panel {
    let trained = trained.into_iter().flat_map(|Named { label, style, data }| {
        let (field, thin) = (sites.places(&data), Style { width: 0.5 * style.width, ..style });
        [field.clone().line("", thin), field.points(label, style)]
    });
    let theory =
        theory.into_iter().map(|named| sites.places(&named.data).line(named.label, named.style));
    holding(title, [sites.axis(), y.into()], trained.chain(theory))
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "ring_fields",
    summary: "fields on the ring, trained ones as points and those of theory as lines",
    examples: || {
        let named = |all: Vec<Vec<f64>>| {
            let label = |i: usize| format!("field {i}");
            super::series(all.into_iter().enumerate().map(|(i, field)| (label(i), field)))
        };
        let theory =
            || vec![super::named("theory", Style::theory(), example::fields(1, 16).concat())];
        let weight = || Axis::new("weight");
        let fields = example::fields;
        vec![
            (
                "typical",
                ring_fields("fields", Sites::FromPeak, weight(), named(fields(3, 16)), theory()),
            ),
            ("theory alone", ring_fields("fields", Sites::Numbered, weight(), [], theory())),
            ("one site", ring_fields("fields", Sites::Numbered, weight(), named(fields(1, 1)), [])),
            (
                "many",
                ring_fields("fields", Sites::FromPeak, weight(), named(fields(9, 40)), theory()),
            ),
            ("gaps", {
                let gaps = vec![vec![1.0, f64::NAN, 0.5, f64::INFINITY]];
                ring_fields("fields", Sites::Numbered, weight().range(0.0, 0.1), named(gaps), [])
            }),
        ]
    },
};
