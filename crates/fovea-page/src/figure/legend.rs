//! The figure's legend: one row, or a few, above the panels. Marks with the same label share an entry.

use super::layout::{BODY, LEADING, MARGIN, SMALL};
use super::mark::Mark;
use super::plot;
use super::svg::Svg;
use super::text::{self, Anchor, Label};
use super::{Figure, Labels, color::INK};

const GAP: f64 = 20.0;
const ROW: f64 = SMALL * LEADING + 4.0;
/// Length of the sample of a line.
const SAMPLE: f64 = 26.0;

#[derive(Clone, Debug)]
struct Entry<'a> {
    label: &'a str,
    /// The label, broken where it is wider than the page.
    lines: Vec<String>,
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
        if self.marks.iter().any(|mark| long(mark)) { SAMPLE } else { 10.0 }
    }

    fn width(&self) -> f64 {
        let widths = self.lines.iter().map(|line| text::width(line, SMALL, false));
        self.sample() + 6.0 + widths.fold(0.0, f64::max)
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
                None => {
                    let label = mark.label();
                    let lines = text::wrap(label, SMALL, false, room - SAMPLE - 6.0);
                    entries.push(Entry { label, lines, marks: vec![mark] });
                }
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

/// Height of a row of entries.
fn row_height(row: &[Entry<'_>]) -> f64 {
    let lines = row.iter().map(|entry| entry.lines.len()).max().unwrap_or(1);
    ROW + lines.saturating_sub(1) as f64 * SMALL * LEADING
}

impl Legend<'_> {
    /// Height of the legend with the space under it.
    pub(super) fn height(&self) -> f64 {
        let rows: f64 = self.rows.iter().map(|row| row_height(row)).sum();
        if self.rows.is_empty() { 0.0 } else { rows + BODY - 3.0 }
    }

    /// Draws the legend with its top at `top`.
    pub(super) fn draw(&self, svg: &mut Svg, top: f64) {
        let mut top = top;
        for row in &self.rows {
            let y = top + 0.5 * ROW;
            let mut x = MARGIN;
            for entry in row {
                for mark in &entry.marks {
                    plot::sample(svg, mark, (x, y), entry.sample());
                }
                let label = Label::new(SMALL, INK, Anchor::Start);
                for (i, line) in entry.lines.iter().enumerate() {
                    let y = y + 0.36 * SMALL + i as f64 * SMALL * LEADING;
                    svg.text((x + entry.sample() + 6.0, y), line, &label);
                }
                x += entry.width() + GAP;
            }
            top += row_height(row);
        }
    }
}
