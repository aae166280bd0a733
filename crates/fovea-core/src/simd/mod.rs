//! Instruction sets: which ones a machine has, and sixteen lanes of numbers in its registers.
//!
//! A vectorised loop is written once over a [`Simd`] token and compiled for every level. Each operation of a token is fixed by
//! IEEE 754 or acts on integers. Lanes mix only in [`Simd::sums`] and [`Simd::sums_d`], whose order is that of
//! [`tree_sum`], and are moved only in [`Simd::columns`]: the bits are the same at every level.

#[cfg(target_arch = "x86_64")]
mod across;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use portable::Portable;

use std::ops::Add;

/// Lanes of every vectorised loop, whatever the width of the machine's vectors.
pub const LANES: usize = 16;

/// Sixteen lanes at one level: `F` single, `D` double precision, `I` 32-bit words.
///
/// Holding a token proves that the machine has the instructions.
#[expect(missing_docs, reason = "the names are those of the operations, lane by lane")]
pub trait Simd: Copy + Send + Sync + 'static {
    /// Bytes of a register.
    const WIDTH: usize;
    /// Registers that may hold running sums; the others are for operands.
    const SUMS: usize;

    type F: Copy;
    type D: Copy;
    type I: Copy;

    fn splat(self, x: f32) -> Self::F;
    fn load(self, from: &[f32; LANES]) -> Self::F;
    fn store(self, x: Self::F, to: &mut [f32; LANES]);
    fn add(self, a: Self::F, b: Self::F) -> Self::F;
    fn sub(self, a: Self::F, b: Self::F) -> Self::F;
    fn mul(self, a: Self::F, b: Self::F) -> Self::F;
    fn div(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a * b + c`, rounded once.
    fn fma(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    /// `a * b - c`, rounded once.
    fn fms(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F;
    fn sqrt(self, a: Self::F) -> Self::F;
    /// `a` where `a < b`, else `b`.
    fn min(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a` where `a > b`, else `b`.
    fn max(self, a: Self::F, b: Self::F) -> Self::F;

    fn splat_d(self, x: f64) -> Self::D;
    fn load_d(self, from: &[f64; LANES]) -> Self::D;
    fn store_d(self, x: Self::D, to: &mut [f64; LANES]);
    fn add_d(self, a: Self::D, b: Self::D) -> Self::D;
    fn sub_d(self, a: Self::D, b: Self::D) -> Self::D;
    fn mul_d(self, a: Self::D, b: Self::D) -> Self::D;
    fn fma_d(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D;
    fn fms_d(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D;

    fn splat_i(self, x: u32) -> Self::I;
    fn load_i(self, from: &[u32; LANES]) -> Self::I;
    fn store_i(self, x: Self::I, to: &mut [u32; LANES]);
    fn add_i(self, a: Self::I, b: Self::I) -> Self::I;
    fn sub_i(self, a: Self::I, b: Self::I) -> Self::I;
    /// The smaller word.
    fn min_i(self, a: Self::I, b: Self::I) -> Self::I;
    fn xor(self, a: Self::I, b: Self::I) -> Self::I;
    fn or(self, a: Self::I, b: Self::I) -> Self::I;
    fn and(self, a: Self::I, b: Self::I) -> Self::I;
    fn shl(self, a: Self::I, by: u32) -> Self::I;
    fn shr(self, a: Self::I, by: u32) -> Self::I;
    /// The shift that keeps the sign.
    fn sar(self, a: Self::I, by: u32) -> Self::I;
    fn rotl(self, a: Self::I, by: u32) -> Self::I;

    /// The number nearest to each word read as a signed integer.
    fn float(self, a: Self::I) -> Self::F;
    fn bits(self, a: Self::F) -> Self::I;
    fn of_bits(self, a: Self::I) -> Self::F;
    /// `odd` where the lowest bit of the word is set, else `even`.
    fn pick(self, word: Self::I, odd: Self::F, even: Self::F) -> Self::F;

    /// Sums of the lanes of eight vectors, each by halves.
    fn sums(self, of: [Self::F; 8]) -> [f32; 8];
    /// The same in double precision.
    fn sums_d(self, of: [Self::D; 8]) -> [f64; 8];

    /// Eight rows of eight numbers as columns.
    fn columns(self, rows: [[f32; 8]; 8]) -> [[f32; 8]; 8];
}

/// Work whose inlined body is compiled once for each instruction set.
pub trait Body {
    /// What the work returns.
    type Output;

    /// The body; mark it `#[inline(always)]`, or the instruction set is lost.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// The level at which vectorised loops run.
static USED: std::sync::OnceLock<Level> = std::sync::OnceLock::new();

/// An instruction set that a body can be compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What every machine of this architecture has; fused multiply-adds may be done in software.
    Portable,
    /// 256-bit vectors with fused multiply-add.
    Avx2,
    /// 512-bit vectors.
    Avx512,
}

impl Level {
    /// Every level this machine can run, the best last.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if x86::Avx2::detect().is_some() {
                levels.push(Self::Avx2);
            }
            if x86::Avx512::detect().is_some() {
                levels.push(Self::Avx512);
            }
        }
        levels
    }

    /// The level at which vectorised loops run: the best one of this machine, detected once, or the one that was chosen before.
    #[inline]
    pub fn best() -> Self {
        *USED.get_or_init(|| Self::available().into_iter().next_back().unwrap_or(Self::Portable))
    }

    /// Makes every vectorised loop of the program run at this level; bits do not depend on it.
    ///
    /// # Errors
    /// The machine has no such instructions, or another level is already in use; the error holds the levels that can be chosen.
    pub fn choose(self) -> Result<(), Vec<Self>> {
        let available = Self::available();
        if !available.contains(&self) {
            return Err(available);
        }
        let used = *USED.get_or_init(|| self);
        if used == self { Ok(()) } else { Err(vec![used]) }
    }

    /// The level with this word.
    pub fn of_word(word: &str) -> Option<Self> {
        [Self::Portable, Self::Avx2, Self::Avx512].into_iter().find(|level| level.word() == word)
    }

    /// The word by which it is chosen.
    pub fn word(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// The name in a record's stamp.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2+fma",
            Self::Avx512 => "avx512",
        }
    }
}

