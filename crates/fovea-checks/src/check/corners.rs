//! Distributions on the corners of a cube by brute force, for checks: every corner with its probability, summed directly.

use super::by_hand::dot;
use fovea_core::quadrature::{Rule, gauss_legendre};
use fovea_core::ring::{Kernel, circulant_eigs, distance, kernel_row, unfold};
use std::collections::BTreeMap;
use std::f64::consts::{FRAC_PI_2, TAU};

/// All corners with their probabilities.
#[derive(Clone)]
pub struct Corners {
    pub(super) n: usize,
    all: Vec<(Vec<f64>, f64)>,
}

impl Corners {
    /// The Ising ring, from its Boltzmann weights.
    pub fn ising(n: usize, coupling: f64) -> Self {
        let weight =
            |x: &[f64]| libm::exp(coupling * (0..n).map(|i| x[i] * x[(i + 1) % n]).sum::<f64>());
        let all: Vec<(Vec<f64>, f64)> = corners(n).map(|x| (x.clone(), weight(&x))).collect();
        let total: f64 = all.iter().map(|(_, weight)| weight).sum();
        Self { n, all: all.into_iter().map(|(x, weight)| (x, weight / total)).collect() }
    }

    /// The Ising chain whose ends are not joined.
    pub(super) fn chain(n: usize, coupling: f64) -> Self {
        let bonds = |x: &[f64]| x.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>();
        let all: Vec<(Vec<f64>, f64)> =
            corners(n).map(|x| (x.clone(), libm::exp(coupling * bonds(&x)))).collect();
        let total: f64 = all.iter().map(|(_, weight)| weight).sum();
        Self { n, all: all.into_iter().map(|(x, weight)| (x, weight / total)).collect() }
    }

    /// Signs of four or five Gaussians on a ring, each orthant by quadrature.
    pub(super) fn signs(n: usize, xi: f64) -> Self {
        let orthants = Orthants::new(&kernel_row(n, xi, Kernel::Ring));
        let mut known = BTreeMap::new();
        let mut probability =
            |x: &[f64]| *known.entry(shape(x)).or_insert_with(|| orthants.probability(x));
        Self { n, all: corners(n).map(|x| (x.clone(), probability(&x))).collect() }
    }

    pub(super) fn mean(&self, g: impl Fn(&[f64]) -> f64) -> f64 {
        self.all.iter().map(|(x, p)| p * g(x)).sum()
    }

    /// `E[1(<w,x> >= 0) x]`, or with `>` where a corner on the hyperplane does not count.
    pub(super) fn gated_mean(&self, w: &[f64], count_ties: bool) -> Vec<f64> {
        let open = |x: &[f64]| {
            let sum = dot(w, x);
            sum > 0.0 || (count_ties && sum >= 0.0)
        };
        (0..self.n).map(|i| self.mean(|x| if open(x) { x[i] } else { 0.0 })).collect()
    }

    /// `E[factor(<w,x>) x]`.
    pub(super) fn mean_of_site(&self, w: &[f64], factor: impl Fn(f64) -> f64) -> Vec<f64> {
        (0..self.n).map(|j| self.mean(|x| factor(dot(w, x)) * x[j])).collect()
    }

    /// The corners.
    pub fn states(&self) -> impl Iterator<Item = &[f64]> {
        self.all.iter().map(|(x, _)| x.as_slice())
    }

    /// The probability of one of them.
    pub(super) fn probability(&self, wanted: &[f64]) -> f64 {
        let same = |x: &[f64]| x.iter().zip(wanted).all(|(a, b)| a * b > 0.0);
        self.all.iter().find(|(x, _)| same(x)).map_or(0.0, |(_, p)| *p)
    }
}

fn corners(n: usize) -> impl Iterator<Item = Vec<f64>> {
    (0..1_usize << n)
        .map(move |c| (0..n).map(|i| if c >> i & 1 == 1 { 1.0 } else { -1.0 }).collect())
}

/// The representative of a corner under rotation and reflection of the ring and a flip of all spins.
fn shape(x: &[f64]) -> u32 {
    let n = x.len();
    let bits = |site: &dyn Fn(usize) -> usize, sign: f64| -> u32 {
        (0..n).filter(|i| sign * x[site(*i) % n] > 0.0).map(|i| 1 << i).sum()
    };
    let images = (0..n).flat_map(|s| {
        let (turned, mirrored) = (move |i: usize| i + s, move |i: usize| n - i + s);
        [1.0, -1.0].map(|sign| bits(&turned, sign).min(bits(&mirrored, sign)))
    });
    images.min().unwrap_or(0)
}

/// Orthant probabilities of Gaussians with a circulant covariance.
///
/// With `x = r u` and the largest entry of `u` equal to 1, the radius integrates in closed form and a product rule over
/// the faces of the unit cube does the rest: `P = (2 pi)^(-n/2) |S|^(-1/2) c_n sum_faces int q(u)^(-n/2) du`, where
/// `q(u) = u' S^-1 u` and `c_4 = 2`, `c_5 = 3 sqrt(pi/2)`.
struct Orthants {
    inverse: Vec<f64>,
    scale: f64,
    rule: Rule,
}

impl Orthants {
    fn new(first_row: &[f64]) -> Self {
        let n = first_row.len();
        let eigs = unfold(&circulant_eigs(first_row), n);
        let over: Vec<f64> = eigs.iter().map(|eig| 1.0 / eig).collect();
        let inverse = unfold(&circulant_eigs(&over), n).iter().map(|row| row / n as f64).collect();
        let radial = if n == 4 { 2.0 } else { 3.0 * FRAC_PI_2.sqrt() };
        let det: f64 = eigs.iter().product();
        let scale = radial / (libm::pow(TAU, 0.5 * n as f64) * det.sqrt());
        Self { inverse, scale, rule: gauss_legendre(24) }
    }

    fn probability(&self, signs: &[f64]) -> f64 {
        let n = signs.len();
        let entry = |i: usize, j: usize| signs[i] * signs[j] * self.inverse[distance(i, j, n)];
        let form: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        let faces = (0..n).map(|face| {
            let mut u = vec![0.0; n];
            u[face] = 1.0;
            self.over_face(&form, &mut u, face, 0)
        });
        self.scale * faces.sum::<f64>()
    }

    /// The integral over the entries from `at` on, all but that of the face.
    fn over_face(&self, form: &[Vec<f64>], u: &mut Vec<f64>, face: usize, at: usize) -> f64 {
        let n = u.len();
        if at == n {
            let q: f64 = form.iter().zip(u.iter()).map(|(row, x)| x * dot(row, u)).sum();
            return if n == 4 { 1.0 / (q * q) } else { 1.0 / (q * q * q.sqrt()) };
        }
        if at == face {
            return self.over_face(form, u, face, at + 1);
        }
        0.5 * self.rule.integrate(|x| {
            u[at] = 0.5 * (1.0 + x);
            self.over_face(form, u, face, at + 1)
        })
    }
}
