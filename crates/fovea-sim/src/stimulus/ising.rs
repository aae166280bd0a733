//! Ising spins on the ring, sampled exactly.
//!
//! A Markov chain that flips one spin at a time needs many sweeps to forget its start. The ring needs no such chain: its
//! bonds are independent coin flips, conditioned on an even number of broken ones, because a walk around the ring must
//! return to the spin it started from.

use super::{Declared, Draw, Element, Moments, Stimulus};
use crate::simd::{Body, Simd, dispatch};
use fovea_core::lanes::{BLOCK, LANES, Real};
use fovea_core::params::between;
use fovea_core::registry::resolve;
use fovea_core::streams::{BlockRng, Words};
use fovea_core::{Entry, ParamError, Params, params};

params! {
    /// Spins `x_i = +1` or `-1` with probability proportional to `exp(coupling * sum_i x_i x_{i+1})`.
    pub struct Ising {
        /// Ring size: entries of a sample. Two sites share two bonds.
        n: usize = 40, between(2.0, 16384.0), "sites";
        /// Coupling of neighbours at unit temperature; with a negative one neighbours tend to differ.
        coupling: f64 = 0.5, between(-5.0, 5.0), "";
    }
}

impl Params for Ising {}

impl Ising {
    /// Builds the sampler.
    ///
    /// # Errors
    /// None at present: every coupling of the range has a distribution.
    pub fn sampler(&self) -> Result<IsingSampler, ParamError> {
        let bond = Bond::new(self.coupling);
        // From the last bond backwards: chances that the bonds still to come hold an even or an odd number of broken ones.
        let mut to_come = bond.one();
        let mut breaks = vec![[0; 2]; self.n - 1];
        for chance in breaks.iter_mut().rev() {
            let with_this = bond.then(to_come);
            // The broken bonds so far and those to come add up to an even number, so both have the same parity.
            *chance = [0, 1].map(|parity| {
                let broken = bond.broken * to_come[1 - parity] / with_this[parity];
                bits_of(broken, bond.whole * to_come[parity] / with_this[parity])
            });
            to_come = with_this;
        }
        Ok(IsingSampler { n: self.n, bond, breaks })
    }
}

/// The chances of one bond, before the ring closes.
#[derive(Clone, Copy, Debug)]
struct Bond {
    whole: f64,
    broken: f64,
}

impl Bond {
    /// Both chances to full relative accuracy, however strong the coupling.
    fn new(coupling: f64) -> Self {
        let chance = |gap: f64| 1.0 / (1.0 + libm::exp(gap));
        Self { whole: chance(-2.0 * coupling), broken: chance(2.0 * coupling) }
    }

    /// Chances that one bond holds an even or an odd number of broken ones.
    fn one(self) -> [f64; 2] {
        [self.whole, self.broken]
    }

    /// The same chances with one more bond: one step of the transfer matrix, whose entries are all positive.
    fn then(self, [even, odd]: [f64; 2]) -> [f64; 2] {
        [self.whole * even + self.broken * odd, self.broken * even + self.whole * odd]
    }
}

/// The chance that a bond breaks, as a threshold for 64 random bits, computed from the smaller of the two chances so that
/// the rare event keeps its digits.
fn bits_of(broken: f64, whole: f64) -> u64 {
    let bits = |chance: f64| (chance * TWO_64) as u64;
    if broken < whole { bits(broken) } else { u64::MAX - bits(whole) }
}

const TWO_64: f64 = 4_294_967_296.0 * 4_294_967_296.0;

/// Draws [`Ising`] rings.
#[derive(Clone, Debug)]
pub struct IsingSampler {
    n: usize,
    bond: Bond,
    /// For every bond but the last: the threshold below which it breaks, by the parity of the broken ones before it.
    breaks: Vec<[u64; 2]>,
}

impl Draw for IsingSampler {
    fn dim(&self) -> usize {
        self.n
    }
    fn declared(&self) -> Declared {
        Declared { standardized: true, sign_symmetric: true, translation_invariant: true }
    }

    /// Two sites are alike when both ways around between them hold an even number of broken bonds, unlike when both hold
    /// an odd one. There is no third case: the ring closes.
    fn moments(&self) -> Result<Moments, String> {
        let mut walks = vec![[1.0, 0.0]];
        for d in 0..self.n {
            walks.push(self.bond.then(walks[d]));
        }
        let correlation = |d: usize| {
            let ([even, odd], [other_even, other_odd]) = (walks[d], walks[self.n - d]);
            let (alike, unlike) = (even * other_even, odd * other_odd);
            (alike - unlike) / (alike + unlike)
        };
        Ok(Moments::stationary(vec![self.n], (0..self.n).map(correlation).collect()))
    }

    /// A spin is its own sign, so the mean of another given that it is up is their covariance.
    fn mean_given_positive(&self, site: usize) -> Option<Vec<f64>> {
        let covariance = Draw::moments(self).ok()?.covariance;
        Some((0..self.n).map(|j| covariance.at(site, j)).collect())
    }

