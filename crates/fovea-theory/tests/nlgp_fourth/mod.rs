//! Fourth moments of the nonlinear Gaussian process compared with other routes to the same numbers.

use fovea_core::quadrature::gauss_hermite;
use fovea_theory::form::Fourth;
use fovea_theory::nlgp::excess_kurtosis::excess_kurtosis;
use fovea_theory::nlgp::fourth::fourth;
use fovea_theory::nlgp::normalizer::normalizer;
use std::f64::consts::FRAC_2_PI;

/// Latent correlations $`e^{-(x-y)^2/2}`$ of sites at these positions; equal positions are copies.
fn at(places: [f64; 4]) -> [[f64; 4]; 4] {
    places.map(|x| places.map(|y| libm::exp(-0.5 * (x - y) * (x - y))))
}

/// The lower triangular factor of this matrix.
fn cholesky(r: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
    let mut l = [[0.0; 4]; 4];
    for i in 0..4 {
        for j in 0..=i {
            let rest = r[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            l[i][j] = if i == j { rest.max(0.0).sqrt() } else { rest / l[j][j] };
        }
    }
    l
}

#[test]
fn four_different_sites_match_a_sum_over_a_grid_of_nodes() {
    let rule = gauss_hermite(26);
    let mut mixed = at([0.0, 0.9, -1.4, 2.2]);
    for (i, j) in [(0, 1), (2, 3)] {
        mixed[i][j] *= -1.0;
        mixed[j][i] *= -1.0;
    }
    for (r, gain) in [(at([0.0, 0.9, -1.4, 2.2]), 0.4), (mixed, 0.3)] {
        let l = cholesky(&r);
        let site = |z: [f64; 4], i: usize| -> f64 {
            libm::erf(gain * (0..4).map(|k| l[i][k] * z[k]).sum::<f64>())
        };
        let moment = rule.integrate(|a| {
            rule.integrate(|b| {
                rule.integrate(|c| {
                    rule.integrate(|d| (0..4).map(|i| site([a, b, c, d], i)).product())
                })
            })
        });
        let want = moment / (normalizer(gain) * normalizer(gain));
        let got = fourth(&r, gain);
        assert!((got.moment - want).abs() < 1e-9, "{} {want}", got.moment);
        assert!((got.gaussian().moment - want).abs() > 1e-3, "the Gaussian moment is rejected");
    }
}

#[test]
fn copies_match_a_sum_over_a_grid_of_nodes() {
    let rule = gauss_hermite(120);
    for (places, powers, gain) in
        [([0.0, 0.0, 0.7, 0.7], [2, 2], 1.0), ([0.0, 0.7, 0.0, 0.0], [3, 1], 0.8)]
    {
        let rho = libm::exp(-0.5 * 0.49);
        let power = |x: f64, p: i32| (0..p).map(|_| x).product::<f64>();
        let moment = rule.integrate(|a| {
            rule.integrate(|b| {
                let other = rho * a + (1.0 - rho * rho).sqrt() * b;
                power(libm::erf(gain * a), powers[0]) * power(libm::erf(gain * other), powers[1])
            })
        });
        let want = moment / (normalizer(gain) * normalizer(gain));
        assert!((fourth(&at(places), gain).moment - want).abs() < 1e-10, "{places:?}");
    }
}

#[test]
fn four_copies_have_the_kurtosis_of_one_site_at_every_gain() {
    for gain in [1e-200, 1e-30, 1e-9, 1e-4, 0.1, 0.9, 1.1, 3.0, 1e3, 1e6, 1e9, 1e15, f64::INFINITY]
    {
        let (got, want) = (fourth(&[[1.0; 4]; 4], gain).cumulant, excess_kurtosis(gain));
        assert!(
            (got / want - 1.0).abs() < 1e-13 || got.abs() < f64::MIN_POSITIVE,
            "{gain:e} {got}"
        );
    }
}

#[test]
fn small_gain_keeps_the_digits_of_a_small_cumulant() {
    let r = at([0.0, 0.9, -1.4, 2.2]);
    let star: f64 = (0..4).map(|a| r[a].iter().product::<f64>()).sum();
    for gain in [1e-20, 1e-9, 1e-8, 1e-7] {
        let ratio = fourth(&r, gain).cumulant / (-2.0 * gain * gain * star);
        assert!((ratio - 1.0).abs() < 1e-12, "{gain:e}: {ratio}");
    }
    let wick = Fourth::pairings([0, 1, 2, 3], |a, b| r[a][b]);
    assert!((fourth(&r, 1e-300).moment / wick - 1.0).abs() < 1e-15);
}

#[test]
fn copies_of_signs_square_to_one_and_this_is_the_limit_of_large_gain() {
    let rho = libm::exp(-0.5 * 0.49);
    let arcsine = FRAC_2_PI * libm::asin(rho);
    for (places, want) in [
        ([0.0, 0.0, 0.7, 0.7], 1.0),
        ([0.7, 0.0, 0.7, 0.0], 1.0),
        ([0.0, 0.7, 0.0, 0.0], arcsine),
        ([0.7, 0.0, 0.7, 0.7], arcsine),
    ] {
        let limit = fourth(&at(places), f64::INFINITY).moment;
        assert!((limit - want).abs() < 1e-15, "{places:?}");
        // The distance from the limit is a constant over g, with corrections of order 1/g^2.
        let scaled = |gain: f64| gain * (fourth(&at(places), gain).moment - limit);
        for gain in [1e6, 1e8, 1e10] {
            assert!((scaled(gain) - scaled(1e4)).abs() < 1e-4 + 1e-15 * gain, "{gain:e}");
        }
    }
    // Mirror images always differ.
    let mut mirrored = at([0.0, 0.0, 0.7, 0.7]);
    for b in [0, 2, 3] {
        mirrored[1][b] *= -1.0;
        mirrored[b][1] *= -1.0;
    }
    for gain in [2.0, 1e6, f64::INFINITY] {
        let (there, back) = (fourth(&mirrored, gain), fourth(&at([0.0, 0.0, 0.7, 0.7]), gain));
        assert!((there.moment + back.moment).abs() < 1e-14, "{gain}");
    }
}

#[test]
fn independent_signs_of_a_markov_chain_factorise() {
    // Signs of a stationary Gaussian Markov chain with one independent pair: E = E[ab] E[cd].
    let mut r = [[0.0; 4]; 4];
    (r[0][1], r[1][0], r[2][3], r[3][2]) = (0.6, 0.6, -0.8, -0.8);
    let want = FRAC_2_PI * libm::asin(0.6) * FRAC_2_PI * libm::asin(-0.8);
    let got = fourth(&r, f64::INFINITY);
    assert!((got.moment - want).abs() < 1e-15 && got.cumulant.abs() < 1e-15);
}
