//! Moments of the nonlinear Gaussian process $`X_i=\mathrm{erf}(gZ_i)/\sqrt{\mathcal Z(g)}`$, $`Z`$ Gaussian of unit variance.

use crate::Form;

fovea_core::registry! { "src/nlgp": Form; normalizer, cov, f_site, half_moment, cond_mean, marginal, excess_kurtosis, fourth, zero_crossings, norm_variance, mode_kurtosis, preact_kurtosis, f_two_bumps, weak_cumulant }

/// The angle $`\arcsin(\rho_g r)`$, $`\rho_g=2g^2/(1+2g^2)`$, from which every second moment of the process is built.
///
/// It is an arctangent, because an arcsine loses half the digits near 1, which is the limit of $`g\to\infty`$ and $`|r|\to1`$:
/// $`1-\rho_g^2r^2=[1+4g^2+4g^4(1-r^2)]/(1+2g^2)^2`$. Scaled by the larger of 1 and $`g^2`$, so that nothing overflows.
pub(crate) fn arc(rho: f64, gain: f64) -> f64 {
    let decorrelation = (1.0 - rho) * (1.0 + rho);
    if gain <= 1.0 {
        let g2 = gain * gain;
        libm::atan2(2.0 * g2 * rho, (1.0 + 4.0 * g2 + 4.0 * g2 * g2 * decorrelation).sqrt())
    } else {
        let h2 = 1.0 / gain / gain;
        libm::atan2(2.0 * rho, (h2 * h2 + 4.0 * h2 + 4.0 * decorrelation).sqrt())
    }
}

/// The angle $`\arccos\rho_g=\tfrac\pi2-\arcsin\rho_g`$, which keeps its digits where it is small.
pub(crate) fn coarc(gain: f64) -> f64 {
    if gain <= 1.0 {
        let g2 = gain * gain;
        libm::atan2((1.0 + 4.0 * g2).sqrt(), 2.0 * g2)
    } else {
        let h2 = 1.0 / gain / gain;
        libm::atan2((h2 * (h2 + 4.0)).sqrt(), 2.0)
    }
}
