//! The peak rate of multiply-adds of one thread, to compare the rate of every computation with.
//!
//! As many vectors of numbers as fit the registers go through `x <- a x + b` over and over. The chains are independent, so
//! the multiply-add units never idle, and only registers are used.

use crate::simd::{Body, Level, Simd, dispatch_at};
use fovea_core::lanes::{LANES, Real};
use std::hint::black_box;
use std::marker::PhantomData;

/// The map of every chain; from any start it goes to its fixed point, far from overflow and from slow subnormal numbers.
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

/// Takes every chain through `rounds` steps in single precision.
pub fn single(level: Level, rounds: u64) -> Done {
    at(level, Chains::<f32> { rounds, number: PhantomData })
}

/// The same in double precision.
pub fn double(level: Level, rounds: u64) -> Done {
    at(level, Chains::<f64> { rounds, number: PhantomData })
}

fn at<T: Real>(level: Level, chains: Chains<T>) -> Done {
    if level == Level::Portable || !Level::available().contains(&level) {
        // A fused multiply-add may be done in software there, which does not measure the machine.
        return plain::<T>(chains.rounds);
    }
    dispatch_at(level, chains)
}

struct Chains<T> {
    rounds: u64,
    number: PhantomData<T>,
}

impl<T: Real> Body for Chains<T> {
    type Output = Done;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Done {
        match S::SUMS * S::WIDTH / size_of::<T::Lanes<S>>() {
            16.. => chains::<T, S, 16>(s, self.rounds),
            12.. => chains::<T, S, 12>(s, self.rounds),
            6.. => chains::<T, S, 6>(s, self.rounds),
            _ => chains::<T, S, 3>(s, self.rounds),
        }
    }
}

#[inline(always)]
fn chains<T: Real, S: Simd, const N: usize>(s: S, rounds: u64) -> Done {
    let [slope, offset] = [SLOPE, OFFSET].map(|x| black_box(T::from_f64(x)));
    let (slope, offset) = (T::splat(s, slope), T::splat(s, offset));
    let mut x = [T::splat(s, T::ZERO); N];
    for _ in 0..rounds {
        for chain in &mut x {
            *chain = T::times_plus(s, *chain, slope, offset);
        }
    }
    let mut numbers = [[T::ZERO; LANES]; N];
    for (row, chain) in numbers.iter_mut().zip(x) {
        T::store(s, chain, row);
    }
    done(rounds, numbers.as_flattened())
}

/// Products and sums of arrays: what every machine of an architecture has.
fn plain<T: Real>(rounds: u64) -> Done {
    let [slope, offset] = [SLOPE, OFFSET].map(|x| black_box(T::from_f64(x)));
    let mut x = [[T::ZERO; LANES]; 3];
    for _ in 0..rounds {
        for chain in &mut x {
            for lane in chain {
                *lane = *lane * slope + offset;
            }
        }
    }
    done(rounds, black_box(x).as_flattened())
}

fn done<T: Real>(rounds: u64, numbers: &[T]) -> Done {
    let (count, sum) = (numbers.len() as f64, numbers.iter().map(|x| x.to_f64()).sum::<f64>());
    Done { flop: 2.0 * count * rounds as f64, mean: sum / count }
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
                        done.flop >= (rounds * 96) as f64 && done.flop <= (rounds * 512) as f64
                    );
                }
            }
        }
    }
}
