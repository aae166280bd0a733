//! The vertical transform: sixteen inverse Fourier transforms side by side, one per lane.
//!
//! `z_j = sum_k a_k exp(2 pi i j k / n)`, without a factor, for any `n >= 1`. Stockham's self-sorting passes over the
//! factors of `n`: other primes first, then 5, 3, 4, 2. The order of the factors and of every operation is part of the
//! sampling stream.

mod butterfly;

use super::{LANES, Real};
use crate::fourier::{cos_turns, sin_turns};
use crate::simd::Simd;
use butterfly::{Butterfly, Complex, Five, Four, Three, Two, plus, splat, times};

/// One number in each lane.
type Lanes<T> = [T; LANES];

/// Real and imaginary parts of a whole array.
type Split<'a, T> = (&'a mut [Lanes<T>], &'a mut [Lanes<T>]);

/// Where a transform's results go.
pub trait Sink<T: Real> {
    /// Takes entry `at`: its real and its imaginary parts.
    fn put<S: Simd>(&mut self, s: S, at: usize, value: (T::Lanes<S>, T::Lanes<S>));
}

impl<T: Real> Sink<T> for Split<'_, T> {
    #[inline(always)]
    fn put<S: Simd>(&mut self, s: S, at: usize, (re, im): Complex<T, S>) {
        T::store(s, re, &mut self.0[at]);
        T::store(s, im, &mut self.1[at]);
    }
}

/// A transform of fixed length, with its factors and roots of unity precomputed.
#[derive(Clone, Debug)]
pub struct Fft<T> {
    n: usize,
    factors: Vec<usize>,
    /// `exp(2 pi i k / n)` for `k = 0..n`.
    roots: Vec<(T, T)>,
}

impl<T: Real> Fft<T> {
    /// Plans the transform of length `n`.
    pub fn new(n: usize) -> Self {
        let root = |k| (T::from_f64(cos_turns(k, n)), T::from_f64(sin_turns(k, n)));
        Self { n, factors: factors(n), roots: (0..n).map(root).collect() }
    }

    /// Transforms `re + i im`, with `scratch` at least twice as long. Entries of the result go to the sink one by one, and
    /// both arrays are overwritten.
    #[inline(always)]
    pub fn inverse_to<S: Simd, K: Sink<T>>(
        &self,
        s: S,
        re: &mut [Lanes<T>],
        im: &mut [Lanes<T>],
        scratch: &mut [Lanes<T>],
        sink: &mut K,
    ) {
        let (scratch_re, scratch_im) = scratch.split_at_mut(self.n);
        let mut source = (&mut re[..self.n], &mut im[..self.n]);
        let mut target = (scratch_re, &mut scratch_im[..self.n]);
        // A transform of length one has no factors, and its sum one term.
        let (last, others) = self.factors.split_last().unwrap_or((&1, &[]));
        let in_second = self.passes(s, others, &mut source, &mut target);
        let x = if in_second { &target } else { &source };
        self.pass(s, *last, (*last, self.n / last), x, sink);
    }

    /// The same with the result in place.
    #[inline(always)]
    pub fn inverse_in_place<S: Simd>(
        &self,
        s: S,
        re: &mut [Lanes<T>],
        im: &mut [Lanes<T>],
        scratch: &mut [Lanes<T>],
    ) {
        let (scratch_re, scratch_im) = scratch.split_at_mut(self.n);
        let mut source = (&mut re[..self.n], &mut im[..self.n]);
        let mut target = (scratch_re, &mut scratch_im[..self.n]);
        if self.passes(s, &self.factors, &mut source, &mut target) {
            source.0.copy_from_slice(target.0);
            source.1.copy_from_slice(target.1);
        }
    }

