//! The orthonormal real Fourier basis of the ring.
//!
//! The order is by frequency: `[const, cos 1, sin 1, cos 2, sin 2, …]`, with the alternating vector last when `n` is even:
//!
//! ```math
//! \frac{1}{\sqrt n},\quad \sqrt{\tfrac 2n}\cos\tfrac{2\pi ki}{n},\quad \sqrt{\tfrac 2n}\sin\tfrac{2\pi ki}{n}
//! \;\;(1\le k\le\lceil n/2\rceil-1),\quad \frac{(-1)^i}{\sqrt n}\;\;(n\text{ even}).
//! ```
//!
//! The real parts of the complex basis alone are not a basis: they have norm $`1/\sqrt 2`$ and leave out the phase.

use crate::work;
use std::f64::consts::TAU;

/// Cosine of `num / den` turns.
///
/// The angle is first reduced to an eighth of a turn in integers, so that symmetric angles give the same digits
/// and the zeros and ones are exact.
///
/// ```
/// use fovea_core::fourier::cos_turns;
/// assert_eq!(cos_turns(10, 40), 0.0);
/// assert_eq!(cos_turns(3 * 40 + 20, 40), -1.0);
/// ```
pub fn cos_turns(num: usize, den: usize) -> f64 {
    let r = num % den;
    let r = r.min(den - r);
    if 4 * r > den { -cos_quarter(den - 2 * r, 2 * den) } else { cos_quarter(r, den) }
}

/// Sine of `num / den` turns, reduced like [`cos_turns`].
pub fn sin_turns(num: usize, den: usize) -> f64 {
    cos_turns(4 * (num % den) + 3 * den, 4 * den)
}

/// Cosine of `num / den` turns, at most a quarter turn.
fn cos_quarter(num: usize, den: usize) -> f64 {
    if 8 * num > den {
        libm::sin(TAU * (den - 4 * num) as f64 / (4 * den) as f64)
    } else {
        libm::cos(TAU * num as f64 / den as f64)
    }
}

/// The basis of one ring size, stored as two tables of `n` angles.
struct Basis {
    n: usize,
    cos: Vec<f64>,
    sin: Vec<f64>,
}

impl Basis {
    fn new(n: usize) -> Self {
        Self {
            n,
            cos: (0..n).map(|m| cos_turns(m, n)).collect(),
            sin: (0..n).map(|m| sin_turns(m, n)).collect(),
        }
    }

    /// Entry `i` of basis vector `j`.
    fn entry(&self, j: usize, i: usize) -> f64 {
        let k = frequency_of(j, self.n);
        let alone = k == 0 || 2 * k == self.n;
        let norm = (if alone { 1.0 } else { 2.0 } / self.n as f64).sqrt();
        let table = if alone || j % 2 == 1 { &self.cos } else { &self.sin };
        norm * table[k * i % self.n]
    }
}

/// The frequency, in cycles per ring, of basis vector `j` on a ring of `n` sites.
///
/// ```
/// use fovea_core::fourier::frequency_of;
/// assert_eq!((0..5).map(|j| frequency_of(j, 5)).collect::<Vec<_>>(), [0, 1, 1, 2, 2]);
/// ```
pub fn frequency_of(j: usize, n: usize) -> usize {
    assert!(j < n, "basis vector {j} does not exist on a ring of {n} sites");
    j.div_ceil(2)
}

/// Basis vector `j` of a ring of `n` sites.
pub fn basis_vector(j: usize, n: usize) -> Vec<f64> {
    let basis = Basis::new(n);
    (0..n).map(|i| basis.entry(j, i)).collect()
}

/// Coefficients $`u = F^\top w`$ of a vector over sites.
pub fn to_fourier(w: &[f64]) -> Vec<f64> {
    if !work::spend_products(w.len() * w.len()) {
        return vec![0.0; w.len()];
    }
    let basis = Basis::new(w.len());
    let coefficient = |j| w.iter().enumerate().map(|(i, x)| basis.entry(j, i) * x).sum();
    (0..w.len()).map(coefficient).collect()
}

/// The vector over sites $`w = F u`$ with the given coefficients.
pub fn from_fourier(u: &[f64]) -> Vec<f64> {
    if !work::spend_products(u.len() * u.len()) {
        return vec![0.0; u.len()];
    }
    let basis = Basis::new(u.len());
    let site = |i| u.iter().enumerate().map(|(j, x)| basis.entry(j, i) * x).sum();
    (0..u.len()).map(site).collect()
}

/// Squared coefficients summed over each frequency `k = 0..=n/2`; they add up to $`|w|^2`$.
pub fn power_by_frequency(w: &[f64]) -> Vec<f64> {
    let n = w.len();
    let mut power = vec![0.0; n / 2 + 1];
    for (j, u) in to_fourier(w).into_iter().enumerate() {
        power[frequency_of(j, n)] += u * u;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring;

    const SIZES: [usize; 4] = [2, 3, 40, 41];

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(x, y)| x * y).sum()
    }

    fn ramp(n: usize) -> Vec<f64> {
        (0..n).map(|i| (i as f64 + 0.5) * (i % 3) as f64 - 1.0).collect()
    }

    #[test]
    fn the_basis_is_orthonormal() {
        for n in SIZES {
            let basis: Vec<_> = (0..n).map(|j| basis_vector(j, n)).collect();
            for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
                let want = f64::from(u8::from(a == b));
                assert!((dot(&basis[a], &basis[b]) - want).abs() < 3e-15, "n={n} a={a} b={b}");
            }
        }
    }

    #[test]
    fn the_basis_diagonalises_every_symmetric_circulant() {
        for n in SIZES {
            let row: Vec<f64> =
                (0..n).map(|d| 1.0 / (1.0 + ring::distance(0, d, n) as f64)).collect();
            let eigs = ring::circulant_eigs(&row);
            for j in 0..n {
                let vector = basis_vector(j, n);
                let image = ring::circulant_apply(&row, &vector);
                for (got, x) in image.iter().zip(&vector) {
                    assert!((got - eigs[frequency_of(j, n)] * x).abs() < 1e-14, "n={n} j={j}");
                }
            }
        }
    }

    #[test]
    fn there_and_back_is_the_identity_and_power_is_kept() {
        for n in SIZES {
            let w = ramp(n);
            let back = from_fourier(&to_fourier(&w));
            assert!(w.iter().zip(&back).all(|(a, b)| (a - b).abs() < 1e-12 * n as f64));
            let power: f64 = power_by_frequency(&w).iter().sum();
            assert!((power / dot(&w, &w) - 1.0).abs() < 1e-13);
        }
    }

    #[test]
    fn angles_are_reduced_exactly() {
        for n in [3, 8, 40, 41] {
            for m in 0..n {
                let (c, s) = (cos_turns(m, n), sin_turns(m, n));
                let angle = TAU * m as f64 / n as f64;
                assert!(
                    (c - libm::cos(angle)).abs() < 1e-15 && (s - libm::sin(angle)).abs() < 1e-15
                );
                assert_eq!(c.to_bits(), cos_turns(7 * n + n - m, n).to_bits());
                assert_eq!(s.abs().to_bits(), sin_turns(n - m, n).abs().to_bits());
            }
        }
    }
}
