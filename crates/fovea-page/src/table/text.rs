//! A table as lines of a terminal: numbers to the right, words to the left, no line longer than it may be.

use super::{Cells, Column, Places, Table};

/// What stands between columns.
const GAP: usize = 2;
/// The least that a column of words is wrapped to.
const NARROW: usize = 16;
/// The least that a head is wrapped to.
const HEAD: usize = 8;
/// Words of a leading column that are at least so long are not repeated from row to row.
const LONG: usize = 24;
/// How far words below a row are indented.
const INDENT: usize = 4;

fn width(text: &str) -> usize {
    text.chars().count()
}

fn widest(lines: &[String]) -> usize {
    lines.iter().map(|line| width(line)).max().unwrap_or(0)
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

/// The lines of a cell: a word longer than its column, such as a path, is broken.
fn in_column(text: &str, width: usize) -> Vec<String> {
    let broken = |line: String| -> Vec<String> {
        let letters: Vec<char> = line.chars().collect();
        letters.chunks(width.max(1)).map(|part| part.iter().collect()).collect()
    };
    wrapped(text, width).into_iter().flat_map(broken).collect()
}

/// A column as text.
struct Strip {
    head: String,
    cells: Vec<String>,
    right: bool,
    /// Whether it says which row it is: words and settings on the left.
    names: bool,
    width: usize,
    /// The least that it is wrapped to: its longest word.
    least: usize,
}

impl Strip {
    fn new(column: &Column, rows: usize) -> Self {
        let (head, right) = (column.head(), column.cells.numeric());
        let cells: Vec<String> = (0..rows).map(|row| column.cells.shown(row)).collect();
        let setting = matches!(column.cells, Cells::Reals { places: Places::All, .. });
        let names = setting || matches!(column.cells, Cells::Words(_) | Cells::Whole(_));
        let words = cells.iter().flat_map(|cell| cell.split(' ')).map(width);
        let least = words.fold(NARROW, usize::max);
        let width = widest(&cells).max(width(&head));
        Self { head, cells, right, names, width, least }
    }

    /// How wide it is with its head in several lines.
    fn low(&self) -> usize {
        let cells = widest(&self.cells);
        cells.max(widest(&wrapped(&self.head, cells.max(HEAD))))
    }
}

impl Table {
    /// The lines of a terminal that is `room` characters wide. Where it is too narrow, heads and then words are wrapped in their
    /// columns; where that is not enough the table goes on below, with the columns again that say which row it is.
    pub fn lines(&self, room: usize) -> Vec<String> {
        self.lines_below(room, &[])
    }

    /// The same with the words of some columns below each row: sentences, for which a column would be too narrow.
    pub fn lines_below(&self, room: usize, sentences: &[&str]) -> Vec<String> {
        let rows = self.rows();
        let (below, across): (Vec<&Column>, Vec<&Column>) =
            self.columns.iter().partition(|column| sentences.contains(&column.name.as_str()));
        let strips = across.into_iter().map(|column| Strip::new(column, rows));
        let below: Vec<Vec<String>> = (0..rows).map(|row| said_below(&below, row, room)).collect();
        // A remark that no row has.
        let bare = |strip: &Strip| !strip.right && strip.cells.iter().all(String::is_empty);
        let mut strips: Vec<Strip> = strips.filter(|strip| !bare(strip)).collect();
        fit(&mut strips, room);
        let keys = strips.iter().take_while(|strip| strip.names).count();
        let half = |keys: &usize| whole(strips[..*keys].iter()) <= room / 2;
        let keys = (1..=keys).rev().find(half).unwrap_or(1);
        let mut lines = Vec::new();
        let mut rest = &strips[..];
        while !rest.is_empty() {
            let (key, below) =
                if lines.is_empty() { (&[][..], &below[..]) } else { (&strips[..keys], &[][..]) };
            let mut taken = 1;
            while taken < rest.len() && whole(key.iter().chain(&rest[..=taken])) <= room {
                taken += 1;
            }
            if !lines.is_empty() {
                lines.push(String::new());
            }
            block(&key.iter().chain(&rest[..taken]).collect::<Vec<_>>(), (rows, below), &mut lines);
            rest = &rest[taken..];
        }
        lines
    }
}

/// What stands below a row.
fn said_below(columns: &[&Column], row: usize, room: usize) -> Vec<String> {
    let said = |column: &&Column| {
        let text = column.cells.shown(row);
        let text = if text.is_empty() { text } else { format!("{}: {text}", column.head()) };
        let lines = wrapped(&text, room.saturating_sub(INDENT)).into_iter();
        lines.filter(|line| !line.is_empty()).map(|line| " ".repeat(INDENT) + &line)
    };
    columns.iter().flat_map(said).collect()
}

fn whole<'s>(strips: impl Iterator<Item = &'s Strip>) -> usize {
    let widths: Vec<usize> = strips.map(|strip| strip.width).collect();
    widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

/// Makes a table that is too wide narrower: by its heads, then by its widest words; where it must go on below all the same, words
/// keep what they need, up to half of the room.
fn fit(strips: &mut [Strip], room: usize) {
    if whole(strips.iter()) <= room {
        return;
    }
    for strip in strips.iter_mut() {
        strip.width = strip.low();
    }
    let before: Vec<usize> = strips.iter().map(|strip| strip.width).collect();
    let half = (room / 2).max(NARROW);
    loop {
        let over = whole(strips.iter()).saturating_sub(room);
        if over == 0 {
            return;
        }
        let least = |strip: &Strip| strip.least.min(half);
        let words = strips.iter_mut().filter(|strip| !strip.right && strip.width > least(strip));
        let Some(longest) = words.max_by_key(|strip| strip.width) else { break };
        longest.width = longest.width.saturating_sub(over).max(least(longest));
    }
    for (strip, width) in strips.iter_mut().zip(before) {
        strip.width = if strip.right { width } else { width.min(half) };
    }
}

/// Adds the lines of columns that stand next to each other, and what is said below each row.
fn block(strips: &[&Strip], (rows, below): (usize, &[Vec<String>]), lines: &mut Vec<String>) {
    let heads: Vec<Vec<String>> =
        strips.iter().map(|strip| wrapped(&strip.head, strip.width)).collect();
    let high = heads.iter().map(Vec::len).max().unwrap_or(0);
    // Heads stand on their columns.
    let on = |head: Vec<String>| [vec![String::new(); high - head.len()], head].concat();
    row(strips, &heads.into_iter().map(on).collect::<Vec<_>>(), lines);
    for at in 0..rows {
        let cell = |(place, strip): (usize, &&Strip)| {
            let text = &strip.cells[at];
            let again = place == 0 && at > 0 && strip.cells[at - 1] == *text;
            match (strip.right, again && width(text) >= LONG) {
                (true, _) => vec![text.clone()],
                (false, true) => Vec::new(),
                (false, false) => in_column(text, strip.width),
            }
        };
        let cells: Vec<Vec<String>> = strips.iter().enumerate().map(cell).collect();
        row(strips, &cells, lines);
        lines.extend(below.get(at).into_iter().flatten().cloned());
    }
}

/// Adds one row, whose cells may have several lines.
fn row(strips: &[&Strip], cells: &[Vec<String>], lines: &mut Vec<String>) {
    let high = cells.iter().map(Vec::len).max().unwrap_or(0);
    for at in 0..high {
        let part = |(strip, lines): (&&Strip, &Vec<String>)| {
            let text = lines.get(at).map_or("", String::as_str);
            let pad = " ".repeat(strip.width.saturating_sub(width(text)));
            if strip.right { pad + text } else { text.to_owned() + &pad }
        };
        let parts: Vec<String> = strips.iter().zip(cells).map(part).collect();
        lines.push(parts.join(&" ".repeat(GAP)).trim_end().to_owned());
    }
}
