//! Buffers of lanes that begin at a cache line: a vector that straddles two lines costs two accesses.

use super::LANES;
use std::ops::{Deref, DerefMut};

/// Bytes in a cache line, and in the widest register.
const LINE: usize = 64;

/// Cache lines per page: a load waits for an earlier store at the same place of another page.
const PAGE: usize = 64;

/// Cache lines between the place of a block within its page and that of the scratch space used to sample it. Measured: of the
/// distances tried, those from 16 to 24 are best for rings of 40 and of 400 sites; 0 costs 7 % on 40.
const APART: usize = 24;

/// `len` lanes of `scratch` (extended if needed) that begin at a cache line which does not collide with `block`.
pub fn on_lines<'a, T: Copy + Default, U>(
    scratch: &'a mut Vec<[T; LANES]>,
    len: usize,
    block: &[U],
) -> &'a mut [[T; LANES]] {
    let longest = len + 1 + PAGE * LINE / size_of::<[T; LANES]>();
    if scratch.len() < longest {
        scratch.resize(longest, [T::default(); LANES]);
    }
    let numbers = scratch.as_flattened_mut();
    let to_line = to_line(numbers);
    let place = |address: usize| address / LINE % PAGE;
    let lines =
        PAGE + APART + place(block.as_ptr().addr()) - place(numbers[to_line..].as_ptr().addr());
    let (lanes, _) = numbers[to_line + lines % PAGE * (LINE / size_of::<T>())..].as_chunks_mut();
    &mut lanes[..len]
}

/// Rows of `N` numbers each, the first at a cache line.
#[derive(Debug)]
pub struct Room<T, const N: usize> {
    numbers: Vec<T>,
    skipped: usize,
    rows: usize,
}

impl<T: Copy + Default, const N: usize> Room<T, N> {
    /// This many rows of zeros.
    pub fn new(rows: usize) -> Self {
        let numbers = vec![T::default(); rows * N + LINE / size_of::<T>()];
        Self { skipped: to_line(&numbers), numbers, rows }
    }
}

impl<T, const N: usize> Deref for Room<T, N> {
    type Target = [[T; N]];
    #[inline]
    fn deref(&self) -> &[[T; N]] {
        &self.numbers[self.skipped..].as_chunks().0[..self.rows]
    }
}

impl<T, const N: usize> DerefMut for Room<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [[T; N]] {
        &mut self.numbers[self.skipped..].as_chunks_mut().0[..self.rows]
    }
}

/// Numbers before the next cache line; 0 if the address cannot be known.
fn to_line<T>(numbers: &[T]) -> usize {
    let skipped = numbers.as_ptr().align_offset(LINE);
    if skipped < LINE / size_of::<T>() { skipped } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_begin_at_cache_lines() {
        for len in 1..40 {
            let (mut scratch, block) = (Vec::<[f32; LANES]>::new(), vec![0.0; 100 + len]);
            let lanes = on_lines(&mut scratch, len, &block);
            assert_eq!((lanes.len(), lanes.as_ptr().addr() % LINE), (len, 0));
            let apart = (lanes.as_ptr().addr() / LINE).wrapping_sub(block.as_ptr().addr() / LINE);
            assert_eq!(apart % PAGE, APART);
            let mut room = Room::<f64, 32>::new(len);
            room[len - 1] = [1.0; 32];
            assert_eq!((room.len(), room.as_ptr().addr() % LINE), (len, 0));
        }
    }
}
