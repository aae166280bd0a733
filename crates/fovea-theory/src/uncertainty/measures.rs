//! Spread of one field over positions and frequencies: entropies, dU^2, dV^2, IPR, circular product.
//!
//! ```math
//! p_i=\frac{|w_i|^2}{\sum|w|^2},\quad q_k=\frac{|\hat w_k|^2}{\sum|w|^2},\qquad H=-\sum p\ln p,\qquad
//! \Delta U^2=1-\Big|\sum_ip_ie^{2\pi\mathrm i\,i/n}\Big|^2,\quad \Delta V^2\text{ the same of }q
//! ```
//!
//! # Source
//! Added for the empty section of note 003 on discrete and periodic uncertainty; claims L003.27, L003.63.
//!
//! # Symbols
//! * $`p`$: shares of the positions (`ipr` is $`\sum p^2`$)
//! * $`q`$: shares of the frequencies, $`\hat w`$ the unitary transform over $`k=0,\dots,n-1`$
//! * $`H`$: entropy in nats
//! * $`\mathrm{Var}(k)`$: `var_k`, variance of the frequency counted from $`-n/2`$ to $`n/2`$
//! * `circular`: $`\mathrm{Var}(k)(1-|\tau|^2)/|\tau|^2`$ with $`|\tau|^2=1-\Delta U^2`$
//!
//! # Holds when
//! A field that is not zero everywhere. `circular` is `inf` if the positions have no mean direction, as for a constant
//! field or a comb; it approximates the product on the circle only if the field is smooth from site to site.
//!
//! # Checked by
//! Reference values (`tests/oracle`); shifts and modulations; points, constants and combs.

use crate::form::{Control, Form, FormError, bump, with};
use fovea_core::fourier::{cos_turns, sin_turns};
use fovea_core::params::{Schema, finite};
use fovea_core::{ParamError, Params, Value, params};
use std::cmp::Ordering;
use std::f64::consts::LN_2;

/// The spreads of one field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// Entropy over positions, in nats.
    pub entropy_place: f64,
    /// Entropy over frequencies, in nats.
    pub entropy_frequency: f64,
    /// $`\Delta U^2`$, over positions.
    pub spread_place: f64,
    /// $`\Delta V^2`$, over frequencies.
    pub spread_frequency: f64,
    /// Inverse participation ratio over positions.
    pub ipr: f64,
    /// Variance of the frequency, in squared cycles per ring.
    pub var_k: f64,
    /// The circular product, infinite if the positions have no mean direction.
    pub circular: f64,
}

impl From<Measures> for Value {
    fn from(m: Measures) -> Self {
        Self::table([
            ("H_pos", m.entropy_place.into()),
            ("H_freq", m.entropy_frequency.into()),
            ("dU2", m.spread_place.into()),
            ("dV2", m.spread_frequency.into()),
            ("ipr", m.ipr.into()),
            ("var_k", m.var_k.into()),
            ("circular", m.circular.into()),
        ])
    }
}

/// The spreads of a real field; `None` for a field that is zero everywhere.
///
/// ```
/// let one_site = fovea_theory::uncertainty::measures::measures(&[0.0, 3.0, 0.0, 0.0]).unwrap();
/// assert!(one_site.entropy_place == 0.0 && (one_site.entropy_frequency - 4.0_f64.ln()).abs() < 1e-15);
/// ```
pub fn measures(w: &[f64]) -> Option<Measures> {
    measures_complex(w, &vec![0.0; w.len()])
}

/// The spreads of a field given by its real and imaginary parts; `None` for a field that is zero everywhere.
///
/// # Panics
/// The two parts have different lengths.
pub fn measures_complex(re: &[f64], im: &[f64]) -> Option<Measures> {
    assert_eq!(re.len(), im.len(), "a field has as many imaginary as real parts");
    let n = re.len();
    // At unit scale no square under- or overflows.
    let scale = re.iter().chain(im).fold(0.0, |top: f64, x| top.max(x.abs()));
    if scale <= 0.0 {
        return None;
    }
    let (cos, sin): (Vec<f64>, Vec<f64>) =
        (0..n).map(|m| (cos_turns(m, n), sin_turns(m, n))).unzip();
    let place: Vec<f64> = re.iter().zip(im).map(|(x, y)| square(x / scale, y / scale)).collect();
    let frequency: Vec<f64> = (0..n)
        .map(|k| {
            let (mut a, mut b) = (0.0, 0.0);
            for i in 0..n {
                let (c, s) = (cos[k * i % n], sin[k * i % n]);
                a += (re[i] * c + im[i] * s) / scale;
                b += (im[i] * c - re[i] * s) / scale;
            }
            square(a, b)
        })
        .collect();
    let (p, q) = (shares(place), shares(frequency));
    let spread = |p: &[f64]| {
        let along: f64 = p.iter().zip(&cos).map(|(p, c)| p * c).sum();
        let across: f64 = p.iter().zip(&sin).map(|(p, s)| p * s).sum();
        (1.0 - square(along, across)).clamp(0.0, 1.0)
    };
    let (spread_place, var_k) = (spread(&p), variance_of_frequency(&q));
    let toward = 1.0 - spread_place;
    // A direction that is all rounding does not count.
    let circular =
        if toward < f64::EPSILON { f64::INFINITY } else { var_k * spread_place / toward };
    Some(Measures {
        entropy_place: entropy(&p),
        entropy_frequency: entropy(&q),
        spread_place,
        spread_frequency: spread(&q),
        ipr: p.iter().map(|p| p * p).sum(),
        var_k,
        circular,
    })
}

fn square(x: f64, y: f64) -> f64 {
    x * x + y * y
}

