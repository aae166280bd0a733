//! The fourth cumulants of a field on the ring, tabulated once and contracted with weights.
//!
//! ```math
//! \kappa_4[w,w,w,\cdot]_i=\sum_{jkl}\kappa_{ijkl}\,w_jw_kw_l,\qquad\kappa_4[w^4]=\sum_iw_i\,\kappa_4[w,w,w,\cdot]_i
//! ```
//!
//! A translation-invariant and mirror-symmetric field of `n` sites has about $`n^3/48`$ different ones.

use fovea_core::ring::distance;
use fovea_core::work;
use std::collections::BTreeMap;

/// All fourth cumulants of a translation-invariant, mirror-symmetric field.
#[derive(Clone, Debug, PartialEq)]
pub struct Cumulants {
    n: usize,
    /// $`\kappa_{0abc}`$ for $`a\le b\le c`$ in lexicographic order.
    table: Vec<f64>,
}

impl Cumulants {
    /// The largest ring for which a table is made: its size grows as the cube.
    pub const MOST_SITES: usize = 128;

    /// The table of a cumulant, which is evaluated once for every set of four sites up to shifts and mirror images.
    pub fn from_fn(n: usize, mut kappa: impl FnMut([usize; 4]) -> f64) -> Self {
        let mut known: BTreeMap<[usize; 4], f64> = BTreeMap::new();
        let mut table = Vec::with_capacity(n * (n + 1) * (n + 2) / 6);
        for [a, b, c] in triples(n) {
            let value = known.entry(gaps(n, [a, b, c])).or_insert_with(|| kappa([0, a, b, c]));
            table.push(*value);
        }
        Self { n, table }
    }

    /// The cumulants of the nonlinear Gaussian process to leading order in a weak gain, $`-2g^2\sum_a\prod_{b\ne a}r_{ab}`$.
    pub fn weak(latent: &[f64], gain: f64) -> Self {
        let n = latent.len();
        let star = |at: [usize; 4], a: usize| -> f64 {
            let others = (0..4).filter(|b| *b != a);
            others.map(|b| latent[distance(at[a], at[b], n)]).product()
        };
        let sum = |at: [usize; 4]| -> f64 { (0..4).map(|a| star(at, a)).sum() };
        Self::from_fn(n, |at| -2.0 * gain * gain * sum(at))
    }

    /// Number of sites.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The cumulant of four sites in any order.
    pub fn at(&self, sites: [usize; 4]) -> f64 {
        let mut offsets = [1, 2, 3].map(|i| (sites[i] + self.n - sites[0] % self.n) % self.n);
        offsets.sort_unstable();
        let [a, b, c] = offsets;
        // Triples before those that start with a, then before those that continue with b.
        let tetra = |m: usize| m * (m + 1) * (m + 2) / 6;
        let tri = |m: usize| m * (m + 1) / 2;
        let before = tetra(self.n) - tetra(self.n - a) + tri(self.n - a) - tri(self.n - b);
        self.table[before + c - b]
    }

    /// $`\kappa_4[w,w,w,\cdot]`$, one entry per site.
    pub fn contract(&self, w: &[f64]) -> Vec<f64> {
        work::spend_products(self.n * self.table.len());
        let mut seen = w.to_vec();
        let mut out = Vec::with_capacity(self.n);
        for _ in 0..self.n {
            out.push(self.at_origin(&seen));
            seen.rotate_left(1);
        }
        out
    }

    /// The unit vector $`v`$ with the most negative $`\kappa_4[v^4]`$, the leading rank-one part of $`-\kappa_4`$.
    pub fn direction(&self) -> Leading {
        leading(self.n, |w| self.contract(w).iter().map(|k| -k).collect())
    }

    /// $`\sum_{abc}\kappa_{0abc}v_av_bv_c`$ over ordered triples, each weighted with its permutations.
    fn at_origin(&self, v: &[f64]) -> f64 {
        let (mut rest, mut sum) = (self.table.as_slice(), 0.0);
        for a in 0..self.n {
            let mut pairs = 0.0;
            for b in a..self.n {
                let (row, later) = rest.split_at(self.n - b);
                rest = later;
                // The first entry has c = b: half as many permutations as the others.
                let tail: f64 = row[1..].iter().zip(&v[b + 1..]).map(|(k, v)| k * v).sum();
                let (equal, distinct) = if a == b { (1.0, 3.0) } else { (3.0, 6.0) };
                pairs += v[b] * (equal * row[0] * v[b] + distinct * tail);
            }
            sum += v[a] * pairs;
        }
        sum
    }
}

/// The direction in which a symmetric form of the fourth degree is largest.
#[derive(Clone, Debug, PartialEq)]
pub struct Leading {
    /// The unit vector.
    pub v: Vec<f64>,
    /// The form there.
    pub value: f64,
    /// Inverse participation ratio of the vector.
    pub ipr: f64,
}

/// The unit vector of `n` entries at which a form of the fourth degree is largest; `force` is a quarter of its gradient.
///
/// Shifted power iteration from bumps of several widths, centred on site 0 or between 0 and 1, and from the flat vector:
/// the largest of the maxima they find.
pub fn leading(n: usize, force: impl Fn(&[f64]) -> Vec<f64>) -> Leading {
    let mut best = Leading { v: Vec::new(), value: f64::NEG_INFINITY, ipr: 0.0 };
    for width in [0.3, 1.0, 3.0, f64::INFINITY] {
        for bond in [false, true] {
            let start = (0..n).map(|i| {
                let (a, b) = (distance(0, i, n) as f64, distance(1, i, n) as f64);
                let d = if bond { 0.5 * (a + b) } else { a };
                libm::exp(-(d / width) * (d / width))
            });
            let (v, value) = ascend(&force, start.collect());
            // A later start must win by more than rounding, so that the site-centred one is kept if both give the same orbit.
            if best.v.is_empty() || value > best.value * (1.0 + 1e-12) {
                let ipr = v.iter().map(|x| x * x * x * x).sum();
                best = Leading { v, value, ipr };
            }
        }
    }
    best
}