    fn draw<T: Element>(
        &self,
        rng: &mut BlockRng,
        _: &mut Vec<[T; LANES]>,
        block: &mut [[T; BLOCK]],
    ) {
        dispatch(Fill { breaks: &self.breaks, rng, block });
    }
}

struct Fill<'a, T> {
    breaks: &'a [[u64; 2]],
    rng: &'a mut BlockRng,
    block: &'a mut [[T; BLOCK]],
}

impl<T: Real> Body for Fill<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        if let Some(usual) = self.rng.usual() {
            // A copy stays in registers; the value behind the reference would not.
            let mut words = usual.clone();
            fill(&mut words, self.breaks, self.block);
            *usual = words;
        } else {
            fill(self.rng, self.breaks, self.block);
        }
    }
}

#[inline(always)]
fn fill<T: Real>(words: &mut impl Words, breaks: &[[u64; 2]], block: &mut [[T; BLOCK]]) {
    for half in [0, LANES] {
        let first = words.next_lanes().map(|word| word >> 31);
        let mut spin = first;
        write_spins(&spin, half, &mut block[0]);
        for (row, &[even, odd]) in block[1..].iter_mut().zip(breaks) {
            let (high, low) = (words.next_lanes(), words.next_lanes());
            for l in 0..LANES {
                // The spin differs from the first one after an odd number of broken bonds.
                let threshold = if spin[l] == first[l] { even } else { odd };
                let bits = u64::from(high[l]) << 32 | u64::from(low[l]);
                spin[l] ^= u32::from(bits < threshold);
            }
            write_spins(&spin, half, row);
        }
    }
}

#[inline(always)]
fn write_spins<T: Real>(spin: &[u32; LANES], half: usize, row: &mut [T; BLOCK]) {
    for l in 0..LANES {
        row[half + l] = if spin[l] == 0 { T::ONE } else { -T::ONE };
    }
}

/// The registry entry.
pub const ENTRY: Entry<Box<dyn Stimulus>> = Entry {
    name: "ising",
    summary: "Ising spins on the ring, sampled exactly",
    schema: <Ising as fovea_core::params::Schema>::schema,
    build: |values| Ok(Box::new(resolve::<Ising>(values)?.sampler()?)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampled::Sampled;
    use fovea_core::agree::agrees_to_digits;

    const COUPLINGS: [f64; 6] = [-5.0, -0.5, 0.0, 0.1, 1.3, 5.0];

    /// Every ring of `n` spins with its energy's weight.
    fn weights(n: usize, coupling: f64) -> Vec<(Vec<f64>, f64)> {
        let ring = |bits: usize| -> Vec<f64> {
            (0..n).map(|i| if bits >> i & 1 == 0 { 1.0 } else { -1.0 }).collect()
        };
        let weight =
            |x: &[f64]| libm::exp(coupling * (0..n).map(|i| x[i] * x[(i + 1) % n]).sum::<f64>());
        let rings: Vec<_> = (0..1 << n).map(ring).map(|x| (x.clone(), weight(&x))).collect();
        let total: f64 = rings.iter().map(|(_, weight)| weight).sum();
        rings.into_iter().map(|(x, weight)| (x, weight / total)).collect()
    }

    #[test]
    fn the_thresholds_give_every_ring_its_boltzmann_weight() {
        for n in 2..9 {
            for coupling in COUPLINGS {
                let sampler = Ising { n, coupling }.sampler().unwrap();
                for (x, weight) in weights(n, coupling) {
                    let mut chance = 0.5;
                    for i in 0..n - 1 {
                        let parity = usize::from(x[i] * x[0] < 0.0);
                        let breaks = sampler.breaks[i][parity];
                        let bits = if x[i + 1] * x[i] < 0.0 { breaks } else { u64::MAX - breaks };
                        chance *= bits as f64 / TWO_64;
                    }
                    agrees_to_digits(chance, weight, 10.0).unwrap();
                }
            }
        }
    }

    #[test]
    fn the_covariance_is_that_of_all_rings() {
        for n in 2..9 {
            for coupling in COUPLINGS {
                let moments = Draw::moments(&Ising { n, coupling }.sampler().unwrap()).unwrap();
                for d in 0..n {
                    let exact: f64 =
                        weights(n, coupling).iter().map(|(x, weight)| weight * x[0] * x[d]).sum();
                    let gap = (moments.covariance.at(0, d) - exact).abs();
                    assert!(gap < 1e-13, "n = {n}, coupling {coupling}, lag {d}: {gap:e}");
                }
            }
        }
    }

    #[test]
    fn drawn_spins_have_the_covariance() {
        for (index, (n, coupling)) in [(2, 0.3), (5, -0.8), (8, 0.7)].into_iter().enumerate() {
            let sampler = Ising { n, coupling }.sampler().unwrap();
            let sampled = Sampled::new(&sampler, module_path!(), index as u64, 600);
            sampled.holds();
            // An open chain has no bond that closes it.
            sampled.rejects(|i, j| libm::pow(libm::tanh(coupling), i.abs_diff(j) as f64));
        }
    }
}
