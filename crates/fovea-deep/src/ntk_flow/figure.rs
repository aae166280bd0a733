//! The figure of `ntk-flow`: outputs over training, the distance from the linearisation, and what is learnt in the limit.

use super::{Limit, NtkFlow, Run};
use fovea_core::stats::Estimate;
use fovea_page::figure::{Axis, Figure, Mark, Panel, Style};

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Outputs of one network of each width on the first examples over training (points) and those of its own linearisation (lines). (b) Largest distance of the errors from those of the linearisation over \
    training, relative to the first errors, against the width: mean over networks with two standard errors; the line falls as one over the width. (c) Share of the targets in the trained outputs, starting values taken away: networks with two standard errors, and the limit; \
    dashed, what training the last layer alone would give.";

impl NtkFlow {
    pub(super) fn figure(&self, runs: &[Vec<Run>], limit: &Limit) -> Figure {
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
        let of = |read: fn(&Run) -> f64| -> (Vec<f64>, Vec<f64>) {
            let one = |at: &Vec<Run>| {
                let all: Vec<f64> = at.iter().map(read).collect();
                Estimate::from_samples(&all)
                    .map_or((f64::NAN, f64::NAN), |e| (e.mean(), 2.0 * e.se()))
            };
            runs.iter().map(one).unzip()
        };
        let (means, errors) = of(|run| run.distance);
        let anchor = means[means.len() / 2] * x[x.len() / 2];
        let line: Vec<f64> = x.iter().map(|n| anchor / n).collect();
        let distance = Panel::new(
            "Distance from the linearisation",
            Axis::new("width $n$").log(),
            Axis::new("relative distance").log(),
        )
        .with(Mark::line(&x, &line, "$1/n$", Style::theory()))
        .with(Mark::measured(&x, &means, &errors, "", Style::series(0)));
        let (means, errors) = of(|run| run.share);
        let share = Panel::new(
            "What is learnt",
            Axis::new("width $n$").log(),
            Axis::new("share of the targets"),
        )
        .with(Mark::Horizontal {
            at: limit.share[0],
            label: "limit".to_owned(),
            style: Style::theory().solid(),
        })
        .with(Mark::Horizontal {
            at: limit.share[1],
            label: "last layer alone".to_owned(),
            style: Style::guide(),
        })
        .with(Mark::measured(&x, &means, &errors, "", Style::series(0)));
        Figure::new("Wide networks follow their tangent kernel")
            .subtitle(format!(
                "{} networks at each width, {} hidden layers of {} units",
                self.nets,
                self.layers,
                self.activation.name()
            ))
            .columns(3)
            .width(1040.0)
            .aspect(0.85)
            .description(CAPTION)
            .panel(paths)
            .panel(distance)
            .panel(share)
    }
}
