//! Gaussian averages computed independently of theory: Gauss-Hermite sums, and integrals over angles where there are kinks.

use fovea_core::Function;
use fovea_core::quadrature::{Rule, adaptive_split, gauss_hermite};
use fovea_core::special::normal_pdf;
use std::f64::consts::{PI, TAU};

/// An activation as it is named in checks.
pub(super) fn named(name: &str) -> Function {
    Function::parse(name).expect("checks name activations that exist")
}

/// Sums over Gauss-Hermite points for smooth functions of one or two preactivations.
pub(super) struct Sums(Rule);

impl Sums {
    /// With this many points.
    pub(super) fn new(points: usize) -> Self {
        Self(gauss_hermite(points))
    }

    /// `E f(z)` at variance `k`.
    pub(super) fn one(&self, k: f64, f: impl Fn(f64) -> f64) -> f64 {
        self.0.integrate(|u| f(k.sqrt() * u))
    }

    /// `E f(z_a) f(z_b)` at variances `aa`, `bb` and covariance `ab`.
    pub(super) fn two(&self, [aa, bb, ab]: [f64; 3], f: impl Fn(f64) -> f64) -> f64 {
        let along = if aa > 0.0 { ab / aa } else { 0.0 };
        let across = (bb - along * ab).max(0.0).sqrt();
        self.0.integrate(|u| {
            let z = aa.sqrt() * u;
            f(z) * self.0.integrate(|v| f(along * z + across * v))
        })
    }

    /// One layer of the recursion for two inputs of equal variance: variance and covariance.
    pub(super) fn layer(&self, s: &Function, [c_w, c_b]: [f64; 2], [k, ab]: [f64; 2]) -> [f64; 2] {
        let value = |z: f64| s.value(z);
        let square = self.one(k, |z| value(z) * value(z));
        [c_b + c_w * square, c_b + c_w * self.two([k, k, ab], value)]
    }
}

/// `E f(z)` at variance `k` by trapezoids, for smooth functions with poles near the line, where Gauss-Hermite sums converge slowly.
pub(super) fn trapezoids(k: f64, f: impl Fn(f64) -> f64) -> f64 {
    const STEP: f64 = 0.01;
    let term = |i: i32| {
        let u = f64::from(i) * STEP;
        f(k.sqrt() * u) * libm::exp(-0.5 * u * u)
    };
    (-1300..=1300).map(term).sum::<f64>() * STEP / TAU.sqrt()
}

/// `E f(z_a) f(z_b)` for unit variances and correlation `r`, where `f` is homogeneous of this degree, by the angle of the pair.
pub(super) fn by_angle(r: f64, degree: i32, f: impl Fn(f64) -> f64) -> f64 {
    let turn = libm::acos(r);
    // E rho^(2 degree) over the radius of two unit normals: 1, 2, 8, ...
    let radius: f64 = (1..=degree).map(|d| 2.0 * f64::from(d)).product();
    let corners = [0.0, 0.5 * PI, 1.5 * PI, TAU].into_iter();
    let others = [0.5 * PI, 1.5 * PI].into_iter().flat_map(|q| [q + turn, q + turn - TAU]);
    let points: Vec<f64> = corners.chain(others).filter(|a| (0.0..=TAU).contains(a)).collect();
    let integrand = |a: f64| f(libm::cos(a)) * f(libm::cos(a - turn));
    radius * adaptive_split(integrand, &points, 1e-14).value / TAU
}

/// `E s(z_a) s(z_b)` at variances `k` and covariance `ab` by trapezoids of this step in both preactivations.
pub(super) fn product(value: impl Fn(f64) -> f64, (k, ab): (f64, f64), step: f64) -> f64 {
    let end = (8.5 / step).round() as i32;
    let points = || (-end..=end).map(|i| step * f64::from(i));
    let (along, across) = (ab / k, (k - ab * ab / k).max(0.0).sqrt());
    let weight = |u: f64| step * normal_pdf(u);
    let weights: Vec<f64> = points().map(weight).collect();
    let inner = |z: f64| -> f64 {
        let others = points().zip(&weights);
        others.map(|(v, weight)| weight * value(along * z + across * v)).sum()
    };
    points().map(|u| k.sqrt() * u).zip(&weights).map(|(z, w)| w * value(z) * inner(z)).sum()
}

/// Root of `E[s s'']` by trapezoids and halving, then the `C_w` and `C_b` of a critical layer.
pub(super) fn critical_by_sums(name: &str, mut low: f64, mut high: f64) -> [f64; 3] {
    let s = named(name);
    let excess = |k: f64| trapezoids(k, |z| s.value(z) * s.curve(z));
    let sign = excess(low);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        *(if excess(middle) * sign > 0.0 { &mut low } else { &mut high }) = middle;
    }
    let c_w = 1.0 / trapezoids(low, |z| s.slope(z) * s.slope(z));
    [low, c_w, low - c_w * trapezoids(low, |z| s.value(z) * s.value(z))]
}