/// Each part over the sum of all.
fn shares(parts: Vec<f64>) -> Vec<f64> {
    let total: f64 = parts.iter().sum();
    parts.into_iter().map(|part| part / total).collect()
}

/// $`-\sum p\ln p`$, where shares of 0 contribute nothing.
pub(super) fn entropy(p: &[f64]) -> f64 {
    // Subtracted from 0.0, so that a certain outcome has entropy 0 and not -0.
    p.iter().filter(|p| **p > 0.0).fold(0.0, |sum, p| sum - p * libm::log(*p))
}

/// The variance of the frequency; on an even ring the highest one counts half on either side.
fn variance_of_frequency(q: &[f64]) -> f64 {
    let n = q.len();
    let signed = |k: usize| match (2 * k).cmp(&n) {
        Ordering::Less => k as f64,
        Ordering::Equal => 0.0,
        Ordering::Greater => k as f64 - n as f64,
    };
    let size = |k: usize| k.min(n - k) as f64;
    let mean: f64 = q.iter().enumerate().map(|(k, q)| q * signed(k)).sum();
    let second: f64 = q.iter().enumerate().map(|(k, q)| q * size(k) * size(k)).sum();
    (second - mean * mean).max(0.0)
}

params! {
    /// Arguments of `uncertainty.measures`.
    pub struct Args {
        /// The field, one weight per site.
        w: Vec<f64> = bump(12), finite(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        if self.w.iter().any(|w| w.abs() > 0.0) {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: "`w` is zero everywhere, and the spread of a zero field is undefined".to_owned(),
            hint: "give `w` at least one number that is not 0".to_owned(),
        })
    }
}

impl Args {
    fn value(&self) -> Result<Measures, FormError> {
        measures(&self.w).ok_or(FormError::Undefined)
    }

    /// Entropies in base 2.
    fn in_bits(&self) -> Result<Measures, FormError> {
        let nats = self.value()?;
        Ok(Measures {
            entropy_place: nats.entropy_place / LN_2,
            entropy_frequency: nats.entropy_frequency / LN_2,
            ..nats
        })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "uncertainty.measures",
    text: include_str!("measures.rs"),
    control: Control {
        what: "entropies in bits, in base 2",
        eval: |given| with(given, |a: Args| Ok(a.in_bits()?.into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.value()?.into())),
};

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn points_constants_and_combs_have_their_known_spreads() {
        let (point, flat) = ([0.0, 0.0, -2.0, 0.0, 0.0, 0.0], [0.7; 6]);
        let comb: Vec<f64> = (0..40).map(|i| f64::from(u8::from(i % 4 == 0))).collect();
        let point = measures(&point).unwrap();
        let flat = measures(&flat).unwrap();
        let comb = measures(&comb).unwrap();
        let ln_6 = libm::log(6.0);
        assert!(near(point.entropy_place, 0.0) && near(point.entropy_frequency, ln_6));
        assert!(near(point.spread_place, 0.0) && near(point.spread_frequency, 1.0));
        assert!(near(flat.entropy_place, ln_6) && near(flat.entropy_frequency, 0.0));
        assert!(near(flat.spread_place, 1.0) && near(flat.spread_frequency, 0.0));
        assert!(near(flat.ipr, 1.0 / 6.0) && flat.circular.is_infinite() && near(flat.var_k, 0.0));
        assert!(near(comb.entropy_place + comb.entropy_frequency, libm::log(40.0)));
        assert!(comb.circular.is_infinite());
    }

    #[test]
    fn zero_constant_and_extreme_fields_give_no_nan() {
        assert_eq!(measures(&[0.0; 8]), None);
        assert_eq!(measures(&[]), None);
        for field in
            [vec![1e-300; 5], vec![-1e300; 5], vec![5.0], vec![1.0, -1.0], vec![0.0, 1e-320]]
        {
            let Measures {
                entropy_place,
                entropy_frequency,
                spread_place,
                spread_frequency,
                ipr,
                var_k,
                circular,
            } = measures(&field).unwrap();
            let all =
                [entropy_place, entropy_frequency, spread_place, spread_frequency, ipr, var_k];
            assert!(all.iter().all(|x| x.is_finite() && *x >= 0.0), "{field:?}: {all:?}");
            assert!(!circular.is_nan() && circular >= 0.0, "{field:?}");
        }
        let zero = vec![("w".to_owned(), Value::reals(&[0.0, 0.0]))];
        assert!(ENTRY.at(&zero).unwrap_err().hint().contains("not 0"));
    }

    #[test]
    fn shifts_modulations_and_scales_change_nothing() {
        let n = 41;
        let d = |i: usize| i.min(n - i) as f64;
        let w: Vec<f64> = (0..n).map(|i| libm::exp(-0.1 * d(i) * d(i))).collect();
        let first = measures(&w).unwrap();
        let turn = |f: fn(usize, usize) -> f64| -> Vec<f64> {
            w.iter().enumerate().map(|(i, w)| 3.0 * w * f(2 * i, n)).collect()
        };
        let (mut re, mut im) = (turn(cos_turns), turn(sin_turns));
        re.rotate_right(4);
        im.rotate_right(4);
        let moved = measures_complex(&re, &im).unwrap();
        assert!(near(moved.entropy_place, first.entropy_place));
        assert!(near(moved.entropy_frequency, first.entropy_frequency));
        assert!(near(moved.spread_place, first.spread_place));
        assert!(near(moved.spread_frequency, first.spread_frequency));
        assert!(near(moved.circular, first.circular) && near(moved.ipr, first.ipr));
        // A Gaussian that is narrow on the circle is close to the bound of 1/4.
        assert!(first.circular > 0.25 && first.circular < 0.27, "{}", first.circular);
    }
}
