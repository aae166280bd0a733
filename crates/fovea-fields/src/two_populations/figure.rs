//! The fields of one network, the two populations, and the shares of localized units, compared with the reference's.

use super::measure::shares;
use super::{LOCALIZED, Pair};
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;

pub(super) const CAPTION: &str = "Left: the fields of one network, each in units of its largest weight, localized units (IPR above 0.15) below the \
    line and ordered by their peak. Middle: bias against IPR of every unit of every seed; dashed lines are the reference's mean biases of the two groups of \
    the widest sigmoid network shown, the dotted line is the IPR above which a unit counts as localized. Right: share of localized units, a point per seed, of the \
    reference and of this engine.";

/// The fields of the first seed, localized ones first.
fn by_peak((trained, row): Pair<'_>) -> Panel {
    let run = trained.runs[0];
    let units = fields(run).zip(run.last(&probe::ipr::ENTRY));
    let mut units: Vec<(bool, &[f64])> =
        units.map(|(field, ipr)| (ipr[0] <= LOCALIZED, field)).collect();
    units.sort_by_key(|(other, field)| (*other, peak(field)));
    let localized = units.iter().filter(|(other, _)| !other).count() as f64;
    let fields: Vec<&[f64]> = units.into_iter().map(|(_, field)| field).collect();
    let title = format!("Fields, {} sigmoid units", row.width);
    rows_of_fields(title, &fields, Axis::new("unit"), true).with(line_at_y(
        localized,
        "",
        Style::theory(),
    ))
}

/// Bias against IPR of all units.
fn populations(pairs: &[Pair<'_>]) -> Panel {
    let sigmoid: Vec<&Pair<'_>> = pairs.iter().filter(|(_, row)| row.sigmoid()).collect();
    let units = sigmoid.iter().map(|(trained, row)| {
        let [x, y] = [&probe::ipr::ENTRY, &probe::bias::ENTRY].map(|probe| trained.units(probe, 0));
        (format!("{} sigmoid units", row.width), xy(&x, y))
    });
    let widest = sigmoid.last().filter(|(_, row)| row.bias != Bias::None);
    let means = widest.map(|(_, row)| ["bias_localized", "bias_other"].map(|key| row.mean(key)));
    let means = means.into_iter().flatten().map(|at| line_at_y(at, "", Style::theory()));
    let (ipr, bias) = (Axis::new("IPR").from(0.0), Axis::new("bias"));
    scatter("Two populations", ipr, bias, series(units))
        .with_all(means)
        .with(guide_at_x(LOCALIZED, ""))
        .note("dashed: the reference's means, widest network")
}

/// The share of localized units, seed by seed.
fn seeds(pairs: &[Pair<'_>]) -> Panel {
    let names = pairs.iter().map(|(_, row)| {
        let kind = if row.sigmoid() { "S" } else { "R" };
        let star = if row.bias == Bias::None { "*" } else { "" };
        format!("{kind}{}{star}", row.width)
    });
    let (x, y) = (categories("network", names), Axis::new("share of units").range(0.0, 1.05));
    let theirs = pairs.iter().map(|(_, row)| row.shares.clone()).collect();
    let ours = pairs.iter().map(|(trained, _)| shares(trained)).collect();
    let groups = [
        named("reference", Style::series(3).hollow(), theirs),
        named("this engine", Style::series(4), ours),
    ];
    runs_by_category("Share localized, by seed", x, y, groups)
        .note("S sigmoid, R ReLU, by width; * without biases")
}

/// The figure; nothing is drawn of a network that is not there.
pub(super) fn figure(pairs: &[Pair<'_>]) -> Figure {
    let shown = pairs
        .iter()
        .filter(|(_, row)| row.sigmoid() && row.width <= 40)
        .max_by_key(|(_, row)| row.width);
    let figure = Figure::new("Sigmoid networks split into two populations, as the reference's do");
    let panels = shown.map(|pair| by_peak(*pair)).into_iter();
    let panels = panels.chain([populations(pairs), seeds(pairs)]);
    grid(figure.description(CAPTION), (3, 1080.0, 0.95), panels)
}
