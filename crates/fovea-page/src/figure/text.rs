//! Labels set in the embedded font: measured with its own widths, broken into lines.

use super::color::Color;
use super::font::{self, Face};
use super::markup::{Run, SCRIPT_SIZE, Script, runs};

/// Which point of the text its position names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a label is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) size: f64,
    pub(super) color: Color,
    pub(super) bold: bool,
    pub(super) anchor: Anchor,
    /// Turned to read from bottom to top.
    pub(super) upward: bool,
}

impl Label {
    pub(super) fn new(size: f64, color: Color, anchor: Anchor) -> Self {
        Label { size, color, bold: false, anchor, upward: false }
    }

    pub(super) fn bold(self) -> Self {
        Label { bold: true, ..self }
    }

    pub(super) fn upward(self) -> Self {
        Label { upward: true, ..self }
    }

    /// The same label, smaller where `source` would not fit in `room`; never below three quarters.
    pub(super) fn fitted(self, source: &str, room: f64) -> Self {
        let shrink = (room / width(source, self.size, self.bold).max(1.0)).clamp(0.75, 1.0);
        Label { size: self.size * shrink, ..self }
    }
}

/// The width of a label in pixels.
pub(super) fn width(source: &str, size: f64, bold: bool) -> f64 {
    runs(source).iter().filter(|run| !run.accent).map(|run| size * run_width(run, bold)).sum()
}

/// The width of a run in em of the label.
fn run_width(run: &Run, bold: bool) -> f64 {
    run.text.chars().map(|c| char_width(c, run, bold)).sum()
}

fn char_width(c: char, run: &Run, bold: bool) -> f64 {
    let face = match (run.italic, bold) {
        (true, _) => Face::Italic,
        (false, true) => Face::SemiBold,
        (false, false) => Face::Regular,
    };
    let scale = if run.script == Script::Base { 1.0 } else { SCRIPT_SIZE };
    scale * font::advance(c, face)
}

/// How far an accent goes back and up, in em of the label, to sit over the last letter of `base`; and how far the text after it
/// goes forward again.
pub(super) fn accent_shift(base: &Run, accent: &Run, bold: bool) -> (f64, f64, f64) {
    let Some(letter) = base.text.chars().last() else { return (0.0, 0.0, 0.0) };
    let (wide, narrow) = (char_width(letter, base, bold), run_width(accent, bold));
    let tall = letter.is_uppercase() || "bdfhklβδζθλξφψ".contains(letter);
    let lean = if base.italic { 0.04 } else { 0.0 };
    let back = 0.5 * (wide + narrow) - lean - if tall { lean } else { 0.0 };
    (back, if tall { 0.19 } else { 0.0 }, back - narrow)
}

/// Breaks a label into lines no wider than `room`, at spaces outside mathematics. A single long word stays whole.
pub(super) fn wrap(source: &str, size: f64, bold: bool, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in source.lines() {
        let mut line = String::new();
        for word in words(paragraph) {
            let longer = if line.is_empty() { word.clone() } else { format!("{line} {word}") };
            if !line.is_empty() && width(&longer, size, bold) > room {
                lines.push(std::mem::replace(&mut line, word));
            } else {
                line = longer;
            }
        }
        lines.push(line);
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// The lines of the label of an axis that is `room` long, and their size: one line, a little smaller where that is enough, or else several.
pub(super) fn axis_lines(source: &str, size: f64, room: f64) -> (Vec<String>, f64) {
    let one = Label::new(size, Color(0, 0, 0), Anchor::Middle).fitted(source, room).size;
    if source.is_empty() {
        (Vec::new(), size)
    } else if width(source, one, false) <= room {
        (vec![source.to_owned()], one)
    } else {
        (wrap(source, size, false, room), size)
    }
}

fn words(source: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut math, mut escaped) = (false, false);
    for c in source.chars() {
        math ^= c == '$' && !escaped;
        escaped = c == '\\' && !escaped;
        match words.last_mut() {
            Some(word) if c != ' ' || math => word.push(c),
            _ => words.push(String::new()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_keeps_mathematics_whole_and_loses_no_word() {
        let source = "one two $a + b$ three four";
        let lines = wrap(source, 10.0, false, 60.0);
        assert!(lines.len() > 2 && lines.iter().any(|line| line.contains("$a + b$")), "{lines:?}");
        assert_eq!(lines.join(" "), source);
        assert!(lines.iter().all(|line| width(line, 10.0, false) <= 60.0));
    }
}
