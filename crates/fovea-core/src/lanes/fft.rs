//! The vertical transform: sixteen inverse Fourier transforms side by side, one a lane.
//!
//! `z_j = sum_k a_k exp(2 pi i j k / n)`, without a factor, for any `n >= 1`. Stockham's self-sorting passes over the
//! factors of `n`: other primes first, then 5, 3, 4, 2. The order of the factors and of every operation is part of the
//! sampling stream.

mod butterfly;

use super::{LANES, Real};
use crate::fourier::{cos_turns, sin_turns};
use crate::simd::Simd;
use butterfly::{Butterfly, Five, Four, Three, Two, plus, splat, times};

/// One number in each lane.
type Lanes<T> = [T; LANES];

/// Real and imaginary parts of a whole array.
type Split<'a, T> = (&'a mut [Lanes<T>], &'a mut [Lanes<T>]);

/// A transform of fixed length, its factors and roots of unity worked out.
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

    /// Transforms `re + i im`, with `scratch` of at least twice the length; the result lies where the answer points, in place
    /// or in the scratch, and the other is overwritten.
    #[inline(always)]
    pub fn inverse<'a, S: Simd>(
        &self,
        s: S,
        re: &'a mut [Lanes<T>],
        im: &'a mut [Lanes<T>],
        scratch: &'a mut [Lanes<T>],
    ) -> Split<'a, T> {
        let (scratch_re, scratch_im) = scratch.split_at_mut(self.n);
        let mut source = (&mut re[..self.n], &mut im[..self.n]);
        let mut target = (scratch_re, &mut scratch_im[..self.n]);
        if self.passes(s, &mut source, &mut target) { target } else { source }
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
        if self.passes(s, &mut source, &mut target) {
            source.0.copy_from_slice(target.0);
            source.1.copy_from_slice(target.1);
        }
    }

    /// All passes, back and forth between two arrays; says whether the result ends in the second.
    #[inline(always)]
    fn passes<'a, S: Simd>(
        &self,
        s: S,
        first: &mut Split<'a, T>,
        second: &mut Split<'a, T>,
    ) -> bool {
        let (mut source, mut target) = (first, second);
        let mut in_second = false;
        let (mut length, mut stride) = (self.n, 1);
        let mut factors = self.factors.as_slice();
        while let [radix, rest @ ..] = factors {
            let size = (length, stride);
            // Two passes in one go read and write the whole array once: it does not fit the nearest cache for long transforms.
            let done = match factors {
                [5, 4, ..] => self.two::<S, Five, Four, 5, 4>(s, size, source, target),
                [4, 4, ..] => self.two::<S, Four, Four, 4, 4>(s, size, source, target),
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

    /// The passes of radix `P` and then `Q`, with what lies between them kept at hand; their operations are those of the passes
    /// one by one. Returns the factor that is dealt with.
    #[inline(always)]
    fn two<S: Simd, A: Butterfly<P>, B: Butterfly<Q>, const P: usize, const Q: usize>(
        &self,
        s: S,
        (length, stride): (usize, usize),
        x: &Split<'_, T>,
        y: &mut Split<'_, T>,
    ) -> usize {
        let zero = splat::<T, S>(s, (T::ZERO, T::ZERO));
        let (part, between) = (length / P, length / P);
        let after = between / Q;
        let spacing = (self.spacing(length), self.spacing(between));
        for p in 0..after {
            let to = stride * P * Q * p..stride * P * Q * (p + 1);
            let (to_re, to_im) = (&mut y.0[to.clone()], &mut y.1[to]);
            for q in 0..stride {
                let mut held = [[zero; P]; Q];
                for (j, held) in held.iter_mut().enumerate() {
                    let first = p + after * j;
                    let mut values = [zero; P];
                    for (i, value) in values.iter_mut().enumerate() {
                        let from = q + stride * (first + part * i);
                        *value = (T::load(s, &x.0[from]), T::load(s, &x.1[from]));
                    }
                    *held = A::of::<T, S>(s, values);
                    if first > 0 {
                        for t in 1..P {
                            let root = self.root(s, first * t, spacing.0);
                            held[t] = times::<T, S>(s, held[t], root);
                        }
                    }
                }
                for t in 0..P {
                    let mut values = [zero; Q];
                    for j in 0..Q {
                        values[j] = held[j][t];
                    }
                    let mut values = B::of::<T, S>(s, values);
                    if p > 0 {
                        for u in 1..Q {
                            let root = self.root(s, p * u, spacing.1);
                            values[u] = times::<T, S>(s, values[u], root);
                        }
                    }
                    for (u, value) in values.into_iter().enumerate() {
                        let at = q + stride * (t + P * u);
                        T::store(s, value.0, &mut to_re[at]);
                        T::store(s, value.1, &mut to_im[at]);
                    }
                }
            }
        }
        P * Q
    }

    /// One Stockham pass: `length / radix` butterflies of each of `stride` interleaved transforms. Returns the radix.
    #[inline(always)]
    fn pass<S: Simd>(
        &self,
        s: S,
        radix: usize,
        size: (usize, usize),
        x: &Split<'_, T>,
        y: &mut Split<'_, T>,
    ) -> usize {
        match radix {
            2 => self.pass_by::<S, Two, 2>(s, size, x, y),
            3 => self.pass_by::<S, Three, 3>(s, size, x, y),
            4 => self.pass_by::<S, Four, 4>(s, size, x, y),
            5 => self.pass_by::<S, Five, 5>(s, size, x, y),
            _ => self.pass_by_definition(s, radix, size, x, y),
        }
        radix
    }

    #[inline(always)]
    fn pass_by<S: Simd, B: Butterfly<R>, const R: usize>(
        &self,
        s: S,
        (length, stride): (usize, usize),
        x: &Split<'_, T>,
        y: &mut Split<'_, T>,
    ) {
        let (part, spacing) = (length / R, self.spacing(length));
        let zero = splat::<T, S>(s, (T::ZERO, T::ZERO));
        for p in 0..part {
            let mut roots = [zero; R];
            for t in 1..R {
                roots[t] = self.root(s, p * t, spacing);
            }
            let to = stride * R * p..stride * R * (p + 1);
            let (to_re, to_im) = (&mut y.0[to.clone()], &mut y.1[to]);
            for q in 0..stride {
                let mut values = [zero; R];
                for (j, value) in values.iter_mut().enumerate() {
                    let from = q + stride * (p + part * j);
                    *value = (T::load(s, &x.0[from]), T::load(s, &x.1[from]));
                }
                let mut values = B::of::<T, S>(s, values);
                if p > 0 {
                    for t in 1..R {
                        values[t] = times::<T, S>(s, values[t], roots[t]);
                    }
                }
                for (t, value) in values.into_iter().enumerate() {
                    T::store(s, value.0, &mut to_re[q + stride * t]);
                    T::store(s, value.1, &mut to_im[q + stride * t]);
                }
            }
        }
    }

    /// The defining sum over `radix` inputs, for primes without a butterfly of their own.
    #[inline(always)]
    fn pass_by_definition<S: Simd>(
        &self,
        s: S,
        radix: usize,
        (length, stride): (usize, usize),
        x: &Split<'_, T>,
        y: &mut Split<'_, T>,
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
                    let at = q + stride * (radix * p + t);
                    T::store(s, sum.0, &mut y.0[at]);
                    T::store(s, sum.1, &mut y.1[at]);
                }
            }
        }
    }

    /// How far apart in the table the powers of `exp(2 pi i / length)` lie, `length` a divisor of `n`.
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
