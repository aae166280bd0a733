//! The fields of one network of every law, and IPR against bias of all units.

use super::measure::{published_iprs, units};
use super::{Case, Pair};
use fovea_desk::prelude::*;

pub(super) const CAPTION: &str = "Above: the fields of the first seed, a row a unit in units of its largest weight, ordered by bias, the most negative at the bottom. \
    Below: IPR against bias of every unit of every seed; dotted lines are the published ends of the IPRs of single networks.";

fn fields(seeds: &Group<'_>, case: Case, last: bool) -> Panel {
    let network = seeds.runs[0].network();
    let n = network.inputs();
    let units = units(seeds.runs[0]);
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by(|a, b| units[*a].bias.total_cmp(&units[*b].bias));
    let all = network.weights();
    let row = |k: &usize| {
        let peak = units[*k].peak.max(1e-300);
        all[k * n..(k + 1) * n].iter().map(move |w| w / peak)
    };
    let (sites, rows) = (n as f64, order.len());
    let heat = Heat {
        values: order.iter().flat_map(row).collect(),
        rows,
        cols: n,
        x_range: (-0.5, sites - 0.5),
        y_range: (0.0, rows as f64),
        map: ColorMap::Diverging,
        limits: Some((-1.0, 1.0)),
        bar: last.then(|| "weight / largest".to_owned()),
    };
    let y = Axis::new("unit, by bias").range(0.0, rows as f64).without_ticks().share(1);
    Panel::new(case.name(), Axis::new("site").range(-0.5, sites - 0.5), y).with(Mark::Heat(heat))
}

fn biases(seeds: &Group<'_>, case: Case) -> Panel {
    let all: Vec<_> = seeds.runs.iter().flat_map(|run| units(run)).collect();
    let x: Vec<f64> = all.iter().map(|unit| unit.bias).collect();
    let y: Vec<f64> = all.iter().map(|unit| unit.ipr).collect();
    let mut panel = Panel::new("", Axis::new("bias"), Axis::new("IPR").from(0.0).share(2))
        .with(Mark::points(&x, &y, "", Style { size: 2.0, ..Style::series(0) }.hollow()));
    for at in published_iprs(case) {
        panel = panel.with(Mark::Horizontal { at, label: String::new(), style: Style::guide() });
    }
    panel
}

/// The figure.
pub(super) fn figure(pairs: &[Pair<'_>]) -> Figure {
    let mut figure =
        Figure::new("Bumps on light tails, oscillations on heavy ones: ten sigmoid units")
            .columns(pairs.len())
            .width(220.0 * pairs.len() as f64 + 60.0)
            .aspect(0.95)
            .description(CAPTION);
    for (i, (case, seeds)) in pairs.iter().enumerate() {
        figure = figure.panel(fields(seeds, *case, i + 1 == pairs.len()));
    }
    for (case, seeds) in pairs {
        figure = figure.panel(biases(seeds, *case));
    }
    figure
}
