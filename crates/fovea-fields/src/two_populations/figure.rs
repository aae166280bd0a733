//! The fields of one network, the two populations, and their shares beside the reference's.

use super::LOCALIZED;
use super::measure::shares;
use super::reference::Reference;
use fovea_desk::prelude::*;

pub(super) const CAPTION: &str = "Left: the fields of one network, each in units of its largest weight, localized units (IPR above 0.15) below the \
    line and ordered by their peak. Middle: bias against IPR of every unit of every seed; horizontal lines are the reference's mean biases of the two groups of \
    the widest sigmoid network shown. Right: share of localized units of every seed, ours and the reference's.";

/// A trained network and the row of the reference it belongs to.
pub(super) type Pair<'a> = (&'a Group<'a>, &'a Reference);

/// The site of the largest weight.
fn peak(field: &[f64]) -> usize {
    (0..field.len()).fold(0, |best, i| if field[i].abs() > field[best].abs() { i } else { best })
}

/// The fields of the first seed, localized ones first.
fn fields((trained, row): Pair<'_>) -> Panel {
    let network = trained.runs[0].network();
    let n = network.inputs();
    let iprs = trained.last(0, &probe::ipr::ENTRY);
    let mut units: Vec<(bool, usize, &[f64])> = network
        .weights()
        .chunks(n)
        .zip(iprs)
        .map(|(field, ipr)| (ipr[0] <= LOCALIZED, peak(field), field))
        .collect();
    units.sort_by_key(|(other, peak, _)| (*other, *peak));
    let localized = units.iter().filter(|(other, ..)| !other).count() as f64;
    let values = units
        .iter()
        .flat_map(|(_, peak, field)| field.iter().map(|w| w / field[*peak].abs().max(1e-300)))
        .collect();
    let (rows, sites, ends) = (units.len(), n as f64, units.len() as f64);
    let heat = Heat {
        values,
        rows,
        cols: n,
        x_range: (-0.5, sites - 0.5),
        y_range: (0.0, ends),
        map: ColorMap::Diverging,
        limits: Some((-1.0, 1.0)),
        bar: Some("weight / largest".to_owned()),
    };
    let x = Axis::new("site").range(-0.5, sites - 0.5);
    Panel::new(
        format!("Fields, {} sigmoid units", row.width),
        x,
        Axis::new("unit").range(0.0, ends),
    )
    .with(Mark::Heat(heat))
    .with(Mark::Horizontal { at: localized, label: String::new(), style: Style::theory() })
}

/// Bias against IPR of all units.
fn populations(pairs: &[Pair<'_>]) -> Panel {
    let mut panel = Panel::new("Two populations", Axis::new("IPR").from(0.0), Axis::new("bias"));
    let sigmoid: Vec<&Pair<'_>> = pairs.iter().filter(|(_, row)| row.sigmoid).collect();
    for (i, (trained, row)) in sigmoid.iter().enumerate() {
        let (x, y) = (trained.units(&probe::ipr::ENTRY, 0), trained.units(&probe::bias::ENTRY, 0));
        let style = Style { size: 2.2, ..Style::series(i) }.hollow();
        panel = panel.with(Mark::points(&x, &y, format!("{} sigmoid units", row.width), style));
    }
    let widest = sigmoid.last().and_then(|(_, row)| row.biases);
    for group in widest.iter().flatten() {
        let (label, style) = (String::new(), Style::theory());
        panel = panel.with(Mark::Horizontal { at: group.mean, label, style });
    }
    panel.note("dashed: the reference's means, widest network").with(Mark::Vertical {
        at: LOCALIZED,
        label: String::new(),
        style: Style::guide(),
    })
}

/// The share of localized units, seed by seed.
fn seeds(pairs: &[Pair<'_>]) -> Panel {
    let ticks = pairs.iter().enumerate().map(|(i, (_, row))| {
        let kind = if row.sigmoid { "S" } else { "R" };
        let star = if row.biases.is_some() { "" } else { "*" };
        (i as f64, format!("{kind}{}{star}", row.width))
    });
    let x = Axis::new("network").ticks_at(ticks).range(-0.6, pairs.len() as f64 - 0.4);
    let mut panel =
        Panel::new("Share localized, by seed", x, Axis::new("share of units").range(0.0, 1.05));
    let column = |offset: f64, of: &dyn Fn(&Pair<'_>) -> Vec<f64>| {
        let at = |(i, pair)| of(pair).into_iter().map(move |share| (i as f64 + offset, share));
        pairs.iter().enumerate().flat_map(at).unzip::<f64, f64, Vec<f64>, Vec<f64>>()
    };
    let (x, y) = column(0.13, &|(_, row)| row.shares.clone());
    panel = panel.with(Mark::points(&x, &y, "reference", Style::series(3).hollow()));
    let (x, y) = column(-0.13, &|(trained, _)| shares(trained));
    panel
        .with(Mark::points(&x, &y, "this engine", Style::series(4)))
        .note("S sigmoid, R ReLU, by width; * without biases")
}

/// The figure; nothing is drawn of a network that is not there.
pub(super) fn figure(pairs: &[Pair<'_>]) -> Figure {
    let shown = pairs
        .iter()
        .filter(|(_, row)| row.sigmoid && row.width <= 40)
        .max_by_key(|(_, row)| row.width);
    let mut figure =
        Figure::new("Sigmoid networks split into two populations, as the reference's do")
            .columns(3)
            .width(1080.0)
            .aspect(0.95)
            .description(CAPTION);
    if let Some(pair) = shown {
        figure = figure.panel(fields(*pair));
    }
    figure.panel(populations(pairs)).panel(seeds(pairs))
}
