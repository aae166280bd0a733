//! The figure of `ntk-angle`: the kernel against angle and depth, where it is singular, and how far a network strays from its mean.

use super::measure::{Positivity, STRAYS, TANH};
use super::{Arm, Found, NtkAngle, RELU, theory};
use fovea_core::symmetric::eigen;
use fovea_desk::prelude::*;
use fovea_theory::ntk::gram::{Part, gram};
use std::f64::consts::PI;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) Tangent kernel of two unit inputs over that of one, against their angle, for ReLU networks of several depths. Lines: infinite width. Points: mean over drawn networks with two standard errors; with one hidden layer \
    the mean is exact at every width, deeper the points lie off by one over the width. (b) The kernel of orthogonal inputs over the diagonal against the depth, towards a quarter. (c) Least eigenvalue of the kernel of the second layer for two unit inputs, against their angle: it vanishes where they are one and, for tanh, where they are opposite. \
    (d) How often the kernel of n tanh units lies further than t from its mean, in operator norm: drawn networks (points), the bound (lines), and dashed the printed bound, which is broken.";

/// The figure.
pub(super) fn figure(settings: &NtkAngle, found: &Found) -> Result<Figure, LabError> {
    let title = "The tangent kernel of deep ReLU networks flattens to a quarter of its diagonal";
    let subtitle = format!(
        "{} networks of width {} at each depth; in (d) solid: the bound, dashed: as printed",
        settings.nets, settings.width
    );
    let panels = [
        against_angle(settings, &found.arms)?,
        orthogonal()?,
        least(&found.positivity)?,
        tails(&found.positivity),
    ];
    let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
    Ok(grid(figure, (2, 860.0, 0.75), panels))
}

/// The kernel against the angle, by depth.
fn against_angle(settings: &NtkAngle, arms: &[Arm]) -> Result<Panel, LabError> {
    let mut panel = Panel::new("Against the angle", angle(), Axis::new("kernel over its diagonal"));
    let fine: Vec<f64> = (0..=90).map(|i| PI * f64::from(i) / 90.0).collect();
    for (i, arm) in arms.iter().enumerate() {
        let style = Style::series(i);
        let diagonal = arm.layers as f64 + 1.0;
        let at = |a: &f64| Ok(theory(arm.layers, libm::cos(*a))?.theta.ab / diagonal);
        let line = fine.iter().map(at).collect::<Result<Vec<f64>, LabError>>()?;
        let (means, errors): (Vec<f64>, Vec<f64>) =
            arm.drawn.iter().map(|e| (e.mean() / diagonal, 2.0 * e.se() / diagonal)).unzip();
        let plural = if arm.layers == 1 { "layer" } else { "layers" };
        panel = panel
            .with(Mark::line(&fine, &line, format!("{} hidden {plural}", arm.layers), style))
            .with(Mark::measured(&settings.turns(), &means, &errors, "", style));
    }
    Ok(panel)
}

/// The kernel of orthogonal inputs against the depth.
fn orthogonal() -> Result<Panel, LabError> {
    let depths: Vec<usize> =
        (0..=40).map(|i| libm::pow(10.0, f64::from(i) / 10.0) as usize).collect();
    let x: Vec<f64> = depths.iter().map(|l| *l as f64).collect();
    let ratio = |l: &usize| Ok(theory(*l, 0.0)?.theta.ab / (*l as f64 + 1.0));
    let ratios = depths.iter().map(ratio).collect::<Result<Vec<f64>, LabError>>()?;
    let y = Axis::new("kernel over its diagonal").range(0.0, 0.35);
    Ok(Panel::new("Orthogonal inputs", Axis::new("hidden layers").log(), y)
        .with(Mark::Horizontal { at: 0.25, label: "1/4".to_owned(), style: Style::guide() })
        .with(Mark::line(&x, &ratios, "", Style::theory().solid())))
}

fn angle() -> Axis {
    Axis::new("angle").ticks_at([(0.0, "0"), (0.5 * PI, "$\\pi/2$"), (PI, "$\\pi$")])
}

/// Where two inputs make the kernel singular.
fn least(positivity: &Positivity) -> Result<Panel, LabError> {
    let fine: Vec<f64> = (0..=61).map(|i| PI * f64::from(i) / 61.0).collect();
    let y = Axis::new("least eigenvalue over the diagonal").from(0.0);
    let mut panel = Panel::new("Two inputs", angle(), y);
    for (i, (s, name)) in [(RELU, "ReLU"), (TANH, "tanh")].into_iter().enumerate() {
        let value = |a: &f64| -> Result<f64, LabError> {
            let rows = gram(&s, &[0.0, *a], Part::Value)?;
            Ok(eigen(&rows).values[0].max(0.0) / rows[0][0])
        };
        let line = fine.iter().map(value).collect::<Result<Vec<f64>, _>>()?;
        panel = panel.with(Mark::line(&fine, &line, name, Style::series(3 + i)));
    }
    let (x, y): (Vec<f64>, Vec<f64>) =
        positivity.pairs.iter().map(|[a, least]| (*a, *least)).unzip();
    Ok(panel.with(Mark::points(&x, &y, "", Style::series(4))))
}

/// How often a kernel strays.
fn tails(positivity: &Positivity) -> Panel {
    let n: Vec<f64> = positivity.tails.iter().map(|at| at.width as f64).collect();
    let y = Axis::new("how often further than $t$").log().range(1e-3, 1.3);
    let mut panel =
        Panel::new("Distance of a kernel from its mean", Axis::new("width $n$").log(), y);
    for (i, t) in STRAYS.iter().enumerate() {
        let style = Style::ordered(i, STRAYS.len()).solid();
        let of = |k: usize| -> Vec<f64> {
            let seen = |x: f64| if x > 1e-3 { x } else { f64::NAN };
            positivity.tails.iter().map(|at| seen(at.shares[i][k])).collect()
        };
        panel = panel
            .with(Mark::line(&n, &of(1), format!("$t$ = {t}"), style))
            .with(Mark::line(&n, &of(2), "", style.dash(Dash::Dashed)))
            .with(Mark::points(&n, &of(0), "", style));
    }
    panel
}
