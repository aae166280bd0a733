//! Ground states of Harper's operator on the ring, the states of least spread in place and frequency.
//!
//! ```math
//! H=a\,\cos\tfrac{2\pi i}n+b\,\tfrac12(T+T^\top),\qquad (Tw)_i=w_{i+1},\quad a,b\ge0
//! ```
//!
//! The second term is the cosine of the frequency. Shifting either cosine by a phase never raises the largest eigenvalue: phases
//! enter the characteristic polynomial only as $`-a^n\cos n\alpha-b^n\cos n\beta`$ (Chambers), so that the states below are optimal
//! among complex ones too (L003.27).

use fovea_core::fourier::sin_turns;

/// A state with its two spreads.
#[derive(Clone, Debug, PartialEq)]
pub struct Harper {
    /// The state, real and not negative, centred at site 0, of norm 1.
    pub state: Vec<f64>,
    /// $`1-\langle\cos\rangle`$ over places.
    pub gap_place: f64,
    /// $`1-\langle\cos\rangle`$ over frequencies.
    pub gap_frequency: f64,
}

/// One minus the square of a mean resultant, from the gap between the resultant and 1.
pub fn spread(gap: f64) -> f64 {
    gap * (2.0 - gap)
}

/// The state of the largest eigenvalue of Harper's operator on `n >= 2` sites, with weights `a` and `b`, not both 0.
///
/// ```
/// use fovea_theory::harper::{ground_state, spread};
/// let best = ground_state(40, 1.0, 1.0);
/// assert!((spread(best.gap_place) - 0.07552).abs() < 5e-6);
/// ```
pub fn ground_state(n: usize, a: f64, b: f64) -> Harper {
    let matrix = Tridiagonal::even_part(n, a, b);
    let half = matrix.lowest_vector();
    // Back from the even basis, in which a site and its mirror image share one entry.
    let mut state: Vec<f64> = (0..n)
        .map(|i| {
            let d = i.min(n - i);
            if d == 0 || 2 * d == n { half[d] } else { half[d] * std::f64::consts::FRAC_1_SQRT_2 }
        })
        .collect();
    let norm = state.iter().map(|x| x * x).sum::<f64>().sqrt();
    for x in &mut state {
        *x = x.abs() / norm;
    }
    let place = |(i, x): (usize, &f64)| {
        let sine = sin_turns(i, 2 * n);
        2.0 * sine * sine * x * x
    };
    let gap_place = state.iter().enumerate().map(place).sum();
    let step = |i: usize| state[i] - state[(i + 1) % n];
    let gap_frequency = (0..n).map(|i| 0.5 * step(i) * step(i)).sum();
    Harper { state, gap_place, gap_frequency }
}

/// A symmetric tridiagonal matrix.
struct Tridiagonal {
    diagonal: Vec<f64>,
    /// The entries next to the diagonal, one fewer.
    off: Vec<f64>,
}

impl Tridiagonal {
    /// $`a+b-H`$ on the fields that are even about site 0: it is positive semidefinite, and its smallest eigenvalue is sought.
    fn even_part(n: usize, a: f64, b: f64) -> Self {
        let last = n / 2;
        let mut diagonal: Vec<f64> = (0..=last)
            .map(|i| {
                let sine = sin_turns(i, 2 * n);
                2.0 * a * sine * sine + b
            })
            .collect();
        let ends = |i: usize| i == 0 || 2 * i == n;
        let off: Vec<f64> = (0..last)
            .map(|i| {
                let both = [i, i + 1].into_iter().filter(|&i| ends(i)).count();
                -0.5 * b * [1.0, std::f64::consts::SQRT_2, 2.0][both]
            })
            .collect();
        if n % 2 == 1 {
            // The farthest site of an odd ring is the neighbour of its own mirror image.
            diagonal[last] -= 0.5 * b;
        }
        Self { diagonal, off }
    }

    /// The number of negative pivots of $`M-x`$, which is the number of eigenvalues below `x` (Sylvester).
    fn below(&self, x: f64) -> usize {
        let mut pivot = f64::INFINITY;
        let mut count = 0;
        for (i, d) in self.diagonal.iter().enumerate() {
            let back = if i == 0 { 0.0 } else { self.off[i - 1] * self.off[i - 1] / pivot };
            pivot = d - x - back;
            // A vanishing pivot is replaced by a tiny one; its sign does not matter.
            if pivot.abs() < f64::MIN_POSITIVE {
                pivot = -f64::MIN_POSITIVE;
            }
            count += usize::from(pivot < 0.0);
        }
        count
    }

