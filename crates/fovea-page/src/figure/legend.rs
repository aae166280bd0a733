//! The figure's legend: one row, or a few, above the panels. Marks with the same label share an entry.

use super::layout::{BODY, LEADING, MARGIN, SMALL};
use super::mark::Mark;
use super::plot;
use super::svg::Svg;
use super::text::{self, Anchor, Label};
use super::{Figure, Labels, color::INK};

const GAP: f64 = 20.0;
const ROW: f64 = SMALL * LEADING + 4.0;

#[derive(Clone, Debug)]
struct Entry<'a> {
    label: &'a str,
    marks: Vec<&'a Mark>,
}

/// Entries in rows.
#[derive(Clone, Debug)]
pub(super) struct Legend<'a> {
    rows: Vec<Vec<Entry<'a>>>,
}

impl Entry<'_> {
    /// Length of the samples: lines and bands need some, points and bars little.
    fn sample(&self) -> f64 {
        let long = |mark: &Mark| matches!(mark, Mark::Line { .. } | Mark::Band { .. });
        if self.marks.iter().any(|mark| long(mark)) { 26.0 } else { 10.0 }
    }

    fn width(&self) -> f64 {
        self.sample() + 6.0 + text::width(self.label, SMALL, false)
    }
}

/// Collects what the panels want explained, in rows no wider than `room`.
pub(super) fn gather(figure: &Figure, room: f64) -> Legend<'_> {
    let mut entries: Vec<Entry> = Vec::new();
    for panel in figure.panels.iter().filter(|panel| panel.labels == Labels::Legend) {
        for mark in &panel.marks {
            let direct = matches!(mark, Mark::Horizontal { .. } | Mark::Vertical { .. });
            if mark.label().is_empty() || direct {
                continue;
            }
            match entries.iter_mut().find(|entry| entry.label == mark.label()) {
                Some(entry) if entry.marks.iter().any(|known| plot::same_sample(known, mark)) => {}
                Some(entry) => entry.marks.push(mark),
                None => entries.push(Entry { label: mark.label(), marks: vec![mark] }),
            }
        }
    }
    let mut rows: Vec<Vec<Entry>> = Vec::new();
    let mut used = f64::INFINITY;
    for entry in entries {
        let width = entry.width() + GAP;
        if used + width - GAP > room {
            rows.push(Vec::new());
            used = 0.0;
        }
        used += width;
        if let Some(row) = rows.last_mut() {
            row.push(entry);
        }
    }
    Legend { rows }
}

impl Legend<'_> {
    /// Height of the legend with the space under it.
    pub(super) fn height(&self) -> f64 {
        if self.rows.is_empty() { 0.0 } else { self.rows.len() as f64 * ROW + BODY - 3.0 }
    }

    /// Draws the legend with its top at `top`.
    pub(super) fn draw(&self, svg: &mut Svg, top: f64) {
        for (i, row) in self.rows.iter().enumerate() {
            let y = top + (i as f64 + 0.5) * ROW;
            let mut x = MARGIN;
            for entry in row {
                for mark in &entry.marks {
                    plot::sample(svg, mark, (x, y), entry.sample());
                }
                let label = Label::new(SMALL, INK, Anchor::Start);
                svg.text((x + entry.sample() + 6.0, y + 0.36 * SMALL), entry.label, &label);
                x += entry.width() + GAP;
            }
        }
    }
}
