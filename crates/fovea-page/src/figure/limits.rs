//! What a figure from elsewhere may hold.

use super::axis::{Axis, TickChoice};
use super::mark::Mark;
use super::{Figure, Panel};

const COLUMNS: usize = 100;
const PANELS: usize = 1000;
const MARKS: usize = 100_000;
/// Marks with a label, which is compared with every other.
const LABELS: usize = 2000;
/// Cells per side of a field; what this program keeps has at most 400.
const SIDE: usize = 4096;
const TICKS: usize = 1000;
/// Lines of small print.
const NOTES: usize = 1000;
/// Bytes of a label, a title or a note.
const TEXT: usize = 1 << 16;
/// Pixels of a stroke and of a point.
const PIXELS: std::ops::RangeInclusive<f64> = 0.0..=1000.0;

fn most(count: usize, most: usize, of: &str) -> Result<(), String> {
    if count > most {
        return Err(format!("a figure has {count} {of}; at most {most} are drawn"));
    }
    Ok(())
}

fn text(text: &str) -> Result<(), String> {
    most(text.len(), TEXT, "bytes of text in one place")
}

impl Figure {
    /// Refuses what cannot be drawn in reasonable time and memory, or at all.
    pub(crate) fn check(&self) -> Result<(), String> {
        most(self.columns, COLUMNS, "columns")?;
        most(self.panels.len(), PANELS, "panels")?;
        let marks = || self.panels.iter().flat_map(|panel| &panel.marks);
        most(marks().count(), MARKS, "marks")?;
        most(marks().filter(|mark| !mark.label().is_empty()).count(), LABELS, "labelled marks")?;
        for line in [&self.title, &self.subtitle, &self.description] {
            text(line)?;
        }
        self.panels.iter().try_for_each(panel)
    }
}

fn panel(panel: &Panel) -> Result<(), String> {
    text(&panel.title)?;
    most(panel.notes.len(), NOTES, "notes in a panel")?;
    panel.notes.iter().try_for_each(|note| text(note))?;
    axis(&panel.x)?;
    axis(&panel.y)?;
    panel.marks.iter().try_for_each(mark)
}

fn axis(axis: &Axis) -> Result<(), String> {
    text(&axis.label)?;
    let TickChoice::At(ticks) = &axis.ticks else { return Ok(()) };
    most(ticks.len(), TICKS, "ticks on an axis")?;
    ticks.iter().try_for_each(|(_, label)| text(label))
}

fn mark(mark: &Mark) -> Result<(), String> {
    text(mark.label())?;
    if let Mark::Heat(field) = mark {
        most(field.rows, SIDE, "rows in a field")?;
        most(field.cols, SIDE, "columns in a field")?;
        text(field.bar.as_deref().unwrap_or_default())?;
    }
    let Some(style) = mark.style() else { return Ok(()) };
    for (name, pixels) in [("width", style.width), ("size", style.size)] {
        if !PIXELS.contains(&pixels) {
            return Err(format!(
                "a mark has a {name} of {pixels:e} pixels; it must be from 0 to 1000"
            ));
        }
    }
    Ok(())
}
