//! What the stored networks may have been trained on.

use super::stored::Data;
use super::{GAIN, N, XI_LONG, XI_SHORT};
use fovea_core::choice;
use fovea_desk::prelude::*;
use fovea_sim::stimulus::Stimulus;
use fovea_sim::stimulus::nlgp::{Nlgp, variance_of_erf};
use fovea_sim::stimulus::single_pulse::SinglePulse;
use fovea_sim::stimulus::window::Window;
use std::f64::consts::SQRT_2;

choice! {
    /// Which data are trained on.
    pub enum Compared {
        /// The open chain of unit variance.
        Chain = "chain",
        /// That, the ring of unit variance, and the chain with `erf(gain z)` as it is, which the code of that time sampled.
        Three = "three",
        /// Ring and chain, of unit variance and as they are, and the chain divided by the wrong deviation.
        All = "all",
    }
}

impl Compared {
    pub(super) fn conventions(self) -> Vec<Convention> {
        match self {
            Self::Chain => vec![CHAIN],
            Self::Three => vec![RING, CHAIN, CHAIN_ERF],
            Self::All => vec![RING, RING_ERF, CHAIN, CHAIN_ERF, CHAIN_WIDE],
        }
    }
}

/// What the stored networks may have been trained on: distance around the ring or along an open chain, and which variance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Convention {
    /// The word in names of runs, by which conventions are told apart.
    pub(super) word: &'static str,
    pub(super) in_words: &'static str,
    chain: bool,
    variance: fn() -> f64,
}

const fn convention(
    word: &'static str,
    in_words: &'static str,
    chain: bool,
    variance: fn() -> f64,
) -> Convention {
    Convention { word, in_words, chain, variance }
}

pub(super) const RING: Convention = convention("ring", "ring, unit variance", false, || 1.0);
pub(super) const CHAIN: Convention = convention("chain", "chain, unit variance", true, || 1.0);
/// `erf(gain z)` as it is.
const RING_ERF: Convention =
    convention("ring-erf", "ring, erf(gz)", false, || variance_of_erf(GAIN));
const CHAIN_ERF: Convention =
    convention("chain-erf", "chain, erf(gz)", true, || variance_of_erf(GAIN));
/// `erf(gain z)` divided by the deviation of `erf(gain z / sqrt 2)`.
const CHAIN_WIDE: Convention = convention("chain-wide", "chain, variance too large", true, || {
    variance_of_erf(GAIN) / variance_of_erf(GAIN / SQRT_2)
});

impl Convention {
    pub(super) fn stimulus(self, xi: f64) -> Item<Box<dyn Stimulus>> {
        if self.word == RING.word {
            return Item::of("nlgp", &Nlgp::on_ring(N, xi, GAIN, Kernel::Ring));
        }
        // Beyond this distance the latent covariance is below the rounding of double precision; the ring is a little longer where
        // its length is then a product of small primes, whose transform is fast.
        let around = if self.chain { (6.5 * xi).ceil() as usize } else { 0 };
        let base = Item::named("nlgp").set("n", smooth(N + around)).set("xi", xi).set("gain", GAIN);
        Item::of("window", &Window { base, keep: N, factor: (self.variance)().sqrt() })
    }

    pub(super) fn task(self, data: Data, negative_label: f64) -> Arc<TaskSpec> {
        let pulse = |length: usize| {
            let (min_length, max_length) = (length, length + 1);
            // Half of the pulses are dark on light: the sign of a sample is random.
            let (complement, low, high) = (0.5, -1.0, 1.0);
            let pulse = SinglePulse { n: N, min_length, max_length, complement, low, high };
            Item::of("single-pulse", &pulse)
        };
        let (pos, neg) = match data {
            Data::Process => (self.stimulus(XI_LONG), self.stimulus(XI_SHORT)),
            Data::Swapped => (self.stimulus(XI_SHORT), self.stimulus(XI_LONG)),
            Data::LongPulse => (pulse(9), pulse(3)),
            Data::ShortPulse => (pulse(3), pulse(9)),
        };
        // The class counts of a stored network's batches varied.
        Arc::new(TaskSpec::pair(pos, neg, negative_label, Labels::Iid))
    }
}

/// The least product of 2, 3 and 5 from `n` on.
fn smooth(n: usize) -> usize {
    let rough = |mut m: usize| {
        for p in [2, 3, 5] {
            while m.is_multiple_of(p) {
                m /= p;
            }
        }
        m > 1
    };
    // A power of two lies between any number and its double.
    (n..=2 * n).find(|m| !rough(*m)).unwrap_or(n)
}
