//! The figure of `criticality`: where both susceptibilities are one, and what depth does at and off that point.

use super::Criticality;
use super::measure::Arm;
use fovea_desk::depth::{self, layers};
use fovea_desk::prelude::*;
use fovea_theory::averages::Averages;
use fovea_theory::critical::{Class, Critical};

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "(a) The activation and its slope. (b) The ratio of the two susceptibilities less one, which does not depend on $C_w$, against the variance $K$ of \
    a preactivation: both can be 1 only where it vanishes. (c), (d) Two inputs through drawn networks: variance of a preactivation, and one minus the correlation of the \
    two inputs, by layer, with the critical weights (or, where there is no critical point, weights that keep close inputs apart at $K=1$) and with more and less. Lines: infinite width. Points: mean over networks, with two \
    standard errors in (c); deep in networks of finite width they lie off the lines by one over the width.";

pub(super) fn figure(
    settings: &Criticality,
    found: &Critical,
    arms: &[Arm],
) -> Result<Figure, LabError> {
    let name = settings.activation.name();
    let title = match found.class {
        Class::None => format!("{name} has no critical point"),
        Class::ScaleInvariant => format!("{name} keeps every variance at its critical point"),
        Class::Zero => format!("{name} is critical at zero variance alone"),
        Class::UnstableZero => format!("{name} has an unstable critical point at zero"),
        Class::HalfStable => format!("{name} has a half-stable critical point"),
    };
    let mut constants = String::new();
    if let (Some(c_w), Some(c_b)) = (found.c_w, found.c_b) {
        constants = format!(
            "$C_w$ = {c_w:.5}, $C_b$ = {c_b:.5}{}; ",
            found.k.map_or_else(String::new, |k| format!(", $K^*$ = {k:.5}"))
        );
    }
    let subtitle = format!(
        "{constants}{} networks of {} layers of {} units at each setting",
        settings.nets, settings.layers, settings.width
    );
    let figure = Figure::new(title).subtitle(subtitle).description(CAPTION);
    let panels = [shape(settings), ratio(settings, found)?, variances(arms), correlations(arms)];
    Ok(grid(figure, (2, 860.0, 0.62), panels))
}

fn shape(settings: &Criticality) -> Panel {
    let x: Vec<f64> = (-200..=200).map(|i| f64::from(i) / 50.0).collect();
    let s = &settings.activation;
    let of = |f: &dyn Fn(f64) -> f64| x.iter().map(|x| f(*x)).collect::<Vec<f64>>();
    Panel::new("The activation", Axis::new("$z$"), Axis::new(""))
        .with(Mark::line(&x, &of(&|z| s.value(z)), "$s(z)$", Style::series(3).solid()))
        .with(Mark::line(&x, &of(&|z| s.slope(z)), "$s'(z)$", Style::theory()))
}

fn ratio(settings: &Criticality, found: &Critical) -> Result<Panel, LabError> {
    let averages = Averages::of(&settings.activation);
    let (mut ks, mut ratios) = (Vec::new(), Vec::new());
    for i in 0..=120 {
        let k = libm::pow(10.0, -2.0 + f64::from(i) / 30.0);
        // A fast activation has no averages at large variances.
        let Ok(growth) = averages.growth(k) else { break };
        ks.push(k);
        ratios.push(growth / averages.slope_square(k)? - 1.0);
    }
    let x = Axis::new("variance $K$").log().range(0.01, 100.0);
    let y = Axis::new(r"$\chi_{par}/\chi_{perp}-1$");
    let mut panel = Panel::new("Where both susceptibilities agree", x, y)
        .with(Mark::Horizontal { at: 0.0, label: String::new(), style: Style::guide() })
        .with(Mark::line(&ks, &ratios, "", Style::series(0).solid()));
    if let Some(k) = found.k.filter(|k| (0.01..100.0).contains(k)) {
        let style = Style { size: 5.0, ..Style::series(1) };
        panel = panel.with(Mark::points(&[k], &[0.0], "$K^*$", style));
    }
    Ok(panel)
}

/// Names of the settings.
fn label(arm: &Arm) -> String {
    format!("$C_w$ = {:.4}", arm.constants[0])
}

fn variances(arms: &[Arm]) -> Panel {
    let mut panel =
        Panel::new("Variance by layer", Axis::new("layer"), Axis::new("variance $K$").log());
    for (i, arm) in arms.iter().enumerate() {
        let theory: Vec<f64> = arm.theory.iter().map(|pair| pair.aa).collect();
        let style = Style::series(i);
        panel = panel
            .with(Mark::line(&layers(&arm.theory), &theory, label(arm), style))
            .with(depth::variances(&arm.measured, "", style));
    }
    panel
}

fn correlations(arms: &[Arm]) -> Panel {
    let mut panel =
        Panel::new("Distance of the inputs", Axis::new("layer"), Axis::new("$1-r$").log());
    for (i, arm) in arms.iter().enumerate() {
        let theory: Vec<f64> =
            arm.theory.iter().map(|pair| (1.0 - pair.correlation()).max(1e-12)).collect();
        let drawn: Vec<f64> =
            arm.measured.iter().map(|m| (1.0 - m.correlation()).max(1e-12)).collect();
        let style = Style::series(i);
        panel = panel
            .with(Mark::line(&layers(&arm.theory), &theory, label(arm), style))
            .with(Mark::points(&layers(&arm.theory), &drawn, "", style));
    }
    panel
}
