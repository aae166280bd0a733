//! The figure of a training run: what was measured over time, and the fields at the end.

use super::{Spacing, Training};
use fovea_page::figure::{Axis, Figure, Panel, Style};
use fovea_page::panel::{Cells, counted, heat_map, lines, tiles, unnamed, xy};
use fovea_sim::{Plan, Run, Task};

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Named readings over the run, one line per unit, and the weights at the end, \
    one row per unit; on a torus of two dimensions every unit's field is a tile.";

/// Lines of a panel; beyond them only some units are drawn.
const MOST_LINES: usize = 128;
/// Rows of the heat map of weights.
const MOST_ROWS: usize = 200;

/// The figure, if there is a record to draw.
pub(super) fn figure(
    training: &Training,
    task: &Task,
    plan: &Plan<'_>,
    run: &Run,
) -> Option<Figure> {
    run.records.first()?;
    let network = &run.network;
    let subtitle = format!(
        "{} on {} inputs, {} unit{}, {} of {} steps",
        training.network.name(),
        network.inputs(),
        network.width(),
        if network.width() == 1 { "" } else { "s" },
        run.records.last().map_or(0, |record| record.step),
        plan.steps
    );
    let mut figure = Figure::new("Training run").subtitle(subtitle).columns(2).aspect(0.6);
    figure = figure.description(CAPTION);
    let mut lines = 0;
    for (index, probe) in plan.probes.iter().enumerate() {
        let row = run.records[0].readings[index].first().map_or(&[][..], Vec::as_slice);
        for (column, (name, _)) in probe.named(row).enumerate() {
            // What the samples are, where that is a question.
            let name = match probe.needs.word(task) {
                Some(word) => format!("{name}, {word}"),
                None => name,
            };
            figure = figure.panel(over_time(training, &name, (index, column), run));
            lines += 1;
        }
    }
    // The fields fill the last row, whether one panel is left in it or none.
    let columns = if lines % 2 == 0 { 2 } else { 1 };
    Some(figure.panel(fields(run, columns).span(columns)))
}

fn over_time(training: &Training, name: &str, (index, column): (usize, usize), run: &Run) -> Panel {
    let log = training.record == Spacing::Log;
    // A logarithmic axis has no place for the start.
    let records: Vec<_> = run.records.iter().filter(|record| !log || record.step > 0).collect();
    let steps: Vec<f64> = records.iter().map(|record| record.step as f64).collect();
    let units = run.records[0].readings[index].len();
    let every = units.div_ceil(MOST_LINES).max(1);
    let curve = |unit: usize| {
        let values = records.iter().map(|record| record.readings[index][unit][column]);
        unnamed(Style { width: 1.6, ..Style::ordered(unit, units).solid() }, xy(&steps, values))
    };
    let x = if log { Axis::new("step").log() } else { Axis::new("step") };
    let panel = lines(name, x, name, (0..units).step_by(every).map(curve));
    if every > 1 {
        panel.note(format!("{} of {units} units", units.div_ceil(every)))
    } else {
        panel
    }
}

/// The weights at the end: one row per unit on a ring, one tile per unit on a torus of two dimensions.
fn fields(run: &Run, columns: usize) -> Panel {
    let network = &run.network;
    let (n, units) = (network.inputs(), network.width().min(MOST_ROWS));
    let weights = &network.weights()[..units * n];
    if let [height, width] = *network.shape() {
        return tiles("fields at the end", weights, (height, width), columns * columns);
    }
    if units == 1 {
        let field = unnamed(Style::series(0).solid(), counted(weights));
        return lines("field at the end", "site", "weight", [field]);
    }
    let limit = weights.iter().fold(f64::MIN_POSITIVE, |m: f64, w| m.max(w.abs()));
    let cells = Cells {
        values: weights.to_vec(),
        rows: units,
        cols: n,
        x: [0.0, n as f64 - 1.0],
        y: [0.0, units as f64 - 1.0],
        limits: Some((-limit, limit)),
        bar: "weight".to_owned(),
    };
    heat_map("fields at the end", "site", "unit", cells)
}
