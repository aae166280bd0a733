//! Walsh expansion of the gated mean of binary data, in full and to degree one.
//!
//! ```math
//! f(w)=\sum_{|S|\ \mathrm{odd}}\hat h(S)\,E[\chi_S(x)\,x],\qquad
//! \hat h(S)=2^{-n}\sum_x\mathbf 1(\langle w,x\rangle\ge0)\chi_S(x),\qquad\chi_S(x)=\prod_{i\in S}x_i
//! ```
//!
//! # Source
//! Claim L000.35, which replaces note 000 (20): $`\sum\prod`$ is not $`\sum_j\sum`$.
//!
//! # Symbols
//! * $`\hat h`$: coefficients of the gate ($`\hat h(j)`$ is half the Banzhaf index)
//! * $`\chi_S`$: product of the spins of $`S`$
//! * `degree_one`: the part of $`f`$ from single sites, $`\sum_j\hat h(j)Ce_j`$
//!
//! # Holds when
//! A distribution symmetric under x -> -x, up to 16 sites here. Ties count half, which removes them from every odd
//! coefficient.
//!
//! # Checked by
//! `cube.f`, which sums over corners.

use super::OnCube;
use super::chow::chow;
use crate::form::{Control, Form, FormError, with};
use crate::spins::{Spins, SpinsError, walsh as transform};
use crate::threshold::{partial_sums, tie_width};
use fovea_core::params::{Schema, finite};
use fovea_core::{ParamError, Params, Value, params};

const MOST: usize = 16;

/// The gated mean by degrees of its gate.
#[derive(Clone, Debug, PartialEq)]
pub struct Expansion {
    /// All odd degrees: the gated mean.
    pub f: Vec<f64>,
    /// Degree one only.
    pub degree_one: Vec<f64>,
}

impl From<Expansion> for Value {
    fn from(expansion: Expansion) -> Self {
        let Expansion { f, degree_one } = expansion;
        Self::table([("f", Self::reals(&f)), ("degree_one", Self::reals(&degree_one))])
    }
}

/// The expansion of the gated mean.
///
/// ```
/// use fovea_theory::{Spins, cube::walsh::walsh};
/// let both = walsh(&Spins::independent(3)?, &[3.0, 2.0, 2.0])?;
/// assert_eq!(both.f, both.degree_one);
/// # Ok::<(), fovea_theory::FormError>(())
/// ```
///
/// # Errors
/// More than 16 sites.
pub fn walsh(spins: &Spins, w: &[f64]) -> Result<Expansion, FormError> {
    let n = spins.n();
    if n > MOST {
        return Err(SpinsError::Sites { n, least: 2, most: MOST }.into());
    }
    let width = tie_width(w);
    let gate = |sum: f64| if sum.abs() <= width { 0.5 } else { f64::from(sum > 0.0) };
    let mut gate: Vec<f64> = partial_sums(w).into_iter().map(gate).collect();
    let mut moments: Vec<f64> = (0..1 << n).map(|corner| spins.pmf(corner)).collect();
    // The transform counts bits that are 1, which are spins up; chi_S counts spins down. Both differ by (-1)^|S|,
    // in the gate and in the moments, and the two signs cancel except for one of the site itself.
    transform(&mut gate);
    transform(&mut moments);
    let scale = 1.0 / gate.len() as f64;
    let part = |j: usize, keep: fn(u32) -> bool| -> f64 {
        let sets = (0..gate.len()).filter(|set| keep(set.count_ones()));
        -sets.map(|set| scale * gate[set] * moments[set ^ 1 << j]).sum::<f64>()
    };
    Ok(Expansion {
        f: (0..n).map(|j| part(j, |degree| degree % 2 == 1)).collect(),
        degree_one: (0..n).map(|j| part(j, |degree| degree == 1)).collect(),
    })
}

/// Note 000 (20): $`\sum_jE[g_j(x)x]`$ with $`g_j`$ of (22), which is $`\tfrac12\sum_j(N_j^+-N_j^-)Ce_j`$.
pub fn note_20(spins: &Spins, w: &[f64]) -> Vec<f64> {
    let counts = chow(w);
    let column = |i: usize| -> f64 {
        (0..w.len()).map(|j| 0.5 * (counts.n_plus[j] - counts.n_minus[j]) * spins.cov(i, j)).sum()
    };
    (0..w.len()).map(column).collect()
}

params! {
    /// Arguments of `cube.walsh`.
    pub struct Args {
        ..on: OnCube;
        /// Weights, one per site.
        w: Vec<f64> = vec![1.0, 0.7, -0.4, 0.2], finite(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        self.on.check_weights(&self.w)
    }
}

impl Args {
    fn note(&self) -> Result<Value, FormError> {
        let spins = self.on.spins()?;
        let degree_one = walsh(&spins, &self.w)?.degree_one;
        Ok(Expansion { f: note_20(&spins, &self.w), degree_one }.into())
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "cube.walsh",
    text: include_str!("walsh.rs"),
    control: Control {
        what: "note 000 (20), which pulls the sum over sites out of the product",
        eval: |given| with(given, |a: Args| a.note()),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::from(walsh(&a.on.spins()?, &a.w)?))),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_degrees_together_are_the_gated_mean_and_one_alone_is_not() {
        let rings = [(4, 0.5), (7, -0.4), (9, 0.9)].map(|(n, j)| Spins::ising(n, j).unwrap());
        for spins in rings.into_iter().chain([Args::default().on.spins().unwrap()]) {
            let w: Vec<f64> = (0..spins.n()).map(|i| 1.0 - 0.27 * i as f64).collect();
            let (sum, exact) = (walsh(&spins, &w).unwrap(), spins.gated_mean(&w));
            let gap =
                |a: &[f64]| a.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(gap(&sum.f) < 1e-14, "{spins:?}");
            assert!(gap(&sum.degree_one) > 1e-3 && gap(&note_20(&spins, &w)) > 1e-1);
        }
    }
}
