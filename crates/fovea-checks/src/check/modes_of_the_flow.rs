//! Uses of Fourier modes: the flow on Gaussian and elliptical data, and the inverse covariance on signs (note 002,
//! footnote 3).
//!
//! Gaussian data: `u_k(t) = u_k(0) exp[(-(l0 + l1)_k t + sqrt(2/pi) l1_k Theta(t))/4]`, `Theta' = 1/s_1` (L003.11), and
//! on elliptical data the same with weights rescaled by their constant; on signs the gated mean of one mode contains others (L002.28).

use super::by_hand::taught_and_linear;
use super::dense::solve;
use super::prelude::*;
use fovea_core::ode::DormandPrince;
use fovea_theory::Spins;
use fovea_theory::ascent::least_squares;
use fovea_theory::elliptical::Radial;
use fovea_theory::elliptical::half_mean_abs::{self, half_mean_abs};
use fovea_theory::relu::flow_exact::{self, flow_exact};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "modes-of-the-flow",
    summary: "Fourier modes solve the flow on Gaussian and Laplace data; on signs they invert the covariance.",
    covers: &["L002.28/gaussian", "L002.28/squashed", "L002.28/inverse"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let [pos, neg] = COUPLINGS.map(|coupling| Corners::ising(N, coupling));
    Ok(vec![gaussian(effort)?, squashed(effort, &pos)?, inverse(effort, [&pos, &neg])?])
}

const N: usize = 9;
const COUPLINGS: [f64; 2] = [0.6, 0.2];

/// The clock's solution, and the flow over sites with every gated mean integrated over the value of a site.
fn gaussian(effort: &Effort) -> Result<Comparison, LabError> {
    let lengths = [1.5, 0.8];
    let rows = lengths.map(|xi| kernel_row(6, xi, Kernel::Ring));
    let [pos, neg] = rows.clone().map(|row| unfold(&circulant_eigs(&row), 6));
    // The decay twice too fast: l0 + 2 (l0 + l1) - (l0 + l1) instead of l0.
    let fast = combined(2.0, &neg, 1.0, &pos);
    let decaying = effort.form(&flow_exact::ENTRY, neg, fast);
    let constant: fn(Radial) -> f64 =
        effort.form(&half_mean_abs::ENTRY, |law| half_mean_abs(law, 6), |_| 1.0 / TAU.sqrt());
    // On elliptical data the gated mean is this multiple of the Gaussian one, and the flow is that of weights rescaled by this factor.
    let sizes = [1.0, TAU.sqrt() * constant(Radial::Laplace)];
    let start = [0.8, -0.3, 0.45, 1.1, -0.6, 0.25];
    let times = [0.5, 3.0];
    let mut predicted = Vec::new();
    for size in sizes {
        for t in times {
            let from = scaled(1.0 / size, &start);
            let end = flow_exact(&pos, &decaying, &from, t).map_err(FormError::from)?;
            predicted.extend(scaled(size, &end.w));
        }
    }
    let measured = effort.once("flow", || -> Result<Vec<f64>, LabError> {
        let solver = DormandPrince { rtol: 1e-10, atol: 1e-12, max_steps: 10_000, h0: None };
        // Laplace data are Gaussian with a random variance V, exponential of mean 1.
        let root = adaptive(|x| 2.0 * x * x * libm::exp(-x * x), 0.0, 14.0, 1e-14).value;
        let mut measured = Vec::new();
        for mean_root in [1.0, root] {
            let over_sites = |_: f64, w: &[f64], out: &mut [f64]| {
                let [taught, linear] = taught_and_linear(&rows, w);
                out.copy_from_slice(&combined(mean_root, &taught, -1.0, &linear));
            };
            for t in times {
                let path = solver.solve(over_sites, 0.0, t, &start).map_err(FormError::from)?;
                measured.extend(path.last());
            }
        }
        Ok(measured)
    })?;
    let what = "Gaussian and Laplace classes, n = 6, xi_pos = 1.5, xi_neg = 0.8: weights at t = 0.5 and 3 from one scalar clock, for Laplace data (Gaussian of a \
                random variance V) that of weights rescaled by E|X_1| over its Gaussian value; and the flow over sites with gated means by quadrature \
                over the value of a site, times E sqrt V by quadrature, followed by an ODE solver";
    Ok(Comparison::digits(&["L002.28/gaussian"], what, &predicted, &measured)
        .within(1e-8, "the solver follows the flow over sites to ten digits per step"))
}

/// The modes in the gated mean of a cosine.
fn squashed(effort: &Effort, law: &Corners) -> Result<Comparison, LabError> {
    let spins = Spins::ising(N, COUPLINGS[0]).map_err(FormError::from)?;
    let row = spins.first_row();
    let (mut predicted, mut measured, mut one_mode) = (Vec::new(), Vec::new(), Vec::new());
    let power = effort.slip("gated mean of signs", "half of it", 1.0, 0.5);
    for k in [1, 2] {
        let w = basis_vector(2 * k - 1, N);
        predicted.extend(scaled(power, &to_fourier(&spins.gated_mean(&w))));
        // Waves add up to 0 on many corners; these count for neither side.
        let side = |s: f64| if s.abs() < 1e-9 { 0.0 } else { 0.5 * s.signum() };
        measured.extend(to_fourier(&law.mean_of_site(&w, side)));
        // Gaussian data of the same covariance: S w / sqrt(2 pi w'Sw), one mode.
        let image = circulant_apply(&row, &w);
        one_mode.extend(to_fourier(&scaled(1.0 / (TAU * dot(&w, &image)).sqrt(), &image)));
    }
    let what = "an Ising ring of 9, weights cos(2 pi k i/9), k = 1 and 2: Fourier coefficients of f(w) by meeting in the middle, and over all corners; Gaussian data \
                of the same covariance leave one mode alone";
    Ok(Comparison::digits(&["L002.28/squashed"], what, &predicted, &measured)
        .against("one mode alone, as for Gaussian data", &one_mode))
}

/// The least-squares weights behind a gate, mode by mode and by elimination.
fn inverse(effort: &Effort, laws: [&Corners; 2]) -> Result<Comparison, LabError> {
    let spins = COUPLINGS.map(|coupling| Spins::ising(N, coupling).map_err(FormError::from));
    let [pos, neg] = spins;
    let (pos, neg) = (pos?, neg?);
    let share = effort.slip("M = C_1 + C_0", "one class alone", 1.0, 0.0);
    let sum = combined(1.0, &pos.first_row(), share, &neg.first_row());
    let w: Vec<f64> = (0..N).map(|i| libm::sin(0.3 + 1.9 * i as f64)).collect();
    let predicted = least_squares(&sum, &pos.gated_mean(&w));
    let moment = |i: usize, j: usize| laws.iter().map(|law| law.mean(|x| x[i] * x[j])).sum();
    let matrix = (0..N).map(|i| (0..N).map(|j| moment(i, j)).collect()).collect();
    let measured = solve(matrix, scaled(2.0, &laws[0].gated_mean(&w, true)));
    let what = "Ising rings of 9, couplings 0.6 and 0.2: 2 M^-1 f(w) with closed covariances, mode by mode, and by elimination with second moments and f over all \
                corners";
    Ok(Comparison::digits(&["L002.28/inverse"], what, &predicted, &measured))
}
