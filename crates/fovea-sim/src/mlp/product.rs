//! The products of a layer; the order of each sum depends neither on the machine nor on what is computed in parallel.

use crate::simd::{Body, Simd, dispatch};

/// Partial sums kept side by side, so that a sum over many entries runs in the registers of any machine.
const SIDE: usize = 8;
/// How many times eight entries of a row are multiplied by one sample before the next.
const PIECE: usize = 16;
/// Vectors that are added at once.
const FEW: usize = 4;

/// The inner product: eight partial sums over every eighth entry, added in their order.
#[inline(always)]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; SIDE];
    let (whole_a, rest_a) = a.as_chunks::<SIDE>();
    let (whole_b, rest_b) = b.as_chunks::<SIDE>();
    add_products(&mut sums, whole_a, whole_b);
    total(sums, rest_a, rest_b)
}

#[inline(always)]
fn add_products(sums: &mut [f64; SIDE], a: &[[f64; SIDE]], b: &[[f64; SIDE]]) {
    let mut kept = *sums;
    for (a, b) in a.iter().zip(b) {
        for i in 0..SIDE {
            kept[i] += a[i] * b[i];
        }
    }
    *sums = kept;
}

#[inline(always)]
fn total(sums: [f64; SIDE], rest_a: &[f64], rest_b: &[f64]) -> f64 {
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + rest
}

/// `out += sum_v factor_v vector_v`, in the order of the vectors.
#[inline(always)]
fn add_scaled<'a>(
    out: &mut [f64],
    count: usize,
    vector: impl Fn(usize) -> &'a [f64],
    factor: impl Fn(usize) -> f64,
) {
    let mut v = 0;
    while v + FEW <= count {
        let vectors: [&[f64]; FEW] = std::array::from_fn(|k| &vector(v + k)[..out.len()]);
        let factors: [f64; FEW] = std::array::from_fn(|k| factor(v + k));
        for (j, x) in out.iter_mut().enumerate() {
            let mut sum = *x;
            for k in 0..FEW {
                sum += factors[k] * vectors[k][j];
            }
            *x = sum;
        }
        v += FEW;
    }
    for v in v..count {
        let factor = factor(v);
        out.iter_mut().zip(vector(v)).for_each(|(x, y)| *x += factor * y);
    }
}

/// Every row of `x` times the transposed matrix `w` of `units` rows: `y[a][i] = <w[i], x[a]>`.
pub(super) fn rows_times_transposed(x: &[f64], w: &[f64], inputs: usize, units: usize) -> Vec<f64> {
    let mut y = vec![0.0; x.len() / inputs * units];
    dispatch(Transposed { x, w, inputs, units, y: &mut y });
    y
}

struct Transposed<'a> {
    x: &'a [f64],
    w: &'a [f64],
    inputs: usize,
    units: usize,
    y: &'a mut [f64],
}

impl Body for Transposed<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { x, w, inputs, units, y } = self;
        let mut sums = vec![[0.0; SIDE]; x.len() / inputs];
        // A row of the matrix is multiplied by all samples, a short piece at a time, while it is in the cache: while one sum waits for its
        // addition, another proceeds.
        for (i, row) in w.chunks_exact(inputs).enumerate() {
            let (whole, rest) = row.as_chunks::<SIDE>();
            sums.fill([0.0; SIDE]);
            for (at, piece) in whole.chunks(PIECE).enumerate() {
                for (sums, sample) in sums.iter_mut().zip(x.chunks_exact(inputs)) {
                    add_products(sums, piece, &sample.as_chunks().0[at * PIECE..]);
                }
            }
            for (a, (sums, sample)) in sums.iter().zip(x.chunks_exact(inputs)).enumerate() {
                y[a * units + i] = total(*sums, rest, &sample[whole.len() * SIDE..]);
            }
        }
    }
}

/// Every row of `y` times the matrix `w`: `x[a][j] = sum_i y[a][i] w[i][j]`.
pub(super) fn rows_times(y: &[f64], w: &[f64], inputs: usize, units: usize) -> Vec<f64> {
    let mut x = vec![0.0; y.len() / units * inputs];
    dispatch(Plain { y, w, inputs, units, x: &mut x });
    x
}

struct Plain<'a> {
    y: &'a [f64],
    w: &'a [f64],
    inputs: usize,
    units: usize,
    x: &'a mut [f64],
}

impl Body for Plain<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { y, w, inputs, units, x } = self;
        for (at, rows) in w.chunks(FEW * inputs).enumerate() {
            for (image, y) in x.chunks_exact_mut(inputs).zip(y.chunks_exact(units)) {
                let row = |k: usize| &rows[k * inputs..(k + 1) * inputs];
                add_scaled(image, rows.len() / inputs, row, |k| y[at * FEW + k]);
            }
        }
    }
}

