//! The vertical transform: sixteen inverse Fourier transforms side by side, one a lane.
//!
//! `z_j = sum_k a_k exp(2 pi i j k / n)`, without a factor, for any `n >= 1`. Stockham's self-sorting passes over the
//! factors of `n`: other primes first, then 5, 3, 4, 2. The order of the factors and of every operation is part of the
//! sampling stream.

use super::{LANES, Real};
use crate::fourier::{cos_turns, sin_turns};

/// One number in each lane.
type Lanes<T> = [T; LANES];

/// Real and imaginary parts of a whole array.
type Split<'a, T> = (&'a mut [Lanes<T>], &'a mut [Lanes<T>]);

/// One complex number of one lane.
type Complex<T> = (T, T);

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

    /// Transforms `re + i im` in place, `scratch` holding at least as much again of both.
    #[inline(always)]
    pub fn inverse(&self, re: &mut [Lanes<T>], im: &mut [Lanes<T>], scratch: &mut [Lanes<T>]) {
        let (scratch_re, scratch_im) = scratch.split_at_mut(self.n);
        let mut source = (re, im);
        let mut target = (scratch_re, &mut scratch_im[..self.n]);
        let (mut length, mut stride) = (self.n, 1);
        for &radix in &self.factors {
            self.pass(radix, length, stride, &source, &mut target);
            length /= radix;
            stride *= radix;
            std::mem::swap(&mut source, &mut target);
        }
        // After an odd number of passes the result lies in the scratch; `source` always names where it is.
        if self.factors.len() % 2 == 1 {
            target.0.copy_from_slice(source.0);
            target.1.copy_from_slice(source.1);
        }
    }

    /// One Stockham pass: `length / radix` butterflies of each of `stride` interleaved transforms.
    #[inline(always)]
    fn pass(
        &self,
        radix: usize,
        length: usize,
        stride: usize,
        x: &Split<'_, T>,
        y: &mut Split<'_, T>,
    ) {
        match radix {
            2 => self.pass_by(butterfly2, length, stride, x, y),
            3 => self.pass_by(butterfly3, length, stride, x, y),
            4 => self.pass_by(butterfly4, length, stride, x, y),
            5 => self.pass_by(butterfly5, length, stride, x, y),
            _ => self.pass_by_definition(radix, length, stride, x, y),
        }
    }

    #[inline(always)]
    fn pass_by<const R: usize>(
        &self,
        butterfly: impl Fn([Complex<T>; R]) -> [Complex<T>; R],
        length: usize,
        stride: usize,
        x: &Split<'_, T>,
        y: &mut Split<'_, T>,
    ) {
        let part = length / R;
        for p in 0..part {
            let roots: [(T, T); R] = std::array::from_fn(|t| self.root(p * t, length));
            for q in 0..stride {
                let re: [&Lanes<T>; R] = std::array::from_fn(|j| &x.0[q + stride * (p + part * j)]);
                let im: [&Lanes<T>; R] = std::array::from_fn(|j| &x.1[q + stride * (p + part * j)]);
                let (mut out_re, mut out_im) = ([[T::ZERO; LANES]; R], [[T::ZERO; LANES]; R]);
                for l in 0..LANES {
                    let mut values = butterfly(std::array::from_fn(|j| (re[j][l], im[j][l])));
                    if p > 0 {
                        for t in 1..R {
                            values[t] = times(values[t], roots[t]);
                        }
                    }
                    for t in 0..R {
                        (out_re[t][l], out_im[t][l]) = values[t];
                    }
                }
                for t in 0..R {
                    let at = q + stride * (R * p + t);
                    (y.0[at], y.1[at]) = (out_re[t], out_im[t]);
                }
            }
        }
    }

    /// The defining sum over `radix` inputs, for primes without a butterfly of their own.
    #[inline(always)]
    fn pass_by_definition(
        &self,
        radix: usize,
        length: usize,
        stride: usize,
        x: &Split<'_, T>,
        y: &mut Split<'_, T>,
    ) {
        let part = length / radix;
        for p in 0..part {
            for q in 0..stride {
                for t in 0..radix {
                    let (mut re, mut im) = ([T::ZERO; LANES], [T::ZERO; LANES]);
                    for j in 0..radix {
                        let from = q + stride * (p + part * j);
                        let root = self.root(j * t % radix, radix);
                        for l in 0..LANES {
                            let term = times((x.0[from][l], x.1[from][l]), root);
                            (re[l], im[l]) = (re[l] + term.0, im[l] + term.1);
                        }
                    }
                    if p > 0 && t > 0 {
                        let root = self.root(p * t, length);
                        for l in 0..LANES {
                            (re[l], im[l]) = times((re[l], im[l]), root);
                        }
                    }
                    let at = q + stride * (radix * p + t);
                    (y.0[at], y.1[at]) = (re, im);
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
fn plus<T: Real>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    (a.0 + b.0, a.1 + b.1)
}

#[inline(always)]
fn minus<T: Real>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    (a.0 - b.0, a.1 - b.1)
}

/// `a * c` for real `c`.
#[inline(always)]
fn scaled<T: Real>(a: Complex<T>, c: T) -> Complex<T> {
    (a.0 * c, a.1 * c)
}

/// `a * c + b` for real `c`.
#[inline(always)]
fn scaled_plus<T: Real>(a: Complex<T>, c: T, b: Complex<T>) -> Complex<T> {
    (a.0.fma(c, b.0), a.1.fma(c, b.1))
}

/// `i * a`.
#[inline(always)]
fn turned<T: Real>(a: Complex<T>) -> Complex<T> {
    (-a.1, a.0)
}

#[inline(always)]
fn times<T: Real>(a: Complex<T>, (c, s): (T, T)) -> Complex<T> {
    (a.0.fma(c, -(a.1 * s)), a.0.fma(s, a.1 * c))
}

#[inline(always)]
fn butterfly2<T: Real>([a, b]: [Complex<T>; 2]) -> [Complex<T>; 2] {
    [plus(a, b), minus(a, b)]
}

#[inline(always)]
fn butterfly3<T: Real>([a, b, c]: [Complex<T>; 3]) -> [Complex<T>; 3] {
    let sum = plus(b, c);
    let mean = scaled_plus(sum, T::from_f64(-0.5), a);
    let turn = turned(scaled(minus(b, c), T::from_f64(0.866_025_403_784_438_6)));
    [plus(a, sum), plus(mean, turn), minus(mean, turn)]
}

#[inline(always)]
fn butterfly4<T: Real>([a, b, c, d]: [Complex<T>; 4]) -> [Complex<T>; 4] {
    let (even_sum, even_gap) = (plus(a, c), minus(a, c));
    let (odd_sum, odd_turn) = (plus(b, d), turned(minus(b, d)));
    [
        plus(even_sum, odd_sum),
        plus(even_gap, odd_turn),
        minus(even_sum, odd_sum),
        minus(even_gap, odd_turn),
    ]
}

#[inline(always)]
fn butterfly5<T: Real>([a, b, c, d, e]: [Complex<T>; 5]) -> [Complex<T>; 5] {
    let (c1, c2) = (T::from_f64(0.309_016_994_374_947_45), T::from_f64(-0.809_016_994_374_947_5));
    let (s1, s2) = (T::from_f64(0.951_056_516_295_153_5), T::from_f64(0.587_785_252_292_473_1));
    let (outer, outer_gap) = (plus(b, e), minus(b, e));
    let (inner, inner_gap) = (plus(c, d), minus(c, d));
    let near = scaled_plus(inner, c2, scaled_plus(outer, c1, a));
    let far = scaled_plus(inner, c1, scaled_plus(outer, c2, a));
    let near_turn = turned(scaled_plus(inner_gap, s2, scaled(outer_gap, s1)));
    let far_turn = turned(scaled_plus(inner_gap, -s1, scaled(outer_gap, s2)));
    [
        plus(plus(a, outer), inner),
        plus(near, near_turn),
        plus(far, far_turn),
        minus(far, far_turn),
        minus(near, near_turn),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
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
        Fft::new(n).inverse(&mut x, &mut y, &mut vec![[T::ZERO; LANES]; 2 * n]);
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
