//! Single precision, sixteen lanes at a time in registers: the functions of `single` and `circle`, operation for operation.

use super::LANES;
use super::circle::{COSINE, RADIANS_PER_BIT, SINE};
use super::single::{ERF_END, ERF_P, ERF_Q, LN_P, SQRT_HALF_BITS};
use crate::simd::Simd;
use crate::streams::BlockRng;

/// Evaluates a polynomial, lowest coefficient first, with one rounding per step.
#[inline(always)]
fn horner<S: Simd, const N: usize>(s: S, coefficients: [f32; N], x: S::F) -> S::F {
    let mut sum = s.splat(coefficients[N - 1]);
    for c in coefficients[..N - 1].iter().rev() {
        sum = s.fma(sum, x, s.splat(*c));
    }
    sum
}

/// The natural logarithm of positive normal numbers.
#[inline(always)]
fn ln<S: Simd>(s: S, x: S::F) -> S::F {
    let bits = s.bits(x);
    let exponent = s.sar(s.sub_i(bits, s.splat_i(SQRT_HALF_BITS)), 23);
    let mantissa = s.of_bits(s.sub_i(bits, s.shl(exponent, 23)));
    let f = s.sub(mantissa, s.splat(1.0));
    let tail = s.fma(horner(s, LN_P, f), f, s.splat(-0.5));
    let ln_m = s.fma(tail, s.mul(f, f), f);
    s.fma(s.float(exponent), s.splat(std::f32::consts::LN_2), ln_m)
}

/// Sine and cosine of the angles `bits / 2^32` turns.
#[inline(always)]
fn sin_cos_turn<S: Simd>(s: S, bits: S::I) -> (S::F, S::F) {
    let quarter = s.shr(s.add_i(bits, s.splat_i(1 << 29)), 30);
    let rest = s.float(s.sub_i(bits, s.shl(quarter, 30)));
    let rest = s.mul(rest, s.splat(RADIANS_PER_BIT));
    let t = s.mul(rest, rest);
    let sin = s.mul(horner(s, SINE, t), rest);
    let cos = s.fma(horner(s, COSINE, t), t, s.splat(1.0));
    let (swapped_sin, swapped_cos) = (s.pick(quarter, cos, sin), s.pick(quarter, sin, cos));
    let half = s.shr(quarter, 1);
    (signed(s, half, swapped_sin), signed(s, s.xor(quarter, half), swapped_cos))
}

/// `v` with its sign flipped where the lowest bit of `flag` is set.
#[inline(always)]
fn signed<S: Simd>(s: S, flag: S::I, v: S::F) -> S::F {
    s.of_bits(s.xor(s.bits(v), s.shl(flag, 31)))
}

/// The error function.
#[inline(always)]
pub(super) fn erf<S: Simd>(s: S, x: S::F) -> S::F {
    let x = s.max(s.splat(-ERF_END), x);
    let x = s.min(s.splat(ERF_END), x);
    let t = s.mul(x, x);
    s.div(s.mul(x, horner(s, ERF_P, t)), horner(s, ERF_Q, t))
}

/// The sixteen generators of a block in registers.
struct Words<S: Simd> {
    state: [S::I; 4],
}

impl<S: Simd> Words<S> {
    /// The next 32 bits of every lane, as [`BlockRng::next_lanes`] gives them.
    #[inline(always)]
    fn next(&mut self, s: S) -> S::I {
        let [s0, s1, s2, s3] = self.state;
        let out = s.add_i(s.rotl(s.add_i(s0, s3), 7), s0);
        let t = s.shl(s1, 9);
        let s2 = s.xor(s2, s0);
        let s3 = s.xor(s3, s1);
        self.state = [s.xor(s0, s3), s.xor(s1, s2), s.xor(s2, t), s.rotl(s3, 11)];
        out
    }

    /// Two independent standard normals per lane.
    #[inline(always)]
    fn normal_pair(&mut self, s: S) -> (S::F, S::F) {
        let (radius_bits, angle_bits) = (self.next(s), self.next(s));
        let odd = s.or(s.shr(radius_bits, 1), s.splat_i(1));
        // Powers of two by exact operations that do not use the multipliers: 2^-31 through the exponent, -2 by a sum and the sign.
        let u = s.of_bits(s.sub_i(s.bits(s.float(odd)), s.splat_i(31 << 23)));
        let ln_u = ln(s, u);
        let radius = s.sqrt(signed(s, s.splat_i(1), s.add(ln_u, ln_u)));
        let (sin, cos) = sin_cos_turn(s, angle_bits);
        (s.mul(radius, cos), s.mul(radius, sin))
    }
}

/// The draws of an audit, in a separate function so that the usual ones keep their registers.
#[cold]
#[inline(never)]
fn audited_normals(
    rng: &mut BlockRng,
    amplitude: impl Fn(usize) -> f32,
    re: &mut [[f32; LANES]],
    im: &mut [[f32; LANES]],
) {
    super::normals_pair_by_pair(rng, amplitude, re, im);
}

