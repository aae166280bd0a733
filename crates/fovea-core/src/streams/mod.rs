//! Random streams keyed by (seed, name, index).
//!
//! A result never depends on the thread count or on the order of work, because no generator is shared:
//! a run has one seed, each use of randomness has a name (`"data"`, `"labels"`, `"init"`), and each
//! 32-sample block has an index. Philox turns (seed, name) into a key and (key, index, lane) into the state of one of
//! sixteen xoshiro128++ generators, which then run freely for the length of the block. A second generator,
//! [`Generator::Philox`], draws every word at a counter of its own and serves to check results of the first.
//!
//! ```
//! use fovea_core::streams::Streams;
//! let data = Streams::new(7).named("data");
//! let first = data.block(0, 3).next_u32();
//! assert_eq!(first, data.block(0, 3).next_u32());
//! assert_ne!(first, data.block(1, 3).next_u32());
//! ```

mod draws;
mod philox;
#[cfg(test)]
pub(crate) mod sampled;
mod xoshiro;

pub use draws::Threshold;
pub use philox::philox4x32_10;
pub use xoshiro::{BlockRng, Words, Xoshiro};

use crate::simd::LANES;

crate::choice! {
    /// The generator that turns a stream's key and a place in it into words.
    pub enum Generator {
        /// xoshiro128++ in sixteen lanes, seeded by Philox at every block.
        Xoshiro = "xoshiro",
        /// Philox at a counter of its own for every word: slower, and sharing only the derivation of the key with the other.
        Philox = "philox",
    }
}

/// All the randomness of one run.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    seed: u64,
    generator: Generator,
}

/// The randomness of one named use within a run.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    key: [u32; 2],
    generator: Generator,
}

impl Streams {
    /// The streams of a run with this seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, generator: Generator::Xoshiro }
    }

    /// The streams of the same seed from another generator.
    ///
    /// ```
    /// use fovea_core::streams::{Generator, Streams};
    /// let (usual, audit) = (Streams::new(7), Streams::new(7).drawn_by(Generator::Philox));
    /// let first = |streams: Streams| streams.named("data").block(0, 3).next_u32();
    /// assert_ne!(first(usual), first(audit));
    /// ```
    #[must_use]
    pub fn drawn_by(self, generator: Generator) -> Self {
        Self { generator, ..self }
    }

    /// The stream of one named use.
    pub fn named(&self, name: &str) -> Stream {
        let hash = fnv_1a(name.bytes());
        // The audit has its own keys: under a shared key its first words would be the other's seeds.
        let domain = match self.generator {
            Generator::Xoshiro => 0,
            Generator::Philox => 2,
        };
        let counter = [hash as u32, (hash >> 32) as u32, name.len() as u32, domain];
        let words = philox4x32_10(counter, [self.seed as u32, (self.seed >> 32) as u32]);
        Stream { key: [words[0], words[1]], generator: self.generator }
    }

    /// The streams of replica `index` of this run: the same names, independent draws.
    #[must_use]
    pub fn replica(&self, index: u64) -> Self {
        let counter = [index as u32, (index >> 32) as u32, 0, 1];
        let words = philox4x32_10(counter, [self.seed as u32, (self.seed >> 32) as u32]);
        Self { seed: u64::from(words[0]) | u64::from(words[1]) << 32, ..*self }
    }

    /// The streams of one named part of this run: the same names, independent draws.
    #[must_use]
    pub fn part(&self, name: &str) -> Self {
        let [low, high] = self.named(name).key;
        Self { seed: u64::from(low) | u64::from(high) << 32, ..*self }
    }
}

impl Stream {
    /// The sixteen generators of block `block` of step `step`.
    #[inline]
    pub fn block(&self, step: u64, block: u32) -> BlockRng {
        match self.generator {
            Generator::Xoshiro => BlockRng::seeded(self.key, step, block),
            Generator::Philox => BlockRng::counting(self.key, step, block),
        }
    }

