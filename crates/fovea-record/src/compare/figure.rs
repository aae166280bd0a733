//! The figure of a comparison: a panel a lane, a colour and a pattern a record.

use super::series::MANY_LANES;
use super::{Comparison, Lane, Line, Over};
use fovea_page::figure::{Axis, Figure, Mark, Panel, Style};

/// Values this many times apart want a logarithmic axis.
const DECADES: f64 = 1e3;

/// What the figure shows, for a reader.
pub(super) const CAPTION: &str = "Readings that the records share. A line is the mean over the units of a record, and over its curves \
    where they are taken together; a band holds the readings from the 10 % to the 90 % quantile, where there are three or more at a time.";

/// The figure, if the records share a reading.
pub(super) fn figure(comparison: &Comparison) -> Option<Figure> {
    let lanes = &comparison.lanes;
    lanes.first()?;
    // Three curves of every probe stand in one row.
    let threes = lanes.chunks(3).all(|row| row.len() == 3 && row[0].probe == row[2].probe);
    let columns = if threes { 3 } else { lanes.len().min(2) };
    let figure = Figure::new(format!("{} side by side", names(comparison)))
        .columns(columns)
        .width(if threes { 960.0 } else { 720.0 })
        .aspect(0.62)
        .description(CAPTION);
    let panels = lanes.iter().take(MANY_LANES).map(|lane| panel(comparison, lane));
    Some(panels.fold(figure, Figure::panel))
}

/// The names of the records in a sentence.
pub(super) fn names(comparison: &Comparison) -> String {
    let names: Vec<String> = comparison.names.iter().map(|name| literal(name)).collect();
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Text in which no dollar begins a formula.
pub(super) fn literal(text: &str) -> String {
    text.replace('$', "\u{ff04}")
}

fn panel(comparison: &Comparison, lane: &Lane) -> Panel {
    let title = match &lane.curve {
        Some(curve) => format!("{}, {}", lane.probe, literal(curve)),
        None => lane.probe.clone(),
    };
    let label = match comparison.over {
        Over::Time => "time $t$",
        Over::Step => "step",
    };
    let (x, y) = (x_axis(Axis::new(label), &lane.lines), y_axis(&lane.probe, &lane.lines));
    let named = lane.lines.iter().any(|line| line.curve.is_some());
    let mut panel = Panel::new(title, x, y);
    for line in &lane.lines {
        let style = Style::series(line.record);
        let record = literal(&comparison.names[line.record]);
        let label = match &line.curve {
            Some(curve) => format!("{record}: {}", literal(curve)),
            None => record,
        };
        if !line.low.is_empty() {
            let label = if named { String::new() } else { label.clone() };
            panel = panel.with(Mark::band(&line.x, &line.low, &line.high, label, style));
        }
        panel = panel.with(Mark::line(&line.x, &line.mean, label, style));
    }
    if lane.left_out > 0 {
        panel = panel.note(format!("{} more groups of curves are not drawn", lane.left_out));
    }
    if named { panel.label_ends() } else { panel }
}

/// A logarithmic axis where most records lie within its first twentieth.
fn x_axis(axis: Axis, lines: &[Line]) -> Axis {
    let crowded = |line: &Line| {
        let end = line.x.last().copied().unwrap_or(0.0);
        line.x.len() > 4 && line.x[line.x.len() / 2] < 0.05 * end
    };
    if !lines.is_empty() && lines.iter().all(crowded) { axis.log() } else { axis }
}

/// A logarithmic axis where all that is drawn is positive and spans decades.
fn y_axis(label: &str, lines: &[Line]) -> Axis {
    let drawn = || {
        lines
            .iter()
            .flat_map(|line| line.mean.iter().chain(&line.low).chain(&line.high))
            .copied()
            .filter(|y| y.is_finite())
    };
    let (low, high) = (drawn().fold(f64::INFINITY, f64::min), drawn().fold(0.0, f64::max));
    let axis = Axis::new(label);
    if low > 0.0 && high > DECADES * low { axis.log() } else { axis }
}
