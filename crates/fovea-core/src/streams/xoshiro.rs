//! Sixteen xoshiro128++ generators side by side: the generator of one 32-sample block. In an audit Philox is used instead.

use super::philox::Place;
use crate::simd::LANES;

/// A source of random words, sixteen at a time.
pub trait Words {
    /// The next 32 bits of every lane.
    fn next_lanes(&mut self) -> [u32; LANES];
}

/// Sixteen generators.
#[derive(Clone, Debug)]
pub struct Xoshiro([[u32; LANES]; 4]);

impl Words for Xoshiro {
    #[inline(always)]
    fn next_lanes(&mut self) -> [u32; LANES] {
        let [s0, s1, s2, s3] = &mut self.0;
        let mut out = [0; LANES];
        for l in 0..LANES {
            out[l] = s0[l].wrapping_add(s3[l]).rotate_left(7).wrapping_add(s0[l]);
            let t = s1[l] << 9;
            s2[l] ^= s0[l];
            s3[l] ^= s1[l];
            s1[l] ^= s2[l];
            s0[l] ^= s3[l];
            s2[l] ^= t;
            s3[l] = s3[l].rotate_left(11);
        }
        out
    }
}

/// The generators of one block; lane `l` serves samples `l` and `l + 16`.
#[derive(Clone, Debug)]
pub struct BlockRng {
    usual: Xoshiro,
    /// Where the next words come from if not from the generators, whose output is then unused.
    instead: Option<Instead>,
}

/// What replaces the words of the generators.
#[derive(Clone, Copy, Debug)]
enum Instead {
    /// Seeds, made at the first draw, so that a block without draws costs none.
    Seeds(Place),
    /// In an audit every word is Philox at a counter of its own.
    Audit(Place),
}

impl BlockRng {
    /// Sixteen lanes that the first draw seeds from a stream's key and a block's index.
    ///
    /// The all-zero state, in which xoshiro is stuck, has probability 2^-128 per lane and is not guarded against.
    #[inline(always)]
    pub(super) fn seeded(key: [u32; 2], step: u64, block: u32) -> Self {
        Self::from(Instead::Seeds(Place { key, step, block, draw: 0 }))
    }

    /// The same place in an audit.
    #[inline(always)]
    pub(super) fn counting(key: [u32; 2], step: u64, block: u32) -> Self {
        Self::from(Instead::Audit(Place { key, step, block, draw: 0 }))
    }

    #[inline(always)]
    fn from(instead: Instead) -> Self {
        Self { usual: Xoshiro([[0; LANES]; 4]), instead: Some(instead) }
    }

    /// The next 32 bits of every lane.
    #[inline(always)]
    pub fn next_lanes(&mut self) -> [u32; LANES] {
        let mut out = self.usual.next_lanes();
        // After the lanes and without reading their state, which would otherwise leave its registers.
        match &mut self.instead {
            None => {}
            Some(Instead::Seeds(place)) => {
                self.usual = Xoshiro(place.seeds());
                self.instead = None;
                out = self.usual.next_lanes();
            }
            Some(Instead::Audit(place)) => {
                out = place.words();
                place.draw += 1;
            }
        }
        out
    }

    /// The generators themselves, for a body that keeps them in registers over many draws; `None` in an audit, whose words come
    /// from Philox.
    #[inline(always)]
    pub fn usual(&mut self) -> Option<&mut Xoshiro> {
        if let Some(Instead::Seeds(place)) = self.instead {
            self.usual = Xoshiro(place.seeds());
            self.instead = None;
        }
        self.instead.is_none().then_some(&mut self.usual)
    }

    /// Their state.
    #[inline(always)]
    pub(crate) fn state_mut(&mut self) -> Option<&mut [[u32; LANES]; 4]> {
        self.usual().map(|usual| &mut usual.0)
    }

    /// The next 32 bits of lane 0, the rest discarded: for a single number.
    pub fn next_u32(&mut self) -> u32 {
        self.next_lanes()[0]
    }
}

impl Words for BlockRng {
    #[inline(always)]
    fn next_lanes(&mut self) -> [u32; LANES] {
        BlockRng::next_lanes(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::philox4x32_10;

    /// Reference output of Blackman and Vigna's xoshiro128++ from the state (1, 2, 3, 4).
    #[test]
    fn known_answers_in_every_lane() {
        let state = [[1; LANES], [2; LANES], [3; LANES], [4; LANES]];
        let mut rng = BlockRng { usual: Xoshiro(state), instead: None };
        let expected = [641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732];
        for word in expected {
            assert_eq!(rng.next_lanes(), [word; LANES]);
        }
    }

    /// Draw 5 of lane 3 of an audit is Philox at the corresponding counter.
    #[test]
    fn every_word_of_an_audit_has_its_own_counter() {
        let (key, step, block) = ([7, 9], (1 << 40) + 11, 13);
        let mut rng = BlockRng::counting(key, step, block);
        let words: Vec<_> = (0..6).map(|_| rng.next_lanes()).collect();
        let at = |draw: u32, lane: u32| philox4x32_10([16 * draw + lane, block, 11, 1 << 8], key);
        assert_eq!((words[5][3], words[0][15]), (at(5, 3)[0], at(0, 15)[0]));
        let mut all: Vec<u32> = words.concat();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 6 * LANES);
    }
}
