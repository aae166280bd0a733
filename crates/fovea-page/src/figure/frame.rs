//! A panel with its place on the page, and the room its text needs.

use super::layout::{BODY, LEADING, SMALL, TICK};
use super::mark::{self, Mark};
use super::scale::Scale;
use super::ticks::Ticks;
use super::{Panel, axis, heat, labels, text};

/// Space a panel needs around its plot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gutter {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

/// A panel with its place on the page.
#[derive(Clone, Debug)]
pub(super) struct Frame<'a> {
    pub(super) panel: &'a Panel,
    pub(super) letter: String,
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) span: usize,
    /// Corners of the plot: left, top, right, bottom.
    pub(super) plot: (f64, f64, f64, f64),
    pub(super) x_ends: (f64, f64),
    pub(super) y_ends: (f64, f64),
    /// Whether the axes carry their labels, or a neighbour's do.
    pub(super) x_labelled: bool,
    pub(super) y_labelled: bool,
}

impl<'a> Frame<'a> {
    pub(super) fn x_scale(&self) -> Scale {
        let (left, _, right, _) = self.plot;
        let pixels = if self.panel.x.reversed { (right, left) } else { (left, right) };
        Scale::new(self.panel.x.spacing, self.x_ends, pixels)
    }

    pub(super) fn y_scale(&self) -> Scale {
        let (_, top, _, bottom) = self.plot;
        let pixels = if self.panel.y.reversed { (top, bottom) } else { (bottom, top) };
        Scale::new(self.panel.y.spacing, self.y_ends, pixels)
    }

    pub(super) fn x_ticks(&self) -> Ticks {
        self.panel.x.ticks_on(&self.x_scale(), |ticks| axis::widest(ticks, SMALL) + 12.0)
    }

    pub(super) fn y_ticks(&self) -> Ticks {
        self.panel.y.ticks_on(&self.y_scale(), |_| 24.0)
    }

    /// Whether the labels of x ticks are turned to read from bottom to top, since they would overlap side by side.
    pub(super) fn x_ticks_upward(&self, x: &Ticks) -> bool {
        let scale = self.x_scale();
        let mut ends: Vec<(f64, f64)> = x
            .ticks
            .iter()
            .filter(|tick| !tick.label.is_empty())
            .filter_map(|tick| {
                let half = text::width(&tick.label, SMALL, false) / 2.0;
                scale.at(tick.value).map(|x| (x - half, x + half))
            })
            .collect();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        ends.windows(2).any(|pair| pair[1].0 < pair[0].1 + 3.0)
    }

    /// Height that the labels of x ticks take.
    pub(super) fn x_tick_room(&self, x: &Ticks) -> f64 {
        if x.ticks.is_empty() {
            0.0
        } else if self.x_ticks_upward(x) {
            axis::widest(&x.ticks, SMALL) + 6.0
        } else {
            SMALL * LEADING + 1.0
        }
    }

    /// Lines of the label of x and their size; it may reach a little beyond the plot.
    pub(super) fn x_label(&self, power: i32) -> (Vec<String>, f64) {
        let (left, _, right, _) = self.plot;
        text::axis_lines(&self.panel.x.label_with(power), BODY, right - left + 30.0)
    }

    /// Lines of the label of y and their size.
    pub(super) fn y_label(&self, power: i32) -> (Vec<String>, f64) {
        let (_, top, _, bottom) = self.plot;
        text::axis_lines(&self.panel.y.label_with(power), BODY, bottom - top + 20.0)
    }

    /// Lines of the title, which starts after the letter.
    pub(super) fn title(&self) -> Vec<String> {
        let (left, _, right, _) = self.plot;
        let lines = text::wrap(&self.panel.title, BODY, false, right - left - self.indent());
        if lines.is_empty() && !self.letter.is_empty() { vec![String::new()] } else { lines }
    }

    /// Width the letter takes before the title.
    pub(super) fn indent(&self) -> f64 {
        if self.letter.is_empty() { 0.0 } else { text::width(&self.letter, BODY, true) + 5.0 }
    }

    /// Lines of the notes.
    pub(super) fn notes(&self) -> Vec<String> {
        let (left, _, right, _) = self.plot;
        self.panel
            .notes
            .iter()
            .flat_map(|note| text::wrap(note, SMALL, false, right - left))
            .collect()
    }

    /// The one heat map of the panel that carries a colour bar.
    pub(super) fn bar(&self) -> Option<&'a mark::Heat> {
        self.panel.marks.iter().find_map(|mark| match mark {
            Mark::Heat(heat) if heat.bar.is_some() => Some(heat),
            _ => None,
        })
    }

    /// Space the panel's text needs around the plot.
    pub(super) fn gutter(&self) -> Gutter {
        let (x, y) = (self.x_ticks(), self.y_ticks());
        let mut gutter = Gutter { left: TICK, right: 2.0, top: 4.0, bottom: TICK };
        if self.y_labelled {
            let numbers = axis::widest(&y.ticks, SMALL);
            gutter.left += if numbers > 0.0 { numbers + 4.0 } else { 0.0 };
            let lines = self.y_label(y.power).0.len() as f64;
            gutter.left +=
                if lines > 0.0 { (lines - 1.0) * BODY * LEADING + BODY + 8.0 } else { 0.0 };
        }
        if self.x_labelled {
            gutter.bottom += self.x_tick_room(&x);
            let lines = self.x_label(x.power).0.len() as f64;
            gutter.bottom += if lines > 0.0 { lines * BODY * LEADING + 2.0 } else { 0.0 };
            let upright = !self.x_ticks_upward(&x);
            let reach = x.ticks.iter().filter(|_| upright).filter_map(|tick| {
                let half = text::width(&tick.label, SMALL, false) / 2.0;
                Some(self.x_scale().at(tick.value)? + half - self.plot.2)
            });
            gutter.right = reach.fold(gutter.right, f64::max);
        }
        gutter.bottom += self.notes().len() as f64 * SMALL * LEADING
            + if self.panel.notes.is_empty() { 0.0 } else { 3.0 };
        gutter.top += self.title().len() as f64 * BODY * LEADING + labels::top_room(self);
        gutter.right = gutter.right.max(labels::right_room(self.panel));
        if let Some(heat) = self.bar() {
            gutter.right = gutter.right.max(heat::bar_room(heat, self.plot.3 - self.plot.1));
        }
        gutter
    }
}