    /// A Binomial(count, share) draw: `count` coin tosses, counted.
    ///
    /// The tosses are those of [`BlockRng::coins`], so one half is exact.
    pub fn binomial(&self, index: u64, count: usize, share: f64) -> usize {
        let threshold = Threshold::of(share);
        let mut rng = self.block(index, 0);
        let mut heads = 0;
        for start in (0..count).step_by(LANES) {
            let tosses = rng.coins(threshold);
            let used = LANES.min(count - start);
            heads += tosses[..used].iter().filter(|toss| **toss).count();
        }
        heads
    }
}

/// FNV-1a, 64 bits.
pub(crate) fn fnv_1a(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_replicas_have_their_own_streams() {
        let streams = Streams::new(1);
        let first = |s: Stream| s.block(0, 0).next_u32();
        let draws = [
            first(streams.named("data")),
            first(streams.named("labels")),
            first(streams.replica(0).named("data")),
            first(streams.replica(1).named("data")),
            first(streams.part("a").named("data")),
            first(streams.part("b").named("data")),
            first(Streams::new(2).named("data")),
        ];
        for i in 0..draws.len() {
            for j in 0..i {
                assert_ne!(draws[i], draws[j], "streams {i} and {j} coincide");
            }
        }
    }

    /// Values from an independent program in another language.
    #[test]
    fn the_stream_has_not_moved() {
        let rng = &mut Streams::new(42).named("data").block(5, 7);
        let words = rng.next_lanes();
        assert_eq!([words[0], words[1], words[15]], [3291956584, 2439714010, 2263950426]);
        let mut z = [0.0; 3];
        Streams::new(42).named("init").normals(0, &mut z);
        for (z, expected) in
            z.iter().zip([1.502762382661854, -0.8297440531760987, -2.071274167705211])
        {
            assert!((z - expected).abs() < 1e-14, "{z} against {expected}");
        }
    }

    /// Values from an independent program in another language.
    #[test]
    fn the_audit_stream_has_not_moved() {
        let rng = &mut Streams::new(42).drawn_by(Generator::Philox).named("data").block(5, 7);
        let (first, second) = (rng.next_lanes(), rng.next_lanes());
        assert_eq!([first[0], first[1], first[15]], [3671102020, 4071695137, 1880018528]);
        assert_eq!([second[0], second[15]], [303572395, 3711728153]);
    }

    /// Neither parts nor replicas fall back to the other generator, and the two share no word.
    #[test]
    fn the_two_generators_share_no_words() {
        let usual = Streams::new(1);
        let audit = usual.drawn_by(Generator::Philox);
        for make in [
            (|s: Streams| s) as fn(Streams) -> Streams,
            |s| s.replica(3),
            |s| s.part("a"),
            |s| s.part("a").replica(3),
        ] {
            let words = |streams: Streams| {
                let mut rng = make(streams).named("data").block(2, 9);
                (0..40).flat_map(|_| rng.next_lanes()).collect::<Vec<u32>>()
            };
            let (a, b) = (words(usual), words(audit));
            assert!(a.iter().all(|word| !b.contains(word)));
        }
    }

    #[test]
    fn a_binomial_count_has_its_mean_and_variance() {
        let stream = Streams::new(crate::agree::test_seed(module_path!(), 0)).named("labels");
        for share in [0.5, 0.1] {
            let draws: Vec<f64> =
                (0..8000).map(|i| stream.binomial(i, 1000, share) as f64).collect();
            let mean = crate::stats::Estimate::from_samples(&draws).unwrap();
            crate::agree::agrees(&mean, 1000.0 * share, 4).unwrap();
            assert!(crate::agree::agrees(&mean, 1000.0 * share + 5.0, 4).is_err());
            let squares: Vec<f64> =
                draws.iter().map(|d| d - 1000.0 * share).map(|gap| gap * gap).collect();
            let spread = crate::stats::Estimate::from_samples(&squares).unwrap();
            let variance = 1000.0 * share * (1.0 - share);
            crate::agree::agrees(&spread, variance, 4).unwrap();
            assert!(crate::agree::agrees(&spread, 1.2 * variance, 4).is_err());
        }
        assert_eq!(stream.binomial(0, 1000, 1.0), 1000);
        assert_eq!(stream.binomial(0, 1000, 0.0), 0);
    }
}
