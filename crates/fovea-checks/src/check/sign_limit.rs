//! The nonlinear process at large gain: signs, their orthants, and the moments that need no density.

use super::prelude::*;
use fovea_core::lanes::BLOCK;
use fovea_core::special::{bivariate_normal_sf, erf, normal_sf};
use fovea_sim::stimulus::Stimulus;
use fovea_sim::stimulus::nlgp::{Nlgp, variance_of_erf};
use fovea_theory::nlgp::{cov::cov, f_site::f_site, fourth::fourth, half_moment::half_moment};

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "sign-limit",
    summary: "The nonlinear process at large gain: signs, orthants, and moments without a density.",
    covers: &["L001.33", "L001.34", "L001.58", "L003.24"],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![signs(effort)?, orthants(), moments(), half()])
}

/// At gain `1e12` every site of every sample is the sign of its latent variable to nine digits.
fn signs(effort: &Effort) -> Result<Comparison, LabError> {
    let (n, blocks) = (20, 64);
    let [steep, sign] =
        [1e12, f64::INFINITY].map(|gain| Nlgp::on_ring(n, 1.5, gain, Kernel::Ring).sampler());
    let (steep, sign) = (steep?, sign?);
    let stream = effort.streams.named("signs");
    let mut agree = 0_usize;
    for at in 0..blocks {
        let draw = |stimulus: &dyn Stimulus| {
            let (mut lanes, mut block) = (Vec::new(), vec![[0.0_f64; BLOCK]; n]);
            stimulus.fill_double(&mut stream.block(0, at), &mut lanes, &mut block);
            block
        };
        let pairs = draw(&steep).into_iter().flatten().zip(draw(&sign).into_iter().flatten());
        agree += pairs.filter(|(x, s)| (x - s).abs() < 1e-9).count();
    }
    let all = blocks as usize * n * BLOCK;
    let what = "how many entries of the process at gain 1e12 are the signs of the same latent draws to 1e-9, and how many there are";
    Ok(Comparison::digits(&["L001.33"], what, &[all as f64], &[agree as f64]))
}

/// Latent correlations of four sites, positive definite and without symmetry.
const LATENT: [[f64; 4]; 4] =
    [[1.0, 0.5, 0.2, -0.1], [0.5, 1.0, 0.4, 0.15], [0.2, 0.4, 1.0, 0.3], [-0.1, 0.15, 0.3, 1.0]];

/// Two, three and four signs: an arcsine, a sum of arcsines, one integral along a path.
fn orthants() -> Comparison {
    let [r01, r02, r12] = [LATENT[0][1], LATENT[0][2], LATENT[1][2]];
    let all = |gain: f64| [f_site(r01, gain), 0.5 * cov(r01, gain)];
    let three = 0.125 + (libm::asin(r01) + libm::asin(r02) + libm::asin(r12)) / (4.0 * PI);
    let four = fourth(&LATENT, f64::INFINITY).moment;
    let [gated, half] = all(f64::INFINITY);
    // E[sign Z_1; Z_0 > 0], integrated over Z_0.
    let given = |z: f64| 1.0 - 2.0 * normal_sf(r01 * z / (1.0 - r01 * r01).sqrt());
    let two = normal_expectation(|z| if z > 0.0 { given(z) } else { 0.0 }, &[0.0]).value;
    // P(Z_0, Z_1, Z_2 > 0), integrated over Z_0: the other two are a normal pair given it.
    let [s1, s2] = [r01, r02].map(|r| (1.0 - r * r).sqrt());
    let left = (r12 - r01 * r02) / (s1 * s2);
    let pair = |z: f64| bivariate_normal_sf(-r01 * z / s1, -r02 * z / s2, left);
    let orthant = normal_expectation(|z| if z > 0.0 { pair(z) } else { 0.0 }, &[0.0]).value;
    let what = "f(e_i) = C e_i / 2 at infinite gain, the orthant of three and the product of four signs, and integrals over one and two latent variables";
    Comparison::digits(
        &["L001.34"],
        what,
        &[gated, half, three, four],
        &[two, two, orthant, four_signs()],
    )
}