    /// The smallest eigenvalue, by bisection.
    fn lowest(&self) -> f64 {
        let reach = |i: usize| {
            let left = if i == 0 { 0.0 } else { self.off[i - 1].abs() };
            left + self.off.get(i).map_or(0.0, |x| x.abs())
        };
        let ends =
            (0..self.diagonal.len()).map(|i| (self.diagonal[i] - reach(i), self.diagonal[i]));
        let (mut low, mut high) = ends
            .fold((f64::INFINITY, f64::INFINITY), |(l, h), (low, high)| (l.min(low), h.min(high)));
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if self.below(middle) == 0 { low = middle } else { high = middle }
        }
        low
    }

    /// The eigenvector of the smallest eigenvalue, by inverse iteration.
    fn lowest_vector(&self) -> Vec<f64> {
        // Just below the eigenvalue every pivot is positive, so elimination needs no pivoting.
        let scale = self.diagonal.iter().fold(0.0, |top: f64, d| top.max(d.abs()));
        let shift = self.lowest() - 4.0 * f64::EPSILON * scale;
        let mut pivots = vec![0.0; self.diagonal.len()];
        for (i, d) in self.diagonal.iter().enumerate() {
            let back = if i == 0 { 0.0 } else { self.off[i - 1] * self.off[i - 1] / pivots[i - 1] };
            pivots[i] = (d - shift - back).max(f64::EPSILON * f64::EPSILON * scale);
        }
        let mut vector = vec![1.0; pivots.len()];
        for _ in 0..6 {
            for i in 1..vector.len() {
                vector[i] -= self.off[i - 1] / pivots[i - 1] * vector[i - 1];
            }
            for i in (0..vector.len()).rev() {
                let ahead = if i + 1 < vector.len() { self.off[i] * vector[i + 1] } else { 0.0 };
                vector[i] = (vector[i] - ahead) / pivots[i];
            }
            let top = vector.iter().fold(0.0, |top: f64, x| top.max(x.abs()));
            for x in &mut vector {
                *x /= top;
            }
        }
        vector
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::fourier::cos_turns;

    /// $`Hw`$ on the whole ring.
    fn apply(w: &[f64], a: f64, b: f64) -> Vec<f64> {
        let n = w.len();
        (0..n)
            .map(|i| a * cos_turns(i, n) * w[i] + 0.5 * b * (w[(i + 1) % n] + w[(i + n - 1) % n]))
            .collect()
    }

    #[test]
    fn the_state_is_an_eigenvector_and_no_other_state_does_better() {
        for n in [2, 3, 4, 5, 8, 41, 200] {
            for (a, b) in
                [(1.0, 1.0), (0.3, 0.95), (1.0, 1e-3), (1e-3, 1.0), (1.0, 0.0), (0.0, 1.0)]
            {
                let ground = ground_state(n, a, b);
                let energy = a * (1.0 - ground.gap_place) + b * (1.0 - ground.gap_frequency);
                for (image, w) in apply(&ground.state, a, b).iter().zip(&ground.state) {
                    assert!((image - energy * w).abs() < 1e-13, "n={n} a={a} b={b}");
                }
                // Power iteration on H + 2 from an uneven start never ends above.
                let mut w: Vec<f64> = (0..n).map(|i| 1.0 + 0.3 * (i % 3) as f64).collect();
                let mut rayleigh = 0.0;
                for _ in 0..300 {
                    let image = apply(&w, a, b);
                    let norm: f64 = w.iter().map(|x| x * x).sum();
                    rayleigh = image.iter().zip(&w).map(|(x, w)| x * w).sum::<f64>() / norm;
                    w = image.iter().zip(&w).map(|(x, w)| (x + 2.0 * w) / norm.sqrt()).collect();
                }
                assert!(rayleigh <= energy + 1e-13, "n={n} a={a} b={b}: {rayleigh} {energy}");
            }
        }
    }

    #[test]
    fn a_point_and_a_constant_are_the_ends_and_equal_weights_give_equal_spreads() {
        for n in [2, 3, 40, 41] {
            let (point, flat) = (ground_state(n, 1.0, 0.0), ground_state(n, 0.0, 1.0));
            assert!(point.gap_place.abs() < 1e-15 && (point.gap_frequency - 1.0).abs() < 1e-12);
            assert!(flat.gap_frequency.abs() < 1e-15 && (flat.gap_place - 1.0).abs() < 1e-12);
            let both = ground_state(n, 1.0, 1.0);
            assert!((both.gap_place - both.gap_frequency).abs() < 1e-14, "n={n}");
        }
        assert!((spread(ground_state(40, 1.0, 1.0).gap_place) - 0.07552).abs() < 5e-6);
    }
}
