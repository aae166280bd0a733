//! Fixed point of one ReLU unit between two Ising rings whose gate is a majority of neighbours.
//!
//! ```math
//! w_c=2(C_0+C_1)^{-1}f_c,\qquad f_c=\sum_{S\subseteq B,\,|S|\,\mathrm{odd}}\hat h(S)\,E_1[\chi_Sx],\qquad
//! \text{depth}=\min_x\frac{\mathrm{maj}_B(x)\,\langle w_c,x\rangle}{\|w_c\|_1}
//! ```
//!
//! # Source
//! Derived; claims L000.35 and L000.39: in a cell of weights with the same gate $`f`$ is constant, and a cell that
//! contains its own target contains an attractor. The majority of three is that of L000.25.
//!
//! # Symbols
//! * $`B`$: the first `size` sites, an odd number (1 is the dictator and $`n`$ the flat field)
//! * $`J_1, J_0`$: `coupling_pos`, `coupling_neg`
//! * $`\hat h`$: Walsh coefficients of the majority
//! * $`E_1[\chi_Sx]`$: even moments (at spins $`s_1<s_2<\dots`$ they are $`(a^m+a^{n-m})/(1+a^n)`$ with
//!   $`m=(s_2-s_1)+(s_4-s_3)+\dots`$ and $`a=\tanh J`$)
//!
//! # Holds when
//! One bias-free unit, labels 1 and 0, odd blocks of up to 15 sites on a ring of any size. With `depth > 0` (`exists`)
//! the weights agree with their gate at all 2^n corners and are a strict local minimum of the true loss; for one site
//! `depth` is the margin. With an odd number of sites the flat field always exists, at depth 1/n.
//!
//! # Checked by
//! All corners of the cube (`cell_flow`); `ising.dictator` for one site.

use super::dictator::row;
use crate::chain::closed_chain;
use crate::form::{Control, Form, with};
use crate::spins::walsh;
use crate::threshold::spin;
use fovea_core::fourier::{frequency_of, from_fourier, to_fourier};
use fovea_core::params::{Schema, between};
use fovea_core::ring::circulant_eigs;
use fovea_core::{ParamError, Params, Value, params};

/// The fixed point of a gate and its depth inside its cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Majority {
    /// Weights; the first `size` sites vote.
    pub w: Vec<f64>,
    /// The least agreement with the gate over all corners, relative to $`\|w\|_1`$; negative where they disagree.
    pub depth: f64,
    /// Inverse participation ratio.
    pub ipr: f64,
    /// Whether the weights agree with their gate at every corner.
    pub exists: bool,
}

impl From<Majority> for Value {
    fn from(point: Majority) -> Self {
        Self::table([
            ("w", Self::reals(&point.w)),
            ("depth", point.depth.into()),
            ("ipr", point.ipr.into()),
            ("exists", Self::Bool(point.exists)),
        ])
    }
}

/// The fixed point of the majority of the first `size` sites, between rings with these couplings.
///
/// ```
/// let one = fovea_theory::ising::majority::majority(40, 1, 0.7, 0.3);
/// let dictator = fovea_theory::ising::dictator::dictator(40, 0.7, 0.3);
/// assert!((one.depth - dictator.margin).abs() < 1e-13);
/// ```
pub fn majority(n: usize, size: usize, coupling_pos: f64, coupling_neg: f64) -> Majority {
    let corners = 1_usize << size;
    let vote = |corner: usize| if 2 * corner.count_ones() as usize > size { 1.0 } else { -1.0 };
    let mut gate: Vec<f64> = (0..corners).map(vote).collect();
    walsh(&mut gate);
    // 1(vote) = (1 + vote)/2, and the transform counts spins that are up: of an odd set, against the product.
    let share = -0.5 / corners as f64;
    let moment = |set: usize, site: usize| {
        // A site that is already in the set squares to 1.
        let mut sites: Vec<usize> = (0..size).filter(|i| set >> i & 1 == 1 && *i != site).collect();
        if site >= size || set >> site & 1 == 0 {
            sites.push(site);
            sites.sort_unstable();
        }
        let gaps = sites.chunks(2).map(|pair| pair[1] - pair[0]).sum();
        closed_chain(gaps, n, coupling_pos)
    };
    let odd: Vec<usize> = (0..corners).filter(|set| set.count_ones() % 2 == 1).collect();
    let f: Vec<f64> = (0..n)
        .map(|site| odd.iter().map(|set| share * gate[*set] * moment(*set, site)).sum())
        .collect();
    let sum: Vec<f64> =
        row(n, coupling_pos).iter().zip(row(n, coupling_neg)).map(|(pos, neg)| pos + neg).collect();
    let eigs = circulant_eigs(&sum);
    let modes = to_fourier(&f);
    let solved = modes.iter().enumerate().map(|(j, f)| 2.0 * f / eigs[frequency_of(j, n)]);
    within(from_fourier(&solved.collect::<Vec<f64>>()), size, vote)
}

