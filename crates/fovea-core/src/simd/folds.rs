//! Sums over the lanes of eight vectors at once, in registers of x86-64.
//!
//! Each step folds one half of what is left of two vectors onto the other and puts both into one register, so that eight sums take
//! little more than twice the instructions of one.
#![expect(unsafe_code, reason = "vector instructions, called where the machine has them")]
#![cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "the names of instructions, all of one prefix")
)]

use std::arch::x86_64::*;

macro_rules! fold {
    ($add:ident, $shuffle:ident, $low:literal, $high:literal, $a:ident, $b:ident) => {
        $add($shuffle::<$low>($a, $b), $shuffle::<$high>($a, $b))
    };
}

/// The sums of the lanes of eight vectors, in order.
///
/// # Safety
/// The machine has AVX-512.
#[inline(always)]
pub(super) unsafe fn sums_of_wholes([a, e, b, f, c, g, d, h]: [__m512; 8]) -> __m256 {
    // SAFETY: as asked for.
    unsafe {
        let ab = fold!(_mm512_add_ps, _mm512_shuffle_f32x4, 0x44, 0xee, a, b);
        let cd = fold!(_mm512_add_ps, _mm512_shuffle_f32x4, 0x44, 0xee, c, d);
        let ef = fold!(_mm512_add_ps, _mm512_shuffle_f32x4, 0x44, 0xee, e, f);
        let gh = fold!(_mm512_add_ps, _mm512_shuffle_f32x4, 0x44, 0xee, g, h);
        let abcd = fold!(_mm512_add_ps, _mm512_shuffle_f32x4, 0x88, 0xdd, ab, cd);
        let efgh = fold!(_mm512_add_ps, _mm512_shuffle_f32x4, 0x88, 0xdd, ef, gh);
        // Pairs of lanes of a e b f c g d h, the order in which the vectors were named.
        let pairs = fold!(_mm512_add_ps, _mm512_shuffle_ps, 0x44, 0xee, abcd, efgh);
        let sums = _mm512_add_ps(pairs, _mm512_permute_ps::<0xb1>(pairs));
        _mm256_castsi256_ps(_mm512_cvtepi64_epi32(_mm512_castps_si512(sums)))
    }
}

/// The same of the halves that a first step has left.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
pub(super) unsafe fn sums_of_halves([a, c, e, g, b, d, f, h]: [__m256; 8]) -> __m256 {
    // SAFETY: as asked for.
    unsafe {
        let ab = fold!(_mm256_add_ps, _mm256_permute2f128_ps, 0x20, 0x31, a, b);
        let cd = fold!(_mm256_add_ps, _mm256_permute2f128_ps, 0x20, 0x31, c, d);
        let ef = fold!(_mm256_add_ps, _mm256_permute2f128_ps, 0x20, 0x31, e, f);
        let gh = fold!(_mm256_add_ps, _mm256_permute2f128_ps, 0x20, 0x31, g, h);
        let abcd = fold!(_mm256_add_ps, _mm256_shuffle_ps, 0x44, 0xee, ab, cd);
        let efgh = fold!(_mm256_add_ps, _mm256_shuffle_ps, 0x44, 0xee, ef, gh);
        // a c e g b d f h: the order in which the vectors were named.
        fold!(_mm256_add_ps, _mm256_shuffle_ps, 0x88, 0xdd, abcd, efgh)
    }
}
