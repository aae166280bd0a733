//! The page: blocks to HTML, every text escaped.

use std::fmt::Write;

use super::math::Typesetter;
use super::{Block, Parameter, Report, inline};
use crate::figure::{escape, font};
use crate::table::{Column, Table};

const STYLE: &str = include_str!("style.css");

/// Nothing may be loaded or run, whatever a text might smuggle in.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:";

/// The page and the formulas that could not be read.
pub(super) fn page(report: &Report) -> (String, Vec<String>) {
    let mut page = Page {
        out: String::new(),
        typesetter: Typesetter::new(),
        figures: 0,
        tables: 0,
        sections: 0,
    };
    let title = escape(&report.title);
    let _ = write!(
        page.out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"generator\" content=\"Fovea\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{}{}{STYLE}</style>\n</head>\n<body>\n<main{}>\n",
        font::face_css(),
        faces(),
        if report.broad { " class=\"broad\"" } else { "" },
    );
    page.text("h1", "", &report.title);
    page.text("p", "lead", &report.lead);
    for block in &report.blocks {
        page.block(block);
    }
    page.text("footer", "", &report.footer);
    page.out.push_str("</main>\n</body>\n</html>\n");
    (page.out, page.typesetter.faults)
}

/// The fonts of prose and formulas.
fn faces() -> String {
    let text = "STIX Two Text";
    font::font_face(
        text,
        400,
        "normal",
        include_bytes!("../../assets/fonts/STIXTwoText-Regular.woff2"),
    ) + &font::font_face(
        text,
        400,
        "italic",
        include_bytes!("../../assets/fonts/STIXTwoText-Italic.woff2"),
    ) + &font::font_face(
        text,
        600,
        "normal",
        include_bytes!("../../assets/fonts/STIXTwoText-SemiBold.woff2"),
    ) + &font::font_face(
        "STIX Two Math",
        400,
        "normal",
        include_bytes!("../../assets/fonts/STIXTwoMath-Regular.woff2"),
    )
}

struct Page {
    out: String,
    typesetter: Typesetter,
    figures: usize,
    tables: usize,
    sections: usize,
}

impl Page {
    /// An element with running text; nothing where there is none.
    fn text(&mut self, name: &str, class: &str, text: &str) {
        if !text.is_empty() {
            let class =
                if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
            let inside = inline::html(text, &mut self.typesetter);
            let _ = writeln!(self.out, "<{name}{class}>{inside}</{name}>");
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading(text) => {
                self.sections += 1;
                let inside = inline::html(text, &mut self.typesetter);
                let _ = writeln!(self.out, "<h2 id=\"s{}\">{inside}</h2>", self.sections);
            }
            Block::Paragraph(text) => self.text("p", "", text),
            Block::Math(tex) => {
                let inside = self.typesetter.mathml(tex, true);
                let inside = inside.unwrap_or_else(|| format!("<code>{}</code>", escape(tex)));
                let _ = writeln!(self.out, "<div class=\"math\">{inside}</div>");
            }
            Block::Figure { figure, caption, files } => {
                self.figure(&figure.svg_bare(), caption, files);
            }
            Block::Table { header, rows, caption } => self.table(header, rows, caption),
            Block::Data(table) => self.data(table),
            Block::Note(text) => self.aside("note", "Note.", text),
            Block::Warning(text) => self.aside("warning", "Warning.", text),
            Block::Parameters(list) => self.parameters(list),
            Block::Code(text) => {
                let lines: Vec<String> = text.lines().map(escape).collect();
                let _ = writeln!(self.out, "<pre><code>{}</code></pre>", lines.join("\n"));
            }
        }
    }

    fn aside(&mut self, class: &str, word: &str, text: &str) {
        let inside = inline::html(text, &mut self.typesetter);
        let _ = writeln!(
            self.out,
            "<aside class=\"{class}\"><p><strong>{word}</strong> {inside}</p></aside>"
        );
    }

    fn figure(&mut self, svg: &str, caption: &str, files: &[String]) {
        self.figures += 1;
        let caption = inline::html(caption, &mut self.typesetter);
        let links: Vec<String> = files
            .iter()
            .map(|file| {
                let ending = file.rsplit('.').next().unwrap_or(file).to_uppercase();
                format!("<a href=\"{}\" download>{}</a>", escape(file), escape(&ending))
            })
            .collect();
        let links = if links.is_empty() {
            String::new()
        } else {
            format!(" <span class=\"files\">{}</span>", links.join(" "))
        };
        let _ = writeln!(
            self.out,
            "<figure>\n<div class=\"plate\">{svg}</div>\n<figcaption><strong>Figure {}.</strong> {caption}{links}</figcaption>\n</figure>",
            self.figures
        );
    }

