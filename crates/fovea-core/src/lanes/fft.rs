//! The vertical transform: sixteen inverse Fourier transforms side by side, one a lane.
//!
//! `z_j = sum_k a_k exp(2 pi i j k / n)`, without a factor, for any `n >= 1`. Stockham's self-sorting passes over the
//! factors of `n`: other primes first, then 5, 3, 4, 2. The order of the factors and of every operation is part of the
//! sampling stream.

use super::{LANES, Real, Register};
use crate::fourier::{cos_turns, sin_turns};
use crate::simd::Simd;

/// One number in each lane.
type Lanes<T> = [T; LANES];

/// Real and imaginary parts of a whole array.
type Split<'a, T> = (&'a mut [Lanes<T>], &'a mut [Lanes<T>]);

/// One complex number a lane.
type Complex<T, S> = (<T as Register>::Lanes<S>, <T as Register>::Lanes<S>);

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
        let (mut length, mut stride) = (self.n, 1);
        for &radix in &self.factors {
            self.pass(s, radix, (length, stride), &source, &mut target);
            length /= radix;
            stride *= radix;
            std::mem::swap(&mut source, &mut target);
        }
        source
    }

    /// One Stockham pass: `length / radix` butterflies of each of `stride` interleaved transforms.
    #[inline(always)]
    fn pass<S: Simd>(
        &self,
        s: S,
        radix: usize,
        size: (usize, usize),
        x: &Split<'_, T>,
        y: &mut Split<'_, T>,
    ) {
        match radix {
            2 => self.pass_by::<S, Two, 2>(s, size, x, y),
            3 => self.pass_by::<S, Three, 3>(s, size, x, y),
            4 => self.pass_by::<S, Four, 4>(s, size, x, y),
            5 => self.pass_by::<S, Five, 5>(s, size, x, y),
            _ => self.pass_by_definition(s, radix, size, x, y),
        }
    }

    #[inline(always)]
    fn pass_by<S: Simd, B: Butterfly<R>, const R: usize>(
        &self,
        s: S,
        (length, stride): (usize, usize),
        x: &Split<'_, T>,
        y: &mut Split<'_, T>,
    ) {
        let part = length / R;
        let zero = splat::<T, S>(s, (T::ZERO, T::ZERO));
        for p in 0..part {
            let mut roots = [zero; R];
            for t in 1..R {
                roots[t] = splat::<T, S>(s, self.root(p * t, length));
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
        let part = length / radix;
        for p in 0..part {
            for q in 0..stride {
                for t in 0..radix {
                    let mut sum = splat::<T, S>(s, (T::ZERO, T::ZERO));
                    for j in 0..radix {
                        let from = q + stride * (p + part * j);
                        let value = (T::load(s, &x.0[from]), T::load(s, &x.1[from]));
                        let root = splat::<T, S>(s, self.root(j * t % radix, radix));
                        sum = plus::<T, S>(s, sum, times::<T, S>(s, value, root));
                    }
                    if p > 0 && t > 0 {
                        let root = splat::<T, S>(s, self.root(p * t, length));
                        sum = times::<T, S>(s, sum, root);
                    }
                    let at = q + stride * (radix * p + t);
                    T::store(s, sum.0, &mut y.0[at]);
                    T::store(s, sum.1, &mut y.1[at]);
                }
            }
        }
    }

    /// `exp(2 pi i power / length)`, `length` a divisor of `n` and `power < length`.
    #[inline(always)]
    fn root(&self, power: usize, length: usize) -> (T, T) {
        self.roots[power * (self.n / length)]
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

#[inline(always)]
fn splat<T: Register, S: Simd>(s: S, (re, im): (T, T)) -> Complex<T, S> {
    (T::splat(s, re), T::splat(s, im))
}

#[inline(always)]
fn plus<T: Register, S: Simd>(s: S, a: Complex<T, S>, b: Complex<T, S>) -> Complex<T, S> {
    (T::plus(s, a.0, b.0), T::plus(s, a.1, b.1))
}

#[inline(always)]
fn minus<T: Register, S: Simd>(s: S, a: Complex<T, S>, b: Complex<T, S>) -> Complex<T, S> {
    (T::minus(s, a.0, b.0), T::minus(s, a.1, b.1))
}

/// `a + i b`.
#[inline(always)]
fn plus_turned<T: Register, S: Simd>(s: S, a: Complex<T, S>, b: Complex<T, S>) -> Complex<T, S> {
    (T::minus(s, a.0, b.1), T::plus(s, a.1, b.0))
}

/// `a - i b`.
#[inline(always)]
fn minus_turned<T: Register, S: Simd>(s: S, a: Complex<T, S>, b: Complex<T, S>) -> Complex<T, S> {
    (T::plus(s, a.0, b.1), T::minus(s, a.1, b.0))
}

/// `a * c` for real `c`.
#[inline(always)]
fn scaled<T: Register, S: Simd>(s: S, a: Complex<T, S>, c: T) -> Complex<T, S> {
    let c = T::splat(s, c);
    (T::times(s, a.0, c), T::times(s, a.1, c))
}

/// `a * c + b` for real `c`.
#[inline(always)]
fn scaled_plus<T: Register, S: Simd>(
    s: S,
    a: Complex<T, S>,
    c: T,
    b: Complex<T, S>,
) -> Complex<T, S> {
    let c = T::splat(s, c);
    (T::times_plus(s, a.0, c, b.0), T::times_plus(s, a.1, c, b.1))
}

#[inline(always)]
fn times<T: Register, S: Simd>(s: S, a: Complex<T, S>, (cos, sin): Complex<T, S>) -> Complex<T, S> {
    let re = T::times_minus(s, a.0, cos, T::times(s, a.1, sin));
    (re, T::times_plus(s, a.0, sin, T::times(s, a.1, cos)))
}

/// A transform of fixed length. It is a type and no function value, so that it is compiled for the instruction set around it.
trait Butterfly<const R: usize> {
    fn of<T: Real, S: Simd>(s: S, values: [Complex<T, S>; R]) -> [Complex<T, S>; R];
}

struct Two;

impl Butterfly<2> for Two {
    #[inline(always)]
    fn of<T: Real, S: Simd>(s: S, [a, b]: [Complex<T, S>; 2]) -> [Complex<T, S>; 2] {
        [plus::<T, S>(s, a, b), minus::<T, S>(s, a, b)]
    }
}

struct Three;

impl Butterfly<3> for Three {
    #[inline(always)]
    fn of<T: Real, S: Simd>(s: S, [a, b, c]: [Complex<T, S>; 3]) -> [Complex<T, S>; 3] {
        let sum = plus::<T, S>(s, b, c);
        let mean = scaled_plus::<T, S>(s, sum, T::from_f64(-0.5), a);
        let gap = minus::<T, S>(s, b, c);
        let turn = scaled::<T, S>(s, gap, T::from_f64(0.866_025_403_784_438_6));
        [
            plus::<T, S>(s, a, sum),
            plus_turned::<T, S>(s, mean, turn),
            minus_turned::<T, S>(s, mean, turn),
        ]
    }
}

struct Four;

impl Butterfly<4> for Four {
    #[inline(always)]
    fn of<T: Real, S: Simd>(s: S, [a, b, c, d]: [Complex<T, S>; 4]) -> [Complex<T, S>; 4] {
        let (even_sum, even_gap) = (plus::<T, S>(s, a, c), minus::<T, S>(s, a, c));
        let (odd_sum, odd_gap) = (plus::<T, S>(s, b, d), minus::<T, S>(s, b, d));
        [
            plus::<T, S>(s, even_sum, odd_sum),
            plus_turned::<T, S>(s, even_gap, odd_gap),
            minus::<T, S>(s, even_sum, odd_sum),
            minus_turned::<T, S>(s, even_gap, odd_gap),
        ]
    }
}

struct Five;

impl Butterfly<5> for Five {
    #[inline(always)]
    fn of<T: Real, S: Simd>(s: S, [a, b, c, d, e]: [Complex<T, S>; 5]) -> [Complex<T, S>; 5] {
        let (c1, c2) =
            (T::from_f64(0.309_016_994_374_947_45), T::from_f64(-0.809_016_994_374_947_5));
        let (s1, s2) = (T::from_f64(0.951_056_516_295_153_5), T::from_f64(0.587_785_252_292_473_1));
        let (outer, outer_gap) = (plus::<T, S>(s, b, e), minus::<T, S>(s, b, e));
        let (inner, inner_gap) = (plus::<T, S>(s, c, d), minus::<T, S>(s, c, d));
        let near = scaled_plus::<T, S>(s, inner, c2, scaled_plus::<T, S>(s, outer, c1, a));
        let far = scaled_plus::<T, S>(s, inner, c1, scaled_plus::<T, S>(s, outer, c2, a));
        let near_turn = scaled_plus::<T, S>(s, inner_gap, s2, scaled::<T, S>(s, outer_gap, s1));
        let far_turn = scaled_plus::<T, S>(s, inner_gap, -s1, scaled::<T, S>(s, outer_gap, s2));
        [
            plus::<T, S>(s, plus::<T, S>(s, a, outer), inner),
            plus_turned::<T, S>(s, near, near_turn),
            plus_turned::<T, S>(s, far, far_turn),
            minus_turned::<T, S>(s, far, far_turn),
            minus_turned::<T, S>(s, near, near_turn),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Portable;
    use crate::streams::Streams;

    /// The defining double sum, lane by lane.
    fn by_definition<T: Real>(
        re: &[Lanes<T>],
        im: &[Lanes<T>],
        lane: usize,
        j: usize,
    ) -> (f64, f64) {
        let n = re.len();
        (0..n).fold((0.0, 0.0), |(x, y), k| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * (j * k % n) as f64 / n as f64);
            let (a, b) = (re[k][lane].to_f64(), im[k][lane].to_f64());
            (x + a * cos - b * sin, y + a * sin + b * cos)
        })
    }

    fn worst_gap<T: Real>(n: usize) -> f64 {
        let mut rng = Streams::new(n as u64).named("fft").block(0, 0);
        let (re, im): (Vec<_>, Vec<_>) = (0..n).map(|_| T::normal_pair(&mut rng)).unzip();
        let (mut x, mut y) = (re.clone(), im.clone());
        let scratch = &mut vec![[T::ZERO; LANES]; 2 * n];
        let (x, y) = Fft::new(n).inverse(Portable, &mut x, &mut y, scratch);
        let mut worst: f64 = 0.0;
        for j in 0..n {
            for lane in [0, 5, 15] {
                let (a, b) = by_definition(&re, &im, lane, j);
                worst =
                    worst.max((x[j][lane].to_f64() - a).abs()).max((y[j][lane].to_f64() - b).abs());
            }
        }
        worst / (n as f64).sqrt()
    }

    #[test]
    fn every_length_equals_the_defining_sum() {
        for n in (1..=50).chain([64, 97, 100, 121, 125, 360, 400]) {
            assert!(worst_gap::<f32>(n) < 4e-6, "f32, n = {n}: {:e}", worst_gap::<f32>(n));
            assert!(worst_gap::<f64>(n) < 1e-13, "f64, n = {n}: {:e}", worst_gap::<f64>(n));
        }
    }

    #[test]
    fn factors_multiply_back_in_their_fixed_order() {
        assert_eq!(factors(40), [5, 4, 2]);
        assert_eq!(factors(2 * 3 * 7 * 11), [7, 11, 3, 2]);
        assert_eq!(factors(41), [41]);
        for n in 1..500 {
            assert_eq!(factors(n).iter().product::<usize>(), n);
        }
    }
}
