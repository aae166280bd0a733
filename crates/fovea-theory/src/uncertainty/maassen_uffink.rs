//! Least sum of the entropies of position and frequency, and the sums of a Gaussian and a cosine.
//!
//! ```math
//! H(|w|^2)+H(|Fw|^2)\ge\ln n;\qquad \text{Gaussian: }\ln n+1-\ln2,\qquad
//! \cos\tfrac{2\pi ki}n:\ \ln2-\sum_ip_i\ln p_i\approx\ln n+2\ln2-1
//! ```
//!
//! # Source
//! Added for the empty section of note 003; claim L003.27 (a), the inequality of Maassen and Uffink.
//!
//! # Symbols
//! * $`H`$: entropy in nats
//! * $`F`$: unitary transform
//! * $`p_i`$: $`\tfrac2n\cos^2(2\pi ki/n)`$ (its spectrum has two equal lines, hence the first $`\ln2`$)
//!
//! # Holds when
//! Always; `bound` is reached by a point, a constant and every shifted or modulated comb. `gaussian` is the sum for a
//! Gaussian much wider than a site and much narrower than the ring; `cosine` is exact for $`0<k<n/2`$, and
//! `cosine_limit` is its limit as $`n/\gcd(2k,n)`$ grows.
//!
//! # Checked by
//! Combs, Gaussians, cosines and arbitrary fields against `uncertainty.measures`.

use super::measures::entropy;
use crate::form::{Control, Form, with};
use fovea_core::fourier::cos_turns;
use fovea_core::params::{Schema, at_least, between};
use fovea_core::{ParamError, Params, Value, params};
use std::f64::consts::LN_2;

/// Sums of the two entropies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntropySums {
    /// The least possible.
    pub bound: f64,
    /// That of a Gaussian, in the limit of a wide ring.
    pub gaussian: f64,
    /// That of the given cosine.
    pub cosine: f64,
    /// That of a cosine on a wide ring.
    pub cosine_limit: f64,
}

impl From<EntropySums> for Value {
    fn from(sums: EntropySums) -> Self {
        Self::table([
            ("bound", sums.bound.into()),
            ("gaussian", sums.gaussian.into()),
            ("cosine", sums.cosine.into()),
            ("cosine_limit", sums.cosine_limit.into()),
        ])
    }
}

/// The sums of entropies on a ring of `n` sites; the cosine has `k` periods, $`0<k<n/2`$.
///
/// ```
/// let sums = fovea_theory::uncertainty::maassen_uffink::maassen_uffink(40, 3);
/// assert!((sums.cosine - 4.07487).abs() < 5e-6);
/// ```
pub fn maassen_uffink(n: usize, k: usize) -> EntropySums {
    let bound = libm::log(n as f64);
    let p: Vec<f64> = (0..n)
        .map(|i| {
            let c = cos_turns(k * i, n);
            2.0 / n as f64 * c * c
        })
        .collect();
    EntropySums {
        bound,
        gaussian: bound + 1.0 - LN_2,
        cosine: LN_2 + entropy(&p),
        cosine_limit: bound + 2.0 * LN_2 - 1.0,
    }
}

params! {
    /// Arguments of `uncertainty.maassen_uffink`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(3.0, 1e6), "sites";
        /// Periods of the cosine around the ring, more than 0 and less than n/2.
        k: usize = 3, at_least(1.0), "cycles";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        if 2 * self.k < self.n {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!("`k` is {} on a ring of n = {} sites", self.k, self.n),
            hint: format!("choose k <= {}", (self.n - 1) / 2),
        })
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "uncertainty.maassen_uffink",
    text: include_str!("maassen_uffink.rs"),
    control: Control {
        what: "ln(pi e), the sum for a Gaussian on the line with angular frequency, without the spacing of the lattice",
        eval: |given| {
            with(given, |a: Args| {
                let sums = maassen_uffink(a.n, a.k);
                let continuum = 1.0 + libm::log(std::f64::consts::PI);
                Ok(EntropySums { bound: continuum, gaussian: continuum, ..sums }.into())
            })
        },
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(maassen_uffink(a.n, a.k).into())),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uncertainty::measures::{measures, measures_complex};
    use fovea_core::fourier::sin_turns;

    fn sum(w: &[f64]) -> f64 {
        let m = measures(w).unwrap();
        m.entropy_place + m.entropy_frequency
    }

    #[test]
    fn combs_reach_the_bound_and_nothing_falls_below_it() {
        let bound = maassen_uffink(24, 1).bound;
        for spacing in [1, 2, 3, 4, 6, 8, 12, 24] {
            let comb = |i: usize| f64::from(u8::from(i % spacing == spacing / 2));
            let (re, im): (Vec<f64>, Vec<f64>) = (0..24)
                .map(|i| (comb(i) * cos_turns(5 * i, 24), comb(i) * sin_turns(5 * i, 24)))
                .unzip();
            let m = measures_complex(&re, &im).unwrap();
            let total = m.entropy_place + m.entropy_frequency;
            assert!((total - bound).abs() < 1e-12, "{spacing}: {total}");
        }
        for trial in 0..200 {
            // Angles that do not repeat within 24 sites.
            let uneven = |i: i32| libm::sin(f64::from((i + 2) * (i + 3) * (trial + 1)));
            let field: Vec<f64> = (0..24).map(|i| uneven(i) * uneven(i) * uneven(i)).collect();
            assert!(sum(&field) > bound);
        }
    }

    #[test]
    fn a_wide_gaussian_and_every_cosine_have_their_sums() {
        let gaussian: Vec<f64> = (0..200)
            .map(|i| {
                let d = f64::from(i.min(200 - i)) / 5.0;
                libm::exp(-0.25 * d * d)
            })
            .collect();
        assert!((sum(&gaussian) - maassen_uffink(200, 1).gaussian).abs() < 1e-12);
        for (n, k) in [(40, 3), (40, 19), (41, 20), (3, 1), (12, 3)] {
            let wave: Vec<f64> = (0..n).map(|i| cos_turns(k * i, n)).collect();
            let sums = maassen_uffink(n, k);
            assert!((sum(&wave) - sums.cosine).abs() < 1e-12, "n={n} k={k}");
        }
        let wide = maassen_uffink(100_003, 17);
        assert!((wide.cosine - wide.cosine_limit).abs() < 1e-9);
    }
}
