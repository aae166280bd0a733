//! The figure of `handover`: the two terms, the distance to the Gaussian flow and the kurtosis along runs, for either kind of start.

use super::{CURVES, Handover, KINDS, Kind, Means};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Means over starts with two standard errors, left from weights of unit variance and right from Glorot's. (a, b) Size of the \
    gated term over that of the linear term; at rest the two are equal. (c, d) Distance between the field and that of the closed flow on Gaussian data of the \
    same covariances, from the same start: fields at different gains are the same until the gated term is comparable with the linear one, and part soon after; what \
    grows at gain 0.01 is the noise of SGD. (e, f) Excess kurtosis of the preactivation on the \
    longer-ranged class: towards -2 the field rests on a single sign. All starts are measured on one fixed sample, whose error the bands leave out.";

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
        let figure = Figure::new("The law of the data matters once the gated term takes over");
        grid(figure.subtitle(subtitle).description(CAPTION), (2, 720.0, 0.55), panels)
    }

    /// One of the curves at every gain, from starts of one kind.
    fn panel(&self, found: &[&Means], kind: Kind, curve: usize) -> Panel {
        let [_, what, label] = CURVES[curve];
        let x = Axis::new("time $t$ = step $\\times$ lr");
        let y = Axis::new(label).share(curve as u32 + 1);
        let mut panel = Panel::new(format!("{what}, {}", kind.from), x, y);
        for (i, means) in found.iter().enumerate() {
            let style = Style::ordered(i, found.len());
            let at = |offset: f64| -> Vec<f64> {
                means.curves[curve].iter().map(|e| e.mean() + offset * e.se()).collect()
            };
            let label = format!("gain {}", Value::Real(means.gain));
            panel = panel
                .with(Mark::band(&means.times, &at(-2.0), &at(2.0), "", style))
                .with(Mark::line(&means.times, &at(0.0), label, style));
        }
        if curve > 0 {
            return panel;
        }
        let times = &found[0].times;
        let ends = [times[0], times[times.len() - 1]];
        let level = [self.level; 2];
        panel
            .with(Mark::line(&ends, &[1.0, 1.0], "equal, at rest", Style::guide()))
            .with(Mark::line(&ends, &level, "counts as hand-over", Style::theory()))
    }
}
