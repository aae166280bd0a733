//! The flow of one unit in the Fourier basis, on Gaussian and elliptical data, and its solution.

use super::by_hand::gated_by_site;
use super::prelude::*;
use fovea_core::fourier::power_by_frequency;
use fovea_core::ode::DormandPrince;
use fovea_theory::GaussianFlow;
use fovea_theory::elliptical::{Radial, half_mean_abs::half_mean_abs};
use fovea_theory::relu::flow_single::velocity;
use fovea_theory::relu::{flow_exact::flow_exact, relaxation::relaxation, steady::steady};

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "fourier-flow",
    summary: "The flow of one unit on Gaussian and elliptical data, over sites and in the Fourier basis.",
    covers: &["L000.12", "L003.8", "L003.9", "L001.59", "L001.61", "L003.11"],
    run,
};

const WEIGHTS: [f64; 6] = [0.8, -0.3, 0.45, 1.1, -0.6, 0.25];

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    let bench = Bench::new();
    Ok(vec![
        bench.elliptical(),
        bench.on_sites(),
        bench.in_modes(),
        bench.first_attempt(),
        bench.attractor()?,
        clock()?,
    ])
}

/// One unit on two Gaussian classes.
struct Bench {
    rows: [Vec<f64>; 2],
    flow: GaussianFlow,
    /// Minus the gradient of the loss over sites, every gated mean integrated over the value of a site.
    descent: Vec<f64>,
}

impl Bench {
    fn new() -> Self {
        let rows = [1.5, 0.8].map(|xi| kernel_row(6, xi, Kernel::Ring));
        let site = |j: usize| {
            let [pos, neg] = [0, 1].map(|class: usize| gated_by_site(&rows[class], &WEIGHTS, j));
            0.5 * pos[0] - 0.5 * (pos[1] + neg[1])
        };
        let descent = (0..6).map(site).collect();
        Self { flow: GaussianFlow::from_rows(&rows[0], &rows[1]), rows, descent }
    }

    /// A number for every mode, from the eigenvalues of class pos and neg and the coefficient.
    fn modes(&self, u: &[f64], of: impl Fn(f64, f64, f64) -> f64) -> Vec<f64> {
        let GaussianFlow { eigs_pos, eigs_neg } = &self.flow;
        let k = |j: usize| frequency_of(j, 6);
        u.iter().enumerate().map(|(j, u)| of(eigs_pos[k(j)], eigs_neg[k(j)], *u)).collect()
    }

    /// `u'Lu` of one class.
    fn variance(&self, u: &[f64], class: usize) -> f64 {
        self.modes(u, |pos, neg, u| [pos, neg][class] * u * u).iter().sum()
    }

    /// `u' = 1/2 g L1 u - 1/4 (L0 + L1) u` on Laplace data; note 000 (6) doubles both constants.
    fn elliptical(&self) -> Comparison {
        let u = to_fourier(&WEIGHTS);
        let g = half_mean_abs(Radial::Laplace, 6) / self.variance(&u, 0).sqrt();
        let predicted = self.modes(&u, |pos, neg, u| 0.5 * g * pos * u - 0.25 * (pos + neg) * u);
        let source = self.modes(&u, |pos, neg, u| g * pos * u - 0.5 * (pos + neg) * u);
        // Laplace data are Gaussian of variance V, exponential; with V = x^2 its root is smooth.
        let root = adaptive(|x| 2.0 * x * x * libm::exp(-x * x), 0.0, 7.0, 1e-14).value;
        // Over sites: that the flow is diagonal in the Fourier basis is part of what is claimed.
        let loss = |w: &[f64]| {
            let (pos, neg) = (form(&self.rows[0], w, w), form(&self.rows[1], w, w));
            0.25 * (1.0 - 2.0 * root * (pos / TAU).sqrt() + 0.5 * (pos + neg))
        };
        let measured = to_fourier(&scaled(-1.0, &gradient(&WEIGHTS, 1e-3, loss)));
        let what = "u' on Laplace data with g = c / sqrt(u'L1u), and minus the slope over sites of the loss of a mixture of Gaussians, n = 6";
        Comparison::digits(&["L000.12"], what, &predicted, &measured).source(&source)
    }

