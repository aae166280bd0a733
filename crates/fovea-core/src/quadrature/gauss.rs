//! Gauss rules: the nodes are zeros of orthogonal polynomials, found by Newton's method on the recurrence.

use std::f64::consts::PI;

/// The points and weights of a sum that approximates an integral.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The points, ascending.
    pub nodes: Vec<f64>,
    /// The weight of each point.
    pub weights: Vec<f64>,
}

impl Rule {
    /// The weighted sum of `f` over the nodes.
    pub fn integrate(&self, mut f: impl FnMut(f64) -> f64) -> f64 {
        self.nodes.iter().zip(&self.weights).map(|(x, w)| w * f(*x)).sum()
    }

    /// Builds a symmetric rule of `n` points from its positive half, the largest node first.
    fn mirrored(n: usize, half: impl Fn(usize) -> (f64, f64)) -> Self {
        let (mut nodes, mut weights) = (vec![0.0; n], vec![0.0; n]);
        for k in 0..n.div_ceil(2) {
            let (node, weight) = half(k);
            (nodes[k], weights[k]) = (-node, weight);
            (nodes[n - 1 - k], weights[n - 1 - k]) = (node, weight);
        }
        Self { nodes, weights }
    }
}

/// Newton's method needs about four steps from the asymptotic guesses below; more only move rounding.
const NEWTON_STEPS: usize = 10;

/// The Gauss-Legendre rule of `n` points: $`\sum_i w_i f(x_i) = \int_{-1}^1 f(x)\,dx`$ for polynomials of degree below `2n`.
///
/// ```
/// use fovea_core::quadrature::gauss_legendre;
/// assert!((gauss_legendre(3).integrate(|x| x * x * x * x) - 0.4).abs() < 1e-15);
/// ```
pub fn gauss_legendre(n: usize) -> Rule {
    Rule::mirrored(n, |k| {
        // Work in s = 1 - x = 2 sin^2(angle / 2): near the end of the interval x has lost the digits that the weight needs.
        let angle = PI * (k as f64 + 0.75) / (n as f64 + 0.5);
        let sine = libm::sin(0.5 * angle);
        let mut s = if 2 * k + 1 == n { 1.0 } else { 2.0 * sine * sine };
        if 2 * k + 1 < n {
            for _ in 0..NEWTON_STEPS {
                let (value, slope) = legendre(n, s);
                let step = value / slope; // d/ds = -d/dx
                s += step;
                if step.abs() <= f64::EPSILON * s {
                    break;
                }
            }
        }
        let slope = legendre(n, s).1;
        (1.0 - s, 2.0 / (s * (2.0 - s) * slope * slope))
    })
}

/// The Legendre polynomial $`P_n(1 - s)`$ and its derivative in $`x = 1 - s`$.
fn legendre(n: usize, s: f64) -> (f64, f64) {
    // The recurrence for the differences d_k = P_k - P_{k-1}: (k + 1) d_{k+1} = k d_k - (2k + 1) s P_k.
    let (mut value, mut difference) = (1.0, 0.0);
    for k in 0..n {
        let k = k as f64;
        difference = (k * difference - (2.0 * k + 1.0) * s * value) / (k + 1.0);
        value += difference;
    }
    (value, n as f64 * (s * value - difference) / (s * (2.0 - s)))
}

/// The Gauss-Hermite rule of `n` points for the standard normal distribution: $`\sum_i w_i f(x_i) = E f(Z)`$ for polynomials of degree
/// below `2n`.
///
/// This is the probabilists' rule: the weights sum to 1. Weights below the smallest number (from about `n = 400` on) are 0.
///
/// ```
/// use fovea_core::quadrature::gauss_hermite;
/// assert!((gauss_hermite(3).integrate(|z| z * z * z * z) - 3.0).abs() < 1e-14);
/// ```
pub fn gauss_hermite(n: usize) -> Rule {
    Rule::mirrored(n, |k| {
        let mut x = if 2 * k + 1 == n { 0.0 } else { hermite_guess(n, k) };
        let mut last = hermite(n, x);
        if 2 * k + 1 < n {
            for _ in 0..NEWTON_STEPS {
                let step = last.ratio / (n as f64).sqrt();
                x -= step;
                last = hermite(n, x);
                if step.abs() <= f64::EPSILON * x {
                    break;
                }
            }
        }
        // 1 / (n h^2), in logarithms because h can exceed the largest number.
        (x, libm::exp(-2.0 * last.ln_previous) / n as f64)
    })
}

/// The `k`-th largest zero of the Hermite polynomial, by phase integrals: it only has to fall into Newton's basin.
fn hermite_guess(n: usize, k: usize) -> f64 {
    // Turning point sqrt(4n + 2); the phase 2a - sin 2a at x = sqrt(4n + 2) cos a is pi (4k + 3) / (2n + 1).
    let width = 4.0 * n as f64 + 2.0;
    let target = PI * (4.0 * k as f64 + 3.0) / (0.5 * width);
    // For small angles the phase is (4/3) a^3, which starts Newton on the convex side.
    let mut angle = libm::cbrt(0.75 * target);
    for _ in 0..NEWTON_STEPS {
        let sine = libm::sin(angle);
        angle -= (2.0 * angle - libm::sin(2.0 * angle) - target) / (4.0 * sine * sine);
    }
    width.sqrt() * libm::cos(angle)
}

/// The last two orthonormal Hermite polynomials at a point.
struct Hermite {
    /// $`h_n / h_{n-1}`$.
    ratio: f64,
    /// $`\ln |h_{n-1}|`$.
    ln_previous: f64,
}

