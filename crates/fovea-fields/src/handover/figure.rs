//! The figure of `handover`: the two terms, the distance to the Gaussian flow and the kurtosis along runs, for either kind of start.

use super::{CURVES, Handover, KINDS, Kind, Means};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Means over starts with two standard errors, on the left from weights of unit variance and on the right from Glorot weights. (a, b) Size of the \
    gated term over that of the linear term; at rest the two are equal. (c, d) Distance between the field and that of the closed flow on Gaussian data of the \
    same covariances, from the same start: fields at different gains are the same until the gated term is comparable with the linear one, and part soon after; what \
    grows at gain 0.01 is the noise of SGD. (e, f) Excess kurtosis of the preactivation on the \
    longer-ranged class: at -2 it has but two values, as that of a single site of binary data has. All starts are measured on one fixed sample, whose error the bands leave out.";

impl Handover {
    pub(super) fn figure(&self, found: &[Means]) -> Figure {
        let subtitle =
            format!("{}, {}, {} starts", self.two.in_words(), self.descent.in_words(), self.starts);
        let panels = (0..CURVES.len()).flat_map(|curve| {
            KINDS.map(|kind| {
                let own = found.iter().filter(|means| means.kind.size == kind.size);
                self.panel(&own.collect::<Vec<_>>(), kind, curve)
            })
        });
        let figure =
            Figure::new("The distribution of the data matters once the gated term takes over");
        grid(figure.subtitle(subtitle).description(CAPTION), (2, 720.0, 0.55), panels)
    }

    /// One of the curves at every gain, from starts of one kind.
    fn panel(&self, found: &[&Means], kind: Kind, curve: usize) -> Panel {
        let [_, what, label] = CURVES[curve];
        let (title, y) =
            (format!("{what}, {}", kind.from), Axis::new(label).share(curve as u32 + 1));
        let all = ordered(found.iter().map(|means| {
            (gains::words(means.gain), estimates(&means.times, &means.curves[curve]))
        }));
        let panel = lines_with_range(title, time_axis(), y, all);
        if curve > 0 {
            return panel;
        }
        let ends = extent(&found[0].times);
        panel
            .with(along(&ends, |_| 1.0).line("equal, at rest", Style::guide()))
            .with(along(&ends, |_| self.level).line("counts as hand-over", Style::theory()))
    }
}
