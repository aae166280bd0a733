//! Sine and cosine in single precision, for angles in turns and in radians.
//!
//! Both subtract the nearest quarter turn and share the polynomials for the rest, at most an eighth of a turn.

use super::single::horner;

/// One of `2^32` parts of a turn, in radians.
pub(super) const RADIANS_PER_BIT: f32 = std::f32::consts::TAU / (1_u64 << 32) as f32;
/// Coefficients of sine and cosine up to an eighth of a turn.
pub(super) const SINE: [f32; 4] = [1.0, -0.1666665, 0.008332036, -0.00019503989];
pub(super) const COSINE: [f32; 4] = [-0.5, 0.04166665, -0.001388759, 0.000024463852];

/// Sine and cosine of the angle `bits / 2^32` turns.
///
/// The nearest quarter turn is subtracted in integers, exactly.
#[inline(always)]
pub(super) fn sin_cos_turn(bits: u32) -> (f32, f32) {
    let quarter = bits.wrapping_add(1 << 29) >> 30;
    let rest = bits.wrapping_sub(quarter << 30) as i32 as f32 * RADIANS_PER_BIT;
    sin_cos_quarters(quarter, rest)
}

/// Sine and cosine of `x` radians; good to 2e-7 up to `|x| = 1e5`, and within [-1, 1] for every finite `x`.
///
/// Cody and Waite's reduction with a quarter turn in two parts. The first is subtracted without rounding: both sides
/// are multiples of the last place of `pi / 2`, and few enough of them remain that a single holds the difference.
#[inline(always)]
pub(super) fn sin_cos(x: f32) -> (f32, f32) {
    const HIGH: f32 = std::f32::consts::FRAC_PI_2;
    const LOW: f32 = -4.371139e-8;
    // Adding 3 * 2^22 rounds to the nearest integer and leaves it in the low bits.
    const ROUND: f32 = 12_582_912.0;
    // A little more than an eighth of a turn; more remains only of an argument too large to be reduced.
    const END: f32 = 0.8;
    let shifted = x.mul_add(std::f32::consts::FRAC_2_PI, ROUND);
    let quarters = shifted - ROUND;
    let rest = quarters.mul_add(-LOW, quarters.mul_add(-HIGH, x));
    let rest = if rest < -END { -END } else { rest };
    let rest = if rest > END { END } else { rest };
    sin_cos_quarters(shifted.to_bits(), rest)
}

/// Sine and cosine of `quarter` quarter turns (its lowest two bits count) and `rest` radians.
#[inline(always)]
fn sin_cos_quarters(quarter: u32, rest: f32) -> (f32, f32) {
    let t = rest * rest;
    let sin = horner(SINE, t) * rest;
    let cos = horner(COSINE, t).mul_add(t, 1.0);
    let (s, c) = if quarter & 1 == 0 { (sin, cos) } else { (cos, sin) };
    let negative = |flag: u32, v: f32| f32::from_bits(v.to_bits() ^ (flag << 31));
    (negative(quarter >> 1 & 1, s), negative((quarter ^ quarter >> 1) & 1, c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::same_bits_f32;

    #[test]
    fn the_circle_is_round_and_its_quarters_are_exact() {
        for i in 0..100_000_u32 {
            let bits = i.wrapping_mul(0x9E37_79B9);
            let (sin, cos) = sin_cos_turn(bits);
            let angle = std::f64::consts::TAU * f64::from(bits) / 4_294_967_296.0;
            assert!((f64::from(sin) - libm::sin(angle)).abs() < 2e-7);
            assert!((f64::from(cos) - libm::cos(angle)).abs() < 2e-7);
        }
        assert_eq!(sin_cos_turn(1 << 30).0.to_bits(), 1.0_f32.to_bits());
        assert_eq!(sin_cos_turn(1 << 31).1.to_bits(), (-1.0_f32).to_bits());
    }

    /// The largest error of sine and cosine over `count` arguments spread evenly up to `end`, both signs.
    fn worst(end: f32, count: u32) -> f64 {
        (1..=count).fold(0.0, |worst: f64, i| {
            let x = end * i as f32 / count as f32;
            let ((s, c), (s_neg, c_neg)) = (sin_cos(x), sin_cos(-x));
            same_bits_f32(&[s, c], &[-s_neg, c_neg]).unwrap();
            let (sin, cos) = libm::sincos(f64::from(x));
            worst.max((f64::from(s) - sin).abs()).max((f64::from(c) - cos).abs())
        })
    }

    #[test]
    fn radians_are_reduced_without_loss() {
        for end in [1.0, 10.0, 1e3, 1e4, 1e5] {
            let gap = worst(end, 1_000_000);
            assert!(gap < 2e-7, "up to {end}: {gap:e}");
        }
        // Near a multiple of pi the sine is what the reduction leaves, so its relative error shows here.
        for k in 1..10_000 {
            let x = (std::f64::consts::PI * f64::from(k)) as f32;
            let truth = libm::sin(f64::from(x));
            assert!((f64::from(sin_cos(x).0) / truth - 1.0).abs() < 1e-4, "at {x}");
        }
    }

    #[test]
    fn every_finite_argument_stays_on_the_circle() {
        for exponent in 1..255_u32 {
            for mantissa in [0, 0x12_3456, 0x55_5555, 0x7f_ffff] {
                let (s, c) = sin_cos(f32::from_bits(exponent << 23 | mantissa));
                assert!(s.abs() <= 1.0 && c.abs() <= 1.0, "exponent {exponent}: {s} {c}");
            }
        }
        same_bits_f32(&[sin_cos(0.0).0, sin_cos(0.0).1], &[0.0, 1.0]).unwrap();
    }
}
