//! Normals of a stream, one after the other.

use super::{LANES, Real};
use crate::streams::Stream;

impl Stream {
    /// Independent standard normals in double precision, for random numbers that are not samples (initial weights).
    pub fn normals(&self, index: u64, out: &mut [f64]) {
        let mut rng = self.block(index, 0);
        for pair in out.chunks_mut(2 * LANES) {
            let (a, b) = f64::normal_pair(&mut rng);
            for (slot, z) in pair.iter_mut().zip(a.into_iter().chain(b)) {
                *slot = z;
            }
        }
    }
}
