//! 256-bit and 512-bit registers of x86-64.
#![expect(
    unsafe_code,
    reason = "vector instructions, called with a token that proves the machine has them"
)]

use super::across::{
    columns_of, sums_of_double_quarters, sums_of_double_wholes, sums_of_halves, sums_of_wholes,
};
use super::{Body, LANES, Simd};
#[cfg_attr(
    not(test),
    expect(clippy::wildcard_imports, reason = "the names of instructions, all with one prefix")
)]
use std::arch::x86_64::*;

/// Calls an instruction on each register of a vector; a list of indices avoids a loop.
macro_rules! each {
    ([$($k:literal)+], $f:ident($a:ident)) => { [$($f($a[$k])),+] };
    ([$($k:literal)+], $f:ident($a:ident, $b:ident)) => { [$($f($a[$k], $b[$k])),+] };
    ([$($k:literal)+], $f:ident($a:ident, $b:ident, $c:ident)) => { [$($f($a[$k], $b[$k], $c[$k])),+] };
}

macro_rules! operations {
    ($places:tt $($name:ident($($arg:ident),+): $of:ident = $f:ident;)+) => {
        $(#[inline(always)]
        fn $name(self, $($arg: Self::$of),+) -> Self::$of {
            // SAFETY: the token proves that the machine has the instruction.
            unsafe { each!($places, $f($($arg),+)) }
        })+
    };
}

macro_rules! conversions {
    ($places:tt $($name:ident: $from:ident -> $to:ident = $f:ident;)+) => {
        $(#[inline(always)]
        fn $name(self, a: Self::$from) -> Self::$to {
            // SAFETY: as above.
            unsafe { each!($places, $f(a)) }
        })+
    };
}

macro_rules! memory {
    ([$($k:literal)+] $width:literal $of:ty, $vector:ident: $splat:ident = $set:ident, $load:ident = $get:ident, $store:ident = $put:ident) => {
        #[inline(always)]
        fn $splat(self, x: $of) -> Self::$vector {
            // SAFETY: as above.
            unsafe { [$({ let _ = $k; $set(x as _) }),+] }
        }
        #[inline(always)]
        fn $load(self, from: &[$of; LANES]) -> Self::$vector {
            // SAFETY: as above, and the registers together are as long as the array.
            unsafe { [$($get(from.as_ptr().add($k * $width).cast())),+] }
        }
        #[inline(always)]
        fn $store(self, x: Self::$vector, to: &mut [$of; LANES]) {
            // SAFETY: as above.
            unsafe { $($put(to.as_mut_ptr().add($k * $width).cast(), x[$k]);)+ }
        }
    };
}

macro_rules! level {
    ($token:ident, $about:literal, $enabled:literal, [$($feature:tt)+]) => {
        #[doc = $about]
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $token(());

        impl $token {
            /// The token, if the machine has the instructions.
            #[inline(always)]
            pub(super) fn detect() -> Option<Self> {
                ($(is_x86_feature_detected!($feature))&&+).then_some(Self(()))
            }

            /// Runs a body compiled for these instructions.
            #[inline(always)]
            pub(super) fn run<B: Body>(self, body: B) -> B::Output {
                #[target_feature(enable = $enabled)]
                fn enabled<B: Body>(body: B, simd: $token) -> B::Output {
                    body.run(simd)
                }
                // SAFETY: the token proves that the machine has the instructions.
                unsafe { enabled(body, self) }
            }
        }
    };
}

level!(Avx512, "512-bit vectors.", "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma",
    ["avx512f" "avx512bw" "avx512dq" "avx512vl" "avx2" "fma"]);
level!(Avx2, "256-bit vectors with fused multiply-add.", "avx2,fma", ["avx2" "fma"]);

/// Whether the processor says it is AMD's.
pub(super) fn made_by_amd() -> bool {
    let vendor = __cpuid(0);
    [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).concat() == b"AuthenticAMD"
}

impl Simd for Avx512 {
    const WIDTH: usize = 64;
    const SUMS: usize = 24;
    type F = [__m512; 1];
    type D = [__m512d; 2];
    type I = [__m512i; 1];

