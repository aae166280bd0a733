//! The joint uncertainty of a field in place and frequency, and its bounds on the ring and on the circle.
//!
//! With $`p_x = w_x^2/|w|^2`$ and $`q_k = |\hat w_k|^2/|w|^2`$, $`\hat w`$ the unitary transform:
//!
//! ```math
//! H(p)+H(q)\ge\ln n,\qquad
//! (\cot^2\tfrac\pi n+2\cot\tfrac\pi n)\,\Delta U^2\Delta V^2+\Delta U^2+\Delta V^2\ge1,\qquad
//! \mathrm{Var}(k)\,\frac{1-|\tau|^2}{|\tau|^2}\ge\tfrac14
//! ```
//!
//! (Maassen and Uffink; Massar and Spindel, over $`\tan^2\tfrac\pi n`$; Breitenberger. L003.27.) The last holds for functions on the
//! circle. Computed from the sites alone, $`|\tau|^2 = 1-\Delta U^2`$ belongs to no such function where the field is rough: one site
//! would have the product 0. Here $`\tau=\sum_k\bar c_kc_{k+1}`$ is that of the Fourier series with the field's own coefficients
//! (the highest frequency of an even ring half at either end), a function of the same norm, so that the bound holds for
//! every field; for smooth fields the two are the same.
//!
//! A real Gabor is far from that bound, because it has as much power at $`-k`$ as at $`k`$ (L003.26); its analytic signal
//! $`w+\mathrm iHw`$, a cosine and a sine in quadrature, does (L003.63). Both products are given.

use super::location_entropy::{entropy, shares};
use super::{Change, Columns, Probe, per_unit};
use fovea_core::fourier::{cos_turns, sin_turns, to_fourier};
use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

/// The spreads of one field along the last axis of its ring or torus; all zero for a zero field.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Uncertainty {
    /// $`H(p)+H(q)`$ in nats, at least $`\ln n`$.
    pub entropies: f64,
    /// The left side of Massar and Spindel's inequality, at least 1.
    pub massar_spindel: f64,
    /// $`\mathrm{Var}(k)(1-|\tau|^2)/|\tau|^2`$ of the field, at least 1/4.
    pub circular: f64,
    /// The same of its analytic signal, at least 1/4.
    pub analytic: f64,
    /// $`H(q)`$ in nats.
    pub entropy_frequency: f64,
    /// $`\Delta U^2=1-|\sum_xp_xe^{2\pi\mathrm ix/n}|^2`$.
    pub spread_place: f64,
    /// $`\Delta V^2=1-|\sum_kq_ke^{2\pi\mathrm ik/n}|^2`$.
    pub spread_frequency: f64,
    /// Variance of the frequency, counted from $`-n/2`$ to $`n/2`$.
    pub var_frequency: f64,
}

/// A complex number.
type Complex = [f64; 2];

