//! Sixteen xoshiro128++ generators side by side: the generator of one 32-sample block.

use super::philox::block_state;
use crate::lanes::LANES;

/// The generators of one block; lane `l` serves samples `l` and `l + 16`.
#[derive(Clone, Debug)]
pub struct BlockRng {
    state: [[u32; LANES]; 4],
}

impl BlockRng {
    /// Seeds the sixteen lanes from a stream's key and a block's index.
    ///
    /// The all-zero state, in which xoshiro is stuck, comes up with probability 2^-128 a lane and is not guarded against.
    #[inline]
    pub(super) fn seeded(key: [u32; 2], step: u64, block: u32) -> Self {
        Self { state: block_state(key, step, block) }
    }

    /// The next 32 bits of every lane.
    #[inline(always)]
    pub fn next_lanes(&mut self) -> [u32; LANES] {
        let [s0, s1, s2, s3] = &mut self.state;
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

    /// The state of all lanes, for a body that keeps it in registers over many draws.
    #[inline(always)]
    pub(crate) fn state_mut(&mut self) -> &mut [[u32; LANES]; 4] {
        &mut self.state
    }

    /// The next 32 bits of lane 0, the rest discarded: for a single number.
    pub fn next_u32(&mut self) -> u32 {
        self.next_lanes()[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference output of Blackman and Vigna's xoshiro128++ from the state (1, 2, 3, 4).
    #[test]
    fn known_answers_in_every_lane() {
        let mut rng = BlockRng { state: [[1; LANES], [2; LANES], [3; LANES], [4; LANES]] };
        let expected = [641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732];
        for word in expected {
            assert_eq!(rng.next_lanes(), [word; LANES]);
        }
    }
}