    memory!([0] 16 f32, F: splat = _mm512_set1_ps, load = _mm512_loadu_ps, store = _mm512_storeu_ps);
    memory!([0 1] 8 f64, D: splat_d = _mm512_set1_pd, load_d = _mm512_loadu_pd, store_d = _mm512_storeu_pd);
    memory!([0] 16 u32, I: splat_i = _mm512_set1_epi32, load_i = _mm512_loadu_si512, store_i = _mm512_storeu_si512);
    operations! { [0]
        add(a, b): F = _mm512_add_ps;
        sub(a, b): F = _mm512_sub_ps;
        mul(a, b): F = _mm512_mul_ps;
        div(a, b): F = _mm512_div_ps;
        min(a, b): F = _mm512_min_ps;
        max(a, b): F = _mm512_max_ps;
        fma(a, b, c): F = _mm512_fmadd_ps;
        fms(a, b, c): F = _mm512_fmsub_ps;
        sqrt(a): F = _mm512_sqrt_ps;
        add_i(a, b): I = _mm512_add_epi32;
        sub_i(a, b): I = _mm512_sub_epi32;
        min_i(a, b): I = _mm512_min_epu32;
        xor(a, b): I = _mm512_xor_si512;
        or(a, b): I = _mm512_or_si512;
        and(a, b): I = _mm512_and_si512;
    }
    operations! { [0 1]
        add_d(a, b): D = _mm512_add_pd;
        sub_d(a, b): D = _mm512_sub_pd;
        mul_d(a, b): D = _mm512_mul_pd;
        fma_d(a, b, c): D = _mm512_fmadd_pd;
        fms_d(a, b, c): D = _mm512_fmsub_pd;
    }
    conversions! { [0]
        float: I -> F = _mm512_cvtepi32_ps;
        bits: F -> I = _mm512_castps_si512;
        of_bits: I -> F = _mm512_castsi512_ps;
    }

    #[inline(always)]
    fn shl(self, a: Self::I, by: u32) -> Self::I {
        // SAFETY: as above.
        unsafe { [_mm512_sllv_epi32(a[0], _mm512_set1_epi32(by as i32))] }
    }
    #[inline(always)]
    fn shr(self, a: Self::I, by: u32) -> Self::I {
        // SAFETY: as above.
        unsafe { [_mm512_srlv_epi32(a[0], _mm512_set1_epi32(by as i32))] }
    }
    #[inline(always)]
    fn sar(self, a: Self::I, by: u32) -> Self::I {
        // SAFETY: as above.
        unsafe { [_mm512_srav_epi32(a[0], _mm512_set1_epi32(by as i32))] }
    }
    #[inline(always)]
    fn rotl(self, a: Self::I, by: u32) -> Self::I {
        // SAFETY: as above.
        unsafe { [_mm512_rolv_epi32(a[0], _mm512_set1_epi32(by as i32))] }
    }
    #[inline(always)]
    fn pick(self, word: Self::I, odd: Self::F, even: Self::F) -> Self::F {
        // SAFETY: as above.
        unsafe {
            let set = _mm512_test_epi32_mask(word[0], _mm512_set1_epi32(1));
            [_mm512_mask_blend_ps(set, even[0], odd[0])]
        }
    }
    #[inline(always)]
    fn columns(self, rows: [[f32; 8]; 8]) -> [[f32; 8]; 8] {
        // SAFETY: as above; a level has the instructions of those below it.
        unsafe { columns_of(rows) }
    }
    #[inline(always)]
    fn sums(self, of: [Self::F; 8]) -> [f32; 8] {
        let mut sums = [0.0; 8];
        // SAFETY: as above.
        unsafe { _mm256_storeu_ps(sums.as_mut_ptr(), sums_of_wholes(of.map(|[x]| x))) }
        sums
    }
    #[inline(always)]
    fn sums_d(self, of: [Self::D; 8]) -> [f64; 8] {
        let mut sums = [0.0; 8];
        // SAFETY: as above.
        unsafe { _mm512_storeu_pd(sums.as_mut_ptr(), sums_of_double_wholes(of)) }
        sums
    }
}

impl Simd for Avx2 {
    const WIDTH: usize = 32;
    const SUMS: usize = 12;
    type F = [__m256; 2];
    type D = [__m256d; 4];
    type I = [__m256i; 2];

