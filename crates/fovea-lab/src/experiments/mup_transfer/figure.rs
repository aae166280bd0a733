//! The figure of `mup-transfer`: loss against the rate by width, and what one step does.

use super::{ARMS, Found, MupTransfer};
use crate::error::LabError;
use crate::figure::{Axis, Figure, Mark, Panel, Style};
use crate::widths::column;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a), (b) Loss left after a few steps against the learning rate, for networks of several widths, in the standard parametrisation and in muP: geometric mean over networks; curves end where one diverges. Dotted: the best rate of each width, mean of \
    the logarithms. (c) How far one step moves the outputs from the start of muP against the width, with two standard errors: with its rates by layer, and with one rate for all layers; lines have the exponents 0 and 1.";

impl MupTransfer {
    pub(super) fn figure(&self, found: &Found) -> Result<Figure, LabError> {
        let rates = self.rates();
        let mut figure = Figure::new("In muP the best learning rate does not depend on the width")
            .subtitle(format!(
                "{} networks at each width and rate, {} steps",
                self.nets, self.steps
            ))
            .columns(3)
            .width(1040.0)
            .aspect(0.9)
            .description(CAPTION);
        for (arm, (name, _)) in ARMS.iter().enumerate() {
            let axis = Axis::new("learning rate").log();
            let mut panel = Panel::new(name.word(), axis, Axis::new("loss left").log());
            for (w, width) in self.width.iter().enumerate() {
                let style = Style::ordered(w, self.width.len());
                let losses: Vec<f64> = found.losses[arm][w]
                    .iter()
                    .map(|log| if log.is_finite() { libm::exp(*log) } else { f64::NAN })
                    .collect();
                let logs = found.best[arm].iter().map(|net| libm::log(net[w]));
                let best = libm::exp(logs.sum::<f64>() / self.nets as f64);
                let label = if arm == 0 { format!("width {width}") } else { String::new() };
                panel =
                    panel.with(Mark::line(&rates, &losses, label, style)).with(Mark::Vertical {
                        at: best,
                        label: String::new(),
                        style: Style { width: 1.0, ..style }.dash(crate::figure::Dash::Dotted),
                    });
            }
            figure = figure.panel(panel);
        }
        let x: Vec<f64> = self.width.iter().map(|n| *n as f64).collect();
        let middle = x.len() / 2;
        let mut panel =
            Panel::new("One step", Axis::new("width $n$").log(), Axis::new("$|\\Delta z|$").log());
        for (k, (label, exponent)) in
            [("rates by layer", 0.0), ("one rate", 1.0)].into_iter().enumerate()
        {
            let columns = (0..x.len()).map(|i| column(&found.moved[k], i));
            let columns = columns.collect::<Result<Vec<_>, _>>()?;
            let (means, errors): (Vec<f64>, Vec<f64>) =
                columns.iter().map(|e| (e.mean(), 2.0 * e.se())).unzip();
            let line: Vec<f64> =
                x.iter().map(|n| means[middle] * libm::pow(n / x[middle], exponent)).collect();
            let style = Style::series(k);
            panel = panel
                .with(Mark::line(&x, &line, "", style))
                .with(Mark::measured(&x, &means, &errors, label, style));
        }
        Ok(figure.panel(panel))
    }
}
