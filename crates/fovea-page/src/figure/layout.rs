//! Where everything goes: panels on a grid whose gutters are just wide enough for the text they hold.

use super::axis::Axis;
use super::frame::Frame;
use super::legend::{self, Legend};
use super::mark::{self, Mark};
use super::{Figure, Panel, text};

pub(super) const MARGIN: f64 = 18.0;
/// What the first line rises into the margin: its letters keep the distance, not their box.
pub(super) const LIFT: f64 = 5.0;
pub(super) const TITLE: f64 = 15.0;
pub(super) const BODY: f64 = 11.5;
pub(super) const SMALL: f64 = 10.5;
/// Lines of text are this many times their size apart.
pub(super) const LEADING: f64 = 1.35;
pub(super) const TICK: f64 = 4.0;
const COLUMN_GAP: f64 = 20.0;
const ROW_GAP: f64 = 20.0;

/// The page.
#[derive(Clone, Debug)]
pub(super) struct Layout<'a> {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) title: Vec<String>,
    pub(super) subtitle: Vec<String>,
    pub(super) legend: Legend<'a>,
    pub(super) legend_top: f64,
    pub(super) frames: Vec<Frame<'a>>,
}

/// Lays a figure out. Gutters depend on ticks, ticks on the plots' size and that on the gutters: three rounds settle it.
pub(super) fn layout(figure: &Figure) -> Layout<'_> {
    let width = if figure.width.is_finite() { figure.width } else { 720.0 }.clamp(160.0, 10_000.0);
    let room = width - 2.0 * MARGIN;
    let title = text::wrap(&figure.title, TITLE, true, room);
    let subtitle = text::wrap(&figure.subtitle, BODY, false, room);
    let mut top = MARGIN - LIFT
        + title.len() as f64 * TITLE * LEADING
        + subtitle.len() as f64 * BODY * LEADING;
    if !(title.is_empty() && subtitle.is_empty()) {
        top += 7.0;
    }
    let legend = legend::gather(figure, room);
    let legend_top = top;
    top += legend.height();
    let mut frames = place(figure);
    let mut height = top + MARGIN;
    for _ in 0..3 {
        height = arrange(figure, &mut frames, top, width) + MARGIN;
    }
    Layout { width, height: height.ceil(), title, subtitle, legend, legend_top, frames }
}

/// Gives each panel its cell, its ranges and its letter.
fn place(figure: &Figure) -> Vec<Frame<'_>> {
    let columns = figure.columns.max(1);
    let (mut row, mut column) = (0, 0);
    let mut frames: Vec<Frame> = Vec::new();
    for (i, panel) in figure.panels.iter().enumerate() {
        let span = panel.span.clamp(1, columns);
        if column + span > columns {
            (row, column) = (row + 1, 0);
        }
        let lettered = figure.letters && figure.panels.len() > 1 && i < 26;
        let letter =
            if lettered { format!("({})", char::from(b'a' + i as u8)) } else { String::new() };
        let (x_ends, y_ends) = (ends(figure, panel, true), ends(figure, panel, false));
        let plot = (0.0, 0.0, 300.0 / columns as f64, 200.0);
        let (x_labelled, y_labelled) = (true, true);
        frames.push(Frame {
            panel,
            letter,
            row,
            column,
            span,
            plot,
            x_ends,
            y_ends,
            x_labelled,
            y_labelled,
        });
        column += span;
    }
    for i in 0..frames.len() {
        let this = &frames[i];
        let below =
            |f: &Frame| f.row == this.row + 1 && f.column == this.column && f.span == this.span;
        let left = |f: &Frame| f.row == this.row && f.column + f.span == this.column;
        let shares = |a: &Axis, b: &Axis| a.group.is_some() && a.group == b.group;
        let x_hidden = frames.iter().any(|f| below(f) && shares(&f.panel.x, &this.panel.x));
        let y_hidden = frames.iter().any(|f| left(f) && shares(&f.panel.y, &this.panel.y));
        (frames[i].x_labelled, frames[i].y_labelled) = (!x_hidden, !y_hidden);
    }
    frames
}

/// The ends of a panel's axis, joined over its group.
fn ends(figure: &Figure, panel: &Panel, horizontal: bool) -> (f64, f64) {
    let pick = |p: &'_ Panel| if horizontal { p.x.clone() } else { p.y.clone() };
    let mut axis = pick(panel);
    let (mut data, mut pad, mut bars) = (None, if horizontal { 0.03 } else { 0.06 }, false);
    for other in &figure.panels {
        let theirs = pick(other);
        if !(std::ptr::eq(other, panel) || theirs.group.is_some() && theirs.group == axis.group) {
            continue;
        }
        // Ends that panels fix are those of the group, and hold what each of them holds.
        axis.min = axis.min.into_iter().chain(theirs.min).reduce(f64::min);
        axis.max = axis.max.into_iter().chain(theirs.max).reduce(f64::max);
        for mark in &other.marks {
            let extent =
                if horizontal { mark.x_extent(axis.spacing) } else { mark.y_extent(axis.spacing) };
            data = mark::join(data, extent);
            match mark {
                // A field fills its panel; bars stand on the axis.
                Mark::Heat(_) => pad = 0.0,
                Mark::Bars { .. } => bars |= !horizontal,
                _ => {}
            }
        }
    }
    if bars && data.is_none_or(|(low, _)| low >= 0.0) {
        axis.min = axis.min.or(Some(0.0));
    }
    axis.ends(data, pad)
}

/// One round of arranging; returns where the last row ends.
fn arrange(figure: &Figure, frames: &mut [Frame], top: f64, width: f64) -> f64 {
    let columns = figure.columns.max(1);
    let rows = frames.iter().map(|frame| frame.row + 1).max().unwrap_or(0);
    let (mut left, mut right) = (vec![0.0_f64; columns], vec![0.0_f64; columns]);
    let (mut above, mut below) = (vec![0.0_f64; rows], vec![0.0_f64; rows]);
    for frame in frames.iter() {
        let gutter = frame.gutter();
        let last = frame.column + frame.span - 1;
        left[frame.column] = left[frame.column].max(gutter.left);
        right[last] = right[last].max(gutter.right);
        above[frame.row] = above[frame.row].max(gutter.top);
        below[frame.row] = below[frame.row].max(gutter.bottom);
    }
    let gaps = (columns - 1) as f64 * COLUMN_GAP;
    let taken: f64 = left.iter().chain(&right).sum();
    let plot = ((width - 2.0 * MARGIN - gaps - taken) / columns as f64).max(30.0).floor();
    let mut edges = Vec::with_capacity(columns);
    let mut x = MARGIN;
    for c in 0..columns {
        edges.push((x + left[c]).round());
        x += left[c] + plot + right[c] + COLUMN_GAP;
    }
    let mut y = top;
    for row in 0..rows {
        let own = frames.iter().filter(|frame| frame.row == row);
        let tall = own
            .map(|f| f.panel.height.unwrap_or(figure.aspect * plot))
            .fold(30.0, f64::max)
            .min(10_000.0)
            .round();
        y = (y + above[row]).round();
        for frame in frames.iter_mut().filter(|frame| frame.row == row) {
            let end = edges[frame.column + frame.span - 1] + plot;
            frame.plot = (edges[frame.column], y, end, y + tall);
        }
        y += tall + below[row] + if row + 1 < rows { ROW_GAP } else { 0.0 };
    }
    y
}