    /// Note 003 (20) as printed.
    fn on_sites(&self) -> Comparison {
        let factor = 1.0 - (FRAC_2_PI / form(&self.rows[0], &WEIGHTS, &WEIGHTS)).sqrt();
        let [pos, neg] = [0, 1].map(|class: usize| circulant_apply(&self.rows[class], &WEIGHTS));
        let predicted: Vec<f64> =
            pos.iter().zip(&neg).map(|(pos, neg)| -0.25 * (neg + factor * pos)).collect();
        let what = "w' = -1/4 (S0 + (1 - sqrt(2/pi) / s1) S1) w, and the gated means integrated over a site, n = 6";
        Comparison::digits(&["L003.8"], what, &predicted, &self.descent)
    }

    /// Note 003 (21) as printed.
    fn right(&self) -> Vec<f64> {
        let u = to_fourier(&WEIGHTS);
        let factor = 1.0 - (FRAC_2_PI / self.variance(&u, 0)).sqrt();
        self.modes(&u, |pos, neg, u| -0.25 * (neg + factor * pos) * u)
    }

    fn in_modes(&self) -> Comparison {
        let what = "u' = -1/4 (L0 + (1 - sqrt(2/pi) / s1) L1) u, and the Fourier coefficients of the integrated velocity";
        Comparison::digits(&["L003.9"], what, &self.right(), &to_fourier(&self.descent))
    }

    /// Note 001 (138) has the norms of both classes and other signs.
    fn first_attempt(&self) -> Comparison {
        let u = to_fourier(&WEIGHTS);
        let [pos_norm, neg_norm] = [0, 1].map(|class| self.variance(&u, class).sqrt());
        let source =
            self.modes(&u, |pos, neg, u| -((1.0 / pos_norm - 1.0) * pos + neg / neg_norm) * u);
        let what = "4 u', against note 001 (138), and four times the Fourier coefficients of the integrated velocity";
        Comparison::digits(
            &["L001.59"],
            what,
            &scaled(4.0, &self.right()),
            &scaled(4.0, &to_fourier(&self.descent)),
        )
        .source(&source)
    }

    /// The flow ends on the mode of least ratio, not at 0.
    fn attractor(&self) -> Result<Comparison, LabError> {
        let GaussianFlow { eigs_pos, eigs_neg } = &self.flow;
        let none = || FormError::NoSteadyState { k: 0 };
        let point = steady(eigs_pos, eigs_neg, 0).ok_or_else(none)?;
        let slowest = relaxation(eigs_pos, eigs_neg, 0).ok_or_else(none)?.slowest;
        let end = self.flow.solve(&WEIGHTS, 25.0 * slowest).map_err(FormError::from)?;
        let what = "the power in every frequency at the end of the flow, xi_pos = 1.5, xi_neg = 0.8; note 001 (147) ends at 0";
        let predicted = [point.amplitude * point.amplitude, 0.0, 0.0, 0.0];
        Ok(Comparison::digits(&["L001.61"], what, &predicted, &power_by_frequency(&end))
            .source(&[0.0; 4]))
    }
}

/// The solution by one scalar clock beside the whole system, and the phases that it conserves.
fn clock() -> Result<Comparison, LabError> {
    const SOLVER: DormandPrince =
        DormandPrince { rtol: 1e-11, atol: 1e-14, max_steps: 100_000, h0: None };
    let flow = GaussianFlow::on_ring(12, 2.0, 1.0, Kernel::Ring).map_err(FormError::from)?;
    let rows = [2.0, 1.0].map(|xi| kernel_row(12, xi, Kernel::Ring));
    let w0: Vec<f64> = (0..12_usize).map(|i| (i * i % 7) as f64 / 4.0 - 0.6).collect();
    let phases = |w: &[f64]| -> Vec<f64> {
        let u = to_fourier(w);
        (1..4).map(|k| libm::atan2(u[2 * k], u[2 * k - 1])).collect()
    };
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for t in [0.5, 3.0, 20.0] {
        let exact = flow_exact(&flow.eigs_pos, &flow.eigs_neg, &w0, t).map_err(FormError::from)?;
        // Over sites, where nothing keeps the modes apart.
        let over_sites = |_: f64, w: &[f64], out: &mut [f64]| {
            out.copy_from_slice(&velocity(&rows[0], &rows[1], w));
        };
        let solved = SOLVER.solve(over_sites, 0.0, t, &w0).map_err(FormError::from)?;
        let solved = solved.last().to_vec();
        predicted.extend([exact.w, phases(&w0)].concat());
        measured.extend([solved.clone(), phases(&solved)].concat());
    }
    let what = "weights at t = 0.5, 3, 20 by the scalar clock with the phases of the start, and the system over sites, n = 12";
    Ok(Comparison::digits(&["L003.11"], what, &predicted, &measured))
}
