//! The map from values to pixels along one direction.

use super::axis::Spacing;

/// Maps `low..high` to pixels `from..to`; `to` may lie before `from`, as it does upwards on a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    spacing: Spacing,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    pub(super) fn new(spacing: Spacing, ends: (f64, f64), pixels: (f64, f64)) -> Self {
        Scale { spacing, low: ends.0, high: ends.1, from: pixels.0, to: pixels.1 }
    }

    /// The pixel of a value; none where the axis has no place for it (not finite, or not positive on a log axis). Far away
    /// values are brought to within some lengths of the axis, which no drawing can tell apart.
    pub(super) fn at(&self, value: f64) -> Option<f64> {
        let t = match self.spacing {
            Spacing::Linear => (value - self.low) / (self.high - self.low),
            Spacing::Log10 if value > 0.0 => {
                let (a, b) = (libm::log10(self.low), libm::log10(self.high));
                (libm::log10(value) - a) / (b - a)
            }
            Spacing::Log10 => return None,
        };
        (value.is_finite() && !t.is_nan())
            .then(|| self.from + t.clamp(-20.0, 21.0) * (self.to - self.from))
    }

    /// Whether a value lies on the axis, its ends included.
    pub(super) fn holds(&self, value: f64) -> bool {
        let slack = 0.01;
        let (first, last) = (self.from.min(self.to) - slack, self.from.max(self.to) + slack);
        self.at(value).is_some_and(|p| (first..=last).contains(&p))
    }

    /// Pixels between two values; zero where one has no place.
    pub(super) fn distance(&self, a: f64, b: f64) -> f64 {
        self.at(a).zip(self.at(b)).map_or(0.0, |(a, b)| (a - b).abs())
    }

    /// The values at the two ends.
    pub(super) fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// The length of the axis in pixels.
    pub(super) fn length(&self) -> f64 {
        (self.to - self.from).abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_without_a_place_are_left_out() {
        let linear = Scale::new(Spacing::Linear, (0.0, 2.0), (100.0, 0.0));
        assert_eq!(linear.at(0.5), Some(75.0));
        assert_eq!(linear.at(f64::NAN), None);
        assert_eq!(linear.at(f64::INFINITY), None);
        let log = Scale::new(Spacing::Log10, (1.0, 100.0), (0.0, 10.0));
        assert_eq!(log.at(10.0), Some(5.0));
        assert_eq!((log.at(0.0), log.at(-1.0)), (None, None));
        assert!(log.holds(1.0) && log.holds(100.0) && !log.holds(101.0));
    }

    #[test]
    fn enormous_values_stay_printable() {
        let scale = Scale::new(Spacing::Linear, (0.0, 1.0), (0.0, 100.0));
        assert!(scale.at(1e300).is_some_and(|p| p <= 2100.0));
    }
}