/// The spreads of a field on a ring or torus whose last axis has `side` sites.
///
/// On a torus the lines along that axis are taken together: shares, powers and $`\tau`$ are added up over them, and every
/// bound holds as it does for one line.
pub fn uncertainty(w: &[f64], side: usize) -> Uncertainty {
    let largest = w.iter().fold(0.0, |top: f64, w| top.max(w.abs()));
    let Some(shares) = shares(w) else { return Uncertainty::default() };
    let mut p = vec![0.0; side];
    for line in shares.chunks(side) {
        for (total, share) in p.iter_mut().zip(line) {
            *total += share;
        }
    }
    let lines: Vec<Vec<Complex>> = w
        .chunks(side)
        .map(|line| one_sided(&line.iter().map(|w| w / largest).collect::<Vec<_>>()))
        .collect();
    // Shares of the power by |k|, and over all n frequencies.
    let top = side / 2;
    let mut power = vec![0.0; top + 1];
    for line in &lines {
        for (total, [a, b]) in power.iter_mut().zip(line) {
            *total += a * a + b * b;
        }
    }
    let norm: f64 = power.iter().sum();
    let alone = |k: usize| k == 0 || 2 * k == side;
    let mut q = Vec::with_capacity(side);
    for (k, power) in power.iter().enumerate() {
        let both = power / norm;
        q.extend(if alone(k) { vec![both] } else { vec![0.5 * both; 2] });
    }
    let direction = |turn: fn(usize, usize) -> f64| -> f64 {
        p.iter().enumerate().map(|(x, p)| p * turn(x, side)).sum()
    };
    let (along, across) = (direction(cos_turns), direction(sin_turns));
    let spread_place = (1.0 - along * along - across * across).clamp(0.0, 1.0);
    // The spectrum of a real field is even: only the cosine is left.
    let mean: f64 =
        power.iter().enumerate().map(|(k, p)| p * cos_turns(k, side)).sum::<f64>() / norm;
    let spread_frequency = (1.0 - mean * mean).clamp(0.0, 1.0);
    let cot = libm::cos(PI / side as f64) / libm::sin(PI / side as f64);
    let entropy_frequency = entropy(&q);
    let squares = power.iter().enumerate().map(|(k, p)| p * (k * k) as f64);
    Uncertainty {
        entropies: entropy(&p) + entropy_frequency,
        massar_spindel: cot * (cot + 2.0) * spread_place * spread_frequency
            + spread_place
            + spread_frequency,
        circular: product(&lines.iter().map(|line| two_sided(line)).collect::<Vec<_>>(), side),
        analytic: product(&lines.iter().map(|line| analytic(line, side)).collect::<Vec<_>>(), side),
        entropy_frequency,
        spread_place,
        spread_frequency,
        var_frequency: squares.sum::<f64>() / norm,
    }
}

/// $`a_k-\mathrm ib_k`$ for $`k=0,\dots,n/2`$, the coefficients in the real Fourier basis; the squares add up to $`|w|^2`$.
fn one_sided(line: &[f64]) -> Vec<Complex> {
    let u = to_fourier(line);
    let pairs = u[1..].chunks(2).map(|pair| [pair[0], pair.get(1).map_or(0.0, |b| -b)]);
    std::iter::once([u[0], 0.0]).chain(pairs).collect()
}

/// The coefficients at $`-n/2,\dots,n/2`$ of a function with the same norm.
fn two_sided(line: &[Complex]) -> Vec<Complex> {
    let half = |[a, b]: &Complex| [FRAC_1_SQRT_2 * a, FRAC_1_SQRT_2 * b];
    let below = line[1..].iter().rev().map(half).map(|[a, b]| [a, -b]);
    below.chain(std::iter::once(line[0])).chain(line[1..].iter().map(half)).collect()
}

/// The coefficients at $`0,\dots,n/2`$ of $`w+\mathrm iHw`$: the constant and the alternating part are kept, the rest doubled.
fn analytic(line: &[Complex], side: usize) -> Vec<Complex> {
    let doubled = |(k, [a, b]): (usize, &Complex)| {
        let factor = if k == 0 || 2 * k == side { 1.0 } else { SQRT_2 };
        [factor * a, factor * b]
    };
    line.iter().enumerate().map(doubled).collect()
}

/// $`\mathrm{Var}(k)(1-|\tau|^2)/|\tau|^2`$ of functions with neighbouring coefficients in each row, all rows together.
///
/// It is infinite where $`\tau`$ vanishes. A field with a $`\tau`$ above rounding has at most $`n^2/4`$ over that rounding,
/// and this number stands for infinity.
fn product(lines: &[Vec<Complex>], side: usize) -> f64 {
    let powers =
        || lines.iter().flat_map(|line| line.iter().map(|[a, b]| a * a + b * b).enumerate());
    let norm: f64 = powers().map(|(_, power)| power).sum();
    let mean = powers().map(|(k, power)| k as f64 * power).sum::<f64>() / norm;
    // Around the mean, so that an almost flat field keeps the digits of its small variance.
    let around = |k: usize| (k as f64 - mean) * (k as f64 - mean);
    let variance = powers().map(|(k, power)| around(k) * power).sum::<f64>() / norm;
    let (mut re, mut im) = (0.0, 0.0);
    for pair in lines.iter().flat_map(|line| line.windows(2)) {
        let ([a, b], [c, d]) = (pair[0], pair[1]);
        re += a * c + b * d;
        im += a * d - b * c;
    }
    let toward = (re * re + im * im) / (norm * norm);
    let most = 0.25 * (side * side) as f64 / f64::EPSILON;
    if toward < f64::EPSILON {
        return most;
    }
    (variance * (1.0 - toward).max(0.0) / toward).min(most)
}

