//! Labels beside the plot: at the right ends of series and rules, and above vertical rules. They move apart rather than overlap.

use super::color::{Color, SOFT};
use super::frame::Frame;
use super::layout::{LEADING, SMALL};
use super::mark::Mark;
use super::svg::Svg;
use super::text::{self, Anchor, Label};
use super::{Labels, Panel};

/// Distance from the plot to a label at its right.
const OFFSET: f64 = 14.0;

fn at_end<'a>(panel: &Panel, mark: &'a Mark) -> Option<&'a str> {
    let shown = match mark {
        Mark::Horizontal { .. } => true,
        Mark::Line { .. } | Mark::Points { .. } | Mark::Band { .. } => panel.labels == Labels::Ends,
        _ => false,
    };
    Some(mark.label()).filter(|label| shown && !label.is_empty())
}

/// Room that labels need at the right of the plot.
pub(super) fn right_room(panel: &Panel) -> f64 {
    let widths = panel.marks.iter().filter_map(|mark| at_end(panel, mark));
    widths.map(|label| OFFSET + text::width(label, SMALL, false)).fold(0.0, f64::max)
}

/// Room that labels need above the plot.
pub(super) fn top_room(panel: &Panel) -> f64 {
    let labelled = |mark: &Mark| matches!(mark, Mark::Vertical { label, .. } if !label.is_empty());
    if panel.marks.iter().any(labelled) { SMALL * LEADING } else { 0.0 }
}

struct End<'a> {
    label: &'a str,
    color: Color,
    /// Where the series ends.
    from: (f64, f64),
    /// Where the label's middle goes.
    y: f64,
}

/// Draws the labels of a panel that stand outside the legend.
pub(super) fn draw(svg: &mut Svg, frame: &Frame) {
    let (_, top, right, bottom) = frame.plot;
    let mut ends: Vec<End> = frame.panel.marks.iter().filter_map(|mark| end(frame, mark)).collect();
    ends.sort_by(|a, b| a.y.total_cmp(&b.y));
    let mut places: Vec<f64> = ends.iter().map(|end| end.y).collect();
    spread(&mut places, SMALL * 1.22, (top, bottom));
    for (end, y) in ends.iter().zip(places) {
        let color = end.color.as_text();
        if (y - end.from.1).abs() > 1.5 || right - end.from.0 > 1.5 {
            let elbow = right + OFFSET - 3.0;
            svg.line(
                (end.from.0 + 3.0, end.from.1),
                (elbow, y),
                end.color.mix(Color(255, 255, 255), 0.45),
                0.7,
            );
        }
        svg.text(
            (right + OFFSET, y + 0.36 * SMALL),
            end.label,
            &Label::new(SMALL, color, Anchor::Start),
        );
    }
    above(svg, frame);
}

fn end<'a>(frame: &Frame, mark: &'a Mark) -> Option<End<'a>> {
    let label = at_end(frame.panel, mark)?;
    let (x_scale, y_scale) = (frame.x_scale(), frame.y_scale());
    let last = |x: &[f64], y: &dyn Fn(usize) -> Option<f64>| {
        (0..x.len()).rev().find_map(|i| {
            let y = y(i)?;
            let inside = x_scale.holds(x[i]) && y_scale.holds(y);
            if inside { x_scale.at(x[i]).zip(y_scale.at(y)) } else { None }
        })
    };
    let from = match mark {
        Mark::Line { x, y, .. } | Mark::Points { x, y, .. } => last(x, &|i| y.get(i).copied()),
        Mark::Band { x, low, high, .. } => last(x, &|i| Some(0.5 * (low.get(i)? + high.get(i)?))),
        Mark::Horizontal { at, .. } if y_scale.holds(*at) => {
            y_scale.at(*at).map(|y| (frame.plot.2, y))
        }
        _ => None,
    }?;
    Some(End { label, color: mark.style()?.color, from, y: from.1 })
}

/// Moves sorted places apart to at least `gap`, as little as possible, inside `room` where they fit.
fn spread(places: &mut [f64], gap: f64, room: (f64, f64)) {
    // Groups of touching labels, each centred on the mean of what its members want.
    let mut groups: Vec<(f64, usize)> = Vec::new();
    let clamp = |middle: f64, count: usize| {
        let half = 0.5 * gap * (count - 1) as f64;
        middle.min(room.1 - half).max(room.0 + half)
    };
    for place in places.iter() {
        let mut group = (clamp(*place, 1), 1_usize);
        while let Some(&(middle, count)) = groups.last() {
            let reach = 0.5 * gap * (count + group.1) as f64;
            if group.0 - middle >= reach {
                break;
            }
            let total = count + group.1;
            let mean = (middle * count as f64 + group.0 * group.1 as f64) / total as f64;
            groups.pop();
            group = (clamp(mean, total), total);
        }
        groups.push(group);
    }
    let spots = groups.iter().flat_map(|&(middle, count)| {
        (0..count).map(move |i| middle + gap * (i as f64 - 0.5 * (count - 1) as f64))
    });
    for (place, spot) in places.iter_mut().zip(spots) {
        *place = spot;
    }
}

/// Labels of vertical rules, left to right above the plot.
fn above(svg: &mut Svg, frame: &Frame) {
    let scale = frame.x_scale();
    let mut rules: Vec<(f64, &str, Color)> = frame
        .panel
        .marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Vertical { at, label, style } if scale.holds(*at) => {
                Some((scale.at(*at)?, &**label, style.color))
            }
            _ => None,
        })
        .collect();
    rules.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut free = f64::NEG_INFINITY;
    for (x, label, color) in rules {
        let half = text::width(label, SMALL, false) / 2.0;
        let middle = x.min(frame.plot.2 - half).max(frame.plot.0 + half).max(free + half);
        free = middle + half + 8.0;
        svg.text(
            (middle, frame.plot.1 - 4.0),
            label,
            &Label::new(SMALL, color.as_text(), Anchor::Middle),
        );
    }
}

/// Draws the words that stand in for data where there is none.
pub(super) fn nothing(svg: &mut Svg, frame: &Frame) {
    let (left, top, right, bottom) = frame.plot;
    let label = Label::new(SMALL, SOFT, Anchor::Middle);
    svg.text((f64::midpoint(left, right), f64::midpoint(top, bottom)), "no finite data", &label);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_move_apart_and_stay_inside() {
        let mut places = vec![10.0, 11.0, 12.0, 50.0, 99.0];
        spread(&mut places, 10.0, (0.0, 100.0));
        assert!(places.windows(2).all(|w| w[1] - w[0] >= 10.0 - 1e-9), "{places:?}");
        assert!(places.iter().all(|p| (0.0..=100.0).contains(p)), "{places:?}");
        assert!((places[3] - 50.0).abs() < 1e-12);
    }

    #[test]
    fn labels_far_apart_stay_put() {
        let mut places = vec![5.0, 40.0];
        spread(&mut places, 10.0, (0.0, 100.0));
        assert_eq!(places, [5.0, 40.0]);
    }
}
