//! Power per mode of the ring: measured spectra as rings, and those of theory as lines.

use super::{Entry, Named, Xy, counted, example, holding};
use crate::figure::{Axis, Panel, Style};

/// Spectra over the cycles around the ring, on a logarithmic axis from `floor` on. What lies below the floor is left out: rounding
/// leaves powers of 1e-32 where theory has none.
pub fn spectrum(
    title: impl Into<String>,
    y: impl Into<Axis>,
    floor: f64,
    measured: impl IntoIterator<Item = Named<Vec<f64>>>,
    theory: impl IntoIterator<Item = Named<Vec<f64>>>,
) -> Panel {
    let shown = |power: &[f64]| -> Xy {
        counted(power.iter().map(|p| if *p >= floor { *p } else { f64::NAN }))
    };
    let theory = theory.into_iter().map(|n| shown(&n.data).line(n.label, n.style));
    let measured = measured.into_iter().map(|n| {
        let ring = Style { size: 0.85 * n.style.size, hollow: !n.style.hollow, ..n.style };
        shown(&n.data).points(n.label, ring)
    });
    let x = Axis::new("cycles around the ring");
    holding(title, [x, y.into().log().from(floor)], theory.chain(measured))
}

/// The registry entry.
pub(super) const ENTRY: Entry = Entry {
    name: "spectrum",
    summary: "power per mode of the ring, measured as rings and in theory as a line",
    examples: || {
        let fall =
            |rate: f64| (0..21).map(|k| libm::exp(-rate * f64::from(k))).collect::<Vec<f64>>();
        let shown = |floor: f64, all: Vec<Vec<f64>>| {
            let theory = super::named("theory", Style::theory(), all[0].clone());
            let label = |i: usize| format!("gain {i}");
            let all = super::series(all.into_iter().enumerate().map(|(i, p)| (label(i), p)));
            spectrum("power", Axis::new("power per mode"), floor, all, [theory])
        };
        vec![
            ("typical", shown(1e-6, vec![fall(0.3), fall(0.5), fall(2.0)])),
            ("all below the floor", shown(10.0, vec![fall(1.0)])),
            ("one mode", shown(1e-9, vec![vec![1.0]])),
            ("gaps", shown(1e-3, vec![vec![1.0, 0.0, f64::NAN, -1.0, f64::INFINITY, 0.1]])),
            (
                "many",
                shown(
                    1e-9,
                    (1..9).map(|i| fall(0.1 * f64::from(i))).chain([example::flat(21)]).collect(),
                ),
            ),
        ]
    },
};