    fn table(&mut self, header: &[String], rows: &[Vec<String>], caption: &str) {
        let columns = rows.iter().map(Vec::len).chain([header.len()]).max().unwrap_or(0);
        let numeric: Vec<bool> = (0..columns).map(|c| is_numeric(rows, c)).collect();
        self.cells(header, rows.iter().cloned(), (&numeric, caption));
    }

    fn data(&mut self, table: &Table) {
        let header: Vec<String> = table.columns.iter().map(Column::head).collect();
        let numeric: Vec<bool> = table.columns.iter().map(|c| c.cells.numeric()).collect();
        let row = |row| table.columns.iter().map(|column| column.cells.shown(row)).collect();
        self.cells(&header, (0..table.rows()).map(row), (&numeric, &table.caption));
    }

    fn cells(
        &mut self,
        header: &[String],
        rows: impl Iterator<Item = Vec<String>>,
        (numeric, caption): (&[bool], &str),
    ) {
        self.tables += 1;
        let caption = inline::html(caption, &mut self.typesetter);
        let _ = writeln!(
            self.out,
            "<div class=\"wide\"><table>\n<caption><strong>Table {}.</strong> {caption}</caption>",
            self.tables
        );
        self.out.push_str("<thead>\n");
        self.row("th", header, numeric);
        self.out.push_str("</thead>\n<tbody>\n");
        for row in rows {
            self.row("td", &row, numeric);
        }
        self.out.push_str("</tbody>\n</table></div>\n");
    }

    fn row(&mut self, cell: &str, cells: &[String], numeric: &[bool]) {
        self.out.push_str("<tr>");
        for (i, numeric) in numeric.iter().enumerate() {
            let text = cells.get(i).map_or("", |text| text);
            let class = match (numeric, text) {
                (true, _) => " class=\"number\"",
                (_, "pass") => " class=\"pass\"",
                (_, "fail") => " class=\"fail\"",
                _ => "",
            };
            let inside = inline::html(text, &mut self.typesetter);
            let _ = write!(self.out, "<{cell}{class}>{inside}</{cell}>");
        }
        self.out.push_str("</tr>\n");
    }

    fn parameters(&mut self, list: &[Parameter]) {
        self.out.push_str("<dl>\n");
        for Parameter { name, value, meaning } in list {
            let (name, value) = (escape(name), inline::html(value, &mut self.typesetter));
            let meaning = inline::html(meaning, &mut self.typesetter);
            let _ = writeln!(
                self.out,
                "<dt><code>{name}</code></dt><dd><span class=\"value\">{value}</span> {meaning}</dd>"
            );
        }
        self.out.push_str("</dl>\n");
    }
}

/// Whether a column holds numbers only; empty cells do not count, an empty column is none.
fn is_numeric(rows: &[Vec<String>], column: usize) -> bool {
    let cells: Vec<&str> = rows
        .iter()
        .filter_map(|row| row.get(column))
        .map(|cell| cell.trim())
        .filter(|c| !c.is_empty())
        .collect();
    !cells.is_empty() && cells.iter().all(|cell| is_number(cell))
}

fn is_number(cell: &str) -> bool {
    let signs = ".,+-−±×^{}$%()·eE \u{2009}\u{202f}\u{a0}";
    let bare = cell.replace("\\times", "×").replace("\\pm", "±").replace("\\cdot", "·");
    let digits = bare.chars().any(|c| c.is_ascii_digit());
    let word =
        matches!(bare.trim_start_matches(['-', '−', '+']), "inf" | "∞" | "nan" | "–" | "—" | "n/a");
    word || digits && bare.chars().all(|c| c.is_ascii_digit() || signs.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_recognised() {
        for cell in ["1", "−0.25", "1.2e-3", "3 ± 1", "$1.5 \\times 10^{-3}$", "12 %", "∞", "–"]
        {
            assert!(is_number(cell), "{cell}");
        }
        for cell in ["relu", "x1", "", "v2.0", "e"] {
            assert!(!is_number(cell), "{cell}");
        }
    }
}
