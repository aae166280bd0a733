//! The figure of `loss-label-bias`: the published table and its repetition, and IPR against gain.

use super::arm::{Arm, Published};
use super::measure::Ends;
use super::theory::Theory;
use super::{Found, LossLabelBias};
use fovea_desk::cell::LEAST_IPR;
use fovea_desk::prelude::*;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Inverse participation ratio (IPR) of ReLU fields under different losses, labels and output biases. \
    Top: the published table repeated at infinite gain on fixed sets, a ring per field, and the published range (grey); the dotted \
    line is the dictator state of the squared error with labels 1 and 0. Bottom: every arm on fresh samples, mean over \
    networks against gain, with two standard errors. The solid line at 1/2 is the least IPR of a field in a dictator's cell.";

fn ipr_axis() -> Axis {
    Axis::new("IPR  $\\sum w^4 / (\\sum w^2)^2$").range(0.0, 1.0)
}

/// The least IPR in a dictator's cell.
fn least() -> Mark {
    line_at_y(LEAST_IPR, "", Style::guide().solid())
}

/// Our fields and the published ranges.
fn table(groups: &[Ends<'_>], theory: &Theory) -> Panel {
    let rows: Vec<(&Ends<'_>, &Published)> =
        groups.iter().filter_map(|group| Some((group, group.published?))).collect();
    let name = |row: &Published| format!("{}, $K = {}$", row.arm.label(), row.width);
    let x = categories("", rows.iter().map(|(_, row)| name(row)));
    let iprs = rows.iter().map(|(group, _)| group.iprs()).collect();
    let ours = named("a field trained here", Style::theory().hollow(), iprs);
    let ranges = rows.iter().enumerate().map(|(i, (_, row))| {
        let (x, (low, high)) = ([-0.4, 0.4].map(|side| i as f64 + side), row.ipr);
        Mark::band(&x, &[low; 2], &[high; 2], "published range", Style::guide())
    });
    let panel = runs_by_category("The published table, repeated", x, ipr_axis(), [ours])
        .with_all(ranges)
        .with(least());
    let at = theory.dictator.ipr;
    let note = format!(
        "Dotted: the dictator state, IPR {at:.4}. Line at 1/2: the least in a dictator's cell."
    );
    let state = line_at_y(at, "", Style::theory().dash(Dash::Dotted));
    if theory.dictator.exists { panel.with(state).note(note) } else { panel }
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
        let mut order = self.gain.clone();
        order.sort_by(f64::total_cmp);
        let over_gain = |arm: &Arm| -> Result<(String, Xy), LabError> {
            let mut here: Vec<&Ends<'_>> =
                groups.iter().filter(|group| group.compares(*arm, width)).collect();
            here.sort_by(|a, b| a.point.gain.total_cmp(&b.point.gain));
            let mean = |(i, group): (usize, &&Ends<'_>)| Ok((i as f64, group.mean_ipr()?));
            Ok((arm.label(), here.iter().enumerate().map(mean).collect::<Result<_, LabError>>()?))
        };
        let arms = self.arms.0.iter().map(over_gain).collect::<Result<Vec<_>, _>>()?;
        let title = format!("Every arm against gain, $K = {width}$");
        let (gain, ipr) = (gains::axis(&order, 0.3), ipr_axis().share(1));
        Ok(means_along(title, gain, ipr, series(arms)).with(least()))
    }
}
