//! The figure of `noise-floor`: variances at constant and at falling rates.

use super::{Arm, NoiseFloor, Problem};
use fovea_page::figure::{Axis, Figure, Mark, Panel, Style};
use fovea_theory::rates::noise_floor::noise_floor;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Variance of a weight under minibatches at a constant rate, against the rate: runs with two standard errors, the exact floor, and dashed its first order. (b) The number of steps times the variance at rates $c/t$: runs, and the exact variance; it rests where $2c\\lambda>1$, \
    grows as a logarithm at 1 and as a power below.";

impl NoiseFloor {
    pub(super) fn figure(&self, problem: &Problem, constant: &[Arm], falling: &[Arm]) -> Figure {
        let s2 = problem.noise;
        let fine: Vec<f64> = (1..=98).map(|i| 0.02 * f64::from(i)).collect();
        let floors: Vec<f64> =
            fine.iter().map(|x| noise_floor(x / self.curvature, self.curvature, s2)).collect();
        let firsts: Vec<f64> =
            fine.iter().map(|x| 0.5 * x * s2 / (self.curvature * self.curvature)).collect();
        let x: Vec<f64> = constant.iter().map(|arm| arm.rate).collect();
        let (means, errors): (Vec<f64>, Vec<f64>) =
            constant.iter().map(|arm| (arm.late.mean(), 2.0 * arm.late.se())).unzip();
        let first = Panel::new(
            "Constant rate",
            Axis::new("$\\gamma\\lambda$"),
            Axis::new("variance").log(),
        )
        .with(Mark::line(&fine, &floors, "exact", Style::theory().solid()))
        .with(Mark::line(&fine, &firsts, "first order", Style::guide()))
        .with(Mark::measured(&x, &means, &errors, "runs", Style::series(0)));
        let mut second = Panel::new(
            "Falling rate $c/t$",
            Axis::new("step $t$").log(),
            Axis::new("$t$ Var").log(),
        );
        for (i, arm) in falling.iter().enumerate() {
            let style = Style::series(i);
            let t: Vec<f64> = arm.times.iter().skip(1).map(|t| *t as f64).collect();
            let exact: Vec<f64> = arm
                .times
                .iter()
                .skip(1)
                .map(|t| *t as f64 * self.exact(arm.rate, s2, *t))
                .collect();
            let (means, errors): (Vec<f64>, Vec<f64>) = arm
                .squares
                .iter()
                .skip(1)
                .zip(&t)
                .map(|(e, t)| (t * e.mean(), 2.0 * t * e.se()))
                .unzip();
            second = second
                .with(Mark::line(&t, &exact, format!("$c\\lambda$ = {}", arm.rate), style))
                .with(Mark::measured(&t, &means, &errors, "", style));
        }
        Figure::new("A constant rate leaves a floor, a falling one removes it")
            .subtitle(format!("{} runs at each rate, minibatches of {}", self.runs, self.batch))
            .columns(2)
            .width(880.0)
            .aspect(0.8)
            .description(CAPTION)
            .panel(first)
            .panel(second)
    }
}
