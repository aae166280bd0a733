//! Mean and second moment of one pulse of random position and length.
//!
//! ```math
//! E\,x_0=\frac{E\ell}n,\qquad E\,x_0x_d=\frac1n\,E\big[(\ell-d)_++(\ell+d-n)_+\big],\qquad d=0,\dots,n-1
//! ```
//!
//! # Source
//! Derived; claim L001.2. Note 001 promises the data "later" and never defines them.
//!
//! # Symbols
//! * $`\ell`$: length, uniform on `min_length..=max_length` (the start is uniform on the ring)
//! * $`p`$: `complement`, the probability that zeros and ones are exchanged (then 0 becomes `low`, $`l`$, and 1
//!   becomes `high`, $`h`$)
//!
//! # Holds when
//! `1 <= min_length <= max_length <= n`. The second moment is about the origin, not about the mean. Exchange:
//! $`q_d\to(1-p)q_d+p(1-2m+q_d)`$ for the second moment $`q_d`$ and the mean $`m`$; levels:
//! $`E\,y_0y_d=l^2+2l(h-l)m+(h-l)^2q_d`$ with the moments after the exchange.
//!
//! # Checked by
//! Sums over all pulses; reference values; sampled moments.

use super::Levels;
use crate::form::{Control, Form, with};
use fovea_core::params::{Schema, between, finite};
use fovea_core::{ParamError, Params, Value, params};

/// Mean and second moments of one pulse.
#[derive(Clone, Debug, PartialEq)]
pub struct Single {
    /// Mean of a site.
    pub mean: f64,
    /// $`E\,x_0x_d`$ at `d = 0..n`.
    pub second: Vec<f64>,
}

impl From<Single> for Value {
    fn from(pulse: Single) -> Self {
        Self::table([("mean", pulse.mean.into()), ("second", Self::reals(&pulse.second))])
    }
}

/// Mean and second moments of one pulse whose length is uniform between the two `lengths`, both included.
///
/// ```
/// use fovea_theory::pulse::{Levels, single::single};
/// let pulse = single(10, [2, 3], Levels::PLAIN);
/// assert!((pulse.mean - 0.25).abs() < 1e-15 && (pulse.second[9] - 0.15).abs() < 1e-15);
/// ```
pub fn single(n: usize, lengths: [usize; 2], levels: Levels) -> Single {
    // The pulse can cover both sites on the short way between them, and on the way around the ring.
    moments(n, lengths, levels, |l, d| l.saturating_sub(d) + (l + d).saturating_sub(n))
}

/// The moments when `places` counts the starts at which a pulse of length `l` covers two sites `d` apart.
fn moments(
    n: usize,
    [least, most]: [usize; 2],
    levels: Levels,
    places: impl Fn(usize, usize) -> usize,
) -> Single {
    let starts = ((most - least + 1) * n) as f64;
    let both = |d: usize| (least..=most).map(|l| places(l, d)).sum::<usize>() as f64 / starts;
    let lit = (least..=most).sum::<usize>() as f64 / starts;
    let second = (0..n).map(|d| levels.second(lit, lit, both(d))).collect();
    Single { mean: levels.mean(lit), second }
}

params! {
    /// Arguments of `pulse.single`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Shortest pulse.
        min_length: usize = 4, between(1.0, 1e4), "sites";
        /// Longest pulse.
        max_length: usize = 8, between(1.0, 1e4), "sites";
        /// Probability of exchanging lit and dark sites.
        complement: f64 = 0.0, between(0.0, 1.0), "";
        /// Value of a dark site.
        low: f64 = 0.0, finite(), "";
        /// Value of a lit site.
        high: f64 = 1.0, finite(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        if self.min_length <= self.max_length && self.max_length <= self.n {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!(
                "lengths from {} to {} do not fit a ring of n = {} sites",
                self.min_length, self.max_length, self.n
            ),
            hint: "choose min_length <= max_length <= n".to_owned(),
        })
    }
}

impl Args {
    fn value(&self, places: impl Fn(usize, usize) -> usize) -> Single {
        let levels = Levels { complement: self.complement, low: self.low, high: self.high };
        moments(self.n, [self.min_length, self.max_length], levels, places)
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "pulse.single",
    text: include_str!("single.rs"),
    control: Control {
        what: "the open line, without the way around the ring",
        eval: |given| with(given, |a: Args| Ok(Value::from(a.value(usize::saturating_sub)))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| {
        with(given, |a: Args| {
            Ok(a.value(|l, d| l.saturating_sub(d) + (l + d).saturating_sub(a.n)).into())
        })
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pulse::enumerated;

    #[test]
    fn all_pulses_have_these_moments() {
        let levels = Levels { complement: 0.3, low: -1.5, high: 2.0 };
        for (n, lengths) in [(2, [1, 2]), (5, [2, 2]), (7, [3, 6]), (8, [1, 8]), (6, [6, 6])] {
            let weight = 1.0 / ((lengths[1] - lengths[0] + 1) * n) as f64;
            let pulse = |l: usize, start: usize| -> Vec<f64> {
                (0..n).map(|i| f64::from(u8::from((i + n - start) % n < l))).collect()
            };
            let all: Vec<(f64, Vec<f64>)> = (lengths[0]..=lengths[1])
                .flat_map(|l| (0..n).map(move |start| (l, start)))
                .map(|(l, start)| (weight, pulse(l, start)))
                .collect();
            for levels in [Levels::PLAIN, levels] {
                let (mean, second) = enumerated(&all, levels);
                let got = single(n, lengths, levels);
                for d in 0..n {
                    assert!((got.mean - mean[d]).abs() < 1e-14, "n={n} {lengths:?}");
                    assert!((got.second[d] - second[0][d]).abs() < 1e-14, "n={n} {lengths:?} {d}");
                }
            }
        }
    }

    #[test]
    fn the_reference_values_hold_and_reject_the_open_line() {
        // Oracle O145: ring of 10, lengths 2 and 3.
        let want = [0.25, 0.15, 0.05, 0.0, 0.0, 0.0, 0.0, 0.0, 0.05, 0.15];
        let got = single(10, [2, 3], Levels::PLAIN);
        assert!((got.mean - 0.25).abs() < 1e-15);
        assert!(got.second.iter().zip(want).all(|(got, want)| (got - want).abs() < 1e-15));
        let open = moments(10, [2, 3], Levels::PLAIN, usize::saturating_sub);
        assert!((open.second[9] - want[9]).abs() > 0.1);
    }
}