/// `w[i][j] += factor sum_a y[a][i] x[a][j]`, in the order of `a`.
pub(super) fn add_outer(factor: f64, y: &[f64], x: &[f64], inputs: usize, w: &mut [f64]) {
    dispatch(Outer { factor, y, x, inputs, w });
}

struct Outer<'a> {
    factor: f64,
    y: &'a [f64],
    x: &'a [f64],
    inputs: usize,
    w: &'a mut [f64],
}

impl Body for Outer<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { factor, y, x, inputs, w } = self;
        let (units, samples) = (w.len() / inputs, x.len() / inputs);
        // A row of the matrix is multiplied by all samples while it is in the cache.
        for (i, row) in w.chunks_exact_mut(inputs).enumerate() {
            let sample = |a: usize| &x[a * inputs..(a + 1) * inputs];
            add_scaled(row, samples, sample, |a| factor * y[a * units + i]);
        }
    }
}

/// `to += factor direction`, as far as both go.
pub(super) fn step_along(factor: f64, direction: &[f64], to: &mut [f64]) {
    dispatch(Step { factor, direction, to });
}

struct Step<'a> {
    factor: f64,
    direction: &'a [f64],
    to: &'a mut [f64],
}

impl Body for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let factor = self.factor;
        self.to.iter_mut().zip(self.direction).for_each(|(p, d)| *p += factor * d);
    }
}

/// Whether every number is finite; there is no early exit, so that several are checked at once.
pub(super) fn all_finite(numbers: &[f64]) -> bool {
    dispatch(Finite(numbers))
}

struct Finite<'a>(&'a [f64]);

impl Body for Finite<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> bool {
        self.0.iter().fold(true, |all, x| all & x.is_finite())
    }
}

/// The inner products of all pairs of rows.
pub(super) fn gram(rows: &[f64], length: usize) -> Vec<f64> {
    let count = rows.len() / length;
    let mut all = vec![0.0; count * count];
    for a in 0..count {
        for b in 0..=a {
            let entry =
                dot(&rows[a * length..(a + 1) * length], &rows[b * length..(b + 1) * length]);
            (all[a * count + b], all[b * count + a]) = (entry, entry);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Level, dispatch_at};
    use fovea_core::agree::same_bits;

    fn numbers(count: usize, seed: usize) -> Vec<f64> {
        (0..count).map(|i| ((i * 7919 + seed) % 1009) as f64 / 499.0 - 1.0).collect()
    }

    /// Every product as defined, one sum after the other, at sizes with remainders of all kinds.
    #[test]
    fn every_level_adds_in_the_order_of_the_definition() {
        for (samples, inputs, units) in [(1, 1, 1), (3, 7, 5), (5, 19, 9), (8, 160, 6)] {
            let (x, y) = (numbers(samples * inputs, 1), numbers(samples * units, 2));
            let w = numbers(units * inputs, 3);
            let (mut image, mut outer) = (vec![0.0; samples * inputs], w.clone());
            for i in 0..units {
                for a in 0..samples {
                    for j in 0..inputs {
                        image[a * inputs + j] += y[a * units + i] * w[i * inputs + j];
                        outer[i * inputs + j] += 0.3 * y[a * units + i] * x[a * inputs + j];
                    }
                }
            }
            let mut sums = vec![0.0; samples * units];
            for (at, sum) in sums.iter_mut().enumerate() {
                let (sample, row) = (at / units * inputs, at % units * inputs);
                let mut partial = [0.0; SIDE];
                let whole = inputs / SIDE * SIDE;
                for j in 0..whole {
                    partial[j % SIDE] += w[row + j] * x[sample + j];
                }
                let rest: f64 = (whole..inputs).map(|j| w[row + j] * x[sample + j]).sum();
                *sum = partial.iter().sum::<f64>() + rest;
            }
            for level in Level::available() {
                let mut found = vec![0.0; sums.len()];
                let transposed = Transposed { x: &x, w: &w, inputs, units, y: &mut found };
                dispatch_at(level, transposed);
                same_bits(&found, &sums).unwrap();
                let mut found = vec![0.0; image.len()];
                dispatch_at(level, Plain { y: &y, w: &w, inputs, units, x: &mut found });
                same_bits(&found, &image).unwrap();
                let mut found = w.clone();
                dispatch_at(level, Outer { factor: 0.3, y: &y, x: &x, inputs, w: &mut found });
                same_bits(&found, &outer).unwrap();
            }
        }
    }
}
