//! The nonlinear process at large gain: signs, their orthants, and the moments that need no density.

use super::prelude::*;
use fovea_core::lanes::BLOCK;
use fovea_core::special::{bivariate_normal_sf, erf, inv_erf, normal_sf};
use fovea_core::stats::VectorAccumulator;
use fovea_sim::stimulus::Stimulus;
use fovea_sim::stimulus::nlgp::{Nlgp, variance_of_erf};
use fovea_theory::form::Fourth;
use fovea_theory::nlgp::cov::{self, cov};
use fovea_theory::nlgp::f_site::{self, f_site};
use fovea_theory::nlgp::fourth::{self, fourth};
use fovea_theory::nlgp::half_moment::{self, half_moment};
use fovea_theory::nlgp::normalizer::{self, normalizer};
use std::f64::consts::SQRT_2;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "sign-limit",
    summary: "The nonlinear process at large gain: signs, orthants, and moments without a density.",
    covers: &["L001.33", "L001.34/site", "L001.34/orthants", "L001.58/moments", "L003.24"],
    run,
};

/// Latent correlation and gain, and a moment of two sites.
type OfTwo = fn(f64, f64) -> f64;

/// The closed moments that this check asks for.
struct Forms {
    cov: OfTwo,
    f_site: OfTwo,
    fourth: fn(&[[f64; 4]; 4], f64) -> Fourth,
}

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let forms = Forms {
        cov: effort.form(&cov::ENTRY, cov, |rho, _| rho),
        f_site: effort.form(&f_site::ENTRY, f_site, cov),
        fourth: effort.form(&fourth::ENTRY, fourth, |r, gain| fourth(r, gain).gaussian()),
    };
    Ok(vec![
        signs(effort)?,
        one_site(&forms),
        orthants(effort, &forms)?,
        moments(effort, &forms)?,
        half(effort),
    ])
}

/// The gain from which on a site is followed, and the gains at which it is checked from there on.
const FROM: [f64; 3] = [3.0, 10.0, 30.0];
const LADDER: [f64; 7] = [3.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e6];
/// How far from its sign a site still counts as off.
const OFF: f64 = 0.25;

/// The share of sites that are ever off their sign at this gain or above: the latent value is too small, `erf(g z) < (1 - OFF) sqrt(Z)`.
fn still_off(gain: f64, normalizer: fn(f64) -> f64) -> f64 {
    let needed = (1.0 - OFF) * normalizer(gain).sqrt();
    erf(inv_erf(needed) / (gain * SQRT_2))
}

/// Every latent sample followed through growing gains: how many sites are off their sign again after a gain.
fn signs(effort: &Effort) -> Result<Comparison, LabError> {
    let variance: fn(f64) -> f64 =
        effort.form(&normalizer::ENTRY, normalizer, |gain| normalizer(gain / SQRT_2));
    let predicted = FROM.map(|gain| still_off(gain, variance));
    let (n, blocks) = (20, effort.samples(60_000).div_ceil(BLOCK));
    let measured = effort.once("signs", || -> Result<Vec<Estimate>, LabError> {
        let at_gain = |gain: f64| Nlgp::on_ring(n, 1.5, gain, Kernel::Ring).sampler();
        let sign = at_gain(f64::INFINITY)?;
        let steep = LADDER.map(at_gain).into_iter().collect::<Result<Vec<_>, _>>()?;
        let stream = effort.streams.named("signs");
        let mut shares = VectorAccumulator::new(FROM.len());
        for at in 0..blocks {
            let draw = |stimulus: &dyn Stimulus| {
                let (mut lanes, mut block) = (Vec::new(), vec![[0.0_f64; BLOCK]; n]);
                stimulus.fill_double(&mut stream.block(0, at as u32), &mut lanes, &mut block);
                block
            };
            let signs = draw(&sign);
            let blocks: Vec<_> = steep.iter().map(|stimulus| draw(stimulus)).collect();
            for sample in 0..BLOCK {
                let off = |from: usize, site: usize| {
                    let gap = |block: &Vec<[f64; BLOCK]>| {
                        (block[site][sample] - signs[site][sample]).abs()
                    };
                    blocks[from..].iter().any(|block| gap(block) > OFF)
                };
                let share = |from| (0..n).filter(|site| off(from, *site)).count() as f64 / n as f64;
                shares.push(&std::array::from_fn::<f64, 3, _>(share))?;
            }
        }
        Ok(shares.estimates()?)
    })?;
    let pairs: Vec<(Estimate, f64)> = measured.into_iter().zip(predicted).collect();
    let what = "share of sites that, with the same latent sample followed through gains up to 1e6, are ever more than 0.25 off the sign of their latent variable at gain 3, 10, 30 or above, n = 20, xi = 1.5; and P(erf(g|Z|) < 0.75 sqrt(Z(g))), Z standard normal, which falls as 1/g at large g";
    Ok(Comparison::noise(&["L001.33"], what, &pairs))
}