/// `E[sign of four]`, integrated over two of them: the other two are a normal pair given these.
fn four_signs() -> f64 {
    let r = &LATENT;
    let determinant = 1.0 - r[0][1] * r[0][1];
    // Regression of sites 2 and 3 on sites 0 and 1.
    let on = |k: usize| {
        let (a, b) = (r[0][k], r[1][k]);
        [(a - r[0][1] * b) / determinant, (b - r[0][1] * a) / determinant]
    };
    let (c2, c3) = (on(2), on(3));
    let rest = |c: [f64; 2], k: usize, l: usize| r[k][l] - c[0] * r[0][l] - c[1] * r[1][l];
    let (v2, v3, v23) = (rest(c2, 2, 2).sqrt(), rest(c3, 3, 3).sqrt(), rest(c2, 2, 3));
    let product = |x: f64, y: f64| {
        let (h, k) = (-(c2[0] * x + c2[1] * y) / v2, -(c3[0] * x + c3[1] * y) / v3);
        // The signs differ with probability Q(h) + Q(k) - 2 P, and their mean product is 1 less twice that.
        1.0 - 2.0 * (normal_sf(h) + normal_sf(k) - 2.0 * bivariate_normal_sf(h, k, v23 / (v2 * v3)))
    };
    let (rule, reach) = (gauss_legendre(40), 9.0);
    let mut sum = 0.0;
    for (a, weight_a) in rule.nodes.iter().zip(&rule.weights) {
        for (b, weight_b) in rule.nodes.iter().zip(&rule.weights) {
            // The product is even: one sign of x stands for both.
            let (x, y) = (0.5 * reach * (1.0 + a), 0.5 * reach * (1.0 + b));
            let mass = 0.25 * reach * reach * weight_a * weight_b * normal_pdf(x);
            for sign in [1.0, -1.0] {
                let conditional = (sign * y - r[0][1] * x) / determinant.sqrt();
                let density = normal_pdf(conditional) / determinant.sqrt();
                sum += 2.0 * sign * mass * density * product(x, sign * y);
            }
        }
    }
    sum
}

/// Covariance, fourth moment and gated mean at a finite gain, without a density of the data.
fn moments() -> Comparison {
    let (gain, r) = (1.0, 0.6);
    let norm = variance_of_erf(gain);
    let left = (1.0_f64 - r * r).sqrt();
    let over = |f: &dyn Fn(f64) -> f64| normal_expectation(f, &[0.0]).value;
    let inner = |z: f64, p: f64| over(&|y| libm::pow(erf(gain * (r * z + left * y)), p));
    let two = over(&|z| erf(gain * z) * inner(z, 1.0)) / norm;
    let four = over(&|z| erf(gain * z) * erf(gain * z) * inner(z, 2.0)) / (norm * norm);
    let gated = over(&|z| if z > 0.0 { inner(z, 1.0) } else { 0.0 }) / norm.sqrt();
    let twins = [[1.0, 1.0, r, r], [1.0, 1.0, r, r], [r, r, 1.0, 1.0], [r, r, 1.0, 1.0]];
    let predicted = [cov(r, gain), fourth(&twins, gain).moment, f_site(r, gain)];
    let what = "E X_i X_j, E X_i^2 X_j^2 and E[X_j; X_i > 0] at gain 1, latent correlation 0.6, and double integrals";
    Comparison::digits(&["L001.58"], what, &predicted, &[two, four, gated])
}

/// `E[erf(g Z); Z > 0]`, which note 003 (36) leaves open.
fn half() -> Comparison {
    let gains = [0.1, 1.0, 3.0, 20.0];
    let measured = gains.map(|gain| {
        let positive = |z: f64| if z > 0.0 { erf(gain * z) } else { 0.0 };
        normal_expectation(positive, &[0.0, 1.0 / gain, 3.0 / gain]).value
    });
    let what =
        "asin(sqrt(rho)) / pi and the integral of erf(g z) over the half line, gains 0.1 to 20";
    Comparison::digits(&["L003.24"], what, &gains.map(half_moment), &measured)
}
