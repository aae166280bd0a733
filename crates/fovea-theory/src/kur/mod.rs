//! Moments of the algebraic distribution Kur(k), with distribution function $`F(x)=\tfrac12\big(1+x/(1+|x|^k)^{1/k}\big)`$.
//!
//! Its density is $`\tfrac12(1+|x|^k)^{-1-1/k}`$: heavier than Gaussian tails at small k, uniform on
//! $`[-1,1]`$ as $`k\to\infty`$.

use crate::Form;

fovea_core::registry! { "src/kur": Form; variance, excess_kurtosis, zero_excess }

/// The absolute moment $`E|x|^p=\tfrac1kB\big(\tfrac{p+1}k,1-\tfrac pk\big)`$, infinite for `k <= p`.
///
/// Written as $`\Gamma(1+\tfrac{p+1}k)\,\Gamma(1-\tfrac pk)\,/\,[(p+1)\,\Gamma(1+\tfrac1k)]`$, which is exact at
/// `k = inf` and, with $`1-p/k`$ as one quotient, keeps its digits at $`k\to p`$.
///
/// ```
/// assert!((fovea_theory::kur::abs_moment(f64::INFINITY, 2.0) - 1.0 / 3.0).abs() < 1e-15);
/// ```
pub fn abs_moment(k: f64, p: f64) -> f64 {
    if k <= p {
        return f64::INFINITY;
    }
    let inverse = 1.0 / k;
    let gap = if k.is_infinite() { 1.0 } else { (k - p) / k };
    libm::tgamma(1.0 + (p + 1.0) * inverse) * libm::tgamma(gap)
        / ((p + 1.0) * libm::tgamma(1.0 + inverse))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::agrees_to_digits;

    #[test]
    fn moments_match_the_beta_function_of_many_digits() {
        // mpmath 1.3, 40 digits: beta((p+1)/k, 1 - p/k) / k at the double nearest k.
        let table = [
            (2.000001, 2.0, 999999.6930080424),
            (2.5, 2.0, 1.9003002779768734),
            (3.0, 1.0, 0.6844634059797258),
            (4.1, 4.0, 9.925214007377681),
            (4.0000001, 4.0, 9999999.884516349),
            (5.0, 2.0, 0.48306884160049435),
            (10.0, 4.0, 0.2774501918484056),
            (50.0, 2.0, 0.33463392004907627),
            (1000000.0, 4.0, 0.20000000000657972),
            (2.5, 0.0, 1.0),
        ];
        for (k, p, expected) in table {
            agrees_to_digits(abs_moment(k, p), expected, 14.5).unwrap();
        }
    }

    #[test]
    fn a_moment_that_does_not_exist_is_infinite() {
        assert!(abs_moment(2.0, 2.0).is_infinite() && abs_moment(3.9, 4.0).is_infinite());
    }
}
