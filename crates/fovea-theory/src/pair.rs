//! Two units on the same data: the angle between them, and the moments of the data behind both gates.
//!
//! ```math
//! E[TX;S>0,T>0]=\frac1{2\pi}\Big[\sqrt{\tfrac{\rho_{tt}}{\rho_{ss}}}\,(\sin\delta-\delta\cos\delta)\,\Sigma w_s+\delta\,\Sigma r\Big],\qquad
//! r=w_t-\frac{\rho_{st}}{\rho_{ss}}w_s
//! ```
//!
//! $`S=\langle w_s,X\rangle`$, $`T=\langle w_t,X\rangle`$, $`\rho`$ their covariances, $`\theta`$ their angle in the inner product of
//! $`\Sigma`$ and $`\delta=\pi-\theta`$ its supplement (claim L001.18). The claim writes the second term along $`\Sigma w_t`$; along the
//! part $`r`$ of $`w_t`$ that is orthogonal to $`w_s`$ nothing cancels between units that are nearly parallel or opposite.
//!
//! Every moment here is homogeneous of degree 2 in the data. Elliptical data are $`X=R\,\Sigma^{1/2}U`$ with a radius $`R`$ independent
//! of the direction $`U`$; such a moment is $`ER^2`$ times one of the direction alone, and $`ER^2=n`$ whenever the covariance is
//! $`\Sigma`$. So all of them hold for every elliptical distribution with covariance $`\Sigma`$, not only for the Gaussian one.

use crate::gaussian_flow::{bilinear, quadratic};
use fovea_core::fourier::frequency_of;
use std::f64::consts::{PI, TAU};

/// The variances and the covariance of two centred variables, with their angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Variance of the first, $`S`$.
    pub var_s: f64,
    /// Variance of the second, $`T`$.
    pub var_t: f64,
    /// The angle $`\theta`$ whose cosine is their correlation.
    pub angle: f64,
    /// Its supplement $`\pi-\theta`$, to its own relative accuracy.
    pub supplement: f64,
}

impl Pair {
    /// From two variances and the covariance; `None` if the covariance is larger than the variances allow.
    ///
    /// A variable without variance is always 0: its gate never opens, as at an angle of $`\pi`$.
    pub fn from_moments(var_s: f64, var_t: f64, cov: f64) -> Option<Self> {
        // The determinant with the rounding of both its products (Kahan).
        let product = var_s * var_t;
        let lost = var_s.mul_add(var_t, -product);
        let determinant = (-cov).mul_add(cov, product) + lost;
        if determinant < -4.0 * f64::EPSILON * product || var_s < 0.0 || var_t < 0.0 {
            return None;
        }
        if product <= 0.0 {
            return Some(Self { var_s, var_t, angle: PI, supplement: 0.0 });
        }
        let sine = determinant.max(0.0).sqrt();
        let (angle, supplement) = (libm::atan2(sine, cov), libm::atan2(sine, -cov));
        Some(Self { var_s, var_t, angle, supplement })
    }

    /// Between the preactivations of two units given by their Fourier coefficients.
    ///
    /// The angle comes from the part of `v` that is orthogonal to `u`: an arccosine loses half the digits between units that
    /// are nearly parallel or opposite.
    pub fn between(eigs: &[f64], u: &[f64], v: &[f64]) -> Self {
        match Split::new(eigs, u, v) {
            Some(split) => split.pair,
            None => Self {
                var_s: quadratic(eigs, u),
                var_t: quadratic(eigs, v),
                angle: PI,
                supplement: 0.0,
            },
        }
    }

    /// $`P(S>0,T>0)`$.
    pub fn probability(&self) -> f64 {
        self.supplement / TAU
    }

    /// $`E[S^2;S>0,T>0]`$ (L001.14).
    pub fn square_s(&self) -> f64 {
        self.var_s / TAU * wedge(self.supplement)
    }

    /// $`E[T^2;S>0,T>0]`$, which is the value of note 001 (25).
    pub fn square_t(&self) -> f64 {
        self.var_t / TAU * wedge(self.supplement)
    }

    /// $`E[ST;S>0,T>0]=E[\mathrm{ReLU}(S)\,\mathrm{ReLU}(T)]`$ (L001.15), the arc-cosine kernel of cho2009.
    pub fn product(&self) -> f64 {
        self.var_s.sqrt() * self.var_t.sqrt() / TAU * lens(self.supplement)
    }
}

/// Adds `factor` times the Fourier coefficients of $`E[TX;S>0,T>0]`$ to `out`, for units with coefficients `u` and `v`.
pub fn add_gated(eigs: &[f64], u: &[f64], v: &[f64], factor: f64, out: &mut [f64]) {
    // Of degree 0 in u and 1 in v; at unit scale no square under- or overflows.
    let (top_u, top_v) = (largest(u), largest(v));
    if top_u <= 0.0 || top_v <= 0.0 {
        return;
    }
    let scaled = |x: &[f64], top: f64| -> Vec<f64> { x.iter().map(|x| x / top).collect() };
    let (unit_u, unit_v) = (scaled(u, top_u), scaled(v, top_v));
    let Some(Split { pair, rest }) = Split::new(eigs, &unit_u, &unit_v) else { return };
    let along = (pair.var_t / pair.var_s).sqrt() * lens(pair.supplement);
    for (j, (out, (u, rest))) in out.iter_mut().zip(unit_u.iter().zip(&rest)).enumerate() {
        let eig = eigs[frequency_of(j, eigs.len())];
        *out += factor * top_v / TAU * eig * (along * u + pair.supplement * rest);
    }
}

