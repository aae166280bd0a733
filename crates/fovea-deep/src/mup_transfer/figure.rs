//! The figure of `mup-transfer`: loss against the rate by width, and what one step does.

use super::{ARMS, Found, MupTransfer};
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a), (b), (d), (e) Loss left after a few steps against the learning rate, for networks of several widths, in the standard parametrisation and in muP, two activations: geometric mean over networks; curves end where one diverges. Dotted: the best rate of each width, mean of \
    the logarithms. (c), (f) The best rate against the width, with two standard errors. (g) How far one step towards a linear target moves the outputs from the start of muP against the width, with two standard errors: with its rates by layer, and with one rate for all layers; lines have the exponents 0 and 1.";

impl MupTransfer {
    pub(super) fn figure(&self, found: &Found) -> Result<Figure, LabError> {
        let rates = self.rates();
        let x: Vec<f64> = self.width.iter().map(|n| *n as f64).collect();
        let mut panels = Vec::new();
        for (row, (s, arms)) in self.activations().iter().zip(&found.sweeps).enumerate() {
            let mut best = Panel::new(
                format!("{}, best rate", s.name()),
                Axis::new("width $n$").log(),
                Axis::new("best learning rate").log(),
            );
            for (i, (arm, (name, exponent))) in arms.iter().zip(&ARMS).enumerate() {
                let logs = (0..x.len()).map(|w| {
                    let logs: Vec<f64> = arm.best.iter().map(|net| libm::log(net[w])).collect();
                    Ok(Estimate::from_samples(&logs)?)
                });
                let logs = logs.collect::<Result<Vec<Estimate>, LabError>>()?;
                let means: Vec<f64> = logs.iter().map(|log| libm::exp(log.mean())).collect();
                let errors: Vec<f64> =
                    logs.iter().zip(&means).map(|(log, mean)| 2.0 * log.se() * mean).collect();
                let axis = Axis::new("learning rate").log();
                let title = format!("{}, {}", s.name(), name.word());
                let mut panel = Panel::new(title, axis, Axis::new("loss left").log());
                for (w, width) in self.width.iter().enumerate() {
                    let style = Style::ordered(w, self.width.len());
                    let losses: Vec<f64> = arm.losses[w]
                        .iter()
                        .map(|log| if log.is_finite() { libm::exp(*log) } else { f64::NAN })
                        .collect();
                    let first = row == 0 && i == 0;
                    let label = if first { format!("width {width}") } else { String::new() };
                    let dotted = Style { width: 1.0, ..style }.dash(Dash::Dotted);
                    panel = panel
                        .with(Mark::line(&rates, &losses, label, style))
                        .with(Mark::Vertical { at: means[w], label: String::new(), style: dotted });
                }
                panels.push(panel);
                let style = Style::series(i);
                let last = x.len() - 1;
                let line: Vec<f64> =
                    x.iter().map(|n| means[last] * libm::pow(n / x[last], *exponent)).collect();
                let label = if row == 0 { name.word() } else { "" };
                best = best
                    .with(Mark::line(&x, &line, "", style))
                    .with(Mark::measured(&x, &means, &errors, label, style));
            }
            panels.push(best);
        }
        let x: Vec<f64> = self.wider().iter().map(|n| *n as f64).collect();
        let middle = x.len() / 2;
        let mut panel =
            Panel::new("One step", Axis::new("width $n$").log(), Axis::new("$|\\Delta z|$").log())
                .span(3)
                .height(190.0);
        let arms = [("rates by layer", 0.0), ("one rate", 1.0)];
        for (k, (label, exponent)) in arms.into_iter().enumerate() {
            let (means, errors) = bars(&columns(&found.moved[k])?);
            let line: Vec<f64> =
                x.iter().map(|n| means[middle] * libm::pow(n / x[middle], exponent)).collect();
            let style = Style::series(2 + k);
            panel = panel
                .with(Mark::line(&x, &line, "", style))
                .with(Mark::measured(&x, &means, &errors, label, style));
        }
        panels.push(panel);
        let figure = Figure::new("In muP the best learning rate does not depend on the width")
            .subtitle(format!(
                "{} networks at each width and rate, {} steps",
                self.nets, self.steps
            ))
            .description(CAPTION);
        Ok(grid(figure, (3, 1040.0, 0.9), panels))
    }
}
