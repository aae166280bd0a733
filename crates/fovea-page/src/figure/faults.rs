//! What a reader would call a fault of a figure: data cut off, words over data or over other words, words off the page, series
//! that only their colour tells apart. Tests hold panels against it.

use super::frame::Frame;
use super::mark::Mark;
use super::style::Style;
use super::{Figure, Labels, Panel, layout, raster};
use resvg::usvg::{Group, Node, TextChunk};

/// A rectangle on the page: left, top, right, bottom.
type Area = (f64, f64, f64, f64);

/// Everything that is wrong with a figure, in words.
pub(crate) fn faults(figure: &Figure) -> Vec<String> {
    let page = layout::layout(figure);
    let mut faults: Vec<String> = page.frames.iter().flat_map(cut_off).collect();
    faults.extend(alike(&figure.panels));
    let plots: Vec<Area> = page.frames.iter().map(|frame| frame.plot).collect();
    faults.extend(words(&figure.svg_bare(), &plots, (page.width, page.height)));
    faults
}

/// Words of an SVG that lie over a plot, over other words or off the page.
pub(crate) fn words(svg: &str, plots: &[Area], (width, height): (f64, f64)) -> Vec<String> {
    let (mut texts, mut faults) = (Vec::new(), Vec::new());
    gather(raster::tree(svg).unwrap().root(), &mut texts);
    for (i, (text, area)) in texts.iter().enumerate() {
        let (left, top, right, bottom) = *area;
        if left < 0.0 || top < 0.0 || right > width || bottom > height {
            faults.push(format!("`{text}` leaves the page"));
        }
        if text != "no finite data" && plots.iter().any(|plot| overlap(*area, *plot)) {
            faults.push(format!("`{text}` lies over a plot"));
        }
        for (other, theirs) in &texts[..i] {
            if overlap(*area, *theirs) {
                faults.push(format!("`{text}` lies over `{other}`"));
            }
        }
    }
    faults
}

/// All texts with the places they take, less a pixel of air at each side.
fn gather(group: &Group, texts: &mut Vec<(String, Area)>) {
    for node in group.children() {
        match node {
            Node::Group(group) => gather(group, texts),
            Node::Text(text) => {
                let words = text.chunks().iter().map(TextChunk::text).collect();
                let (area, air) = (text.abs_bounding_box(), 1.0);
                let [left, top] = [area.left(), area.top()].map(f64::from);
                let [right, bottom] = [area.right(), area.bottom()].map(f64::from);
                texts.push((words, (left + air, top + air, right - air, bottom - air)));
            }
            _ => {}
        }
    }
}

fn overlap(a: Area, b: Area) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}

/// Data of a panel that have a place on its axes and lie outside of its plot.
fn cut_off(frame: &Frame) -> Vec<String> {
    let (x_scale, y_scale) = (frame.x_scale(), frame.y_scale());
    let inside = |x: f64, y: f64| {
        x_scale.at(x).is_none_or(|_| x_scale.holds(x))
            && y_scale.at(y).is_none_or(|_| y_scale.holds(y))
    };
    let outside = frame.panel.marks.iter().filter(|mark| !corners(mark).all(|(x, y)| inside(x, y)));
    outside.map(|mark| format!("data of `{}` are cut off", mark.label())).collect()
}

/// The places that a mark takes. One that is not finite in x or in y is a gap.
fn corners(mark: &Mark) -> Box<dyn Iterator<Item = (f64, f64)> + '_> {
    let pairs = |x: &[f64], y: &[f64]| x.iter().copied().zip(y.iter().copied()).collect::<Vec<_>>();
    let all: Vec<(f64, f64)> = match mark {
        Mark::Line { x, y, .. } => pairs(x, y),
        Mark::Points { x, y, error, .. } => {
            let end =
                |sign: f64| y.iter().zip(error).map(|(y, e)| y + sign * e).collect::<Vec<_>>();
            [pairs(x, y), pairs(x, &end(-1.0)), pairs(x, &end(1.0))].concat()
        }
        Mark::Band { x, low, high, .. } => [pairs(x, low), pairs(x, high)].concat(),
        Mark::Bars { x, height, width, .. } => {
            let edge = |sign: f64| x.iter().map(|x| x + sign * width / 2.0).collect::<Vec<_>>();
            let foot = vec![0.0; x.len()];
            [pairs(&edge(-1.0), height), pairs(&edge(1.0), height), pairs(x, &foot)].concat()
        }
        Mark::Heat(heat) => {
            let (x, y) = (heat.x_range, heat.y_range);
            vec![(x.0, y.0), (x.1, y.1)]
        }
        Mark::Horizontal { .. } | Mark::Vertical { .. } => Vec::new(),
    };
    Box::new(all.into_iter().filter(|(x, y)| x.is_finite() && y.is_finite()))
}

/// Two series that look alike but for their colour, in the legend that all panels share.
fn alike(panels: &[Panel]) -> Vec<String> {
    let in_legend = panels.iter().filter(|panel| panel.labels == Labels::Legend);
    let marks: Vec<&Mark> = in_legend.flat_map(|panel| &panel.marks).collect();
    let mut labels: Vec<&str> = Vec::new();
    for mark in &marks {
        let rule = matches!(mark, Mark::Horizontal { .. } | Mark::Vertical { .. });
        if !rule && !mark.label().is_empty() && !labels.contains(&mark.label()) {
            labels.push(mark.label());
        }
    }
    let mut faults = Vec::new();
    for (i, label) in labels.iter().enumerate() {
        for other in &labels[..i] {
            if entry(&marks, label) == entry(&marks, other) {
                faults.push(format!("only colour tells `{label}` from `{other}`"));
            }
        }
    }
    faults
}

/// How the marks of a label look in grey.
fn entry(marks: &[&Mark], label: &str) -> Vec<String> {
    let look = |style: &Style, mark: &Mark| match mark {
        Mark::Line { .. } => Some(format!("line {:?} {:.1}", style.dash, style.width)),
        Mark::Points { .. } => {
            Some(format!("points {:?} {} {:.1}", style.marker, style.hollow, style.size))
        }
        Mark::Band { .. } => Some("band".to_owned()),
        Mark::Bars { .. } => Some("bars".to_owned()),
        _ => None,
    };
    let named = marks.iter().filter(|mark| mark.label() == label);
    let mut looks: Vec<String> = named.filter_map(|mark| look(mark.style()?, mark)).collect();
    looks.sort();
    looks.dedup();
    looks
}
