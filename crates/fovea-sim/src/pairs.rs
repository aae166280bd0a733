//! Covariances of a Gaussian field after an entrywise function, by brute force.
//!
//! Two standard normals of correlation `r >= 0` are `sqrt(r) X + sqrt(1 - r) W` with a common `X` and a `W` of their
//! own. Given `X` they are independent, so `E q(Z) q(Z') = E h(X)^2` with `h(x) = E q(sqrt(r) x + sqrt(1 - r) W)`: two
//! nested integrals, the inner one split where `q` bends, the outer one smooth. For `r < 0` the second normal takes
//! `-X`. Closed forms of the same numbers live in `fovea-theory`, and tests in `fovea-lab` compare the two.

use fovea_core::quadrature::adaptive_split;
use fovea_core::special::normal_pdf;
use fovea_core::work::Listening;
use rayon::prelude::*;

/// An entrywise function that gives a standard normal mean zero and variance one.
pub struct Entrywise<'a> {
    /// The function.
    pub value: &'a (dyn Fn(f64) -> f64 + Sync),
    /// Where it bends, jumps or changes its scale.
    pub bends: Vec<f64>,
    /// Whether it is odd.
    pub odd: bool,
    /// Beyond this point the rest of the integrals is below rounding.
    pub reach: f64,
}

/// Panel ends on the scale of the normal density.
const SCALE: [f64; 4] = [1.0, 3.0, 6.0, 12.0];

/// With more bends than this the outer integral is not split at them: each is then a small part of the whole.
const MANY: usize = 40;

