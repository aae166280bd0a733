//! The sum of one corner along the flow on binary data, a constant plus decaying exponentials, and its first root.

use fovea_core::work;

/// The sum of one corner over time, with the sign that makes it positive in the present cell.
pub(crate) struct Sum<'a> {
    /// Its value now.
    pub(crate) start: f64,
    /// The amplitude that decays at each rate.
    pub(crate) moving: Vec<f64>,
    pub(crate) rates: &'a [f64],
    /// A bound on the second derivative.
    pub(crate) bend: f64,
    /// Values up to this count as 0 if the sum starts on its wall.
    pub(crate) rounding: f64,
}

/// A sum and its velocity at one time.
#[derive(Clone, Copy)]
struct Moment {
    t: f64,
    value: f64,
    velocity: f64,
}

impl Sum<'_> {
    fn at(&self, t: f64) -> Moment {
        let (mut value, mut velocity) = (self.start, 0.0);
        for (amplitude, rate) in self.moving.iter().zip(self.rates) {
            let gone = libm::expm1(-rate * t);
            value += amplitude * gone;
            velocity -= rate * amplitude * (1.0 + gone);
        }
        Moment { t, value, velocity }
    }

    /// The first time up to `until` at which the sum falls through 0.
    pub(crate) fn first_root(&self, until: f64) -> Option<f64> {
        let start = self.at(0.0);
        // The wall of a corner that starts on it has just been crossed, or is crossed now.
        if start.value <= self.rounding && start.velocity < 0.0 {
            return Some(0.0);
        }
        self.root_between(start, self.at(until))
    }

    fn root_between(&self, a: Moment, b: Moment) -> Option<f64> {
        let dt = b.t - a.t;
        let turns = self.bend * dt;
        let rises = a.value >= -self.rounding && a.velocity >= 0.5 * turns;
        if rises || a.value.min(b.value) > 0.125 * turns * dt {
            return None;
        }
        // Each side of a split is an evaluation of all frequencies.
        if dt <= 1e-14 * b.t || dt * self.rates[0] < 1e-20 || !work::spend(self.rates.len()) {
            return (b.value <= 0.0).then_some(b.t);
        }
        if a.value > 0.0 && b.value <= 0.0 && a.velocity < -turns {
            return Some(self.only_root(a, b));
        }
        let middle = self.at(f64::midpoint(a.t, b.t));
        self.root_between(a, middle).or_else(|| self.root_between(middle, b))
    }

    /// The root of a decreasing sum: Newton's steps as long as they stay between the bounds.
    fn only_root(&self, mut a: Moment, mut b: Moment) -> f64 {
        while b.t - a.t > 1e-14 * b.t {
            let newton = a.t - a.value / a.velocity;
            let inside = newton > a.t && newton < b.t;
            let middle = self.at(if inside { newton } else { f64::midpoint(a.t, b.t) });
            let stuck = middle.t <= a.t || middle.t >= b.t;
            if middle.value > 0.0 {
                a = middle;
            } else {
                b = middle;
            }
            if stuck || (middle.value / middle.velocity).abs() < 1e-15 * b.t {
                return middle.t;
            }
        }
        b.t
    }
}
