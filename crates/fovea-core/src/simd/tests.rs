//! Every level does the same to every lane as the portable one.

use super::*;
use crate::agree::{same_bits, same_bits_f32};
use crate::lanes::tree_sum;
use crate::streams::Streams;

/// A few numbers of every operation, as bits.
struct Everything {
    words: [[u32; LANES]; 3],
}

impl Body for Everything {
    type Output = Vec<u32>;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Vec<u32> {
        let mut out = Vec::new();
        let [i, j, k] = self.words.map(|words| s.load_i(&words));
        let mut keep = |word: S::I| {
            let mut words = [0; LANES];
            s.store_i(word, &mut words);
            out.extend(words);
        };
        for word in [
            s.add_i(i, j),
            s.sub_i(i, j),
            s.min_i(i, j),
            s.xor(i, j),
            s.or(i, j),
            s.and(i, j),
            s.shl(i, 9),
            s.shr(i, 30),
            s.sar(i, 23),
            s.rotl(i, 7),
            s.splat_i(0xdead_beef),
        ] {
            keep(word);
        }
        let unit = s.splat(1.0 / 1e6);
        let [a, b, c] = [i, j, k].map(|word| s.mul(s.float(word), unit));
        for number in [
            a,
            s.add(a, b),
            s.sub(a, b),
            s.mul(a, b),
            s.div(a, b),
            s.min(a, b),
            s.max(a, b),
            s.fma(a, b, c),
            s.fms(a, b, c),
            s.sqrt(s.mul(a, a)),
            s.pick(i, a, b),
            s.of_bits(s.bits(c)),
        ] {
            keep(s.bits(number));
        }
        let eight = [a, b, c, s.mul(a, b), s.add(b, c), s.sub(a, c), s.div(a, c), s.mul(c, c)];
        let mut rows = [[0.0; LANES]; 8];
        for (row, x) in rows.iter_mut().zip(eight) {
            s.store(x, row);
        }
        let sums = s.sums(eight);
        same_bits_f32(&sums, &rows.map(tree_sum)).unwrap();
        out.extend(sums.map(f32::to_bits));
        let square = rows.map(|row| std::array::from_fn(|l| row[l]));
        let columns = s.columns(square);
        assert!((0..8).all(|r| (0..8).all(|c| columns[c][r].to_bits() == square[r][c].to_bits())));
        let double: [[f64; LANES]; 3] = self.words.map(|words| words.map(|w| f64::from(w) / 7e6));
        let [a, b, c] = double.map(|x| s.load_d(&x));
        let eight =
            [a, b, c, s.mul_d(a, b), s.add_d(b, c), s.sub_d(a, c), s.mul_d(b, c), s.mul_d(c, c)];
        let mut rows = [[0.0; LANES]; 8];
        for (row, x) in rows.iter_mut().zip(eight) {
            s.store_d(x, row);
        }
        same_bits(&s.sums_d(eight), &rows.map(tree_sum)).unwrap();
        for number in [
            s.add_d(a, b),
            s.sub_d(a, b),
            s.mul_d(a, b),
            s.fma_d(a, b, c),
            s.fms_d(a, b, c),
            s.splat_d(0.1),
        ] {
            let mut numbers = [0.0; LANES];
            s.store_d(number, &mut numbers);
            out.extend(
                numbers.iter().flat_map(|x| [x.to_bits() as u32, (x.to_bits() >> 32) as u32]),
            );
        }
        out
    }
}

#[test]
fn every_level_does_the_same_to_every_lane() {
    for trial in 0..100 {
        let rng = &mut Streams::new(3).named("simd").block(trial, 0);
        let words = std::array::from_fn(|_| rng.next_lanes());
        let portable = dispatch_at(Level::Portable, Everything { words });
        for level in Level::available() {
            assert_eq!(dispatch_at(level, Everything { words }), portable, "{}", level.name());
        }
    }
    assert!(Level::available().contains(&Level::best()));
}

/// The level in use can be chosen; another one cannot any more, and asking changes nothing.
#[test]
fn a_level_is_chosen_once_and_by_its_word() {
    let used = Level::best();
    assert_eq!(used.choose(), Ok(()));
    for level in [Level::Portable, Level::Avx2, Level::Avx512] {
        assert_eq!(Level::of_word(level.word()), Some(level));
        if level != used {
            let there = level.choose().unwrap_err();
            assert!(there.contains(&used) && !there.contains(&level));
        }
        assert_eq!(Level::best(), used);
    }
    assert_eq!(Level::of_word("sse"), None);
}
