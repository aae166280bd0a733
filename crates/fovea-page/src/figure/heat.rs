//! Fields as coloured cells, and their colour bars.

use std::fmt::Write;

use super::axis::{self, Axis, Spacing};
use super::color::{ColorMap, GAP, INK};
use super::frame::Frame;
use super::layout::{BODY, SMALL, TICK};
use super::mark::Heat;
use super::plot;
use super::scale::Scale;
use super::svg::{Svg, num};
use super::text::{Anchor, Label};
use super::ticks::Ticks;

/// Shades a map is cut into; odd, so that zero has a shade of its own on a diverging map.
const SHADES: usize = 129;
/// Most cells a side.
const CELLS: usize = 400;
const BAR_GAP: f64 = 12.0;
const BAR_WIDTH: f64 = 9.0;

/// Two ends in pixels.
type Ends = (f64, f64);

/// A field to be drawn, row after row.
struct Grid {
    rows: usize,
    cols: usize,
    values: Vec<f64>,
}

/// Draws the cells. Cells of one shade are one path in units of cells, runs along a row merged: small, and without seams.
pub(super) fn draw(svg: &mut Svg, heat: &Heat, x_scale: &Scale, y_scale: &Scale) {
    let corners = (|| {
        let x = (x_scale.at(heat.x_range.0)?, x_scale.at(heat.x_range.1)?);
        Some((x, (y_scale.at(heat.y_range.0)?, y_scale.at(heat.y_range.1)?)))
    })();
    if let Some((x, y)) = corners {
        cells(svg, &pooled(heat), (heat.map, heat.ends()), (x, y));
    }
}

/// Equal cells over the rectangle with the given ends in pixels.
fn cells(svg: &mut Svg, grid: &Grid, shading: (ColorMap, (f64, f64)), place: (Ends, Ends)) {
    let Grid { rows, cols, values } = grid;
    let (rows, cols) = (*rows, *cols);
    let ((left, right), (first, last)) = place;
    let (map, (low, high)) = shading;
    if rows == 0 || cols == 0 || (right - left).abs() < 1e-6 || (last - first).abs() < 1e-6 {
        return;
    }
    let shade = |v: f64| {
        let t = ((v - low) / (high - low)).clamp(0.0, 1.0);
        if v.is_finite() { (t * (SHADES - 1) as f64).round() as usize } else { SHADES }
    };
    let mut paths = vec![String::new(); SHADES + 1];
    for row in 0..rows {
        let shades: Vec<usize> =
            values[row * cols..(row + 1) * cols].iter().map(|v| shade(*v)).collect();
        let mut column = 0;
        for run in shades.chunk_by(|a, b| a == b) {
            let length = run.len();
            let _ = write!(paths[run[0]], "M{column} {row}h{length}v1h-{length}z");
            column += length;
        }
    }
    let transform = format!(
        "matrix({:.5} 0 0 {:.5} {} {})",
        (right - left) / cols as f64,
        (last - first) / rows as f64,
        num(left),
        num(first)
    );
    svg.open("g", &[("transform", &transform), ("shape-rendering", "crispEdges")]);
    for (i, d) in paths.iter().enumerate().filter(|(_, d)| !d.is_empty()) {
        let color = if i < SHADES { map.at(i as f64 / (SHADES - 1) as f64) } else { GAP };
        svg.element("path", &[("fill", &color.hex()), ("d", d)]);
    }
    svg.close("g");
}

