//! Marks on the page: lines, points, bands, bars and rules.

use std::fmt::Write;

use super::color::Color;
use super::frame::Frame;
use super::mark::Mark;
use super::scale::Scale;
use super::style::{Marker, Style};
use super::svg::{Svg, num};
use super::{color::INK, heat};

/// A point on the page; none is a gap.
type Place = Option<(f64, f64)>;

/// Draws a mark without its points; what leaves the plot is cut by the caller's clip.
pub(super) fn draw(svg: &mut Svg, frame: &Frame, mark: &Mark) {
    let (x_scale, y_scale) = (frame.x_scale(), frame.y_scale());
    let (left, top, right, bottom) = frame.plot;
    match mark {
        Mark::Line { x, y, style, .. } => {
            stroke(svg, &path(&thin(&places(x, y, &x_scale, &y_scale))), style);
        }
        Mark::Points { x, y, error, style, .. } => {
            let bars = x.iter().zip(y.iter().zip(error)).filter_map(|(x, (y, e))| {
                // A bar that reaches down to where a log axis has no place runs to its foot.
                let (x, end) = (x_scale.at(*x)?, y_scale.at(y + e)?);
                let foot = y_scale.at(y - e).unwrap_or(bottom);
                (y - e).is_finite().then(|| format!("M{} {}V{}", num(x), num(foot), num(end)))
            });
            stroke(svg, &bars.collect::<String>(), &Style { width: 1.0, ..style.solid() });
        }
        Mark::Band { x, low, high, style, .. } => {
            let (low, high) =
                (places(x, low, &x_scale, &y_scale), places(x, high, &x_scale, &y_scale));
            fill(svg, &region(&low, &high), style.color, 0.2);
        }
        Mark::Bars { x, height, width, style, .. } => {
            let floor = y_scale.at(0.0).unwrap_or(bottom);
            let bars: String = x
                .iter()
                .zip(height)
                .filter_map(|(x, h)| {
                    let (a, b) = (x_scale.at(x - width / 2.0)?, x_scale.at(x + width / 2.0)?);
                    Some(format!(
                        "M{} {}V{}H{}V{}z",
                        num(a),
                        num(floor),
                        num(y_scale.at(*h)?),
                        num(b),
                        num(floor)
                    ))
                })
                .collect();
            fill(svg, &bars, style.color, 0.85);
        }
        Mark::Heat(field) => heat::draw(svg, field, &x_scale, &y_scale),
        Mark::Horizontal { at, style, .. } => {
            if let Some(y) = y_scale.at(*at) {
                stroke(svg, &format!("M{} {}H{}", num(left), num(y), num(right)), style);
            }
        }
        Mark::Vertical { at, style, .. } => {
            if let Some(x) = x_scale.at(*at) {
                stroke(svg, &format!("M{} {}V{}", num(x), num(top), num(bottom)), style);
            }
        }
    }
}

/// Draws the points of a mark that has them, whole even at the edge of the plot.
pub(super) fn draw_points(svg: &mut Svg, frame: &Frame, mark: &Mark) {
    let Mark::Points { x, y, style, .. } = mark else { return };
    let (x_scale, y_scale) = (frame.x_scale(), frame.y_scale());
    let inside = x.iter().zip(y).filter(|(x, y)| x_scale.holds(**x) && y_scale.holds(**y));
    points(svg, inside.filter_map(|(x, y)| x_scale.at(*x).zip(y_scale.at(*y))), style);
}

fn places(x: &[f64], y: &[f64], x_scale: &Scale, y_scale: &Scale) -> Vec<Place> {
    x.iter().zip(y).map(|(x, y)| x_scale.at(*x).zip(y_scale.at(*y))).collect()
}

/// Keeps first, lowest, highest and last of neighbours within half a pixel of width: the drawing is the same, the file small.
fn thin(places: &[Place]) -> Vec<Place> {
    let column = |place: &Place| place.map(|(x, _)| (2.0 * x).floor() as i64);
    let mut out = Vec::new();
    for group in places.chunk_by(|a, b| column(a) == column(b)) {
        if group.len() <= 4 || group[0].is_none() {
            out.extend_from_slice(group);
            continue;
        }
        let height = |i: &usize| group[*i].map_or(0.0, |(_, y)| y);
        let order = |a: &usize, b: &usize| height(a).total_cmp(&height(b));
        let low = (0..group.len()).min_by(order).unwrap_or(0);
        let high = (0..group.len()).max_by(order).unwrap_or(0);
        let mut keep = [0, low.min(high), low.max(high), group.len() - 1].to_vec();
        keep.dedup();
        out.extend(keep.into_iter().map(|i| group[i]));
    }
    out
}

/// A path through the places, broken at gaps; a lone place is a short dash so that it can be seen.
fn path(places: &[Place]) -> String {
    let mut d = String::new();
    for stretch in places.split(Option::is_none) {
        let stretch: Vec<(f64, f64)> = stretch.iter().copied().flatten().collect();
        if let [(x, y)] = stretch[..] {
            let _ = write!(d, "M{} {}h1.6", num(x - 0.8), num(y));
        } else {
            push_polyline(&mut d, stretch.into_iter());
        }
    }
    d
}