/// Whether the machine has adders apart from its multiply-add units: then a product by 1, 0 or -1 is cheaper as a sum.
///
/// AMD's processors with 512-bit vectors do; elsewhere both share their units.
#[inline]
pub fn adds_beside_products() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        static APART: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
        *APART.get_or_init(|| Level::best() == Level::Avx512 && x86::made_by_amd())
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Runs `body` at the machine's best level.
#[inline]
pub fn dispatch<B: Body>(body: B) -> B::Output {
    dispatch_at(Level::best(), body)
}

/// Runs `body` at a given level, or at the portable one if the machine has no such instructions.
#[inline]
pub fn dispatch_at<B: Body>(level: Level, body: B) -> B::Output {
    #[cfg(target_arch = "x86_64")]
    match level {
        Level::Avx512 => {
            if let Some(simd) = x86::Avx512::detect() {
                return simd.run(body);
            }
        }
        Level::Avx2 => {
            if let Some(simd) = x86::Avx2::detect() {
                return simd.run(body);
            }
        }
        Level::Portable => {}
    }
    let _ = level;
    body.run(Portable)
}

/// Sums the lanes by halves: 16 to 8 to 4 to 2 to 1, the order that every vectorised loop keeps.
#[inline(always)]
pub fn tree_sum<T: Copy + Add<Output = T>>(mut lanes: [T; LANES]) -> T {
    let mut half = LANES / 2;
    while half > 0 {
        for l in 0..half {
            lanes[l] = lanes[l] + lanes[l + half];
        }
        half /= 2;
    }
    lanes[0]
}

#[cfg(test)]
mod tests;
