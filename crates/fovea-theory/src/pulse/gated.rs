//! Gated means f(w) and f(-w) of one pulse of random position and length, with its moments.
//!
//! ```math
//! f(w)=E[\mathbf 1(\langle w,x\rangle\ge0)\,x]=\frac1{n|\mathcal L|}\sum_{\ell\in\mathcal L}\sum_s\mathbf 1(S_{\ell,s}\ge0)\,x^{(\ell,s)},\qquad
//! f(w)+f(-w)=E\,x+E[x;S=0]
//! ```
//!
//! # Source
//! Derived; claim L001.2, with the definition of the data that note 001 promises. Property 2 of note 000 does not hold
//! here (L000.6): f(-w) is not -f(w).
//!
//! # Symbols
//! * $`\mathcal L`$: `lengths`, all equally likely (the start $`s`$ is uniform on the ring and $`x`$ is 1 on the pulse
//!   and 0 off it)
//! * $`f(-w)`$: `f_neg`
//! * $`E\,x`$: `mean`, and `second` the second moment, those of `pulse.single`
//!
//! # Holds when
//! Every length is between 1 and `n`. By enumeration.
//!
//! # Checked by
//! Reference values (`tests/oracle`); the two halves add up to the mean.

use crate::form::{Control, Form, bump, one_entry_per_site, with};
use fovea_core::params::{Schema, between, finite};
use fovea_core::{ParamError, Params, Value, params};

/// The gated mean of one pulse whose length is uniform on `lengths`.
///
/// ```
/// let f = fovea_theory::pulse::gated::gated(&[1.0, -1.0, 0.0], &[1]);
/// assert_eq!(f, [1.0 / 3.0, 0.0, 1.0 / 3.0]);
/// ```
pub fn gated(w: &[f64], lengths: &[usize]) -> Vec<f64> {
    let n = w.len();
    let weight = 1.0 / (n * lengths.len()) as f64;
    let mut counts = vec![0_usize; n];
    for &length in lengths {
        for start in 0..n {
            let sites = || (start..start + length).map(|i| i % n);
            if sites().map(|i| w[i]).sum::<f64>() >= 0.0 {
                sites().for_each(|i| counts[i] += 1);
            }
        }
    }
    counts.into_iter().map(|count| count as f64 * weight).collect()
}

params! {
    /// Arguments of `pulse.gated`.
    pub struct Args {
        /// Ring size.
        n: usize = 12, between(2.0, 1e3), "sites";
        /// Lengths of the pulse, all equally likely.
        lengths: Vec<f64> = vec![2.0, 3.0], between(1.0, 1e3), "sites";
        /// Weights, one per site.
        w: Vec<f64> = bump(12).iter().map(|w| w - 0.2).collect(), finite(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        one_entry_per_site("w", self.w.len(), self.n)?;
        let n = self.n as f64;
        match self.lengths.iter().find(|l| l.fract().abs() > 0.0 || **l > n) {
            None => Ok(()),
            Some(bad) => Err(ParamError::Inconsistent {
                what: format!(
                    "`lengths` contains {} on a ring of n = {} sites",
                    Value::Real(*bad),
                    self.n
                ),
                hint: format!("give `lengths` whole numbers from 1 to {}", self.n),
            }),
        }
    }
}

impl Args {
    /// The table; `negated` makes f(-w).
    fn value(&self, negated: impl Fn(&[usize], &[f64]) -> Vec<f64>) -> Value {
        let (n, lengths) = (self.n, self.lengths.iter().map(|l| *l as usize).collect::<Vec<_>>());
        let starts = (n * lengths.len()) as f64;
        let both = |d: usize| {
            let places = |l: &usize| l.saturating_sub(d) + (l + d).saturating_sub(n);
            lengths.iter().map(places).sum::<usize>() as f64 / starts
        };
        let f = gated(&self.w, &lengths);
        Value::table([
            ("mean", both(0).into()),
            ("second", Value::reals(&(0..n).map(both).collect::<Vec<_>>())),
            ("f_neg", Value::reals(&negated(&lengths, &f))),
            ("f", Value::reals(&f)),
        ])
    }

    fn of_negated_weights(&self, lengths: &[usize]) -> Vec<f64> {
        gated(&self.w.iter().map(|w| -w).collect::<Vec<_>>(), lengths)
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "pulse.gated",
    text: include_str!("gated.rs"),
    control: Control {
        what: "note 000, property 2: f(-w) = -f(w)",
        eval: |given| with(given, |a: Args| Ok(a.value(|_, f| f.iter().map(|f| -f).collect()))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.value(|lengths, _| a.of_negated_weights(lengths)))),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_halves_add_up_to_the_mean_where_no_pulse_is_on_the_gate() {
        let w: Vec<f64> = (0..9).map(|i| libm::sin(1.0 + f64::from(i * i))).collect();
        let turned: Vec<f64> = w.iter().map(|w| -w).collect();
        for lengths in [vec![1], vec![2, 3, 7], vec![9]] {
            let mean = lengths.iter().sum::<usize>() as f64 / (9 * lengths.len()) as f64;
            let (f, back) = (gated(&w, &lengths), gated(&turned, &lengths));
            assert!(f.iter().zip(&back).all(|(f, b)| (f + b - mean).abs() < 1e-15), "{lengths:?}");
        }
        // Pulses on the hyperplane are in both halves.
        assert!(gated(&[0.0; 4], &[2]).iter().all(|f| (f - 0.5).abs() < 1e-15));
    }

    #[test]
    fn a_length_that_does_not_fit_is_refused() {
        let given = vec![("lengths".to_owned(), Value::reals(&[2.0, 13.0]))];
        assert!(ENTRY.at(&given).unwrap_err().hint().contains("1 to 12"));
        let given = vec![("lengths".to_owned(), Value::reals(&[2.5]))];
        assert!(ENTRY.at(&given).unwrap_err().hint().contains("whole numbers"));
    }
}
