//! The figure of `ntk-flow`: outputs over training, the distance from the linearisation, and what is learnt in the limit.

use super::{Found, NtkFlow, Run};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Outputs of one network of each width on the first examples over training (points) and those of its own linearisation (lines). (b) Largest distance of the errors from those of the linearisation over \
    training, relative to the first errors, against the width: mean over networks with two standard errors; the line falls as one over the width. (c) Share of the targets in the trained outputs, starting values taken away: networks with two standard errors, and the limit; \
    dashed, what training the last layer alone would give.";

impl NtkFlow {
    pub(super) fn figure(&self, Found { runs, limit }: &Found) -> Result<Figure, LabError> {
        let mut paths =
            Panel::new("Two outputs over training", Axis::new("step"), Axis::new("output"));
        let shown: Vec<usize> = if runs.len() > 1 { vec![0, runs.len() - 1] } else { vec![0] };
        for (i, at) in shown.iter().enumerate() {
            let run = &runs[*at][0];
            let steps: Vec<f64> = (0..run.path.len())
                .map(|k| (k as f64 * self.every() as f64).min(self.steps as f64))
                .collect();
            for k in 0..2 {
                let take = |j: usize| run.path.iter().map(|row| row[j]).collect::<Vec<f64>>();
                let label =
                    if k == 0 { format!("width {}", self.width[*at]) } else { String::new() };
                paths = paths.with(Mark::line(&steps, &take(2 + k), "", Style::series(i))).with(
                    Mark::points(&steps, &take(k), label, Style { size: 2.0, ..Style::series(i) }),
                );
            }
        }
        let x: Vec<f64> = self.width.iter().map(|n| *n as f64).collect();
        let (means, errors) = bars(&Run::means(runs, |run| run.distance)?);
        let anchor = means[means.len() / 2] * x[x.len() / 2];
        let line: Vec<f64> = x.iter().map(|n| anchor / n).collect();
        let width = || Axis::new("width $n$").log();
        let y = Axis::new("relative distance").log();
        let distance = Panel::new("Distance from the linearisation", width(), y)
            .with(Mark::line(&x, &line, "$1/n$", Style::theory()))
            .with(Mark::measured(&x, &means, &errors, "", Style::series(0)));
        let shares = Run::means(runs, |run| run.share)?;
        let horizontal = |k: usize, label: &str, style: Style| Mark::Horizontal {
            at: limit.share[k],
            label: label.to_owned(),
            style,
        };
        let share = Panel::new("What is learnt", width(), Axis::new("share of the targets"))
            .with(horizontal(0, "limit", Style::theory().solid()))
            .with(horizontal(1, "last layer alone", Style::guide()))
            .with(measured(&x, &shares, "", Style::series(0)));
        let subtitle = format!(
            "{} networks at each width, {} hidden layers of {} units",
            self.nets,
            self.layers,
            self.activation.name()
        );
        let figure = Figure::new("Wide networks follow their tangent kernel")
            .subtitle(subtitle)
            .description(CAPTION);
        Ok(grid(figure, (3, 1040.0, 0.85), [paths, distance, share]))
    }
}
