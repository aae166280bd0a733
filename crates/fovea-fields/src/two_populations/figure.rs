//! The fields of one network, the two populations, and their shares beside the reference's.

use super::measure::shares;
use super::{LOCALIZED, Pair};
use fovea_desk::cell::peak;
use fovea_desk::prelude::*;

pub(super) const CAPTION: &str = "Left: the fields of one network, each in units of its largest weight, localized units (IPR above 0.15) below the \
    line and ordered by their peak. Middle: bias against IPR of every unit of every seed; horizontal lines are the reference's mean biases of the two groups of \
    the widest sigmoid network shown. Right: share of localized units of every seed, ours and the reference's.";

fn level(at: f64) -> Mark {
    Mark::Horizontal { at, label: String::new(), style: Style::theory() }
}

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
    rows_of_fields(title, &fields, Axis::new("unit"), true).with(level(localized))
}

/// Bias against IPR of all units.
fn populations(pairs: &[Pair<'_>]) -> Panel {
    let mut panel = Panel::new("Two populations", Axis::new("IPR").from(0.0), Axis::new("bias"));
    let sigmoid: Vec<&Pair<'_>> = pairs.iter().filter(|(_, row)| row.sigmoid()).collect();
    for (i, (trained, row)) in sigmoid.iter().enumerate() {
        let (x, y) = (trained.units(&probe::ipr::ENTRY, 0), trained.units(&probe::bias::ENTRY, 0));
        let style = Style { size: 2.2, ..Style::series(i) }.hollow();
        panel = panel.with(Mark::points(&x, &y, format!("{} sigmoid units", row.width), style));
    }
    let widest = sigmoid.last().filter(|(_, row)| row.bias != Bias::None);
    let means = widest.map(|(_, row)| ["bias_localized", "bias_other"].map(|key| row.mean(key)));
    let (label, style) = (String::new(), Style::guide());
    panel
        .with_all(means.into_iter().flatten().map(level))
        .note("dashed: the reference's means, widest network")
        .with(Mark::Vertical { at: LOCALIZED, label, style })
}

/// The share of localized units, seed by seed.
fn seeds(pairs: &[Pair<'_>]) -> Panel {
    let ticks = pairs.iter().enumerate().map(|(i, (_, row))| {
        let kind = if row.sigmoid() { "S" } else { "R" };
        let star = if row.bias == Bias::None { "*" } else { "" };
        (i as f64, format!("{kind}{}{star}", row.width))
    });
    let x = Axis::new("network").ticks_at(ticks).range(-0.6, pairs.len() as f64 - 0.4);
    let y = Axis::new("share of units").range(0.0, 1.05);
    let points = |offset: f64, label: &str, style: Style, of: &dyn Fn(&Pair<'_>) -> Vec<f64>| {
        let at = |(i, pair)| of(pair).into_iter().map(move |share| (i as f64 + offset, share));
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().enumerate().flat_map(at).unzip();
        Mark::points(&x, &y, label, style)
    };
    let (theirs, ours) = (Style::series(3).hollow(), Style::series(4));
    Panel::new("Share localized, by seed", x, y)
        .with(points(0.13, "reference", theirs, &|(_, row)| row.shares.clone()))
        .with(points(-0.13, "this engine", ours, &|(trained, _)| shares(trained)))
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
