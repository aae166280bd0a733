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
/// Width beyond which a label at the right is broken into lines.
const WIDEST: f64 = 180.0;
/// Height of a line of a label at the right.
const LINE: f64 = SMALL * 1.22;

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
    let labels = panel.marks.iter().filter_map(|mark| at_end(panel, mark));
    let lines = labels.flat_map(|label| text::wrap(label, SMALL, false, WIDEST));
    lines.map(|line| OFFSET + text::width(&line, SMALL, false)).fold(0.0, f64::max)
}

/// Room that labels need above the plot.
pub(super) fn top_room(frame: &Frame) -> f64 {
    let rows = above(frame).iter().map(|rule| rule.row + 1).max().unwrap_or(0);
    rows as f64 * SMALL * LEADING
}

struct End {
    /// The label, line by line.
    lines: Vec<String>,
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
    let wanted: Vec<(f64, f64)> =
        ends.iter().map(|end| (end.y, end.lines.len() as f64 * LINE)).collect();
    let places = spread(&wanted, (top, bottom));
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
        let label = Label::new(SMALL, color, Anchor::Start);
        let first = y - 0.5 * (end.lines.len() as f64 - 1.0) * LINE + 0.36 * SMALL;
        for (i, line) in end.lines.iter().enumerate() {
            svg.text((right + OFFSET, first + i as f64 * LINE), line, &label);
        }
    }
    for Rule { label, color, middle, row } in above(frame) {
        let y = top - 4.0 - row as f64 * SMALL * LEADING;
        svg.text((middle, y), label, &Label::new(SMALL, color.as_text(), Anchor::Middle));
    }
}

fn end(frame: &Frame, mark: &Mark) -> Option<End> {
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
    let lines = text::wrap(label, SMALL, false, WIDEST);
    Some(End { lines, color: mark.style()?.color, from, y: from.1 })
}

/// Places of labels that want to be at some place and have some height, in the order of what they want: as near to it as possible without overlap, and
/// inside `room` where they fit.
fn spread(wanted: &[(f64, f64)], room: (f64, f64)) -> Vec<f64> {
    // Groups of touching labels, each centred on the mean of what its members want: its middle, height and members.
    let mut groups: Vec<(f64, f64, usize)> = Vec::new();
    let clamp = |middle: f64, height: f64, count: usize| {
        let half = 0.5 * height * (1.0 - 1.0 / count as f64);
        middle.min(room.1 - half).max(room.0 + half)
    };
    for (place, height) in wanted {
        let mut group = (clamp(*place, *height, 1), *height, 1_usize);
        while let Some(&(middle, tall, count)) = groups.last() {
            if group.0 - middle >= 0.5 * (tall + group.1) {
                break;
            }
            let total = count + group.2;
            let mean = (middle * count as f64 + group.0 * group.2 as f64) / total as f64;
            groups.pop();
            group = (clamp(mean, tall + group.1, total), tall + group.1, total);
        }
        groups.push(group);
    }
    let mut heights = wanted.iter().map(|(_, height)| *height);
    let mut places = Vec::with_capacity(wanted.len());
    for (middle, height, count) in groups {
        let mut top = middle - 0.5 * height;
        for height in heights.by_ref().take(count) {
            places.push(top + 0.5 * height);
            top += height;
        }
    }
    places
}

/// The label of a vertical rule, and where it stands above the plot.
struct Rule<'a> {
    label: &'a str,
    color: Color,
    middle: f64,
    /// Rows are counted from the plot upwards.
    row: usize,
}

/// Labels of vertical rules, from left to right in as few rows as hold them.
fn above<'a>(frame: &Frame<'a>) -> Vec<Rule<'a>> {
    let (scale, (left, _, right, _)) = (frame.x_scale(), frame.plot);
    let rule = |mark: &'a Mark| match mark {
        Mark::Vertical { at, label, style } if scale.holds(*at) && !label.is_empty() => {
            Some(Rule { label, color: style.color, middle: scale.at(*at)?, row: 0 })
        }
        _ => None,
    };
    let mut rules: Vec<Rule> = frame.panel.marks.iter().filter_map(rule).collect();
    rules.sort_by(|a, b| a.middle.total_cmp(&b.middle));
    let mut free: Vec<f64> = Vec::new();
    for rule in &mut rules {
        let half = text::width(rule.label, SMALL, false) / 2.0;
        let middle = rule.middle.min(right - half).max(left + half);
        let fits = |free: &f64| free + half <= middle.max(right - half);
        rule.row = free.iter().position(fits).unwrap_or(free.len());
        rule.middle = free.get(rule.row).map_or(middle, |free| middle.max(free + half));
        free.resize(free.len().max(rule.row + 1), left);
        free[rule.row] = rule.middle + half + 8.0;
    }
    rules
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
        let wanted = [10.0, 11.0, 12.0, 50.0, 99.0].map(|place| (place, 10.0));
        let places = spread(&wanted, (0.0, 100.0));
        assert!(places.windows(2).all(|w| w[1] - w[0] >= 10.0 - 1e-9), "{places:?}");
        assert!(places.iter().all(|p| (0.0..=100.0).contains(p)), "{places:?}");
        assert!((places[3] - 50.0).abs() < 1e-12);
    }

    #[test]
    fn labels_far_apart_stay_put() {
        assert_eq!(spread(&[(5.0, 10.0), (40.0, 30.0)], (0.0, 100.0)), [5.0, 40.0]);
    }

    #[test]
    fn taller_labels_take_more_room() {
        let places = spread(&[(50.0, 10.0), (50.0, 30.0)], (0.0, 100.0));
        assert!((places[1] - places[0] - 20.0).abs() < 1e-12, "{places:?}");
    }
}
