//! A writer of SVG elements: escapes text, prints numbers one way only, and refuses what is not a number.

use std::fmt::Write;

use super::color::Color;
use super::markup::{self, Run, Script};
use super::text::{self, Label};

/// SVG text under construction.
#[derive(Debug, Default)]
pub(super) struct Svg {
    out: String,
}

/// A coordinate: at most two decimals, no trailing zeros, no negative zero. The same bytes on every platform.
pub(super) fn num(value: f64) -> String {
    debug_assert!(value.is_finite(), "only finite numbers reach the SVG, got {value}");
    let value = if value.is_finite() { value } else { 0.0 };
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text made safe inside an element or a double-quoted attribute. Control characters, which XML forbids, are dropped.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

impl Svg {
    /// Appends markup that is already SVG.
    pub(super) fn raw(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    /// A childless element; attribute values are escaped.
    pub(super) fn element(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes);
        self.out.push_str("/>\n");
    }

    /// Opens an element, to be ended by [`Svg::close`].
    pub(super) fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes);
        self.out.push_str(">\n");
    }

    /// Ends the element `name`.
    pub(super) fn close(&mut self, name: &str) {
        let _ = writeln!(self.out, "</{name}>");
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)]) {
        let _ = write!(self.out, "<{name}");
        for (key, value) in attributes {
            let _ = write!(self.out, " {key}=\"{}\"", escape(value));
        }
    }

    /// A straight line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Color, width: f64) {
        let d = format!("M{} {}L{} {}", num(from.0), num(from.1), num(to.0), num(to.1));
        self.element(
            "path",
            &[("d", &d), ("stroke", &stroke.hex()), ("stroke-width", &num(width))],
        );
    }

    /// A filled rectangle.
    pub(super) fn rect(&mut self, corner: (f64, f64), size: (f64, f64), fill: Color, opacity: f64) {
        let (x, y, w, h) = (num(corner.0), num(corner.1), num(size.0), num(size.1));
        let (fill, opacity) = (fill.hex(), num(opacity));
        let mut attributes =
            vec![("x", &*x), ("y", &*y), ("width", &*w), ("height", &*h), ("fill", &*fill)];
        if opacity != "1" {
            attributes.push(("fill-opacity", &*opacity));
        }
        self.element("rect", &attributes);
    }

    /// A label in the small markup of [`markup`], its baseline at `at`.
    pub(super) fn text(&mut self, at: (f64, f64), source: &str, label: &Label) {
        if source.is_empty() {
            return;
        }
        let _ = write!(self.out, "<text x=\"{}\" y=\"{}\"", num(at.0), num(at.1));
        let _ =
            write!(self.out, " font-size=\"{}\" fill=\"{}\"", num(label.size), label.color.hex());
        if label.bold {
            self.out.push_str(" font-weight=\"600\"");
        }
        match label.anchor {
            text::Anchor::Start => {}
            text::Anchor::Middle => self.out.push_str(" text-anchor=\"middle\""),
            text::Anchor::End => self.out.push_str(" text-anchor=\"end\""),
        }
        if label.upward {
            let _ = write!(self.out, " transform=\"rotate(-90 {} {})\"", num(at.0), num(at.1));
        }
        self.out.push('>');
        let runs = markup::runs(source);
        let (mut baseline, mut forward) = (0.0, 0.0);
        for (i, run) in runs.iter().enumerate() {
            let mut shift = run.script.shift() * label.size;
            let mut along = std::mem::take(&mut forward);
            if run.accent && i > 0 {
                let (back, up, ahead) = text::accent_shift(&runs[i - 1], run, label.bold);
                along -= back * label.size;
                shift -= up * label.size;
                forward = ahead * label.size;
            }
            self.run(run, label, (along, shift - baseline));
            baseline = shift;
        }
        self.out.push_str("</text>\n");
    }

    /// A run of a label, moved from where the text stands.
    fn run(&mut self, run: &Run, label: &Label, moved: (f64, f64)) {
        let mut attributes = String::new();
        for (name, by) in [("dx", moved.0), ("dy", moved.1)] {
            if by.abs() > 1e-9 {
                let _ = write!(attributes, " {name}=\"{}\"", num(by));
            }
        }
        if run.script != Script::Base {
            let _ = write!(attributes, " font-size=\"{}\"", num(label.size * markup::SCRIPT_SIZE));
        }
        if run.italic {
            attributes.push_str(" font-style=\"italic\"");
            if label.bold {
                attributes.push_str(" font-weight=\"400\"");
            }
        }
        if attributes.is_empty() {
            self.out.push_str(&escape(&run.text));
        } else {
            let _ = write!(self.out, "<tspan{attributes}>{}</tspan>", escape(&run.text));
        }
    }

    /// The finished text.
    pub(super) fn finish(self) -> String {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_one_way() {
        for (value, text) in
            [(0.0, "0"), (-0.001, "0"), (1.5, "1.5"), (-2.0, "-2"), (0.126, "0.13")]
        {
            assert_eq!(num(value), text);
        }
    }

    #[test]
    fn markup_in_text_is_escaped() {
        assert_eq!(escape("a<b & \"c\">\u{7}"), "a&lt;b &amp; &quot;c&quot;&gt;");
    }
}