/// The largest size of an entry.
pub(crate) fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |top: f64, x| top.max(x.abs()))
}

/// A unit split into its parts along another one and across it.
struct Split {
    pair: Pair,
    /// The part of the second unit that is orthogonal to the first.
    rest: Vec<f64>,
}

impl Split {
    /// `None` if one of the two preactivations does not vary.
    fn new(eigs: &[f64], u: &[f64], v: &[f64]) -> Option<Self> {
        let (var_s, var_t, cov) = (quadratic(eigs, u), quadratic(eigs, v), bilinear(eigs, u, v));
        if !(var_s > 0.0 && var_t > 0.0) {
            return None;
        }
        let rest: Vec<f64> = u.iter().zip(v).map(|(u, v)| v - cov / var_s * u).collect();
        // Rounding of an eigenvalue that should be 0 may leave a negative square.
        let sine = var_s.sqrt() * quadratic(eigs, &rest).max(0.0).sqrt();
        let (angle, supplement) = (libm::atan2(sine, cov), libm::atan2(sine, -cov));
        Some(Self { pair: Pair { var_s, var_t, angle, supplement }, rest })
    }
}

/// $`\sin\delta-\delta\cos\delta=\sin\theta+(\pi-\theta)\cos\theta`$, by its series where the two parts cancel.
pub(crate) fn lens(delta: f64) -> f64 {
    if delta > 0.5 {
        return libm::sin(delta) - delta * libm::cos(delta);
    }
    // Term m is (-1)^{m+1} 2m d^{2m+1}/(2m+1)!: eight terms leave 1e-22 at 1/2.
    let square = delta * delta;
    let inner = (2..=8).rev().fold(1.0, |sum, m| {
        let m = f64::from(m);
        1.0 - square * sum / (2.0 * (m - 1.0) * (2.0 * m + 1.0))
    });
    delta * square / 3.0 * inner
}

/// $`\delta-\sin\delta\cos\delta=\pi-\theta+\sin\theta\cos\theta`$, by its series where the two parts cancel.
fn wedge(delta: f64) -> f64 {
    if delta > 0.5 {
        return delta - libm::sin(delta) * libm::cos(delta);
    }
    // Half of 2d - sin 2d, whose term m is (-1)^{m+1} (2d)^{2m+1}/(2m+1)!.
    let square = 4.0 * delta * delta;
    let inner = (2..=10).rev().fold(1.0, |sum, m| {
        let m = f64::from(m);
        1.0 - square * sum / (2.0 * m * (2.0 * m + 1.0))
    });
    delta * square / 6.0 * inner
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::{agrees_to_digits, within};

    #[test]
    fn the_two_functions_of_the_angle_match_mpmath_at_every_size() {
        // mpmath 1.3, 40 digits: sin d - d cos d and d - sin d cos d.
        let table = [
            (1e-12, 3.333333333333333e-37, 6.666666666666666e-37),
            (1e-3, 3.3333330000000123e-10, 6.66666533333346e-10),
            (0.3, 0.008919259923657769, 0.01767876330248232),
            (0.5, 0.04063425765901664, 0.07926450759605175),
            (0.500001, 0.04063449737224506, 0.07926496729458736),
            (2.0, 1.7415910999199664, 2.378401247653964),
            (PI, PI, PI),
        ];
        for (delta, product, square) in table {
            agrees_to_digits(lens(delta), product, 14.7).unwrap();
            agrees_to_digits(wedge(delta), square, 14.7).unwrap();
        }
    }

    #[test]
    fn an_angle_of_a_trillionth_keeps_its_digits_on_both_sides() {
        // Four sites without correlation: the angle is that of the plane.
        let eigs = [1.0; 4];
        for delta in [1e-12_f64, 1e-9, 1e-4] {
            let (u, v) = ([1.0, 0.0, 0.0, 0.0], [libm::cos(delta), libm::sin(delta), 0.0, 0.0]);
            let near = Pair::between(&eigs, &u, &v);
            within(near.angle, delta, 1e-15, 0.0).unwrap();
            within(near.probability(), 0.5 - delta / TAU, 1e-15, 0.0).unwrap();
            let far = Pair::between(&eigs, &u, &v.map(|x| -x));
            within(far.supplement, delta, 1e-15, 0.0).unwrap();
            within(far.product(), delta * delta * delta / (3.0 * TAU), 1e-8, 0.0).unwrap();
            within(far.square_s(), delta * delta * delta / (1.5 * TAU), 1e-8, 0.0).unwrap();
            within(far.probability(), delta / TAU, 1e-15, 0.0).unwrap();
        }
    }

    #[test]
    fn impossible_covariances_are_refused_and_no_variance_opens_no_gate() {
        assert!(Pair::from_moments(1.0, 1.0, 1.0001).is_none());
        assert!(Pair::from_moments(-1.0, 1.0, 0.0).is_none());
        let still = Pair::from_moments(0.0, 2.0, 0.0).unwrap();
        assert!(still.probability() == 0.0 && still.square_t() == 0.0 && still.product() == 0.0);
        let equal = Pair::from_moments(1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0).unwrap();
        assert!(equal.angle < 1e-7 && (equal.product() - 1.0 / 6.0).abs() < 1e-16);
        let mut out = [0.0; 3];
        add_gated(&[1.0, 0.0, 0.0], &[0.0, 1.0, 1.0], &[1.0, 0.0, 0.0], 1.0, &mut out);
        add_gated(&[1.0; 3], &[0.0; 3], &[1.0, 0.0, 0.0], 1.0, &mut out);
        assert!(out.iter().all(|x| x.abs() == 0.0));
    }
}