/// Draws a pair of normals for every mode of positive amplitude and multiplies them by it; the rest are zero.
#[inline(always)]
pub(super) fn coloured_normals<S: Simd>(
    s: S,
    rng: &mut BlockRng,
    amplitude: impl Fn(usize) -> f32,
    re: &mut [[f32; LANES]],
    im: &mut [[f32; LANES]],
) {
    let Some(state) = rng.state_mut() else {
        return audited_normals(rng, amplitude, re, im);
    };
    let mut words = Words::<S> {
        state: [s.load_i(&state[0]), s.load_i(&state[1]), s.load_i(&state[2]), s.load_i(&state[3])],
    };
    for (k, (re, im)) in re.iter_mut().zip(im).enumerate() {
        let amplitude = amplitude(k);
        if amplitude > 0.0 {
            let (a, b) = words.normal_pair(s);
            let amplitude = s.splat(amplitude);
            s.store(s.mul(a, amplitude), re);
            s.store(s.mul(b, amplitude), im);
        } else {
            s.store(s.splat(0.0), re);
            s.store(s.splat(0.0), im);
        }
    }
    for (row, word) in state.iter_mut().zip(words.state) {
        s.store_i(word, row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::same_bits_f32;
    use crate::lanes::Real;
    use crate::simd::{Body, Level, dispatch_at};
    use crate::streams::{Generator, Streams};

    struct Normals(BlockRng, usize);

    impl Body for Normals {
        type Output = (Vec<f32>, BlockRng);
        #[inline(always)]
        fn run<S: Simd>(mut self, s: S) -> Self::Output {
            let amplitude = |k| if k % 7 == 3 { 0.0 } else { 0.7 };
            let (mut re, mut im) = (vec![[0.0; LANES]; self.1], vec![[0.0; LANES]; self.1]);
            coloured_normals(s, &mut self.0, amplitude, &mut re, &mut im);
            (re.into_iter().chain(im).flatten().collect(), self.0)
        }
    }

    /// The reference draws pair by pair with the scalar functions.
    #[test]
    fn normals_in_registers_are_those_of_the_definition() {
        let modes = 300;
        for block in 0..50 {
            let rng = Streams::new(5).named("normals").block(2, block);
            let mut plain = rng.clone();
            let (mut re, mut im) = (Vec::new(), Vec::new());
            for k in 0..modes {
                let (a, b) = if k % 7 == 3 {
                    ([0.0; LANES], [0.0; LANES])
                } else {
                    f32::normal_pair(&mut plain)
                };
                re.extend(a.map(|z| z * 0.7));
                im.extend(b.map(|z| z * 0.7));
            }
            re.append(&mut im);
            for level in Level::available() {
                let (drawn, mut after) = dispatch_at(level, Normals(rng.clone(), modes));
                same_bits_f32(&drawn, &re).unwrap();
                assert_eq!(after.next_lanes(), plain.clone().next_lanes());
            }
        }
    }

    #[test]
    fn an_audit_draws_other_normals_and_as_many() {
        let rng = Streams::new(5).drawn_by(Generator::Philox).named("normals").block(2, 1);
        let (drawn, after) = dispatch_at(Level::best(), Normals(rng.clone(), 3));
        let (mut plain, mut pair) = (rng, Vec::new());
        for _ in 0..3 {
            pair.push(f32::normal_pair(&mut plain).0.map(|z| z * 0.7));
        }
        same_bits_f32(&drawn[..3 * LANES], pair.as_flattened()).unwrap();
        assert_eq!(after.clone().next_lanes(), plain.next_lanes());
        assert_ne!(
            after.clone().next_lanes(),
            Streams::new(5).named("normals").block(2, 1).next_lanes()
        );
    }

    struct Erf([f32; LANES]);

    impl Body for Erf {
        type Output = [f32; LANES];
        #[inline(always)]
        fn run<S: Simd>(mut self, s: S) -> Self::Output {
            s.store(erf(s, s.load(&self.0)), &mut self.0);
            self.0
        }
    }

    #[test]
    fn the_error_function_in_registers_is_that_of_the_definition() {
        let ends = [0.0, -0.0, f32::MAX, f32::MIN, f32::INFINITY, 3.9, -3.9, 1e-30];
        let mut x: Vec<f32> = (-400_000..400_000).map(|i| i as f32 / 90_000.0).collect();
        x.extend(ends);
        x.extend(ends);
        for lanes in x.as_chunks::<LANES>().0 {
            let plain = lanes.map(Real::erf);
            for level in Level::available() {
                same_bits_f32(&dispatch_at(level, Erf(*lanes)), &plain).unwrap();
            }
        }
    }
}