/// Latent correlations of four sites, positive definite and without symmetry.
const LATENT: [[f64; 4]; 4] =
    [[1.0, 0.5, 0.2, -0.1], [0.5, 1.0, 0.4, 0.15], [0.2, 0.4, 1.0, 0.3], [-0.1, 0.15, 0.3, 1.0]];

/// The gated mean of one site: half the covariance, and a conditional mean integrated over the site.
fn one_site(forms: &Forms) -> Comparison {
    let rhos = [-0.7, 0.2, 0.5, 0.95];
    let predicted = rhos
        .map(|r| [(forms.f_site)(r, f64::INFINITY), 0.5 * (forms.cov)(r, f64::INFINITY)])
        .concat();
    let measured = rhos.map(|r| {
        let given = |z: f64| 1.0 - 2.0 * normal_sf(r * z / (1.0 - r * r).sqrt());
        [normal_expectation(|z| if z > 0.0 { given(z) } else { 0.0 }, &[0.0]).value; 2]
    });
    let what = "f(e_i)_j of signs and half their covariance, latent correlations -0.7 to 0.95, in closed form, and the mean of the sign of Z_j given Z_i integrated over Z_i > 0";
    Comparison::digits(&["L001.34/site"], what, &predicted, &measured.concat())
}

/// Orthants of three, four and five signs from moments of two and of four.
fn orthants(effort: &Effort, forms: &Forms) -> Result<Comparison, LabError> {
    // P(x) = 2^-n (1 + sum C_ij x_i x_j + sum M_ijkl x_i x_j x_k x_l): odd moments vanish.
    let told = |r: &dyn Fn(usize, usize) -> f64, x: &[f64]| -> f64 {
        let n = x.len();
        let mut sum = 1.0;
        for set in 0..1_usize << n {
            let sites: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
            let sign: f64 = sites.iter().map(|i| x[*i]).product();
            sum += sign
                * match sites[..] {
                    [i, j] => (forms.cov)(r(i, j), f64::INFINITY),
                    [i, j, k, l] => {
                        let four = [i, j, k, l].map(|a| [i, j, k, l].map(|b| r(a, b)));
                        (forms.fourth)(&four, f64::INFINITY).moment
                    }
                    _ => 0.0,
                };
        }
        sum / f64::from(1_u32 << n)
    };
    let line = |i: usize, j: usize| LATENT[i][j];
    let mut predicted = vec![told(&line, &[1.0; 3]), told(&line, &[1.0; 4])];
    let mut measured = vec![three_positive(), four_positive()];
    let row = kernel_row(5, 1.0, Kernel::Ring);
    let around = |i: usize, j: usize| row[distance(i, j, 5)];
    let corners = effort.once("five", || {
        let law = Corners::signs(5, 1.0);
        Ok::<_, LabError>(
            law.states().map(|x| (x.to_vec(), law.probability(x))).collect::<Vec<_>>(),
        )
    })?;
    for (x, probability) in corners {
        predicted.push(told(&around, &x));
        measured.push(probability);
    }
    let what = "orthant probabilities of signs from their moments of two (arcsines) and of four (one integral): the positive orthant of three and of four, all 32 of five on a ring, xi = 1; and integrals of the Gaussian density over the orthant: over one or two latent variables, and for five over the faces of a cube";
    Ok(Comparison::digits(&["L001.34/orthants"], what, &predicted, &measured))
}

/// `P(Z_0, Z_1, Z_2 > 0)`, integrated over `Z_0`: the other two are a normal pair given it.
fn three_positive() -> f64 {
    let [r01, r02, r12] = [LATENT[0][1], LATENT[0][2], LATENT[1][2]];
    let [s1, s2] = [r01, r02].map(|r| (1.0 - r * r).sqrt());
    let left = (r12 - r01 * r02) / (s1 * s2);
    let pair = |z: f64| bivariate_normal_sf(-r01 * z / s1, -r02 * z / s2, left);
    normal_expectation(|z| if z > 0.0 { pair(z) } else { 0.0 }, &[0.0]).value
}

