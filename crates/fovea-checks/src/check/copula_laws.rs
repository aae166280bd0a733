//! Gaussian copulas with an odd increasing marginal map have the linear term of the flow (note 002, section 1).
//!
//! `E[1(S > 0) S X] = 1/2 C w`, `S = <w,X>`, for every stationary symmetric distribution of unit variance; `C` is that of the copula (L002.29).

use super::prelude::*;
use fovea_sim::expect::expect;
use fovea_sim::lattice::Lattice;
use fovea_sim::stimulus::copula::{Copula, Shape};
use fovea_theory::copula::Marginal;
use fovea_theory::copula::cov::{self, cov};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "copula-laws",
    summary: "Gaussian copulas with odd marginal maps have the linear term of every symmetric distribution.",
    covers: &["L002.29"],
    run,
};

const N: usize = 6;
const XI: f64 = 1.2;
const WEIGHTS: [f64; N] = [1.0, 0.75, -0.25, -0.95, -0.7, 0.2];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let site = effort.form(&cov::ENTRY, cov as fn(Marginal, f64) -> f64, |_, rho| rho);
    let half = effort.slip("E[1(S > 0) S X]", "without its 1/2", 0.5, 1.0);
    let laws = [
        (Shape::Uniform, Marginal::Uniform, "uniform"),
        (Shape::Arcsine, Marginal::Arcsine, "arcsine"),
        (Shape::Laplace, Marginal::Laplace, "laplace"),
    ];
    let mut pairs = Vec::new();
    for (shape, marginal, name) in laws {
        let measured = effort.once(name, || -> Result<Vec<Estimate>, LabError> {
            let lattice = Lattice::ring(N, XI, Kernel::Ring);
            let field = Copula { lattice, marginal: shape, ..Copula::default() }.sampler()?;
            let gated = |x: &[f64], out: &mut [f64]| {
                let s = dot(&WEIGHTS, x).max(0.0);
                out.iter_mut().zip(x).for_each(|(out, x)| *out = s * x);
            };
            let samples = effort.samples(800_000);
            Ok(expect(&field, &effort.streams.named(name), samples, N, gated)?)
        })?;
        let row: Vec<f64> =
            kernel_row(N, XI, Kernel::Ring).iter().map(|rho| site(marginal, *rho)).collect();
        pairs.extend(measured.into_iter().zip(scaled(half, &circulant_apply(&row, &WEIGHTS))));
    }
    let what = "copulas with uniform, arcsine and Laplace marginals, n = 6, xi = 1.2: 1/2 C w with the copula's covariances in closed form, and the sampled \
                E[1(S > 0) S X] at every site";
    Ok(vec![Comparison::noise(&["L002.29"], what, &pairs)])
}