    memory!([0 1] 8 f32, F: splat = _mm256_set1_ps, load = _mm256_loadu_ps, store = _mm256_storeu_ps);
    memory!([0 1 2 3] 4 f64, D: splat_d = _mm256_set1_pd, load_d = _mm256_loadu_pd, store_d = _mm256_storeu_pd);
    memory!([0 1] 8 u32, I: splat_i = _mm256_set1_epi32, load_i = _mm256_loadu_si256, store_i = _mm256_storeu_si256);
    operations! { [0 1]
        add(a, b): F = _mm256_add_ps;
        sub(a, b): F = _mm256_sub_ps;
        mul(a, b): F = _mm256_mul_ps;
        div(a, b): F = _mm256_div_ps;
        min(a, b): F = _mm256_min_ps;
        max(a, b): F = _mm256_max_ps;
        fma(a, b, c): F = _mm256_fmadd_ps;
        fms(a, b, c): F = _mm256_fmsub_ps;
        sqrt(a): F = _mm256_sqrt_ps;
        add_i(a, b): I = _mm256_add_epi32;
        sub_i(a, b): I = _mm256_sub_epi32;
        min_i(a, b): I = _mm256_min_epu32;
        xor(a, b): I = _mm256_xor_si256;
        or(a, b): I = _mm256_or_si256;
        and(a, b): I = _mm256_and_si256;
    }
    operations! { [0 1 2 3]
        add_d(a, b): D = _mm256_add_pd;
        sub_d(a, b): D = _mm256_sub_pd;
        mul_d(a, b): D = _mm256_mul_pd;
        fma_d(a, b, c): D = _mm256_fmadd_pd;
        fms_d(a, b, c): D = _mm256_fmsub_pd;
    }
    conversions! { [0 1]
        float: I -> F = _mm256_cvtepi32_ps;
        bits: F -> I = _mm256_castps_si256;
        of_bits: I -> F = _mm256_castsi256_ps;
    }

    #[inline(always)]
    fn shl(self, a: Self::I, by: u32) -> Self::I {
        // SAFETY: as above.
        unsafe {
            let by = _mm256_set1_epi32(by as i32);
            [_mm256_sllv_epi32(a[0], by), _mm256_sllv_epi32(a[1], by)]
        }
    }
    #[inline(always)]
    fn shr(self, a: Self::I, by: u32) -> Self::I {
        // SAFETY: as above.
        unsafe {
            let by = _mm256_set1_epi32(by as i32);
            [_mm256_srlv_epi32(a[0], by), _mm256_srlv_epi32(a[1], by)]
        }
    }
    #[inline(always)]
    fn sar(self, a: Self::I, by: u32) -> Self::I {
        // SAFETY: as above.
        unsafe {
            let by = _mm256_set1_epi32(by as i32);
            [_mm256_srav_epi32(a[0], by), _mm256_srav_epi32(a[1], by)]
        }
    }
    #[inline(always)]
    fn rotl(self, a: Self::I, by: u32) -> Self::I {
        self.or(self.shl(a, by), self.shr(a, 32 - by))
    }
    #[inline(always)]
    fn pick(self, word: Self::I, odd: Self::F, even: Self::F) -> Self::F {
        let sign = self.of_bits(self.shl(word, 31));
        // SAFETY: as above.
        unsafe {
            [_mm256_blendv_ps(even[0], odd[0], sign[0]), _mm256_blendv_ps(even[1], odd[1], sign[1])]
        }
    }
    #[inline(always)]
    fn columns(self, rows: [[f32; 8]; 8]) -> [[f32; 8]; 8] {
        // SAFETY: as above; a level has the instructions of those below it.
        unsafe { columns_of(rows) }
    }
    #[inline(always)]
    fn sums(self, of: [Self::F; 8]) -> [f32; 8] {
        let mut sums = [0.0; 8];
        // SAFETY: as above.
        unsafe {
            let mut low = [_mm256_setzero_ps(); 8];
            for k in 0..8 {
                low[k] = _mm256_add_ps(of[k][0], of[k][1]);
            }
            _mm256_storeu_ps(sums.as_mut_ptr(), sums_of_halves(low));
        }
        sums
    }
    #[inline(always)]
    fn sums_d(self, [a, b, c, d, e, f, g, h]: [Self::D; 8]) -> [f64; 8] {
        let mut sums = [0.0; 8];
        let (low, high) = sums.split_at_mut(4);
        // SAFETY: as above.
        unsafe {
            _mm256_storeu_pd(low.as_mut_ptr(), sums_of_double_quarters([a, b, c, d]));
            _mm256_storeu_pd(high.as_mut_ptr(), sums_of_double_quarters([e, f, g, h]));
        }
        sums
    }
}
