//! Two preactivations, and the correlation of two rectified units.

use std::f64::consts::{FRAC_PI_2, PI};

/// Variances of two preactivations and their covariance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Variance of the first.
    pub aa: f64,
    /// Variance of the second.
    pub bb: f64,
    /// Their covariance.
    pub ab: f64,
}

impl Pair {
    /// One preactivation paired with itself.
    pub fn twin(k: f64) -> Self {
        Self { aa: k, bb: k, ab: k }
    }

    /// Two of variance `k` and correlation `r`.
    pub fn correlated(k: f64, r: f64) -> Self {
        Self { aa: k, bb: k, ab: k * r }
    }

    /// Their correlation; taken as 1 if one of them does not vary.
    pub fn correlation(&self) -> f64 {
        let size = self.size();
        if size > 0.0 { (self.ab / size).clamp(-1.0, 1.0) } else { 1.0 }
    }

    /// The root of the product of the variances; that of equal ones is exact.
    pub(crate) fn size(&self) -> f64 {
        let product = self.aa * self.bb;
        if product.is_normal() { product.sqrt() } else { self.aa.sqrt() * self.bb.sqrt() }
    }

    /// One minus the squared correlation, without cancellation where the two are close.
    pub(crate) fn decorrelation(&self) -> f64 {
        let size = self.size();
        let gap = |sign: f64| ((size - sign * self.ab) / size).max(0.0);
        if size > 0.0 { gap(1.0) * gap(-1.0) } else { 0.0 }
    }

    /// The angle whose cosine is the correlation.
    pub(crate) fn angle(&self) -> f64 {
        libm::atan2(self.decorrelation().sqrt(), self.correlation())
    }
}

/// $`\kappa_0=(\pi-\theta)/\pi`$: twice the chance that two gates are open.
pub fn kappa0(angle: f64) -> f64 {
    1.0 - angle / PI
}

/// $`\kappa_1=(\sin\theta+(\pi-\theta)\cos\theta)/\pi`$, the correlation of two rectified units.
pub fn kappa1(angle: f64) -> f64 {
    let (sine, cosine) = libm::sincos(angle);
    // Near pi both terms are large and of opposite sign, and the sum is of third order in pi minus the angle.
    let rest = PI - angle;
    if rest < 0.1 {
        let square = rest * rest;
        let series = 1.0 / 3.0 - square / 30.0 * (1.0 - square / 28.0 * (1.0 - square / 54.0));
        return rest * square * series / PI;
    }
    (sine + rest * cosine) / PI
}

/// The correlation of two rectified units whose preactivations have correlation `r`.
pub fn relu_correlation(r: f64) -> f64 {
    kappa1(FRAC_PI_2 - libm::asin(r.clamp(-1.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::agree::within;

    #[test]
    fn nearly_opposite_and_nearly_equal_inputs_keep_their_digits() {
        // kappa1 = (2 sqrt 2 / 3 pi) e^(3/2) (1 + O(e)) at r = -1 + e; 1 - kappa1 = e - ... at r = 1 - e.
        let e = 1e-6;
        let small = relu_correlation(e - 1.0);
        let lead = 2.0 * 2.0_f64.sqrt() / (3.0 * PI) * libm::pow(e, 1.5);
        assert!((small / lead - 1.0).abs() < 1e-6, "{small:e}");
        for angle in [PI - 0.1 + 1e-9, PI - 0.1 - 1e-9] {
            let (sine, cosine) = libm::sincos(angle);
            within(kappa1(angle), (sine + (PI - angle) * cosine) / PI, 1e-12, 0.0).unwrap();
        }
    }
}
