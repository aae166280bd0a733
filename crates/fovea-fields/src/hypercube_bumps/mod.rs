//! Does the gate of binary data single out the largest weight?
//!
//! Note 000 works out `f(w) = E[1(<w,x> >= 0) x]` for fields of one, two and three bumps and concludes that `f` extracts the maximum of
//! `w`. Corrected (L000.22-25), one bump gives half a column of the covariance of the signs, two equal ones a quarter of two columns, and three
//! of which none outweighs the others together give a majority, in which the largest counts like the rest: `f` may even peak at another one
//! (L000.32). How much a weight counts is its Banzhaf index, which rises continuously to 1, reached where the weight passes the sum of the
//! others (L000.36, L000.49). Sampled gated means away from these closed forms would falsify them.

mod claims;
mod figure;
mod measure;

use fovea_core::ring::RingKernel;
use fovea_desk::prelude::*;
use measure::Found;

params! {
    /// Settings of `hypercube-bumps`.
    pub struct HypercubeBumps {
        /// Ring size.
        n: usize = 40, between(8.0, 1024.0), "sites";
        /// Correlation length of the Gaussians whose signs are the data.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Covariance kernel of those Gaussians.
        kernel: Kernel = Kernel::Ring, any(), "";
        /// Sites between neighbouring bumps.
        spacing: usize = 2, between(1.0, 256.0), "sites";
        /// Heights of the second and the third bump.
        lower: Vec<f64> = vec![1.5, 1.0], finite_above(0.0), "";
        /// Heights of the first bump as it grows past them.
        height: Vec<f64> = vec![0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25], finite_above(0.0), "";
        /// Weights other than the one that grows, on independent spins.
        others: Vec<f64> = vec![1.9, 1.7, 1.5, 1.3, 1.1, 0.9, 0.75, 0.6, 0.45, 0.3, 0.15], finite_above(0.0), "";
        /// Values of the weight that grows.
        first: Vec<f64> = vec![0.0, 1.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0], at_least(0.0), "";
        /// Samples of each distribution.
        samples: usize = 400_000, between(1000.0, 1e9), "samples";
    }
}

impl Params for HypercubeBumps {
    fn check(&self) -> Result<(), ParamError> {
        RingKernel::new(self.n, self.xi, self.kernel)?;
        let HypercubeBumps { n, spacing, lower, others, .. } = self;
        if lower.len() != 2 {
            let what = format!("`lower` has {} heights", lower.len());
            return refuse(what, "give two, of the second and of the third bump");
        }
        if 4 * spacing >= *n {
            let what = format!("bumps {spacing} sites apart on a ring of {n}");
            return refuse(what, "choose a spacing below a quarter of n");
        }
        if !(2..=30).contains(&others.len()) {
            let what = format!("`others` has {} weights", others.len());
            return refuse(what, "give from 2 to 30, so that all corners can be counted");
        }
        Ok(())
    }
}

impl HypercubeBumps {
    /// Weights on independent spins: the one that grows, and the others.
    fn weights(&self, first: f64) -> Vec<f64> {
        [&[first], &self.others[..]].concat()
    }
}

impl Experiment for HypercubeBumps {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "What a gate on binary data listens to",
        lead: "The gated mean of sign data is known exactly for few bumps. It follows one weight only if that weight exceeds all others \
               together; otherwise the weights vote.",
        caption: figure::CAPTION,
        formulas: &[
            r"f(e_i)=\tfrac12Ce_i,\qquad f(e_i+e_j)=\tfrac14C(e_i+e_j),\qquad f(\alpha e_i+\beta e_j+e_k)=\tfrac14\big(C(e_i+e_j+e_k)-\mathbb{E}[x_ix_jx_k\,x]\big)\ \text{ for } \alpha<\beta+1",
            r"\beta_j=\mathrm{sgn}(w_j)\,P\Big(\Big|\sum_{i\ne j}w_i\varepsilon_i\Big|<|w_j|\Big)",
        ],
    };

    fn quick() -> Self {
        Self { samples: 60_000, ..Self::default() }
    }

    fn parts(&self) -> u64 {
        2
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        Found::new(self, desk)
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        Ok(Shown {
            arrays: found.arrays(self),
            claims: claims::claims(found),
            figures: vec![("hypercube-bumps", figure::figure(self, found))],
            tables: claims::tables(self, found),
            ..Shown::default()
        })
    }
}

/// The registry entry.
pub const ENTRY: Entry = Entry::of::<HypercubeBumps>(
    "hypercube-bumps",
    "gated means of sign data at one, two and three bumps, and the influence of a growing weight",
    include_str!("mod.rs"),
);