/// Power iteration on the sphere, with a shift as soon as a step would not increase the form.
fn ascend(force: &impl Fn(&[f64]) -> Vec<f64>, start: Vec<f64>) -> (Vec<f64>, f64) {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let unit = |w: Vec<f64>| -> Vec<f64> {
        let norm = dot(&w, &w).sqrt();
        w.into_iter().map(|x| x / norm).collect()
    };
    let mut w = unit(start);
    let mut pull = force(&w);
    let (mut value, mut shift) = (dot(&pull, &w), 0.0);
    for _ in 0..5000 {
        if !work::spend(w.len()) {
            break;
        }
        let next = unit(pull.iter().zip(&w).map(|(f, w)| f + shift * w).collect());
        let ahead = force(&next);
        let after = dot(&ahead, &next);
        if after < value - 1e-14 * value.abs() {
            shift = (2.0 * shift).max(value.abs());
            continue;
        }
        let moved = w.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        (w, pull, value) = (next, ahead, after);
        if moved < 1e-13 {
            break;
        }
    }
    (w, value)
}

/// Sorted offsets $`a\le b\le c`$ of three sites from the first, in lexicographic order.
fn triples(n: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..n).flat_map(move |a| (a..n).flat_map(move |b| (b..n).map(move |c| [a, b, c])))
}

/// The gaps between four sites around the ring, from the starting site and in the direction that make them smallest.
fn gaps(n: usize, [a, b, c]: [usize; 3]) -> [usize; 4] {
    let gaps = [a, b - a, c - b, n - c];
    let turned = |start: usize, step: usize| std::array::from_fn(|i| gaps[(start + step * i) % 4]);
    let all = (0..4).flat_map(|start| [turned(start, 1), turned(start, 3)]);
    all.min().unwrap_or(gaps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ising::enumerated;
    use crate::nlgp::fourth::fourth;
    use fovea_core::ring::{Kernel, kernel_row};

    #[test]
    fn every_order_and_shift_of_four_sites_finds_its_cumulant() {
        let row = kernel_row(7, 1.2, Kernel::Ring);
        let table = Cumulants::nlgp(&row, 2.0);
        for sites in [[0, 0, 0, 0], [3, 1, 6, 2], [5, 5, 0, 1], [6, 0, 6, 0], [2, 4, 4, 4]] {
            let latent = sites.map(|i: usize| sites.map(|j| row[distance(i, j, 7)]));
            let direct = fourth(&latent, 2.0).cumulant;
            assert!((table.at(sites) - direct).abs() < 1e-13, "{sites:?}");
        }
    }

    #[test]
    fn contraction_is_the_plain_sum() {
        for n in [2, 3, 6] {
            let table = Cumulants::ising(n, 0.6);
            let w: Vec<f64> = (0..n).map(|i| (i * i % 5) as f64 - 1.3).collect();
            for (i, got) in table.contract(&w).iter().enumerate() {
                let mut sum = 0.0;
                for j in 0..n {
                    for k in 0..n {
                        for l in 0..n {
                            sum += table.at([i, j, k, l]) * w[j] * w[k] * w[l];
                        }
                    }
                }
                assert!((got - sum).abs() < 1e-12, "n={n} i={i}: {got} {sum}");
            }
        }
    }

    #[test]
    fn all_states_of_a_ring_have_this_fourth_cumulant() {
        let (n, coupling) = (8, 0.4);
        let w: Vec<f64> = (0..n).map(|i| (i * i % 5) as f64 - 1.3).collect();
        let sum = |x: &[f64]| x.iter().zip(&w).map(|(x, w)| x * w).sum::<f64>();
        let second = enumerated(n, coupling, |x| sum(x) * sum(x));
        let fourth = enumerated(n, coupling, |x| sum(x) * sum(x) * sum(x) * sum(x));
        let direct = fourth - 3.0 * second * second;
        let table = Cumulants::ising(n, coupling);
        let got: f64 = table.contract(&w).iter().zip(&w).map(|(k, w)| k * w).sum();
        assert!((got / direct - 1.0).abs() < 1e-12, "{got} {direct}");
    }

    #[test]
    fn the_leading_direction_is_that_of_one_site_without_correlation_and_broad_with_it() {
        let alone = Cumulants::ising(9, 0.0).direction();
        assert!((alone.ipr - 1.0).abs() < 1e-12 && (alone.value - 2.0).abs() < 1e-12);
        let table = Cumulants::ising(9, 0.5);
        let broad = table.direction();
        assert!(broad.ipr < 0.9 && broad.value > 2.0, "{broad:?}");
        for (k, v) in table.contract(&broad.v).iter().zip(&broad.v) {
            assert!((k + broad.value * v).abs() < 1e-9, "{k} {v}");
        }
    }

    #[test]
    fn the_weak_gain_is_the_limit() {
        let row = kernel_row(6, 1.0, Kernel::Ring);
        let (exact, weak) = (Cumulants::nlgp(&row, 1e-4), Cumulants::weak(&row, 1e-4));
        for sites in [[0, 0, 0, 0], [0, 1, 2, 4], [0, 0, 3, 3]] {
            assert!((exact.at(sites) / weak.at(sites) - 1.0).abs() < 1e-6, "{sites:?}");
        }
    }
}
