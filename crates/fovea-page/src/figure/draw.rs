//! A figure on the page: headings, legend, and each panel with its axes.

use std::fmt::Write;

use super::color::{Color, INK, SOFT};
use super::frame::Frame;
use super::layout::{self, BODY, LEADING, LIFT, MARGIN, SMALL, TICK, TITLE};
use super::mark::Mark;
use super::svg::{Svg, escape, num};
use super::text::{Anchor, Label};
use super::{Figure, font, heat, labels, markup, plot};

/// The figure as SVG; `faces` are the `@font-face` rules to carry, if any.
pub(super) fn figure(figure: &Figure, faces: Option<&str>) -> String {
    let page = layout::layout(figure);
    let (width, height) = (num(page.width), num(page.height));
    let title = escape(&markup::plain(&figure.title));
    let mut head = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\" font-family=\"{}\" fill=\"none\">\n",
        font::FAMILY
    );
    let _ = writeln!(head, "<title>{title}</title>\n<desc>{}</desc>", escape(&description(figure)));
    if let Some(faces) = faces {
        let _ = writeln!(head, "<style>\n{faces}</style>");
    }
    let mut svg = Svg::default();
    svg.raw(&head);
    svg.rect((0.0, 0.0), (page.width, page.height), Color(255, 255, 255), 1.0);
    let mut y = MARGIN - LIFT;
    for line in &page.title {
        y += TITLE * LEADING;
        svg.text((MARGIN, y - 0.3 * TITLE), line, &Label::new(TITLE, INK, Anchor::Start).bold());
    }
    for line in &page.subtitle {
        y += BODY * LEADING;
        svg.text((MARGIN, y - 0.3 * BODY), line, &Label::new(BODY, SOFT, Anchor::Start));
    }
    page.legend.draw(&mut svg, page.legend_top);
    for frame in &page.frames {
        panel(&mut svg, frame);
    }
    svg.close("svg");
    svg.finish()
}

/// What the figure says of itself, or else the panels with their axes and series.
fn description(figure: &Figure) -> String {
    if !figure.description.is_empty() {
        return figure.description.clone();
    }
    let panels = figure.panels.iter().map(|panel| {
        let series: Vec<String> = panel
            .marks
            .iter()
            .map(|m| markup::plain(m.label()))
            .filter(|l| !l.is_empty())
            .collect();
        let (x, y) = (markup::plain(&panel.x.label), markup::plain(&panel.y.label));
        let shown =
            if series.is_empty() { String::new() } else { format!(": {}", series.join(", ")) };
        format!("{} ({y} against {x}{shown})", markup::plain(&panel.title)).trim().to_owned()
    });
    panels.collect::<Vec<_>>().join("; ")
}

fn panel(svg: &mut Svg, frame: &Frame) {
    let (left, top, right, bottom) = frame.plot;
    let field = frame.panel.marks.iter().any(|mark| matches!(mark, Mark::Heat(_)));
    svg.open("g", &[]);
    heading(svg, frame);
    let y_scale = frame.y_scale();
    if !field {
        for tick in frame.y_ticks().ticks.iter().filter(|tick| !tick.label.is_empty()) {
            if let Some(y) = y_scale.at(tick.value) {
                plot::grid(svg, (left, y), (right, y));
            }
        }
    }
    // A nested viewport cuts what leaves the plot, without an id that could clash on a page of many figures.
    let (x, y, w, h) =
        (num(left - 1.0), num(top - 1.0), num(right - left + 2.0), num(bottom - top + 2.0));
    let view = format!("{x} {y} {w} {h}");
    svg.open(
        "svg",
        &[("x", &*x), ("y", &*y), ("width", &*w), ("height", &*h), ("viewBox", &*view)],
    );
    svg.open("g", &[("stroke-linejoin", "round")]);
    for mark in &frame.panel.marks {
        plot::draw(svg, frame, mark);
    }
    svg.close("g");
    svg.close("svg");
    x_axis(svg, frame);
    y_axis(svg, frame);
    // Points sit on top of the axes, whole even at the edge.
    for mark in &frame.panel.marks {
        plot::draw_points(svg, frame, mark);
    }
    let spacing = (frame.panel.x.spacing, frame.panel.y.spacing);
    let placed = |m: &Mark| m.x_extent(spacing.0).is_some() && m.y_extent(spacing.1).is_some();
    let rule = |m: &Mark| matches!(m, Mark::Horizontal { .. } | Mark::Vertical { .. });
    if !frame.panel.marks.iter().any(|mark| placed(mark) || rule(mark)) {
        labels::nothing(svg, frame);
    }
    labels::draw(svg, frame);
    heat::draw_bar(svg, frame);
    svg.close("g");
}