/// The field with at most [`CELLS`] cells a side, blocks averaged over their finite values. Missing values are gaps.
fn pooled(heat: &Heat) -> Grid {
    let (down, across) = (heat.rows.div_ceil(CELLS).max(1), heat.cols.div_ceil(CELLS).max(1));
    let (rows, cols) = (heat.rows / down, heat.cols / across);
    let mut values = Vec::with_capacity(rows * cols);
    for row in 0..rows {
        for col in 0..cols {
            // Blocks differ by at most one in length, so that the last is not a sliver.
            let band = row * heat.rows / rows..(row + 1) * heat.rows / rows;
            let block = || col * heat.cols / cols..(col + 1) * heat.cols / cols;
            let cells = band.flat_map(|r| block().map(move |c| r * heat.cols + c));
            let finite = cells.filter_map(|i| heat.values.get(i)).filter(|v| v.is_finite());
            let (sum, count) = finite.fold((0.0, 0.0), |(sum, count), v| (sum + v, count + 1.0));
            values.push(if count > 0.0 { sum / count } else { f64::NAN });
        }
    }
    Grid { rows, cols, values }
}

/// The same picture from as few numbers as it shows: blocks are averaged once, and the colours keep their values.
pub(super) fn slim(heat: &Heat) -> Heat {
    let Grid { rows, cols, values } = pooled(heat);
    Heat { values, rows, cols, limits: heat.reach(), ..heat.clone() }
}

fn bar_scale(heat: &Heat, top: f64, bottom: f64) -> (Scale, Ticks) {
    let scale = Scale::new(Spacing::Linear, heat.ends(), (bottom, top));
    let ticks = Axis::default().ticks_on(&scale, |_| 24.0);
    (scale, ticks)
}

fn bar_label(heat: &Heat, power: i32) -> String {
    Axis::new(heat.bar.clone().unwrap_or_default()).label_with(power)
}

/// Room a colour bar needs at the right of a plot `height` tall.
pub(super) fn bar_room(heat: &Heat, height: f64) -> f64 {
    let (_, ticks) = bar_scale(heat, 0.0, height);
    let label = if bar_label(heat, ticks.power).is_empty() { 0.0 } else { BODY + 6.0 };
    BAR_GAP + BAR_WIDTH + TICK + 3.0 + axis::widest(&ticks.ticks, SMALL) + label
}

/// Draws the colour bar of a panel that has one.
pub(super) fn draw_bar(svg: &mut Svg, frame: &Frame) {
    let Some(heat) = frame.bar() else { return };
    let (_, top, right, bottom) = frame.plot;
    let (scale, ticks) = bar_scale(heat, top, bottom);
    let left = right + BAR_GAP;
    let values: Vec<f64> = (0..SHADES).map(|i| i as f64).collect();
    let ends = (0.0, (SHADES - 1) as f64);
    let edge = left + BAR_WIDTH;
    let grid = Grid { rows: SHADES, cols: 1, values };
    cells(svg, &grid, (heat.map, ends), ((left, edge), (bottom, top)));
    plot::rule(svg, (edge, top), (edge, bottom));
    for tick in &ticks.ticks {
        let Some(y) = scale.at(tick.value) else { continue };
        plot::rule(svg, (edge, y), (edge + TICK, y));
        let label = Label::new(SMALL, INK, Anchor::Start);
        svg.text((edge + TICK + 3.0, y + 0.36 * SMALL), &tick.label, &label);
    }
    let source = bar_label(heat, ticks.power);
    let label = Label::new(BODY, INK, Anchor::Middle).upward().fitted(&source, bottom - top);
    let x = edge + TICK + 3.0 + axis::widest(&ticks.ticks, SMALL) + BODY + 3.0;
    svg.text((x, f64::midpoint(top, bottom)), &source, &label);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_fields_are_averaged_and_gaps_do_not_spread() {
        let mut values = vec![1.0; 1000 * 2];
        values[0] = f64::NAN;
        let heat = Heat {
            values,
            rows: 2,
            cols: 1000,
            x_range: (0.0, 1.0),
            y_range: (0.0, 1.0),
            map: ColorMap::Sequential,
            limits: None,
            bar: None,
        };
        let Grid { rows, cols, values } = pooled(&heat);
        assert_eq!((rows, cols), (2, 333));
        assert!(values.iter().all(|v| (v - 1.0).abs() < 1e-12));
    }
}
