//! Circular cross-correlations between the fields of a population, through the transform of the torus.

use crate::simd::Portable;
use fovea_core::lanes::{Fft, LANES};
use fovea_core::work;

type Lanes = [f64; LANES];

/// The spectra of some fields, each divided by its norm, sixteen side by side.
pub(super) struct Correlator {
    shape: Vec<usize>,
    fields: usize,
    /// Real and imaginary parts of sixteen spectra.
    blocks: Vec<(Vec<Lanes>, Vec<Lanes>)>,
    plans: Vec<Fft<f64>>,
}

impl Correlator {
    /// Computes the spectra of fields on a torus, one per row.
    pub(super) fn new(weights: &[f64], shape: &[usize]) -> Self {
        let n: usize = shape.iter().product();
        let fields: Vec<Vec<f64>> = weights.chunks(n).map(unit).collect();
        let mut correlator = Self {
            shape: shape.to_vec(),
            fields: fields.len(),
            blocks: Vec::new(),
            plans: shape.iter().map(|side| Fft::new(*side)).collect(),
        };
        for sixteen in fields.chunks(LANES) {
            work::poll();
            let (mut re, mut im) = (vec![[0.0; LANES]; n], vec![[0.0; LANES]; n]);
            for (lane, field) in sixteen.iter().enumerate() {
                for (site, w) in field.iter().enumerate() {
                    re[site][lane] = *w;
                }
            }
            correlator.transform(&mut re, &mut im);
            correlator.blocks.push((re, im));
        }
        correlator
    }

    /// Number of fields.
    pub(super) fn len(&self) -> usize {
        self.fields
    }

    /// Computes $`C(s) = \sum_x a_x b_{x-s}/|a||b|`$ for the field `a` and every field `b` from `first` on except itself, over all
    /// displacements `s` of the torus, row by row.
    ///
    /// With $`F_a(k) = \sum_x a_x\omega^{kx}`$ it is the inverse transform of $`\bar F_a F_b`$.
    pub(super) fn each(&self, a: usize, first: usize, mut to: impl FnMut(usize, &[f64])) {
        let n: usize = self.shape.iter().product();
        let (own_re, own_im) = &self.blocks[a / LANES];
        let own = a % LANES;
        let mut correlation = vec![0.0; n];
        for (index, (other_re, other_im)) in self.blocks.iter().enumerate().skip(first / LANES) {
            work::poll();
            let (mut re, mut im) = (other_re.clone(), other_im.clone());
            for k in 0..n {
                let (c, d) = (own_re[k][own], own_im[k][own]);
                for (x, y) in re[k].iter_mut().zip(&mut im[k]) {
                    (*x, *y) = (c * *x + d * *y, c * *y - d * *x);
                }
            }
            self.transform(&mut re, &mut im);
            for lane in 0..LANES {
                let b = index * LANES + lane;
                if b == a || b < first || b >= self.fields {
                    continue;
                }
                for (slot, sites) in correlation.iter_mut().zip(&re) {
                    *slot = sites[lane] / n as f64;
                }
                to(b, &correlation);
            }
        }
    }

    /// The transform along every axis.
    fn transform(&self, re: &mut [Lanes], im: &mut [Lanes]) {
        let mut inner = re.len();
        for (side, plan) in self.shape.iter().zip(&self.plans) {
            inner /= side;
            let mut line = (vec![[0.0; LANES]; *side], vec![[0.0; LANES]; *side]);
            let mut scratch = vec![[0.0; LANES]; 2 * side];
            for start in (0..re.len()).filter(|site| (site / inner).is_multiple_of(*side)) {
                for i in 0..*side {
                    line.0[i] = re[start + i * inner];
                    line.1[i] = im[start + i * inner];
                }
                plan.inverse_in_place(Portable, &mut line.0, &mut line.1, &mut scratch);
                for i in 0..*side {
                    re[start + i * inner] = line.0[i];
                    im[start + i * inner] = line.1[i];
                }
            }
        }
    }
}

/// A field divided by its norm; a zero field stays zero.
fn unit(field: &[f64]) -> Vec<f64> {
    // Measured in units of the largest weight, so that no square over- or underflows.
    let largest = field.iter().fold(0.0, |top: f64, w| top.max(w.abs()));
    if largest <= 0.0 {
        return vec![0.0; field.len()];
    }
    let scaled: Vec<f64> = field.iter().map(|w| w / largest).collect();
    let norm = scaled.iter().map(|w| w * w).sum::<f64>().sqrt();
    scaled.iter().map(|w| w / norm).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every correlation of every pair against its definition, on rings and tori, beyond sixteen fields.
    #[test]
    fn correlations_are_those_of_the_definition() {
        for shape in [&[12_usize][..], &[7], &[2], &[4, 6], &[3, 2, 5]] {
            let n: usize = shape.iter().product();
            let count = 19;
            let weights: Vec<f64> =
                (0..count * n).map(|i| libm::sin(3.1 * i as f64 + (i * i % 17) as f64)).collect();
            let correlator = Correlator::new(&weights, shape);
            assert_eq!(correlator.len(), count);
            let index = |site: usize| -> Vec<usize> {
                let mut left = site;
                let mut axes: Vec<usize> = shape
                    .iter()
                    .rev()
                    .map(|side| {
                        let x = left % side;
                        left /= side;
                        x
                    })
                    .collect();
                axes.reverse();
                axes
            };
            let difference = |x: usize, s: usize| -> usize {
                let (x, s) = (index(x), index(s));
                (0..shape.len())
                    .fold(0, |flat, i| flat * shape[i] + (x[i] + shape[i] - s[i]) % shape[i])
            };
            let fields: Vec<Vec<f64>> = weights.chunks(n).map(unit).collect();
            for (a, first) in [(0, 0), (3, 4), (17, 0), (18, 19)] {
                let mut seen = 0;
                correlator.each(a, first, |b, correlation| {
                    seen += 1;
                    assert!(b != a && b >= first);
                    for (s, c) in correlation.iter().enumerate() {
                        let direct: f64 =
                            (0..n).map(|x| fields[a][x] * fields[b][difference(x, s)]).sum();
                        assert!((c - direct).abs() < 1e-13, "{shape:?} {a} {b} {s}: {c} {direct}");
                    }
                });
                assert_eq!(seen, count - first - usize::from(first <= a));
            }
        }
    }
}