/// `P(Z_0, Z_1, Z_2, Z_3 > 0)`, integrated over two of them: the other two are a normal pair given these.
fn four_positive() -> f64 {
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
    let both = |x: f64, y: f64| {
        let (h, k) = (-(c2[0] * x + c2[1] * y) / v2, -(c3[0] * x + c3[1] * y) / v3);
        bivariate_normal_sf(h, k, v23 / (v2 * v3))
    };
    let (rule, reach) = (gauss_legendre(40), 9.0);
    let mut sum = 0.0;
    for (a, weight_a) in rule.nodes.iter().zip(&rule.weights) {
        for (b, weight_b) in rule.nodes.iter().zip(&rule.weights) {
            let (x, y) = (0.5 * reach * (1.0 + a), 0.5 * reach * (1.0 + b));
            let mass = 0.25 * reach * reach * weight_a * weight_b * normal_pdf(x);
            let density = normal_pdf((y - r[0][1] * x) / determinant.sqrt()) / determinant.sqrt();
            sum += mass * density * both(x, y);
        }
    }
    sum
}

/// `E erf(g Z_0) erf(g Z_1) erf(g Z_2) erf(g Z_3)` by trapezoids over four independent normals, the later ones given the first.
fn four_squashed(gain: f64) -> f64 {
    const STEP: f64 = 0.45;
    // LATENT = L L'.
    let mut root = [[0.0; 4]; 4];
    for i in 0..4 {
        for j in 0..=i {
            let left = LATENT[i][j] - (0..j).map(|k| root[i][k] * root[j][k]).sum::<f64>();
            root[i][j] = if i == j { left.sqrt() } else { left / root[j][j] };
        }
    }
    let points: Vec<[f64; 2]> =
        (-17..=17).map(|i| STEP * f64::from(i)).map(|u| [u, STEP * normal_pdf(u)]).collect();
    let squashed =
        |row: &[f64], u: &[f64]| erf(gain * row.iter().zip(u).map(|(a, b)| a * b).sum::<f64>());
    let mut sum = 0.0;
    for [a, of_a] in &points {
        for [b, of_b] in &points {
            for [c, of_c] in &points {
                let u = [*a, *b, *c];
                let three: f64 = (0..3).map(|i| squashed(&root[i][..=i], &u[..=i])).product();
                let last = |[d, of_d]: &[f64; 2]| of_d * squashed(&root[3], &[*a, *b, *c, *d]);
                sum += of_a * of_b * of_c * three * points.iter().map(last).sum::<f64>();
            }
        }
    }
    sum
}

/// Covariance, fourth moments and gated mean at a finite gain, without a density of the data.
fn moments(effort: &Effort, forms: &Forms) -> Result<Comparison, LabError> {
    let (gain, r) = (1.0, 0.6);
    let norm = variance_of_erf(gain);
    let left = (1.0_f64 - r * r).sqrt();
    let over = |f: &dyn Fn(f64) -> f64| normal_expectation(f, &[0.0]).value;
    let inner = |z: f64, p: f64| over(&|y| libm::pow(erf(gain * (r * z + left * y)), p));
    let two = over(&|z| erf(gain * z) * inner(z, 1.0)) / norm;
    let four = over(&|z| erf(gain * z) * erf(gain * z) * inner(z, 2.0)) / (norm * norm);
    let gated = over(&|z| if z > 0.0 { inner(z, 1.0) } else { 0.0 }) / norm.sqrt();
    let twins = [[1.0, 1.0, r, r], [1.0, 1.0, r, r], [r, r, 1.0, 1.0], [r, r, 1.0, 1.0]];
    let distinct = effort.once("four sites", || Ok::<_, LabError>(four_squashed(gain)))?;
    let predicted = [
        (forms.cov)(r, gain),
        (forms.fourth)(&twins, gain).moment,
        (forms.f_site)(r, gain),
        (forms.fourth)(&LATENT, gain).moment,
    ];
    let what = "E X_i X_j, E X_i^2 X_j^2 and E[X_j; X_i > 0] at gain 1, latent correlation 0.6, and E X_i X_j X_k X_l of four sites with six correlations from -0.1 to 0.5: closed forms and one integral, and integrals over both or all four latent variables";
    let measured = [two, four, gated, distinct / (norm * norm)];
    Ok(Comparison::digits(&["L001.58/moments"], what, &predicted, &measured))
}

/// `E[erf(g Z); Z > 0]`, which note 003 (36) leaves open.
fn half(effort: &Effort) -> Comparison {
    let site: fn(f64) -> f64 =
        effort.form(&half_moment::ENTRY, half_moment, |g| half_moment(g) / normalizer(g).sqrt());
    let gains = [0.1, 1.0, 3.0, 20.0];
    let measured = gains.map(|gain| {
        let positive = |z: f64| if z > 0.0 { erf(gain * z) } else { 0.0 };
        normal_expectation(positive, &[0.0, 1.0 / gain, 3.0 / gain]).value
    });
    let what = "E[erf(g Z); Z > 0] at gains 0.1, 1, 3, 20: asin(sqrt(rho)) / pi, and the integral over the half line";
    Comparison::digits(&["L003.24"], what, &gains.map(site), &measured)
}
