use super::*;
use crate::simd::{Body, Level, Portable, dispatch_at};
use crate::streams::Streams;

/// The defining double sum, lane by lane.
fn by_definition<T: Real>(re: &[Lanes<T>], im: &[Lanes<T>], lane: usize, j: usize) -> (f64, f64) {
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
    Fft::new(n).inverse_in_place(Portable, &mut x, &mut y, scratch);
    let mut worst: f64 = 0.0;
    for j in 0..n {
        for lane in [0, 5, 15] {
            let (a, b) = by_definition(&re, &im, lane, j);
            worst = worst.max((x[j][lane].to_f64() - a).abs()).max((y[j][lane].to_f64() - b).abs());
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

/// The passes one by one.
fn one_by_one(n: usize, re: &mut [Lanes<f32>], im: &mut [Lanes<f32>]) -> Vec<f32> {
    let fft = Fft::<f32>::new(n);
    let mut source = (re.to_vec(), im.to_vec());
    let mut target = source.clone();
    let (mut length, mut stride) = (n, 1);
    for radix in &fft.factors {
        let from = (source.0.as_mut_slice(), source.1.as_mut_slice());
        let mut to = (target.0.as_mut_slice(), target.1.as_mut_slice());
        fft.pass(Portable, *radix, (length, stride), &from, &mut to);
        length /= radix;
        stride *= radix;
        std::mem::swap(&mut source, &mut target);
    }
    source.0.into_iter().chain(source.1).flatten().collect()
}

struct Whole<'a>(usize, &'a [Lanes<f32>], &'a [Lanes<f32>]);

impl Body for Whole<'_> {
    type Output = Vec<f32>;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Vec<f32> {
        let (mut re, mut im) = (self.1.to_vec(), self.2.to_vec());
        let scratch = &mut vec![[0.0; LANES]; 2 * self.0];
        let (mut x, mut y) = (re.clone(), im.clone());
        let sink = &mut (x.as_mut_slice(), y.as_mut_slice());
        Fft::new(self.0).inverse_to(s, &mut re, &mut im, scratch, sink);
        x.into_iter().chain(y).flatten().collect()
    }
}

#[test]
fn two_passes_in_one_are_two_passes_at_every_level() {
    for n in [16, 20, 25, 40, 80, 100, 160, 400, 500] {
        let mut rng = Streams::new(n as u64).named("fft").block(0, 0);
        let (mut re, mut im): (Vec<_>, Vec<_>) = (0..n).map(|_| f32::normal_pair(&mut rng)).unzip();
        let plain = one_by_one(n, &mut re, &mut im);
        for level in Level::available() {
            crate::agree::same_bits_f32(&dispatch_at(level, Whole(n, &re, &im)), &plain).unwrap();
        }
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
