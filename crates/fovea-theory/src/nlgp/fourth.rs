//! Moment and cumulant of four sites of the nonlinear Gaussian process.
//!
//! ```math
//! \kappa_{ijkl}=\frac1{A^2}\int_0^{A}\sum_{a<b}\frac{r_{ab}\cos\varphi}{\sqrt{1-s^2r_{ab}^2}}
//! \big[\arcsin\rho_{cd\cdot ab}-\arcsin(s\,r_{cd})\big]d\varphi,\qquad s=\sin\varphi,\quad A=\arcsin\rho_g
//! ```
//!
//! ```math
//! E\,X_iX_jX_kX_l=\kappa_{ijkl}+C_{ij}C_{kl}+C_{ik}C_{jl}+C_{il}C_{jk}
//! ```
//!
//! # Source
//! Claim L000.21, derived by Plackett's identity (plackett1954) on the path from independent signs to those of
//! $`Z+\varepsilon/(\sqrt2g)`$, whose mean is $`\mathrm{erf}(gZ)`$. The claim's $`t`$ is $`\sin\varphi/\rho_g`$, and it
//! integrates only the first arcsine, which gives the moment; the second one integrates to the products of
//! covariances. So a small cumulant keeps its digits.
//!
//! # Symbols
//! * $`R`$: the latent correlations $`r`$, from `n` and `xi` (a repeated site is a copy, with latent correlation 1 and
//!   correlation $`\rho_g`$ of the argument of the sign)
//! * $`g`$: `gain`
//! * $`\rho_{cd\cdot ab}`$: partial correlation of the other two in $`sR+(1-s)I`$
//!
//! # Holds when
//! $`R`$ is a correlation matrix; every gain > 0, `inf` included; repeated sites included. The cumulant is
//! $`-2g^2\sum_a\prod_{b\ne a}r_{ab}`$ as the gain falls to 0; at `gain = inf` a repeated site squares to 1.
//!
//! # Checked by
//! Reference values (`tests/oracle`); `nlgp.excess_kurtosis`; Gauss-Hermite sums; both limits of the gain; sampled
//! moments.

use super::cov::cov;
use super::{arc, coarc};
use crate::cumulants::Cumulants;
use crate::form::{Control, Form, FormError, Fourth, four_sites, with};
use fovea_core::params::{Schema, above, any, at_least, between, finite_above};
use fovea_core::quadrature::adaptive;
use fovea_core::ring::{Kernel, RingKernel, distance};
use fovea_core::{ParamError, Params, Value, params, work};
use std::f64::consts::FRAC_PI_4;

/// The two sites whose correlation a path changes, and the other two.
const SPLITS: [[usize; 4]; 6] =
    [[0, 1, 2, 3], [0, 2, 1, 3], [0, 3, 1, 2], [1, 2, 0, 3], [1, 3, 0, 2], [2, 3, 0, 1]];

/// Moment and cumulant of four sites with these latent correlations; the diagonal counts as 1.
///
/// ```
/// let copies = [[1.0; 4]; 4];
/// let four = fovea_theory::nlgp::fourth::fourth(&copies, f64::INFINITY);
/// assert!((four.moment - 1.0).abs() < 1e-15 && (four.cumulant + 2.0).abs() < 1e-15);
/// ```
pub fn fourth(latent: &[[f64; 4]; 4], gain: f64) -> Fourth {
    let pairings = Fourth::pairings([0, 1, 2, 3], |a, b| cov(latent[a][b], gain));
    if gain.is_infinite()
        && let Some([a, b, c, d]) = SPLITS.into_iter().find(|s| latent[s[0]][s[1]].abs() >= 1.0)
    {
        // Two signs that always agree, or always differ: their product is a constant.
        return Fourth::from_moment(latent[a][b] * cov(latent[c][d], gain), pairings);
    }
    let (r, sign) = aligned(latent);
    let cumulant = sign * cumulant(&r, gain);
    Fourth { moment: cumulant + pairings, cumulant }
}

