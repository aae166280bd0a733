//! What the stored networks may have been trained on.

use super::stored::Data;
use super::{GAIN, N, XI_LONG, XI_SHORT};
use fovea_core::choice;
use fovea_desk::prelude::*;
use fovea_sim::stimulus::Stimulus;
use fovea_sim::stimulus::nlgp::{Nlgp, variance_of_erf};
use fovea_sim::stimulus::single_pulse::SinglePulse;
use fovea_sim::stimulus::window::Window;

choice! {
    /// Which data are trained on.
    pub enum Compared {
        /// The open chain of unit variance.
        Chain = "chain",
        /// That, the ring of unit variance, and the chain with `erf(gain z)` as it is, which the code of that time drew.
        Three = "three",
        /// Ring and chain, of unit variance and as they are, and the chain divided by the wrong deviation.
        All = "all",
    }
}

/// What the stored networks may have been trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Convention {
    /// Distance around the ring, unit variance.
    Ring,
    /// Distance around the ring, `erf(gain z)` as it is.
    RingErf,
    /// Distance along an open chain, unit variance.
    Chain,
    /// Distance along an open chain, `erf(gain z)` as it is.
    ChainErf,
    /// Distance along an open chain, `erf(gain z)` divided by the deviation of `erf(gain z / sqrt 2)`.
    ChainWide,
}

impl Compared {
    pub(super) fn conventions(self) -> Vec<Convention> {
        use Convention::{Chain, ChainErf, ChainWide, Ring, RingErf};
        match self {
            Self::Chain => vec![Chain],
            Self::Three => vec![Ring, Chain, ChainErf],
            Self::All => vec![Ring, RingErf, Chain, ChainErf, ChainWide],
        }
    }
}

impl Convention {
    fn chain(self) -> bool {
        matches!(self, Self::Chain | Self::ChainErf | Self::ChainWide)
    }

    /// The word in names of curves.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Ring => "ring",
            Self::RingErf => "ring-erf",
            Self::Chain => "chain",
            Self::ChainErf => "chain-erf",
            Self::ChainWide => "chain-wide",
        }
    }

    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Ring => "ring, unit variance",
            Self::RingErf => "ring, erf(gz)",
            Self::Chain => "chain, unit variance",
            Self::ChainErf => "chain, erf(gz)",
            Self::ChainWide => "chain, variance too large",
        }
    }

    /// What entries are multiplied by after they have been brought to unit variance.
    fn factor(self) -> f64 {
        match self {
            Self::Ring | Self::Chain => 1.0,
            Self::RingErf | Self::ChainErf => variance_of_erf(GAIN).sqrt(),
            Self::ChainWide => {
                (variance_of_erf(GAIN) / variance_of_erf(GAIN / std::f64::consts::SQRT_2)).sqrt()
            }
        }
    }

    pub(super) fn stimulus(self, xi: f64) -> Item<Box<dyn Stimulus>> {
        if self == Self::Ring {
            return Item::of("nlgp", &Nlgp::on_ring(N, xi, GAIN, Kernel::Ring));
        }
        // Beyond this distance the latent covariance is below the rounding of double precision; the ring is a little longer where
        // its length is then a product of small primes, whose transform is fast.
        let around = if self.chain() { (6.5 * xi).ceil() as usize } else { 0 };
        let base = Item::named("nlgp").set("n", smooth(N + around)).set("xi", xi).set("gain", GAIN);
        Item::of("window", &Window { base, keep: N, factor: self.factor() })
    }

    pub(super) fn task(self, data: Data, negative_label: f64) -> Arc<TaskSpec> {
        let pulse = |length: usize| {
            // Half of the pulses are dark on light: the sign of a sample is a coin's.
            let pulse = SinglePulse {
                n: N,
                min_length: length,
                max_length: length + 1,
                complement: 0.5,
                low: -1.0,
                high: 1.0,
            };
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
