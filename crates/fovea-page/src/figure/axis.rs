//! Axes: what the reader is told about a direction of a panel.

use super::scale::Scale;
use super::text;
use super::ticks::{self, Tick, Ticks};
use serde::{Deserialize, Serialize};

/// How values become positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spacing {
    /// Equal differences are equal lengths.
    #[default]
    Linear,
    /// Equal ratios are equal lengths; values that are not positive are left out.
    Log10,
}

/// Which ticks an axis carries.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum TickChoice {
    /// Round numbers, as many as fit.
    #[default]
    Auto,
    /// These values with these labels.
    At(#[serde(with = "super::store")] Vec<(f64, String)>),
    /// None at all.
    Hidden,
}

/// One axis of a panel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// What is measured, in the markup of labels.
    pub label: String,
    /// Linear or logarithmic.
    pub spacing: Spacing,
    /// The low end; the data's own, with a margin, where absent.
    #[serde(with = "super::store")]
    pub min: Option<f64>,
    /// The high end; the data's own, with a margin, where absent.
    #[serde(with = "super::store")]
    pub max: Option<f64>,
    /// The ticks.
    pub ticks: TickChoice,
    /// Whether values grow towards the origin corner, as rows of a matrix do.
    pub reversed: bool,
    /// Axes of the same direction with the same group have one range, and only the outer ones carry labels.
    pub group: Option<u32>,
}

impl From<&str> for Axis {
    fn from(label: &str) -> Self {
        Self::new(label)
    }
}

impl From<String> for Axis {
    fn from(label: String) -> Self {
        Self::new(label)
    }
}

impl Axis {
    /// A linear axis over the data's range.
    pub fn new(label: impl Into<String>) -> Self {
        Axis { label: label.into(), ..Axis::default() }
    }

    /// Makes the axis logarithmic.
    #[must_use]
    pub fn log(self) -> Self {
        Axis { spacing: Spacing::Log10, ..self }
    }

    /// Fixes both ends.
    #[must_use]
    pub fn range(self, min: f64, max: f64) -> Self {
        self.from(min).to(max)
    }

    /// Fixes the low end.
    #[must_use]
    pub fn from(self, min: f64) -> Self {
        Axis { min: Some(min), ..self }
    }

    /// Fixes the high end.
    #[must_use]
    pub fn to(self, max: f64) -> Self {
        Axis { max: Some(max), ..self }
    }

    /// Puts ticks at these values, labelled as given.
    #[must_use]
    pub fn ticks_at<L: Into<String>>(self, ticks: impl IntoIterator<Item = (f64, L)>) -> Self {
        let ticks = ticks.into_iter().map(|(value, label)| (value, label.into())).collect();
        Axis { ticks: TickChoice::At(ticks), ..self }
    }

    /// Leaves the ticks out.
    #[must_use]
    pub fn without_ticks(self) -> Self {
        Axis { ticks: TickChoice::Hidden, ..self }
    }

    /// Lets values grow towards the origin corner.
    #[must_use]
    pub fn reversed(self) -> Self {
        Axis { reversed: true, ..self }
    }

    /// Shares the range with every axis of the same direction in `group`.
    #[must_use]
    pub fn share(self, group: u32) -> Self {
        Axis { group: Some(group), ..self }
    }

    /// The ends of the axis for data within `data`, with a margin of `pad` of the span at each end that is free.
    pub(super) fn ends(&self, data: Option<(f64, f64)>, pad: f64) -> (f64, f64) {
        let log = self.spacing == Spacing::Log10;
        let usable = |v: &f64| v.is_finite() && (!log || *v > 0.0);
        let (min, max) = (self.min.filter(usable), self.max.filter(usable));
        let pad = if data.is_some() { pad } else { 0.0 };
        let (low, high) = data.unwrap_or(match (min, max) {
            (Some(a), _) if log => (a, 10.0 * a),
            (_, Some(b)) if log => (b / 10.0, b),
            (Some(a), _) => (a, a + 1.0),
            (_, Some(b)) => (b - 1.0, b),
            _ => (if log { 1.0 } else { 0.0 }, if log { 10.0 } else { 1.0 }),
        });
        let (mut low, mut high) = (min.unwrap_or(low), max.unwrap_or(high));
        if low > high {
            (low, high) = (high, low);
        }
        if log {
            log_ends(low, high, (min, max), pad)
        } else {
            linear_ends(low, high, (min, max), pad)
        }
    }