/// The registry entry.
pub const ENTRY: Probe = Probe {
    columns: Columns::Named(&[
        "entropies",
        "massar_spindel",
        "circular",
        "analytic",
        "entropy_frequency",
        "spread_place",
        "spread_frequency",
        "var_frequency",
    ]),
    unmoved_by: &[Change::Scale, Change::Sign, Change::OwnShift],
    ..Probe::of_units(
        "uncertainty",
        "H(p) + H(q) >= ln n of places and frequencies; Massar and Spindel's left side >= 1; Var(k)(1-|t|^2)/|t|^2 >= 1/4 on the circle, of the field and of its analytic signal (n^2/4 over machine epsilon where t = 0); H(q), dU^2, dV^2, Var(k); 0 for a zero field; on a torus along the last axis",
        |view| {
            let side = *view.network.shape().last().unwrap_or(&1);
            per_unit(view, |w| {
                let u = uncertainty(w, side);
                vec![
                    u.entropies,
                    u.massar_spindel,
                    u.circular,
                    u.analytic,
                    u.entropy_frequency,
                    u.spread_place,
                    u.spread_frequency,
                    u.var_frequency,
                ]
            })
        },
    )
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{LN_2, TAU};

    const INFINITE: f64 = 0.25 / f64::EPSILON;

    fn on_ring(w: &[f64]) -> Uncertainty {
        uncertainty(w, w.len())
    }

    #[track_caller]
    fn near(got: f64, expected: f64, tolerance: f64) {
        assert!((got - expected).abs() <= tolerance * (1.0 + expected.abs()), "{got} {expected}");
    }

    #[test]
    fn flat_single_site_and_sinusoidal_fields_have_their_known_values() {
        let n = 40;
        let ln_n = libm::log(40.0);
        let flat = on_ring(&[0.3; 40]);
        let mut site = [0.0; 40];
        site[17] = -2.0;
        let site = on_ring(&site);
        for u in [flat, site] {
            near(u.entropies, ln_n, 1e-13);
            near(u.massar_spindel, 1.0, 1e-12);
        }
        near(flat.circular, INFINITE * 1600.0, 1e-12);
        near(flat.analytic, INFINITE * 1600.0, 1e-12);
        near(flat.spread_place, 1.0, 1e-13);
        near(flat.spread_frequency, 0.0, 1e-13);
        // One site on an even ring: 39 equal coefficients and half of one at either end.
        let tau = (38.0 + 2.0 * FRAC_1_SQRT_2) / 40.0;
        let variance = (2.0 * (1..20).map(|k| f64::from(k * k)).sum::<f64>() + 400.0) / 40.0;
        near(site.var_frequency, variance, 1e-12);
        near(site.circular, variance * (1.0 / (tau * tau) - 1.0), 1e-11);
        near(site.spread_place, 0.0, 1e-13);
        near(site.spread_frequency, 1.0, 1e-13);
        // Its analytic signal: amplitudes 1 at both ends and 2 between them, 78 squared in all.
        let (mean, square) = ((4.0 * 190.0 + 20.0) / 78.0, (4.0 * 2470.0 + 400.0) / 78.0);
        let tau = (2.0 + 4.0 * 18.0 + 2.0) / 78.0;
        near(site.analytic, (square - mean * mean) * (1.0 / (tau * tau) - 1.0), 1e-11);
        let wave: Vec<f64> = (0..n).map(|i| cos_turns(3 * i + 1, n)).collect();
        let wave = on_ring(&wave);
        near(wave.entropy_frequency, LN_2, 1e-13);
        near(wave.var_frequency, 9.0, 1e-12);
        near(wave.circular, INFINITE * 1600.0, 1e-12);
        assert_eq!(on_ring(&[0.0; 6]), Uncertainty::default());
    }

    #[test]
    fn two_equal_sites_have_the_values_worked_out_by_hand() {
        // n = 4, sites 0 and 1: powers 1, 1, 0 at |k| = 0, 1, 2 of 2 in all.
        let u = on_ring(&[1.0, 1.0, 0.0, 0.0]);
        near(u.entropies, LN_2 + 1.5 * LN_2, 1e-13);
        near(u.spread_place, 0.5, 1e-13);
        near(u.spread_frequency, 0.75, 1e-13);
        near(u.massar_spindel, 3.0 * 0.375 + 1.25, 1e-12);
        // tau = 2 c_0 c_1 / 2 with |c_0| = 1 and |c_1| = 1/sqrt 2; Var(k) = 1/2.
        near(u.circular, 0.5 * (0.5 / 0.5), 1e-12);
        // Amplitudes 1 and sqrt 2, norm 3: tau^2 = 2/9, Var(k) = 2/3 - 4/9.
        near(u.analytic, (2.0 / 9.0) * (7.0 / 9.0) / (2.0 / 9.0), 1e-12);
    }

    /// With `t = 2 pi s/n`: tau = exp(-t^2/2) for both signals; Var(k) = 1/4t^2 for the analytic one and k^2 more for the real one.
    #[test]
    fn a_gabor_reaches_the_bound_by_its_analytic_signal_alone_wherever_it_stands() {
        let (n, s, k) = (64_usize, 4.0, 16_usize);
        let t = TAU * s / n as f64;
        let place = libm::exp(t * t) - 1.0;
        let mut gabor: Vec<f64> = (0..n)
            .map(|i| {
                let d = i as f64 - 32.0;
                libm::exp(-0.25 * d * d / (s * s)) * cos_turns(k * i, n)
            })
            .collect();
        for _ in 0..3 {
            let u = on_ring(&gabor);
            near(u.analytic, place / (4.0 * t * t), 1e-11);
            near(u.circular, place * (1.0 / (4.0 * t * t) + (k * k) as f64), 1e-11);
            assert!(u.analytic > 0.25 && u.analytic < 0.271 && u.circular > 40.0);
            gabor.rotate_right(7);
        }
    }

    #[test]
    fn no_field_falls_below_a_bound() {
        for n in [2_usize, 3, 5, 8, 24] {
            for trial in 0..60_usize {
                let uneven = |i: usize| libm::sin(((i + 2) * (i + 3) * (trial + 1)) as f64);
                let narrow = 1 + trial % 5;
                let field: Vec<f64> =
                    (0..n).map(|i| (0..narrow).map(|_| uneven(i)).product()).collect();
                let u = on_ring(&field);
                assert!(u.entropies >= libm::log(n as f64) - 1e-12, "{n} {trial} {u:?}");
                assert!(u.massar_spindel >= 1.0 - 1e-12, "{n} {trial} {u:?}");
                assert!(u.circular >= 0.25 && u.analytic >= 0.25, "{n} {trial} {u:?}");
            }
        }
    }

    /// The same line in every row of a torus has the line's spreads.
    #[test]
    fn the_lines_of_a_torus_are_taken_together() {
        let line = [0.2, 1.0, -0.4, 0.1, 0.0, 0.3];
        let one = on_ring(&line);
        let four = uncertainty(&[line, line, line, line].concat(), 6);
        near(four.entropies, one.entropies, 1e-13);
        near(four.circular, one.circular, 1e-12);
        near(four.analytic, one.analytic, 1e-12);
        near(four.massar_spindel, one.massar_spindel, 1e-12);
    }
}