/// The depth of weights inside the cell of a vote of the first `size` sites.
fn within(w: Vec<f64>, size: usize, vote: impl Fn(usize) -> f64) -> Majority {
    let (head, tail) = w.split_at(size);
    // At most all other sites vote against it.
    let against: f64 = tail.iter().map(|w| w.abs()).sum();
    let sum =
        |corner: usize| head.iter().enumerate().map(|(i, w)| w * spin(corner, i)).sum::<f64>();
    let agreement = |corner: usize| vote(corner) * sum(corner);
    let least = (0..1 << size).map(agreement).fold(f64::INFINITY, f64::min);
    let all: f64 = w.iter().map(|w| w.abs()).sum();
    let power: f64 = w.iter().map(|w| w * w).sum();
    let ipr = w.iter().map(|w| w * w * w * w).sum::<f64>() / (power * power);
    let depth = (least - against) / all;
    Majority { w, depth, ipr, exists: depth > 0.0 }
}

params! {
    /// Arguments of `ising.majority`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e3), "sites";
        /// Sites that vote, an odd number of neighbours.
        size: usize = 3, between(1.0, 15.0), "sites";
        /// Coupling of class pos, label 1.
        coupling_pos: f64 = 0.35, between(-5.0, 5.0), "";
        /// Coupling of class neg, label 0.
        coupling_neg: f64 = 0.3, between(-5.0, 5.0), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        if self.size % 2 == 1 && self.size <= self.n {
            return Ok(());
        }
        Err(ParamError::Inconsistent {
            what: format!("a vote of {} sites on a ring of n = {}", self.size, self.n),
            hint: "choose an odd size up to n, so that no vote is tied".to_owned(),
        })
    }
}

impl Args {
    fn value(&self, size: usize) -> Value {
        majority(self.n, size, self.coupling_pos, self.coupling_neg).into()
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "ising.majority",
    text: include_str!("majority.rs"),
    control: Control {
        what: "note 000, section 3.1: one site decides, whatever the other weights are",
        eval: |given| with(given, |a: Args| Ok(a.value(1))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(a.value(a.size))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell_flow::CellFlow;

    #[test]
    fn all_corners_give_the_same_target_and_the_same_existence() {
        let (mut exist, mut fail) = (0, 0);
        for (n, size) in [(9, 1), (9, 3), (10, 5), (10, 7), (9, 9)] {
            for couplings in [[0.1, 0.2], [0.4, 0.3], [0.5, 0.7], [0.9, 0.3], [-0.3, 0.2]] {
                let closed = majority(n, size, couplings[0], couplings[1]);
                let flow = CellFlow::between_ising(n, couplings[0], couplings[1]).unwrap();
                let block: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i < size))).collect();
                let target = flow.target_of(&block);
                let gap =
                    closed.w.iter().zip(&target).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(gap < 1e-13, "n={n} size={size} {couplings:?}: {gap:e}");
                match flow.depth_of_cell(&block) {
                    Some(depth) => assert!((depth - closed.depth).abs() < 1e-12 && closed.exists),
                    None => assert!(!closed.exists),
                }
                if closed.exists { exist += 1 } else { fail += 1 }
            }
        }
        assert!(exist > 5 && fail > 5, "{exist} exist, {fail} do not");
    }
}