/// Runs the orthonormal recurrence $`\sqrt{k+1}\,h_{k+1} = x h_k - \sqrt{k}\,h_{k-1}`$ up to order `n`.
fn hermite(n: usize, x: f64) -> Hermite {
    const LARGE: f64 = 1e100;
    let (mut previous, mut value, mut scale) = (0.0_f64, 1.0_f64, 0.0);
    for k in 0..n {
        let k = k as f64;
        let next = (x * value - k.sqrt() * previous) / (k + 1.0).sqrt();
        (previous, value) = (value, next);
        // The zeros are the same on any scale: keep the pair in range and remember by how much.
        if value.abs() > LARGE {
            (previous, value) = (previous / LARGE, value / LARGE);
            scale += libm::log(LARGE);
        }
    }
    Hermite { ratio: value / previous, ln_previous: libm::log(previous.abs()) + scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{agrees_to_digits, digits, within};

    const SIZES: [usize; 9] = [1, 2, 3, 4, 5, 16, 63, 64, 200];

    #[test]
    fn legendre_rules_integrate_polynomials_up_to_their_degree() {
        for n in SIZES {
            let rule = gauss_legendre(n);
            for degree in (0..2 * n).filter(|d| d % 2 == 0) {
                let sum = rule.integrate(|x| libm::pow(x * x, degree as f64 / 2.0));
                within(sum, 2.0 / (degree as f64 + 1.0), 2e-14, 1e-15).unwrap();
            }
            // One degree further the rule is wrong by (n!)^4 2^(2n+1) / ((2n+1) (2n)!^2) times the factorial: visible.
            if n <= 5 {
                let sum = rule.integrate(|x| libm::pow(x * x, n as f64));
                assert!(digits(sum, 2.0 / (2.0 * n as f64 + 1.0)) < 4.0, "{n}");
            }
        }
    }

    #[test]
    fn hermite_rules_give_the_moments_of_the_normal_law() {
        for n in SIZES {
            let rule = gauss_hermite(n);
            let mut moment = 1.0;
            for degree in (0..(2 * n).min(100)).step_by(2) {
                let sum = rule.integrate(|x| libm::pow(x * x, degree as f64 / 2.0));
                within(sum, moment, 2e-13, 0.0).unwrap();
                moment *= degree as f64 + 1.0;
            }
            if n <= 5 {
                let sum = rule.integrate(|x| libm::pow(x * x, n as f64));
                assert!(digits(sum, moment) < 2.0, "{n}");
            }
        }
    }

    #[test]
    fn odd_functions_cancel_exactly() {
        for n in SIZES {
            for rule in [gauss_legendre(n), gauss_hermite(n)] {
                let mut pairs = rule.nodes.iter().zip(rule.nodes.iter().rev());
                assert!(pairs.all(|(a, b)| a + b == 0.0), "{n}");
                assert!(rule.nodes.is_sorted_by(|a, b| a < b), "{n}");
                assert!(rule.weights.iter().all(|w| *w > 0.0), "{n}");
            }
        }
    }

    #[test]
    fn legendre_nodes_and_weights_match_mpmath() {
        // mpmath 1.3, 60 digits: Newton's method on the three-term recurrence. The k-th largest node and its weight.
        let table = [
            (5, 0, 0.906179845938664, 0.23692688505618908),
            (64, 0, 0.9993050417357722, 0.001783280721696433),
            (64, 20, 0.5312794640198946, 0.04126256324262353),
            (200, 0, 0.99992807128507, 0.00018459009747129744),
            (200, 1, 0.9996210312809364, 0.0004296466304510571),
            (200, 50, 0.7001461155444901, 0.011187442349738355),
            (200, 99, 0.00783429114230637, 0.015668261715832254),
        ];
        for (n, k, node, weight) in table {
            let rule = gauss_legendre(n);
            agrees_to_digits(rule.nodes[n - 1 - k], node, 14.5).unwrap();
            agrees_to_digits(rule.weights[n - 1 - k], weight, 14.0).unwrap();
        }
    }

    #[test]
    fn hermite_nodes_and_weights_match_mpmath() {
        // mpmath 1.3, 60 digits: Newton's method on the orthonormal recurrence. The k-th largest node and its weight.
        let table = [
            (5, 0, 2.8569700138728056, 0.01125741132772069),
            (64, 0, 14.886186143339453, 3.123187965107721e-49),
            (64, 20, 4.5604587281440505, 4.958379721063241e-6),
            (200, 0, 27.349827752266123, 1.2576313313555794e-163),
            (200, 1, 26.61959477885266, 3.481969568366553e-155),
            (200, 50, 11.288932358266727, 2.0480247293608697e-29),
            (200, 99, 0.1109336043783837, 0.08796970496605233),
        ];
        for (n, k, node, weight) in table {
            let rule = gauss_hermite(n);
            agrees_to_digits(rule.nodes[n - 1 - k], node, 14.5).unwrap();
            // A weight moves by 2 x dx relative when its node is rounded by dx: far out that is 1e-13 of 1e-170.
            let slack = 1e-14 + 4.0 * node * node * f64::EPSILON;
            within(rule.weights[n - 1 - k], weight, slack, 0.0).unwrap();
        }
    }

    #[test]
    fn large_rules_stay_finite_and_normalised() {
        let legendre = gauss_legendre(2000);
        agrees_to_digits(legendre.weights.iter().sum(), 2.0, 13.0).unwrap();
        let hermite = gauss_hermite(1000);
        assert!(hermite.nodes.is_sorted_by(|a, b| a < b));
        agrees_to_digits(hermite.weights.iter().sum(), 1.0, 12.0).unwrap();
        assert!(gauss_legendre(0).nodes.is_empty() && gauss_hermite(0).weights.is_empty());
    }
}
