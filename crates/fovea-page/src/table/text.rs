//! A table as lines of a terminal: numbers to the right, words to the left, no line longer than it may be.

use super::Table;

/// What stands between columns.
const GAP: usize = 2;
/// The least that a column of words is wrapped to.
const NARROW: usize = 16;

fn width(text: &str) -> usize {
    text.chars().count()
}

/// A paragraph in lines of at most `room` characters, where its words allow.
pub fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A column as text.
struct Strip {
    head: String,
    cells: Vec<String>,
    right: bool,
    width: usize,
}

impl Table {
    /// The lines of a terminal that is `room` characters wide. Words are wrapped in their columns; where numbers alone are too
    /// wide, the table goes on below, with its first column again.
    pub fn lines(&self, room: usize) -> Vec<String> {
        let strip = |column: &super::Column| {
            let (head, rows) = (column.head(), self.rows());
            let cells: Vec<String> = (0..rows).map(|row| column.cells.shown(row)).collect();
            let most = cells.iter().map(|cell| width(cell)).max().unwrap_or(0);
            let width = most.max(width(&head));
            Strip { head, cells, right: column.cells.numeric(), width }
        };
        let mut strips: Vec<Strip> = self.columns.iter().map(strip).collect();
        narrow(&mut strips, room);
        let mut lines = Vec::new();
        let mut rest = &strips[..];
        while !rest.is_empty() {
            let key = if lines.is_empty() { &[][..] } else { &strips[..1] };
            let mut taken = 1;
            while taken < rest.len() && whole(key.iter().chain(&rest[..=taken])) <= room {
                taken += 1;
            }
            if !lines.is_empty() {
                lines.push(String::new());
            }
            block(&key.iter().chain(&rest[..taken]).collect::<Vec<_>>(), self.rows(), &mut lines);
            rest = &rest[taken..];
        }
        lines
    }
}

fn whole<'s>(strips: impl Iterator<Item = &'s Strip>) -> usize {
    let widths: Vec<usize> = strips.map(|strip| strip.width).collect();
    widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

/// Takes from the widest columns of words what the table is too wide by.
fn narrow(strips: &mut [Strip], room: usize) {
    loop {
        let over = whole(strips.iter()).saturating_sub(room);
        let words = strips.iter_mut().filter(|strip| !strip.right && strip.width > NARROW);
        match words.max_by_key(|strip| strip.width) {
            Some(widest) if over > 0 => {
                widest.width = widest.width.saturating_sub(over).max(NARROW);
            }
            _ => return,
        }
    }
}

/// Adds the lines of columns that stand beside each other.
fn block(strips: &[&Strip], rows: usize, lines: &mut Vec<String>) {
    let heads: Vec<&str> = strips.iter().map(|strip| strip.head.as_str()).collect();
    row(strips, &heads, lines);
    for at in 0..rows {
        let cells: Vec<&str> = strips.iter().map(|strip| strip.cells[at].as_str()).collect();
        row(strips, &cells, lines);
    }
}

fn row(strips: &[&Strip], cells: &[&str], lines: &mut Vec<String>) {
    let broken = |(strip, cell): (&&Strip, &&str)| {
        if strip.right { vec![(*cell).to_owned()] } else { wrapped(cell, strip.width) }
    };
    let broken: Vec<Vec<String>> = strips.iter().zip(cells).map(broken).collect();
    let high = broken.iter().map(Vec::len).max().unwrap_or(0);
    for at in 0..high {
        let part = |(strip, lines): (&&Strip, &Vec<String>)| {
            let text = lines.get(at).map_or("", String::as_str);
            let pad = " ".repeat(strip.width.saturating_sub(width(text)));
            if strip.right { pad + text } else { text.to_owned() + &pad }
        };
        let parts: Vec<String> = strips.iter().zip(&broken).map(part).collect();
        lines.push(parts.join(&" ".repeat(GAP)).trim_end().to_owned());
    }
}
