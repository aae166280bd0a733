//! The most multiply-adds one thread can do: what every kernel's rate is held against.
//!
//! Sixteen vectors of numbers are carried through `x <- a x + b` over and over. The chains do not wait for one another, so
//! the multiply-add units never idle, and nothing but registers is touched.

use crate::simd::Level;
use std::hint::black_box;

/// Independent chains: more than the units of any core can have under way at once.
const CHAINS: usize = 16;

/// The map of every chain; from anywhere it goes to its fixed point, far from overflow and from the slow tiny numbers.
const SLOPE: f64 = 0.75;
const OFFSET: f64 = 0.25;

/// A run of multiply-adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Done {
    /// Additions and multiplications, each counted.
    pub flop: f64,
    /// The mean of all numbers at the end.
    pub mean: f64,
}

impl Done {
    fn new(rounds: u64, numbers: usize, sum: f64) -> Self {
        let count = (CHAINS * numbers) as f64;
        Self { flop: 2.0 * count * rounds as f64, mean: sum / count }
    }
}

/// Takes every chain through `rounds` steps in single precision.
pub fn single(level: Level, rounds: u64) -> Done {
    match level.vectors() {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => x86::single_512(rounds),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => x86::single_256(rounds),
        _ => plain::<f32>(rounds, |x, a, b| x * a + b),
    }
}

/// The same in double precision.
pub fn double(level: Level, rounds: u64) -> Done {
    match level.vectors() {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => x86::double_512(rounds),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => x86::double_256(rounds),
        _ => plain::<f64>(rounds, |x, a, b| x * a + b),
    }
}

impl Level {
    /// This level where the machine has it, else the portable one.
    fn vectors(self) -> Self {
        if Self::available().contains(&self) { self } else { Self::Portable }
    }
}

/// Four numbers a chain and no intrinsics: what every machine of an architecture has.
fn plain<T: Copy + From<f32> + Into<f64>>(rounds: u64, step: impl Fn(T, T, T) -> T) -> Done {
    const WIDTH: usize = 4;
    let [slope, offset] = [SLOPE, OFFSET].map(|x| T::from(black_box(x as f32)));
    let mut x = [[T::from(0.0); WIDTH]; CHAINS];
    for _ in 0..rounds {
        for chain in &mut x {
            for lane in chain {
                *lane = step(*lane, slope, offset);
            }
        }
    }
    let sum = black_box(x).as_flattened().iter().map(|x| (*x).into()).sum();
    Done::new(rounds, WIDTH, sum)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{CHAINS, Done, OFFSET, SLOPE};
    use std::arch::x86_64::{
        _mm256_fmadd_pd, _mm256_fmadd_ps, _mm256_set1_pd, _mm256_set1_ps, _mm256_storeu_pd,
        _mm256_storeu_ps, _mm512_fmadd_pd, _mm512_fmadd_ps, _mm512_set1_pd, _mm512_set1_ps,
        _mm512_storeu_pd, _mm512_storeu_ps,
    };
    use std::hint::black_box;

    /// One body for every vector type; the intrinsics are named, since nothing else is sure to become them.
    macro_rules! chains {
        ($name:ident, $inner:ident, $features:literal, $number:ty, $width:literal, $set:ident, $fma:ident, $store:ident) => {
            #[expect(
                unsafe_code,
                reason = "calling a function compiled for an instruction set that was detected"
            )]
            pub(super) fn $name(rounds: u64) -> Done {
                // SAFETY: `Level::vectors` names this level only where its features were detected at run time.
                unsafe { $inner(rounds) }
            }

            #[target_feature(enable = $features)]
            #[expect(unsafe_code, reason = "the store of a vector takes a pointer")]
            fn $inner(rounds: u64) -> Done {
                let slope = $set(black_box(SLOPE as $number));
                let offset = $set(black_box(OFFSET as $number));
                let mut x = [$set(0.0); CHAINS];
                for _ in 0..rounds {
                    for chain in &mut x {
                        *chain = $fma(*chain, slope, offset);
                    }
                }
                let mut numbers = [0.0; $width];
                let mut sum = 0.0;
                for chain in x {
                    // SAFETY: the buffer has room for the numbers of one vector, and the store asks for no alignment.
                    unsafe { $store(numbers.as_mut_ptr(), chain) };
                    sum += numbers.iter().map(|x| f64::from(*x)).sum::<f64>();
                }
                Done::new(rounds, $width, sum)
            }
        };
    }

    chains!(
        single_512,
        single_zmm,
        "avx512f",
        f32,
        16,
        _mm512_set1_ps,
        _mm512_fmadd_ps,
        _mm512_storeu_ps
    );
    chains!(
        double_512,
        double_zmm,
        "avx512f",
        f64,
        8,
        _mm512_set1_pd,
        _mm512_fmadd_pd,
        _mm512_storeu_pd
    );
    chains!(
        single_256,
        single_ymm,
        "avx2,fma",
        f32,
        8,
        _mm256_set1_ps,
        _mm256_fmadd_ps,
        _mm256_storeu_ps
    );
    chains!(
        double_256,
        double_ymm,
        "avx2,fma",
        f64,
        4,
        _mm256_set1_pd,
        _mm256_fmadd_pd,
        _mm256_storeu_pd
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After `rounds` steps from 0 every chain is at `1 - slope^rounds`, exactly in both types while that has few bits.
    #[test]
    fn every_chain_takes_every_step_at_every_level() {
        for level in [Level::Portable, Level::Avx2, Level::Avx512] {
            for rounds in [0, 1, 2, 7] {
                let expected = 1.0 - libm::pow(SLOPE, rounds as f64);
                for done in [single(level, rounds), double(level, rounds)] {
                    assert_eq!(done.mean.to_bits(), expected.to_bits(), "{level:?} {rounds}");
                    assert!(
                        done.flop >= (rounds * 128) as f64 && done.flop <= (rounds * 512) as f64
                    );
                }
            }
        }
    }
}