/// The matrix after flipping sites until near copies are copies and not mirror images, and the resulting sign of the product.
fn aligned(latent: &[[f64; 4]; 4]) -> ([[f64; 4]; 4], f64) {
    let mut turn = [1.0_f64; 4];
    for b in 1..4 {
        let size = |a: &usize| latent[*a][b].abs();
        let nearest = (0..b).max_by(|p, q| size(p).total_cmp(&size(q))).unwrap_or(0);
        turn[b] = if latent[nearest][b] < 0.0 { -turn[nearest] } else { turn[nearest] };
    }
    let entry = |a: usize, b: usize| turn[a] * turn[b] * latent[a][b];
    (std::array::from_fn(|a| std::array::from_fn(|b| entry(a, b))), turn.iter().product())
}

fn cumulant(r: &[[f64; 4]; 4], gain: f64) -> f64 {
    let end = arc(1.0, gain);
    if end < 1e-17 {
        // The first term of the series, exact to rounding; the integrand would eventually underflow.
        let star = |a: usize| (0..4).filter(|b| *b != a).map(|b| r[a][b]).product::<f64>();
        return -end * (0..4).map(star).sum::<f64>();
    }
    // From the start with s = sin(phi), from the end with 1 - s = 2 sin^2(psi/2): each keeps the digits of the smaller of the two.
    let first = end.min(FRAC_PI_4);
    let start = |t: f64| {
        let s = libm::sin(first * t);
        rate(r, s, 1.0 - s) / (first * first)
    };
    let early = first * first * first * adaptive(start, 0.0, 1.0, 1e-12).value;
    let late = if end > FRAC_PI_4 {
        let finish = |psi: f64| {
            let half = libm::sin(0.5 * psi);
            rate(r, libm::cos(psi), 2.0 * half * half)
        };
        // For pairs of near copies far apart the terms cancel to rounding: 1e-15 of the moment is enough.
        let from = coarc(gain);
        let probe = |i: u32| finish(from + (FRAC_PI_4 - from) * f64::from(i) / 6.0).abs();
        let size = (1..6).map(probe).fold(1e-15, f64::max);
        adaptive(finish, from, FRAC_PI_4, (1e-15 / size).max(1e-12)).value
    } else {
        0.0
    };
    (early / end + late / end) / end
}

/// The integrand at $`s`$; `rest` is $`1-s`$.
fn rate(r: &[[f64; 4]; 4], s: f64, rest: f64) -> f64 {
    // Six arcsines: six times the usual cost of a point of an integral, one of which the integral itself counts.
    work::spend(SPLITS.len() - 1);
    let cos = (rest * (1.0 + s)).sqrt();
    let term = |[a, b, c, d]: [usize; 4]| {
        // 1 - s r = (1 - s) + s (1 - r), which stays exact as both tend to 1.
        let apart = |[a, b]: [usize; 2]| rest + s * (1.0 - r[a][b]);
        let pairs = [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]];
        let steep = cos / (apart([a, b]) * (1.0 + s * r[a][b])).sqrt();
        r[a][b] * steep * change(pairs.map(|[a, b]| s * r[a][b]), pairs.map(apart))
    };
    SPLITS.into_iter().map(term).sum()
}

/// $`\arcsin\rho_{cd\cdot ab}-\arcsin m_{cd}`$ from the correlations $`m`$ of ab, ac, ad, bc, bd, cd, and from all $`1-m`$.
fn change(m: [f64; 6], apart: [f64; 6]) -> f64 {
    let [ab, ac, ad, bc, bd, cd] = m;
    // The part explained by a and b. In terms of their sum and difference nothing cancels when they are nearly equal.
    let explained = |x: [f64; 2], y: [f64; 2]| {
        if apart[0] < 0.5 {
            0.5 * (x[0] + x[1]) * (y[0] + y[1]) / (1.0 + ab)
                + 0.5 * (x[0] - x[1]) * (y[0] - y[1]) / apart[0]
        } else {
            (x[0] * y[0] + x[1] * y[1] - ab * (x[0] * y[1] + x[1] * y[0])) / (apart[0] * (1.0 + ab))
        }
    };
    let (of_c, of_d) = (explained([ac, bc], [ac, bc]), explained([ad, bd], [ad, bd]));
    if of_c.max(of_d) > 0.5 {
        let partial = near_copies(apart);
        return arcsine_step(cd, partial, partial - cd);
    }
    // The step from m to the partial correlation, relative to its own size.
    let left = ((1.0 - of_c) * (1.0 - of_d)).sqrt();
    let lost = (of_c + of_d - of_c * of_d) / (1.0 + left);
    let step = (cd * lost - explained([ac, bc], [ad, bd])) / left;
    arcsine_step(cd, cd + step, step)
}