    /// The ticks on `scale` when labels need `room` pixels each.
    pub(super) fn ticks_on(&self, scale: &Scale, room: impl Fn(&[Tick]) -> f64) -> Ticks {
        match &self.ticks {
            TickChoice::Hidden => Ticks::default(),
            TickChoice::At(list) => {
                let ticks = list
                    .iter()
                    .filter(|(value, _)| scale.holds(*value))
                    .map(|(value, label)| Tick { value: *value, label: label.clone() })
                    .collect();
                Ticks { ticks, power: 0 }
            }
            TickChoice::Auto => {
                let each = if self.spacing == Spacing::Log10 { 22.0 } else { 28.0 };
                let most = (scale.length() / each).clamp(2.0, 8.0) as usize;
                let (low, high) = scale.ends();
                let propose = |target| match self.spacing {
                    Spacing::Linear => ticks::linear(low, high, target),
                    Spacing::Log10 => ticks::log10(low, high, target),
                };
                // Fewer and fewer until neighbours keep their distance.
                let fits = |ticks: &Ticks| {
                    let labelled: Vec<Tick> =
                        ticks.ticks.iter().filter(|t| !t.label.is_empty()).cloned().collect();
                    let room = room(&labelled);
                    labelled
                        .windows(2)
                        .all(|pair| scale.distance(pair[0].value, pair[1].value) >= room)
                };
                (1..=most).rev().map(propose).find(fits).unwrap_or_else(|| propose(1))
            }
        }
    }

    /// The axis label with the power of ten its ticks leave out.
    pub(super) fn label_with(&self, power: i32) -> String {
        match (power, self.label.is_empty()) {
            (0, _) => self.label.clone(),
            (_, true) => format!("$\\times 10^{{{power}}}$"),
            (_, false) => format!("{} ($\\times 10^{{{power}}}$)", self.label),
        }
    }
}

/// Widest label among ticks, in pixels.
pub(super) fn widest(ticks: &[Tick], size: f64) -> f64 {
    ticks.iter().map(|tick| text::width(&tick.label, size, false)).fold(0.0, f64::max)
}

fn linear_ends(low: f64, high: f64, fixed: (Option<f64>, Option<f64>), pad: f64) -> (f64, f64) {
    let scale = low.abs().max(high.abs());
    let span = high - low;
    let margin = if span > 1e-12 * scale {
        pad * span
    } else if scale > 0.0 {
        0.1 * scale
    } else {
        1.0
    };
    let flat = span <= 1e-12 * scale;
    let low = if fixed.0.is_some() && !flat { low } else { low - margin };
    let high = if fixed.1.is_some() && !flat { high } else { high + margin };
    (low, high)
}

fn log_ends(low: f64, high: f64, fixed: (Option<f64>, Option<f64>), pad: f64) -> (f64, f64) {
    let (a, b) = (libm::log10(low), libm::log10(high));
    let flat = b - a < 1e-9;
    let margin = if flat { 0.5 } else { pad * (b - a) };
    let low = if fixed.0.is_some() && !flat { low } else { libm::pow(10.0, a - margin) };
    let high = if fixed.1.is_some() && !flat { high } else { libm::pow(10.0, b + margin) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_and_empty_data_still_have_a_range() {
        let axis = Axis::new("x");
        assert_eq!(axis.ends(None, 0.05), (0.0, 1.0));
        assert_eq!(axis.ends(Some((0.0, 0.0)), 0.05), (-1.0, 1.0));
        assert_eq!(axis.ends(Some((5.0, 5.0)), 0.05), (4.5, 5.5));
        let (low, high) = Axis::new("x").log().ends(Some((10.0, 10.0)), 0.05);
        assert!(low < 4.0 && high > 30.0, "{low} {high}");
    }

    #[test]
    fn a_fixed_end_stays_and_the_free_one_gets_a_margin() {
        assert_eq!(Axis::new("x").from(0.0).ends(Some((1.0, 2.0)), 0.05), (0.0, 2.1));
        assert_eq!(Axis::new("x").range(3.0, 1.0).ends(None, 0.05), (1.0, 3.0));
        assert!(Axis::new("x").log().from(-1.0).ends(None, 0.05).0 > 0.0);
    }
}