impl Entrywise<'_> {
    /// A bounded or slowly growing odd function.
    pub fn odd(value: &(dyn Fn(f64) -> f64 + Sync), bends: Vec<f64>) -> Entrywise<'_> {
        Entrywise { value, bends, odd: true, reach: 12.0 }
    }

    /// The covariance after the function for every latent covariance of a list.
    ///
    /// Equal entries, up to sign for an odd function, are computed once; so are those that differ in their last digits,
    /// as the products of a torus do.
    pub fn covariances(&self, latent: &[f64]) -> Vec<f64> {
        let slope = self.slope();
        self.at_each(latent, |r| self.covariance_from(r, slope))
    }

    /// `E [q(Z') | Z > 0]` of an odd function for every latent covariance of a list.
    pub fn means_given_positive(&self, latent: &[f64]) -> Vec<f64> {
        let slope = self.slope();
        self.at_each(latent, |r| self.mean_given_positive(r, slope))
    }

    fn mean_given_positive(&self, r: f64, slope: f64) -> f64 {
        if r.abs() < 1e-6 {
            // The next term is r^3.
            return slope * r * std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2;
        }
        let spread = ((1.0 - r) * (1.0 + r)).max(0.0).sqrt();
        let mut points = vec![0.0, self.reach];
        points.extend(SCALE);
        if self.bends.len() <= MANY {
            let around = |b: &f64| [*b, b - 6.0 * spread, b + 6.0 * spread];
            points.extend(self.bends.iter().flat_map(around).map(|b| b / r));
        }
        points.retain(|p| (0.0..=self.reach).contains(p));
        let given = |z: f64| self.mean_around(r * z, spread) * normal_pdf(z);
        2.0 * adaptive_split(given, &points, 1e-12).value
    }

    /// A function of the latent covariance, odd if this one is, at every entry of a list.
    fn at_each(&self, latent: &[f64], compute: impl Fn(f64) -> f64 + Sync) -> Vec<f64> {
        let key = |r: f64| if self.odd { r.abs() } else { r };
        let mut distinct: Vec<f64> = latent.iter().map(|r| key(*r)).collect();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup_by(|a, b| (*a - *b).abs() <= 2.0 * f64::EPSILON * b.abs());
        let here = Listening::here();
        let values: Vec<f64> = distinct.par_iter().map(|r| here.help(|| compute(*r))).collect();
        let found = |r: f64| {
            let after = distinct.partition_point(|d| *d <= key(r));
            values[after.saturating_sub(1)] * if self.odd && r < 0.0 { -1.0 } else { 1.0 }
        };
        latent.iter().map(|r| found(*r)).collect()
    }

    /// `E q(Z) q(Z')` at correlation `r`.
    pub fn covariance(&self, r: f64) -> f64 {
        self.covariance_from(r, self.slope())
    }

    /// `E Z q(Z)`, whose square is the slope of the covariance at `r = 0`.
    fn slope(&self) -> f64 {
        adaptive_split(|z| z * (self.value)(z) * normal_pdf(z), &self.panels(0.0, 1.0), 1e-13).value
    }

    fn covariance_from(&self, r: f64, slope: f64) -> f64 {
        if r.abs() < 1e-8 {
            // The next term is r^2.
            return slope * slope * r;
        }
        if r >= 1.0 {
            return 1.0;
        }
        let (share, spread) = (r.abs().sqrt(), (1.0 - r.abs()).max(0.0).sqrt());
        let mut points: Vec<f64> = SCALE.into_iter().flat_map(|p| [-p, p]).collect();
        points.extend([-self.reach, 0.0, self.reach]);
        if self.bends.len() <= MANY {
            let around = |b: &f64| [*b, b - 6.0 * spread, b + 6.0 * spread];
            points.extend(self.bends.iter().flat_map(around).map(|b| b / share));
        }
        let from = if self.odd { 0.0 } else { -self.reach };
        points.retain(|p| (from..=self.reach).contains(p));
        let square = |x: f64| {
            let h = self.mean_around(share * x, spread);
            let other = match (self.odd, r < 0.0) {
                (_, false) => h,
                (true, true) => -h,
                (false, true) => self.mean_around(-share * x, spread),
            };
            h * other * normal_pdf(x)
        };
        adaptive_split(square, &points, 1e-12).value * if self.odd { 2.0 } else { 1.0 }
    }

    /// `E q(centre + spread W)`.
    fn mean_around(&self, centre: f64, spread: f64) -> f64 {
        if spread <= 0.0 {
            return (self.value)(centre);
        }
        let value = |w: f64| (self.value)(spread.mul_add(w, centre)) * normal_pdf(w);
        adaptive_split(value, &self.panels(centre, spread), 1e-13).value
    }

    /// Panel ends for an integral over `w` of `q(centre + spread w)`.
    fn panels(&self, centre: f64, spread: f64) -> Vec<f64> {
        let mut points: Vec<f64> = SCALE.into_iter().flat_map(|p| [-p, p]).collect();
        points.extend([-self.reach, self.reach]);
        points.extend(self.bends.iter().map(|b| (b - centre) / spread));
        points.retain(|p| p.abs() <= self.reach);
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covariances_reach_twelve_digits() {
        // 40-digit values: gain, latent correlation, correlation of erf(gain z); an infinite gain is the sign.
        let table = [
            (0.01, 1e-12, 9.999999933359991e-13),
            (0.01, 0.1, 0.09999999934026392),
            (0.01, -0.6, -0.5999999974410236),
            (0.01, 0.99, 0.9899999998687125),
            (0.01, 0.9999990463256836, 0.9999990463256709),
            (0.01, 0.9999999999999991, 0.9999999999999991),
            (0.5, 1e-12, 9.80862655174109e-13),
            (0.5, 0.1, 0.0981044387287277),
            (0.5, -0.6, -0.5925133944802253),
            (0.5, 0.99, 0.9896028530102361),
            (0.5, 0.9999990463256836, 0.9999990078335854),
            (0.5, 0.9999999999999991, 0.9999999999999991),
            (3.0, 1e-12, 7.609914426229691e-13),
            (3.0, 0.1, 0.07621343899307398),
            (3.0, -0.6, -0.48564458929443177),
            (3.0, 0.99, 0.9771854355298979),
            (3.0, 0.9999990463256836, 0.999997733108232),
            (3.0, 0.9999999999999991, 0.9999999999999979),
            (100.0, 1e-12, 6.406664674085958e-13),
            (100.0, 0.1, 0.06417389709107817),
            (100.0, -0.6, -0.41226617096850676),
            (100.0, 0.99, 0.915498191856088),
            (100.0, 0.9999990463256836, 0.999939187592488),
            (100.0, 0.9999999999999991, 0.999999999999943),
            (1000000.0, 1e-12, 6.366201776522556e-13),
            (1000000.0, 0.1, 0.0637686014548404),
            (1000000.0, -0.6, -0.40966579019937027),
            (1000000.0, 0.99, 0.9098937519652951),
            (1000000.0, 0.9999990463256836, 0.9991214206075997),
            (1000000.0, 0.9999999999999991, 0.9999999994348185),
            (f64::INFINITY, 1e-12, 6.366197723675813e-13),
            (f64::INFINITY, 0.1, 0.06376856085851985),
            (f64::INFINITY, -0.6, -0.4096655293982669),
            (f64::INFINITY, 0.99, 0.9098931727111758),
            (f64::INFINITY, 0.9999990463256836, 0.9991207847776291),
            (f64::INFINITY, 0.9999999999999991, 0.9999999731684829),
        ];
        for (gain, r, want) in table {
            let scale = 1.0 / crate::stimulus::nlgp::variance_of_erf(gain.min(1e300)).sqrt();
            let value = |z: f64| {
                if gain.is_finite() { libm::erf(gain * z) * scale } else { 1.0_f64.copysign(z) }
            };
            let bends = [-6.0, -1.0, 0.0, 1.0, 6.0].map(|b| b / gain).to_vec();
            let got = Entrywise::odd(&value, bends).covariance(r);
            assert!((got - want).abs() < 1e-12 * want.abs(), "gain {gain} r {r}: {got} {want}");
        }
    }

    #[test]
    fn half_a_field_has_the_mean_of_the_arcsine() {
        // E [q(Z') | Z > 0] = 2 asin(sqrt(rho) r) / (pi sqrt(Z)) for erf(gain z) / sqrt(Z), rho = 2 g^2 / (1 + 2 g^2).
        for gain in [0.01, 0.5, 3.0, 100.0] {
            let scale = 1.0 / crate::stimulus::nlgp::variance_of_erf(gain).sqrt();
            let value = |z: f64| libm::erf(gain * z) * scale;
            let bends = [-6.0, -1.0, 0.0, 1.0, 6.0].map(|b| b / gain).to_vec();
            let root = (2.0 * gain * gain / (1.0 + 2.0 * gain * gain)).sqrt();
            let latent = [1e-9, 1e-3, 0.3, -0.8, 0.999, 1.0];
            let got = Entrywise::odd(&value, bends).means_given_positive(&latent);
            for (r, got) in latent.iter().zip(got) {
                let want = std::f64::consts::FRAC_2_PI * libm::asin(root * r) * scale;
                assert!((got - want).abs() < 1e-11 * want.abs(), "gain {gain} r {r}: {got} {want}");
            }
        }
    }

    #[test]
    fn equal_lags_are_found_again() {
        let identity = |z: f64| z;
        let entrywise = Entrywise::odd(&identity, Vec::new());
        let latent = [1.0, 0.5, -0.5, 0.5 * (1.0 + f64::EPSILON), 1e-30, 0.0];
        for (r, got) in latent.iter().zip(entrywise.covariances(&latent)) {
            assert!((got - r).abs() <= 1e-14 * r.abs(), "{r}: {got}");
        }
    }
}
