//! The figure of `nngp-width`: characteristic and distribution function, and covariances, against the width.

use super::NngpWidth;
use super::measure::At;
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Characteristic function of an output at three frequencies against the width of the hidden layer. Points: mean of $\\cos\\xi z$ over drawn networks with two standard errors. Lines: the exact value. Dotted: the Gaussian of the limit. \
    (b) Distance of the exact value from the limit, which falls as one over the width. (c) Covariances of the outputs at three inputs over those of the limit, which are the same at every width. \
    (d) Distance of Kolmogorov and Smirnov between the outputs of drawn networks and the Gaussian of the limit (points; dotted, what as many numbers drawn from the Gaussian would have), and its first order in one over the width (line).";

impl NngpWidth {
    pub(super) fn figure(&self, all: &[At]) -> Result<Figure, LabError> {
        let x: Vec<f64> = self.width.iter().map(|n| *n as f64).collect();
        let width = || Axis::new("width $n$").log();
        let mut first = Panel::new("Characteristic function", width(), Axis::new("$E\\cos\\xi z$"));
        let mut second =
            Panel::new("Distance from the limit", width(), Axis::new("exact less limit").log());
        for (i, xi) in self.xi.iter().enumerate() {
            let style = Style::series(i);
            let limit = self.limit(*xi)?;
            let exact = self.width.iter().map(|n| self.exact(*xi, *n));
            let exact = exact.collect::<Result<Vec<f64>, LabError>>()?;
            first = first
                .with(Mark::Horizontal { at: limit, label: String::new(), style: Style::guide() })
                .with(Mark::line(&x, &exact, format!("$\\xi$ = {xi}"), style))
                .with(measured(&x, all.iter().map(|at| &at.cosines[i]), "", style));
            let gaps: Vec<f64> = exact.iter().map(|value| value - limit).collect();
            second = second.with(Mark::line(&x, &gaps, "", style));
        }
        let guide: Vec<f64> = x.iter().map(|n| 0.1 / n).collect();
        second = second.with(Mark::line(&x, &guide, "$1/n$", Style::guide()));
        let exact = self.covariances()?;
        let mut third = Panel::new("Covariances", width(), Axis::new("over the limit"))
            .with(Mark::Horizontal { at: 1.0, label: String::new(), style: Style::guide() });
        for (i, (name, pair)) in
            [("$z_0z_0$", 0), ("$z_0z_1$", 1), ("$z_1z_2$", 4)].into_iter().enumerate()
        {
            let over = |at: &At| {
                let drawn = at.products[pair];
                (drawn.mean() / exact[pair], 2.0 * drawn.se() / exact[pair].abs())
            };
            let (means, errors): (Vec<f64>, Vec<f64>) = all.iter().map(over).unzip();
            third = third.with(Mark::measured(&x, &means, &errors, name, Style::series(3 + i)));
        }
        let distances: Vec<f64> = all.iter().map(|at| at.distance).collect();
        let first_order = self.first_order()?;
        let line: Vec<f64> = x.iter().map(|n| first_order / n).collect();
        // The mean of Kolmogorov's law.
        let noise = 0.8687 / (self.nets as f64).sqrt();
        let y = Axis::new("distance from the limit").log();
        let fourth = Panel::new("Distribution function", width(), y)
            .with(Mark::Horizontal { at: noise, label: String::new(), style: Style::guide() })
            .with(Mark::line(&x, &line, "first order", Style::theory().solid()))
            .with(Mark::points(&x, &distances, "outputs", Style::series(6)));
        let title = format!(
            "Outputs of {} networks approach a Gaussian as one over the width",
            self.activation.name()
        );
        let figure = Figure::new(title)
            .subtitle(format!("one hidden layer, {} networks at each width", self.nets))
            .description(CAPTION);
        Ok(grid(figure, (2, 880.0, 0.62), [first, second, third, fourth]))
    }
}