    /// The passes of the first factors, back and forth between two arrays; returns whether the result ends in the second.
    #[inline(always)]
    fn passes<'a, S: Simd>(
        &self,
        s: S,
        mut factors: &[usize],
        first: &mut Split<'a, T>,
        second: &mut Split<'a, T>,
    ) -> bool {
        let (mut source, mut target) = (first, second);
        let mut in_second = false;
        let (mut length, mut stride) = (self.n, 1);
        while let [radix, rest @ ..] = factors {
            let size = (length, stride);
            let done = match factors {
                [5, 4, ..] => self.two::<S, Five, 5>(s, size, source, target),
                [4, 4, ..] => self.two::<S, Four, 4>(s, size, source, target),
                _ => self.pass(s, *radix, size, source, target),
            };
            factors = if done > *radix { &rest[1..] } else { rest };
            length /= done;
            stride *= done;
            std::mem::swap(&mut source, &mut target);
            in_second = !in_second;
        }
        in_second
    }

    /// One Stockham pass: `length / radix` butterflies of each of `stride` interleaved transforms. Returns the radix.
    #[inline(always)]
    fn pass<S: Simd, K: Sink<T>>(
        &self,
        s: S,
        radix: usize,
        size: (usize, usize),
        x: &Split<'_, T>,
        y: &mut K,
    ) -> usize {
        match radix {
            2 => self.pass_by::<S, Two, 2, K>(s, size, x, y),
            3 => self.pass_by::<S, Three, 3, K>(s, size, x, y),
            4 => self.pass_by::<S, Four, 4, K>(s, size, x, y),
            5 => self.pass_by::<S, Five, 5, K>(s, size, x, y),
            _ => self.pass_by_definition(s, radix, size, x, y),
        }
        radix
    }

    /// The passes of radix `P` and then four, with the numbers between them kept in registers; the operations are those of the
    /// two passes one by one. Together they read and write the array once, which for long transforms does not fit the nearest cache.
    #[inline(always)]
    fn two<S: Simd, A: Butterfly<P>, const P: usize>(
        &self,
        s: S,
        (length, stride): (usize, usize),
        x: &Split<'_, T>,
        y: &mut Split<'_, T>,
    ) -> usize {
        let between = length / P;
        let after = between / 4;
        let spacing = self.spacing(between);
        for p in 0..after {
            for q in 0..stride {
                // Written out, because a loop would have to begin with an array of zeros in memory.
                let held = [
                    self.butterfly::<S, A, P>(s, (length, stride), (p, q), x),
                    self.butterfly::<S, A, P>(s, (length, stride), (p + after, q), x),
                    self.butterfly::<S, A, P>(s, (length, stride), (p + after * 2, q), x),
                    self.butterfly::<S, A, P>(s, (length, stride), (p + after * 3, q), x),
                ];
                for t in 0..P {
                    let mut values =
                        Four::of::<T, S>(s, [held[0][t], held[1][t], held[2][t], held[3][t]]);
                    if p > 0 {
                        for u in 1..4 {
                            let root = self.root(s, p * u, spacing);
                            values[u] = times::<T, S>(s, values[u], root);
                        }
                    }
                    for (u, value) in values.into_iter().enumerate() {
                        y.put(s, q + stride * (t + P * (u + 4 * p)), value);
                    }
                }
            }
        }
        P * 4
    }

    /// Butterfly `p` of a pass in the interleaved transform `q`, times its roots.
    #[inline(always)]
    fn butterfly<S: Simd, B: Butterfly<R>, const R: usize>(
        &self,
        s: S,
        (length, stride): (usize, usize),
        (p, q): (usize, usize),
        x: &Split<'_, T>,
    ) -> [Complex<T, S>; R] {
        let mut values = [splat::<T, S>(s, (T::ZERO, T::ZERO)); R];
        for (j, value) in values.iter_mut().enumerate() {
            let from = q + stride * (p + length / R * j);
            *value = (T::load(s, &x.0[from]), T::load(s, &x.1[from]));
        }
        let mut values = B::of::<T, S>(s, values);
        if p > 0 {
            for t in 1..R {
                let root = self.root(s, p * t, self.spacing(length));
                values[t] = times::<T, S>(s, values[t], root);
            }
        }
        values
    }

    #[inline(always)]
    fn pass_by<S: Simd, B: Butterfly<R>, const R: usize, K: Sink<T>>(
        &self,
        s: S,
        (length, stride): (usize, usize),
        x: &Split<'_, T>,
        y: &mut K,
    ) {
        for p in 0..length / R {
            for q in 0..stride {
                let values = self.butterfly::<S, B, R>(s, (length, stride), (p, q), x);
                for (t, value) in values.into_iter().enumerate() {
                    y.put(s, q + stride * (t + R * p), value);
                }
            }
        }
    }

    /// The defining sum over `radix` inputs, for primes without a butterfly of their own.
    #[inline(always)]
    fn pass_by_definition<S: Simd, K: Sink<T>>(
        &self,
        s: S,
        radix: usize,
        (length, stride): (usize, usize),
        x: &Split<'_, T>,
        y: &mut K,
    ) {
        let (part, spacing) = (length / radix, self.spacing(length));
        for p in 0..part {
            for q in 0..stride {
                for t in 0..radix {
                    let mut sum = splat::<T, S>(s, (T::ZERO, T::ZERO));
                    for j in 0..radix {
                        let from = q + stride * (p + part * j);
                        let value = (T::load(s, &x.0[from]), T::load(s, &x.1[from]));
                        let root = self.root(s, j * t % radix, self.spacing(radix));
                        sum = plus::<T, S>(s, sum, times::<T, S>(s, value, root));
                    }
                    if p > 0 && t > 0 {
                        let root = self.root(s, p * t, spacing);
                        sum = times::<T, S>(s, sum, root);
                    }
                    y.put(s, q + stride * (radix * p + t), sum);
                }
            }
        }
    }

    /// The distance in the table between powers of `exp(2 pi i / length)`, where `length` divides `n`.
    #[inline(always)]
    fn spacing(&self, length: usize) -> usize {
        self.n / length
    }

    /// `exp(2 pi i power / length)` in every lane, `power < length`.
    #[inline(always)]
    fn root<S: Simd>(&self, s: S, power: usize, spacing: usize) -> (T::Lanes<S>, T::Lanes<S>) {
        splat::<T, S>(s, self.roots[power * spacing])
    }
}

/// The factors of `n` in the order of the passes.
fn factors(mut n: usize) -> Vec<usize> {
    let mut small = Vec::new();
    for radix in [5, 3, 4, 2] {
        while n.is_multiple_of(radix) && n > 1 {
            small.push(radix);
            n /= radix;
        }
    }
    let mut all = Vec::new();
    let mut prime = 7;
    while n > 1 {
        if prime * prime > n {
            prime = n;
        }
        while n.is_multiple_of(prime) {
            all.push(prime);
            n /= prime;
        }
        prime += 2;
    }
    all.extend(small);
    all
}

#[cfg(test)]
mod tests;