/// Letter and title, above the plot and above the labels of vertical rules.
fn heading(svg: &mut Svg, frame: &Frame) {
    let (left, top, ..) = frame.plot;
    let lines = frame.title();
    let last = top - labels::top_room(frame) - 7.0;
    for (i, line) in lines.iter().rev().enumerate() {
        let y = last - i as f64 * BODY * LEADING;
        if i + 1 == lines.len() {
            svg.text((left, y), &frame.letter, &Label::new(BODY, INK, Anchor::Start).bold());
        }
        svg.text((left + frame.indent(), y), line, &Label::new(BODY, INK, Anchor::Start));
    }
}

fn x_axis(svg: &mut Svg, frame: &Frame) {
    let (left, _, right, bottom) = frame.plot;
    let (scale, ticks) = (frame.x_scale(), frame.x_ticks());
    let upward = frame.x_ticks_upward(&ticks);
    plot::rule(svg, (left, bottom), (right, bottom));
    let mut y = bottom + TICK;
    for tick in &ticks.ticks {
        let Some(x) = scale.at(tick.value) else { continue };
        let length = if tick.label.is_empty() { 0.6 * TICK } else { TICK };
        plot::rule(svg, (x, bottom), (x, bottom + length));
        if frame.x_labelled && upward {
            let label = Label::new(SMALL, INK, Anchor::End).upward();
            svg.text((x + 0.36 * SMALL, y + 3.0), &tick.label, &label);
        } else if frame.x_labelled {
            let label = Label::new(SMALL, INK, Anchor::Middle);
            svg.text((x, y + SMALL + 1.5), &tick.label, &label);
        }
    }
    if frame.x_labelled {
        y += frame.x_tick_room(&ticks);
        let (lines, size) = frame.x_label(ticks.power);
        for line in &lines {
            let label = Label::new(size, INK, Anchor::Middle);
            svg.text((f64::midpoint(left, right), y + BODY + 2.5), line, &label);
            y += BODY * LEADING;
        }
        y += if lines.is_empty() { 0.0 } else { 2.0 };
    }
    for note in frame.notes() {
        svg.text((left, y + SMALL + 4.0), &note, &Label::new(SMALL, SOFT, Anchor::Start));
        y += SMALL * LEADING;
    }
}

fn y_axis(svg: &mut Svg, frame: &Frame) {
    let (left, top, _, bottom) = frame.plot;
    let (scale, ticks) = (frame.y_scale(), frame.y_ticks());
    plot::rule(svg, (left, top), (left, bottom));
    for tick in &ticks.ticks {
        let Some(y) = scale.at(tick.value) else { continue };
        let length = if tick.label.is_empty() { 0.6 * TICK } else { TICK };
        plot::rule(svg, (left - length, y), (left, y));
        if frame.y_labelled {
            let label = Label::new(SMALL, INK, Anchor::End);
            svg.text((left - TICK - 3.0, y + 0.36 * SMALL), &tick.label, &label);
        }
    }
    if frame.y_labelled {
        let (lines, size) = frame.y_label(ticks.power);
        let mut x = left - TICK - 3.0 - super::axis::widest(&ticks.ticks, SMALL) - 8.0;
        for line in lines.iter().rev() {
            let label = Label::new(size, INK, Anchor::Middle).upward();
            svg.text((x, f64::midpoint(top, bottom)), line, &label);
            x -= BODY * LEADING;
        }
    }
}
