//! Operations across the lanes of eight vectors at once, in registers of x86-64: their sums, and a transposition.
//!
//! Each step of the sums folds the remaining halves of two vectors onto each other and puts both results into one register, so that
//! eight sums take little more than twice the instructions of one.
#![expect(unsafe_code, reason = "vector instructions, called where the machine has them")]
#![cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "the names of instructions, all with one prefix")
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
    // SAFETY: required of the caller.
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

/// The same for the halves that a first step has left.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
pub(super) unsafe fn sums_of_halves([a, c, e, g, b, d, f, h]: [__m256; 8]) -> __m256 {
    // SAFETY: required of the caller.
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

/// The sums of eight vectors of doubles in two registers each.
///
/// # Safety
/// The machine has AVX-512.
#[inline(always)]
pub(super) unsafe fn sums_of_double_wholes(of: [[__m512d; 2]; 8]) -> __m512d {
    // SAFETY: required of the caller.
    unsafe {
        let mut halves = [_mm512_setzero_pd(); 8];
        for k in 0..8 {
            halves[k] = _mm512_add_pd(of[k][0], of[k][1]);
        }
        let [a, e, b, f, c, g, d, h] = halves;
        let ab = fold!(_mm512_add_pd, _mm512_shuffle_f64x2, 0x44, 0xee, a, b);
        let cd = fold!(_mm512_add_pd, _mm512_shuffle_f64x2, 0x44, 0xee, c, d);
        let ef = fold!(_mm512_add_pd, _mm512_shuffle_f64x2, 0x44, 0xee, e, f);
        let gh = fold!(_mm512_add_pd, _mm512_shuffle_f64x2, 0x44, 0xee, g, h);
        let abcd = fold!(_mm512_add_pd, _mm512_shuffle_f64x2, 0x88, 0xdd, ab, cd);
        let efgh = fold!(_mm512_add_pd, _mm512_shuffle_f64x2, 0x88, 0xdd, ef, gh);
        fold!(_mm512_add_pd, _mm512_shuffle_pd, 0x00, 0xff, abcd, efgh)
    }
}

/// The same for four vectors in four registers each.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
pub(super) unsafe fn sums_of_double_quarters(of: [[__m256d; 4]; 4]) -> __m256d {
    // SAFETY: required of the caller.
    unsafe {
        let mut quarters = [_mm256_setzero_pd(); 4];
        for k in 0..4 {
            let (low, high) =
                (_mm256_add_pd(of[k][0], of[k][2]), _mm256_add_pd(of[k][1], of[k][3]));
            quarters[k] = _mm256_add_pd(low, high);
        }
        let [a, c, b, d] = quarters;
        let ab = fold!(_mm256_add_pd, _mm256_permute2f128_pd, 0x20, 0x31, a, b);
        let cd = fold!(_mm256_add_pd, _mm256_permute2f128_pd, 0x20, 0x31, c, d);
        fold!(_mm256_add_pd, _mm256_shuffle_pd, 0x0, 0xf, ab, cd)
    }
}

/// Transposes eight rows of eight numbers: first within pairs of rows, then within fours, then within all.
///
/// # Safety
/// The machine has AVX2.
#[inline(always)]
pub(super) unsafe fn columns_of(rows: [[f32; 8]; 8]) -> [[f32; 8]; 8] {
    let mut columns = [[0.0; 8]; 8];
    // SAFETY: required of the caller; eight numbers fill one register.
    unsafe {
        let mut x = [_mm256_setzero_ps(); 8];
        for r in 0..8 {
            x[r] = _mm256_loadu_ps(rows[r].as_ptr());
        }
        let mut pairs = x;
        for r in [0, 2, 4, 6] {
            pairs[r] = _mm256_unpacklo_ps(x[r], x[r + 1]);
            pairs[r + 1] = _mm256_unpackhi_ps(x[r], x[r + 1]);
        }
        let mut fours = x;
        for r in [0, 4] {
            for high in 0..2 {
                let (a, b) = (pairs[r + high], pairs[r + high + 2]);
                fours[r + 2 * high] = _mm256_shuffle_ps::<0x44>(a, b);
                fours[r + 2 * high + 1] = _mm256_shuffle_ps::<0xee>(a, b);
            }
        }
        for c in 0..4 {
            let (a, b) = (fours[c], fours[c + 4]);
            _mm256_storeu_ps(columns[c].as_mut_ptr(), _mm256_permute2f128_ps::<0x20>(a, b));
            _mm256_storeu_ps(columns[c + 4].as_mut_ptr(), _mm256_permute2f128_ps::<0x31>(a, b));
        }
    }
    columns
}
