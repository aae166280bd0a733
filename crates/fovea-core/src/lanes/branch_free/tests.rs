use super::*;
use crate::agree::same_bits;
use crate::lanes::{LANES, Real};
use crate::simd::{Body, Level, Simd, dispatch_at};
use crate::streams::{BlockRng, Streams};

/// A function of every number in a list, compiled for a level.
struct Each<'a, F>(&'a [f64], F);

impl<F: Fn(&mut [f64; LANES])> Body for Each<'_, F> {
    type Output = Vec<f64>;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Vec<f64> {
        let mut all = self.0.to_vec();
        all.resize(self.0.len().next_multiple_of(LANES), 1.0);
        for lanes in all.as_chunks_mut::<LANES>().0 {
            (self.1)(lanes);
        }
        all.truncate(self.0.len());
        all
    }
}

/// Compares a function with one of `libm` at every number and every level.
fn is_that_of_libm(x: &[f64], lanes: impl Fn(&mut [f64; LANES]) + Copy, libm: fn(f64) -> f64) {
    let expected: Vec<f64> = x.iter().map(|x| libm(*x)).collect();
    for level in Level::available() {
        same_bits(&dispatch_at(level, Each(x, lanes)), &expected).unwrap();
    }
}

/// Numbers of every size and sign, and the neighbours of all places where `libm` takes another branch.
fn numbers() -> Vec<f64> {
    let mut words = Streams::new(3).named("numbers").block(0, 0);
    let mut numbers = vec![0.0, 5e-324, f64::MIN_POSITIVE, f64::MAX, f64::INFINITY];
    for top in [
        0x3e30_0000_u64,
        0x3e30_0001,
        0x3fd6_2e42,
        0x3fd6_2e43,
        0x3fea_ffff,
        0x3feb_0000,
        0x3ff0_a2b2,
        0x3ff3_ffff,
        0x3ff4_0000,
        0x4006_db6d,
        0x4006_db6c,
        0x4018_0000,
        0x4017_ffff,
    ] {
        numbers.extend([0, 1, 0x8000_0000, 0xffff_ffff].map(|low| f64::from_bits(top << 32 | low)));
    }
    for end in [708.396_418_532_264_f64, 709.782_712_893_384, 745.133_219_101_941_1, 710.0, 746.0] {
        numbers.extend([end, end.next_up(), end.next_down()]);
    }
    for scale in [1e-9, 1e-3, 0.3, 1.0, 3.0, 40.0, 800.0] {
        for _ in 0..200 {
            numbers.extend(words.uniforms().map(|u| scale * u));
        }
    }
    let mirrored: Vec<f64> = numbers.iter().map(|x| -x).collect();
    numbers.extend(mirrored);
    numbers
}

#[test]
fn the_exponential_and_the_error_function_are_those_of_libm() {
    let x = numbers();
    is_that_of_libm(&x, |lanes| lanes.iter_mut().for_each(|x| *x = exp(*x)), libm::exp);
    is_that_of_libm(&x, erf, libm::erf);
    // In every combination: small numbers next to large ones take the longer branch.
    let mixed: Vec<f64> = x.iter().flat_map(|x| [*x, 2.0]).collect();
    is_that_of_libm(&mixed, erf, libm::erf);
    assert!(exp(f64::NAN).is_nan());
}

#[test]
fn the_logarithm_is_that_of_libm_at_positive_normal_numbers() {
    let mut x = numbers();
    x.retain(|x| *x > 0.0 && x.is_normal());
    x.extend(
        (1..2047_u64)
            .map(|e| f64::from_bits(e << 52 | e.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 12)),
    );
    x.extend((0..4000).map(|i| f64::from_bits(0x3fef_ffff_ffff_f830 + i)));
    x.extend([0x3fe6_a09e_u64, 0x3fe6_a09d, 0x3ff6_a09e].map(|top| f64::from_bits(top << 32)));
    is_that_of_libm(&x, |lanes| lanes.iter_mut().for_each(|x| *x = ln(*x)), libm::log);
}

#[test]
fn the_circle_is_that_of_libm_away_from_its_quarters() {
    let turns = (0..400_000).map(|i| (f64::from(i) + 0.37) / 400_000.0);
    let small = (1..54).map(|e| 1.0 / (1_u64 << e) as f64);
    let eighths = [0x3fe9_21fb_u64, 0x4002_d97c, 0x400f_6a7a, 0x4015_fdbc];
    let neighbours = eighths.iter().flat_map(|top| [top << 32 | 0xffff_ffff, (top + 1) << 32]);
    let mut x: Vec<f64> = turns.chain(small).map(|turn| std::f64::consts::TAU * turn).collect();
    x.extend(neighbours.map(f64::from_bits));
    let close = x.extract_if(.., |x| near_a_quarter(*x)).count();
    assert_eq!(close, 2, "a half turn and a quarter");
    is_that_of_libm(&x, |lanes| lanes.iter_mut().for_each(|x| *x = sin_cos(*x).0), libm::sin);
    is_that_of_libm(&x, |lanes| lanes.iter_mut().for_each(|x| *x = sin_cos(*x).1), libm::cos);
    let wrong = std::f64::consts::PI;
    assert!(near_a_quarter(wrong) && sin_cos(wrong).0.to_bits() != libm::sin(wrong).to_bits());
}

struct Normals(BlockRng);

impl Body for Normals {
    type Output = Vec<f64>;
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) -> Vec<f64> {
        let (mut re, mut im) = (vec![[0.0; LANES]; 300], vec![[0.0; LANES]; 300]);
        f64::coloured_normals(s, &mut self.0, |_| 0.7, &mut re, &mut im);
        re.into_iter().chain(im).flatten().collect()
    }
}

/// The reference is Box and Muller's formula with the functions of `libm`. Two of the blocks have an angle that the lanes leave to it.
#[test]
fn normals_are_those_of_the_formula() {
    let mut rare = 0;
    for block in (0..40).chain([147, 513]) {
        let rng = Streams::new(5).named("doubles").block(1, block);
        let mut plain = rng.clone();
        let (mut re, mut im) = (Vec::new(), Vec::new());
        for _ in 0..300 {
            let (radii, turns) = (plain.uniforms(), plain.uniforms());
            for l in 0..LANES {
                let radius = (-2.0 * libm::log(radii[l])).sqrt();
                let angle = std::f64::consts::TAU * turns[l];
                rare += u32::from(near_a_quarter(angle));
                let (sin, cos) = libm::sincos(angle);
                re.push(radius * cos * 0.7);
                im.push(radius * sin * 0.7);
            }
        }
        re.append(&mut im);
        for level in Level::available() {
            same_bits(&dispatch_at(level, Normals(rng.clone())), &re).unwrap();
        }
    }
    assert_eq!(rare, 2);
}
