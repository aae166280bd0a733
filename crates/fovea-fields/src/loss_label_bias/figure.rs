//! The figure of `loss-label-bias`: the published table beside its repetition, and IPR against gain.

use super::arm::Published;
use super::measure::Ends;
use super::theory::Theory;
use super::{Found, LossLabelBias};
use fovea_desk::cell::LEAST_IPR;
use fovea_desk::prelude::*;
use fovea_page::figure::SERIES;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Inverse participation ratio of ReLU fields under different losses, labels and output biases. \
    Top: the published table repeated at infinite gain on fixed sets, a point a field, over the published range; the dotted \
    line is the dictator state of the squared error with labels 1 and 0. Bottom: every arm on fresh samples, mean over \
    networks against gain, with two standard errors. The line at 1/2 is the least a field in a dictator's cell can have.";

fn ipr_axis() -> Axis {
    Axis::new("IPR  $\\sum w^4 / (\\sum w^2)^2$").range(0.0, 1.0)
}

/// A panel with a line at the least IPR in a dictator's cell.
fn panel(title: impl Into<String>, x: Axis, y: Axis) -> Panel {
    Panel::new(title, x, y).with(horizontal(LEAST_IPR, Style::guide().solid()))
}

/// The published table, a row a column.
fn table(groups: &[Ends<'_>], theory: &Theory) -> Panel {
    let rows: Vec<(&Ends<'_>, &Published)> =
        groups.iter().filter_map(|group| Some((group, group.published?))).collect();
    let label = |row: &Published| format!("{}, $K = {}$", row.arm.label(), row.width);
    let ticks = rows.iter().enumerate().map(|(i, (_, row))| (i as f64, label(row)));
    let x = Axis::new("").range(-0.6, rows.len() as f64 - 0.4).ticks_at(ticks);
    let mut panel = panel("The published table, repeated", x, ipr_axis());
    if theory.dictator.exists {
        let at = theory.dictator.ipr;
        panel = panel.with(horizontal(at, Style::theory().dash(Dash::Dotted))).note(format!(
            "Dotted: the dictator state, IPR {at:.4}. Line at 1/2: the least in a dictator's cell."
        ));
    }
    let style = Style { color: SERIES[6], ..Style::series(0) };
    let ring = Style { size: 3.0, ..style }.hollow();
    for (i, (group, row)) in rows.iter().enumerate() {
        let at = i as f64;
        let (x, low, high) = ([at - 0.4, at + 0.4], [row.ipr.0; 2], [row.ipr.1; 2]);
        panel = panel.with(Mark::band(&x, &low, &high, "published range", style));
        let iprs = group.iprs();
        let step = 0.56 / (iprs.len().max(2) - 1) as f64;
        let x: Vec<f64> = (0..iprs.len()).map(|k| at - 0.28 + step * k as f64).collect();
        panel = panel.with(Mark::points(&x, &iprs, "a field trained here", ring));
    }
    panel
}

impl LossLabelBias {
    pub(super) fn figure(&self, found: &Found<'_>) -> Result<Figure, LabError> {
        let Found { theory, groups, .. } = found;
        let (TwoClass { n, xi_pos, xi_neg, .. }, columns) = (self.two, self.width.len());
        let subtitle = format!(
            "$K$ ReLU units read out by their mean, {n} sites, correlation length {xi_pos} (label 1) against {xi_neg}. CE: cross-entropy; L1: \
             absolute error; \u{b1}1: labels 1 and \u{2212}1, else 1 and 0; $b_2$: a trained output bias; $W_2$: a trained readout."
        );
        let mut panels = Vec::new();
        if groups.iter().any(|group| group.published.is_some()) {
            panels.push(table(groups, theory).span(columns).height(200.0));
        }
        for width in &self.width {
            panels.push(self.over_gain(groups, *width)?);
        }
        let figure = Figure::new("Which losses and labels localize").subtitle(subtitle);
        let size = (columns, 430.0 * columns.max(2) as f64, 0.62);
        Ok(grid(figure.description(CAPTION), size, panels))
    }

    /// Mean IPR against gain, one line per arm; gains are equally spaced so that infinity has a place.
    fn over_gain(&self, groups: &[Ends<'_>], width: usize) -> Result<Panel, LabError> {
        let (mut order, arms) = (self.gain.clone(), &self.arms.0);
        order.sort_by(f64::total_cmp);
        let title = format!("Every arm against gain, $K = {width}$");
        let mut panel = panel(title, gains::axis(&order, 0.3), ipr_axis().share(1));
        for (i, arm) in arms.iter().enumerate() {
            let mut here: Vec<&Ends<'_>> =
                groups.iter().filter(|group| group.compares(*arm, width)).collect();
            here.sort_by(|a, b| a.point.gain.total_cmp(&b.point.gain));
            let means = here.iter().map(|group| group.mean_ipr()).collect::<Result<Vec<_>, _>>()?;
            // Side by side, so that error bars do not hide each other.
            let shift = 0.03 * (i as f64 - 0.5 * (arms.len() - 1) as f64);
            let x: Vec<f64> = (0..means.len()).map(|place| place as f64 + shift).collect();
            let style = Style::series(i);
            panel = panel.with(Mark::line(&x, &bars(&means).0, arm.label(), style)).with(measured(
                &x,
                &means,
                arm.label(),
                style,
            ));
        }
        Ok(panel)
    }
}