fn push_polyline(d: &mut String, places: impl Iterator<Item = (f64, f64)>) {
    for (i, (x, y)) in places.enumerate() {
        let _ = write!(d, "{}{} {}", if i == 0 { 'M' } else { 'L' }, num(x), num(y));
    }
}

/// The outline between two curves, one piece for each stretch where both have a place.
fn region(low: &[Place], high: &[Place]) -> String {
    let mut d = String::new();
    let both: Vec<(Place, Place)> = low.iter().copied().zip(high.iter().copied()).collect();
    for stretch in both.split(|(a, b)| a.is_none() || b.is_none()).filter(|s| s.len() > 1) {
        let (there, back) =
            (stretch.iter().filter_map(|s| s.0), stretch.iter().rev().filter_map(|s| s.1));
        push_polyline(&mut d, there.chain(back));
        d.push('z');
    }
    d
}

fn stroke(svg: &mut Svg, d: &str, style: &Style) {
    if d.is_empty() {
        return;
    }
    let (color, width) = (style.color.hex(), num(style.width));
    let mut attributes = vec![("d", d), ("stroke", &*color), ("stroke-width", &*width)];
    attributes.extend(style.dash.pattern().map(|pattern| ("stroke-dasharray", pattern)));
    svg.element("path", &attributes);
}

fn fill(svg: &mut Svg, d: &str, color: Color, opacity: f64) {
    if !d.is_empty() {
        svg.element("path", &[("d", d), ("fill", &color.hex()), ("fill-opacity", &num(opacity))]);
    }
}

/// All points of a mark as one path.
fn points(svg: &mut Svg, places: impl Iterator<Item = (f64, f64)>, style: &Style) {
    let r = style.size;
    let mut d = String::new();
    for (x, y) in places {
        let at = |dx: f64, dy: f64| format!("{} {}", num(x + dx * r), num(y + dy * r));
        let outline = match style.marker {
            Marker::Circle => {
                let (r, w) = (num(r), num(2.0 * r));
                format!("M{}a{r} {r} 0 1 0 {w} 0a{r} {r} 0 1 0 -{w} 0z", at(-1.0, 0.0))
            }
            Marker::Square => format!("M{}h{w}v{w}h-{w}z", at(-0.9, -0.9), w = num(1.8 * r)),
            Marker::Triangle => format!("M{}L{}L{}z", at(0.0, -1.2), at(1.1, 0.8), at(-1.1, 0.8)),
            Marker::Diamond => {
                format!("M{}L{}L{}L{}z", at(0.0, -1.3), at(1.3, 0.0), at(0.0, 1.3), at(-1.3, 0.0))
            }
            Marker::Cross => {
                format!("M{}L{}M{}L{}", at(-0.9, -0.9), at(0.9, 0.9), at(-0.9, 0.9), at(0.9, -0.9))
            }
            Marker::Plus => {
                format!("M{}L{}M{}L{}", at(-1.1, 0.0), at(1.1, 0.0), at(0.0, -1.1), at(0.0, 1.1))
            }
        };
        d.push_str(&outline);
    }
    if d.is_empty() {
        return;
    }
    let color = style.color.hex();
    let open = matches!(style.marker, Marker::Cross | Marker::Plus);
    // A thin white rim keeps crowded points apart.
    let (fill, rim, width) = match (open, style.hollow) {
        (true, _) => ("none", &*color, "1.3"),
        (_, true) => ("#ffffff", &*color, "1.1"),
        (_, false) => (&*color, "#ffffff", "0.5"),
    };
    svg.element("path", &[("d", &d), ("fill", fill), ("stroke", rim), ("stroke-width", width)]);
}

/// Draws what a legend shows for a mark, `length` wide from `at` (left, middle).
pub(super) fn sample(svg: &mut Svg, mark: &Mark, at: (f64, f64), length: f64) {
    let (x, y) = at;
    match mark {
        Mark::Line { style, .. } => {
            stroke(svg, &format!("M{} {}h{}", num(x), num(y), num(length)), style);
        }
        Mark::Points { style, .. } => points(svg, std::iter::once((x + length / 2.0, y)), style),
        Mark::Band { style, .. } => svg.rect((x, y - 4.5), (length, 9.0), style.color, 0.2),
        Mark::Bars { style, .. } => {
            svg.rect((x + length / 2.0 - 5.0, y - 5.0), (10.0, 10.0), style.color, 0.85);
        }
        Mark::Heat(_) | Mark::Horizontal { .. } | Mark::Vertical { .. } => {}
    }
}

/// Whether two marks look the same in a legend.
pub(super) fn same_sample(a: &Mark, b: &Mark) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b) && a.style() == b.style()
}

/// A faint line of the grid.
pub(super) fn grid(svg: &mut Svg, from: (f64, f64), to: (f64, f64)) {
    svg.line(from, to, Color(0xe6, 0xe6, 0xe6), 0.6);
}

/// A line of the axes.
pub(super) fn rule(svg: &mut Svg, from: (f64, f64), to: (f64, f64)) {
    svg.line(from, to, INK, 0.8);
}
