//! The figure of `learning-rate-limit`: contraction, and the largest rate against width and depth.

use super::{EIGENVALUES, Found, LearningRateLimit, kinks};
use fovea_desk::prelude::*;
use fovea_theory::rates::contraction::factor;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Factor by which the slowest error of a linear model shrinks a step, against the learning rate (points), $\\max_i|1-\\gamma\\lambda_i|$ (line), and dashed the printed $1-\\gamma\\lambda_{\\min}$. (b) Two over the largest rate at which a small error on one example falls at every \
    step, for ReLU networks in the standard parametrisation, against the width: mean over networks with two standard errors, and the mean squared gradient; dashed, the root of the width. (c) The largest rate times the squared gradient of each network where the error at the start is 1: above 2 by the units that a step turns off (line), and by \
    one over the width. (d) As (b), against the depth in the NTK parametrisation.";

impl LearningRateLimit {
    pub(super) fn figure(&self, found: &Found) -> Result<Figure, LabError> {
        let limit = 2.0 / EIGENVALUES[1];
        let fine: Vec<f64> = (0..=100).map(|i| limit * f64::from(i) / 100.0).collect();
        let line: Vec<f64> = fine.iter().map(|lr| factor(&EIGENVALUES, *lr)).collect();
        let printed: Vec<f64> = fine.iter().map(|lr| 1.0 - lr * EIGENVALUES[0]).collect();
        let (lr, factors): (Vec<f64>, Vec<f64>) =
            found.factors.iter().map(|[a, b]| (*a, *b)).unzip();
        let style = Style::series(0);
        let y = Axis::new("factor a step").range(0.0, 1.05);
        let first = Panel::new("Linear model", Axis::new("learning rate"), y)
            .with(Mark::line(&fine, &line, "predicted", Style::theory().solid()))
            .with(Mark::line(&fine, &printed, "as printed", Style::guide()))
            .with(Mark::points(&lr, &factors, "", style));
        let x: Vec<f64> = self.width.iter().map(|n| *n as f64).collect();
        let predicted = self.predicted();
        let root: Vec<f64> = x.iter().map(|n| predicted[0] * (n / x[0]).sqrt()).collect();
        let width = || Axis::new("width $n$").log();
        let inverse = || Axis::new("two over the largest rate");
        let second = Panel::new("Against the width: $E|\\nabla z|^2$", width(), inverse().log())
            .with(Mark::line(&x, &predicted, "predicted", Style::theory().solid()))
            .with(Mark::line(&x, &root, "as printed", Style::guide()))
            .with(measured(&x, &columns(&found.inverse)?, "", style));
        let above: Vec<f64> = x.iter().map(|n| 2.0 + kinks(*n)).collect();
        let y = Axis::new("$\\gamma|\\nabla z|^2$");
        let third = Panel::new("An error of 1: $2+1/(\\pi\\sqrt{n})$", width(), y)
            .with(Mark::Horizontal { at: 2.0, label: String::new(), style: Style::guide() })
            .with(Mark::line(&x, &above, "predicted", Style::theory().solid()))
            .with(measured(&x, &columns(&found.products)?, "", style));
        let depths: Vec<f64> = self.layers.iter().map(|l| *l as f64).collect();
        let (title, axis) = ("Against the depth: $2(L+1)$", Axis::new("hidden layers $L$"));
        let predicted = self.predicted_deep();
        let fourth = Panel::new(title, axis, inverse().from(0.0))
            .with(Mark::line(&depths, &predicted, "predicted", Style::theory().solid()))
            .with(measured(&depths, &columns(&found.inverse_deep)?, "", style));
        let title = "The largest learning rate is two over the top of the tangent kernel";
        let figure = Figure::new(title)
            .subtitle(format!("{} networks at each width and depth", self.nets))
            .description(CAPTION);
        Ok(grid(figure, (2, 880.0, 0.62), [first, second, third, fourth]))
    }
}