/// The partial correlation from $`1-m`$, all of which may be small.
fn near_copies([ab, ac, ad, bc, bd, cd]: [f64; 6]) -> f64 {
    // Determinant of a 3x3 correlation matrix with off-diagonal entries 1-u, 1-v, 1-w.
    let det = |u: f64, v: f64, w: f64| {
        (4.0 * u * v - (u + v - w) * (u + v - w) - 2.0 * u * v * w).max(f64::MIN_POSITIVE)
    };
    // The cofactor of cd in the 4x4 matrix, expanded in the same small numbers.
    let cofactor = ab * (ac + ad + bc + bd - ab - 2.0 * cd + cd * ab - ac * bd - bc * ad)
        - (ac - bc) * (ad - bd);
    let scale = det(ab, ac, bc).sqrt() * det(ab, ad, bd).sqrt();
    (cofactor / scale).clamp(-1.0, 1.0)
}

/// $`\arcsin y-\arcsin x`$ where the step $`y-x`$ is known better than its two ends.
fn arcsine_step(x: f64, y: f64, step: f64) -> f64 {
    let (cos_x, cos_y) = (((1.0 - x) * (1.0 + x)).sqrt(), ((1.0 - y) * (1.0 + y)).sqrt());
    let sin =
        if x * y > 0.0 { step * (x + y) / (y * cos_x + x * cos_y) } else { y * cos_x - x * cos_y };
    libm::atan2(sin, x * y + cos_x * cos_y)
}

/// Whether the sites form two uncorrelated groups, which have no joint cumulant. Most sets of sites on a long ring do.
fn falls_apart(r: &[[f64; 4]; 4]) -> bool {
    const NOTHING: f64 = 1e-30;
    let mut reached = [true, false, false, false];
    for _ in 1..4 {
        for b in 1..4 {
            reached[b] |= (0..4).any(|a| reached[a] && r[a][b].abs() > NOTHING);
        }
    }
    reached.contains(&false)
}

impl Cumulants {
    /// The cumulants of the nonlinear Gaussian process whose latent covariance has this first row.
    pub fn nlgp(latent: &[f64], gain: f64) -> Self {
        let n = latent.len();
        let rho = |i: usize, j: usize| latent[distance(i, j, n)];
        Self::from_fn(n, |at| {
            let r = at.map(|i| at.map(|j| rho(i, j)));
            if falls_apart(&r) { 0.0 } else { fourth(&r, gain).cumulant }
        })
    }
}

params! {
    /// Arguments of `nlgp.fourth`.
    pub struct Args {
        /// Ring size.
        n: usize = 40, between(2.0, 1e4), "sites";
        /// Correlation length.
        xi: f64 = 2.0, finite_above(0.0), "sites";
        /// Gain of the nonlinearity; `inf` is the sign.
        gain: f64 = 3.0, above(0.0), "";
        /// Four sites, counted from 0; repeats are allowed.
        sites: Vec<f64> = vec![0.0, 1.0, 2.0, 3.0], at_least(0.0), "sites";
        /// Covariance kernel of the latent Gaussian.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Params for Args {
    fn check(&self) -> Result<(), ParamError> {
        four_sites("sites", &self.sites, self.n).map(drop)
    }
}

impl Args {
    fn value(&self) -> Result<Fourth, FormError> {
        let row = RingKernel::new(self.n, self.xi, self.kernel)?.first_row;
        let at = four_sites("sites", &self.sites, self.n)?;
        Ok(fourth(&at.map(|i| at.map(|j| row[distance(i, j, self.n)])), self.gain))
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "nlgp.fourth",
    text: include_str!("fourth.rs"),
    control: Control {
        what: "the three products of covariances, as if the sites were Gaussian",
        eval: |given| with(given, |a: Args| Ok(a.value()?.gaussian().into())),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(Value::from(a.value()?))),
};
