//! Sixteen numbers of either type in the registers of an instruction set.

use super::LANES;
use crate::simd::Simd;

/// A number type whose lanes an instruction set works on.
pub trait Register: Copy + Default {
    /// Sixteen numbers.
    type Lanes<S: Simd>: Copy;

    /// The same number in every lane.
    fn splat<S: Simd>(s: S, x: Self) -> Self::Lanes<S>;
    /// Lanes from memory.
    fn load<S: Simd>(s: S, from: &[Self; LANES]) -> Self::Lanes<S>;
    /// Lanes to memory.
    fn store<S: Simd>(s: S, x: Self::Lanes<S>, to: &mut [Self; LANES]);
    /// `a + b`.
    fn plus<S: Simd>(s: S, a: Self::Lanes<S>, b: Self::Lanes<S>) -> Self::Lanes<S>;
    /// `a - b`.
    fn minus<S: Simd>(s: S, a: Self::Lanes<S>, b: Self::Lanes<S>) -> Self::Lanes<S>;
    /// `a * b`.
    fn times<S: Simd>(s: S, a: Self::Lanes<S>, b: Self::Lanes<S>) -> Self::Lanes<S>;
    /// `a * b + c`, rounded once.
    fn times_plus<S: Simd>(
        s: S,
        a: Self::Lanes<S>,
        b: Self::Lanes<S>,
        c: Self::Lanes<S>,
    ) -> Self::Lanes<S>;
    /// `a * b - c`, rounded once.
    fn times_minus<S: Simd>(
        s: S,
        a: Self::Lanes<S>,
        b: Self::Lanes<S>,
        c: Self::Lanes<S>,
    ) -> Self::Lanes<S>;
    /// `a * x` where `x` is one or minus one, without a multiplication.
    fn times_sign<S: Simd>(s: S, a: Self::Lanes<S>, x: Self::Lanes<S>) -> Self::Lanes<S>;
    /// `a * x` where `x` is one or zero, without a multiplication.
    fn times_gate<S: Simd>(s: S, a: Self::Lanes<S>, x: Self::Lanes<S>) -> Self::Lanes<S>;
    /// The sum of the lanes of eight vectors, each by halves as in [`tree_sum`](super::tree_sum).
    fn sums<S: Simd>(s: S, of: [Self::Lanes<S>; 8]) -> [Self; 8];
    /// Eight rows of eight numbers as columns.
    fn columns<S: Simd>(s: S, rows: [[Self; 8]; 8]) -> [[Self; 8]; 8];
    /// One with the sign of each number.
    fn signs<S: Simd>(s: S, x: Self::Lanes<S>) -> Self::Lanes<S>;
    /// `odd` where the lowest bit of the word is set, else `even`.
    fn pick<S: Simd>(s: S, word: S::I, odd: Self::Lanes<S>, even: Self::Lanes<S>)
    -> Self::Lanes<S>;
}

macro_rules! registers {
    ($number:ty, $lanes:ident, $splat:ident, $load:ident, $store:ident; $($name:ident($($arg:ident),+) = $f:ident;)+ [$($own:item)+]) => {
        impl Register for $number {
            type Lanes<S: Simd> = S::$lanes;
            $(#[inline(always)]
            fn $name<S: Simd>(s: S, $($arg: S::$lanes),+) -> S::$lanes {
                s.$f($($arg),+)
            })+
            #[inline(always)]
            fn splat<S: Simd>(s: S, x: Self) -> S::$lanes {
                s.$splat(x)
            }
            #[inline(always)]
            fn load<S: Simd>(s: S, from: &[Self; LANES]) -> S::$lanes {
                s.$load(from)
            }
            #[inline(always)]
            fn store<S: Simd>(s: S, x: S::$lanes, to: &mut [Self; LANES]) {
                s.$store(x, to);
            }
            $(#[inline(always)]
            $own)+
        }
    };
}

registers! { f32, F, splat, load, store;
    plus(a, b) = add;
    minus(a, b) = sub;
    times(a, b) = mul;
    times_plus(a, b, c) = fma;
    times_minus(a, b, c) = fms;
    [fn times_sign<S: Simd>(s: S, a: S::F, x: S::F) -> S::F {
        let sign = s.and(s.bits(x), s.splat_i(1 << 31));
        s.of_bits(s.xor(s.bits(a), sign))
    }
    fn times_gate<S: Simd>(s: S, a: S::F, x: S::F) -> S::F {
        // Bit 29 distinguishes one from zero; a zero keeps the sign of the other factor.
        let open = s.sub_i(s.splat_i(0), s.shr(s.bits(x), 29));
        s.of_bits(s.and(s.bits(a), s.or(open, s.splat_i(1 << 31))))
    }
    fn sums<S: Simd>(s: S, of: [S::F; 8]) -> [Self; 8] {
        s.sums(of)
    }
    fn columns<S: Simd>(s: S, rows: [[Self; 8]; 8]) -> [[Self; 8]; 8] {
        s.columns(rows)
    }
    fn signs<S: Simd>(s: S, x: S::F) -> S::F {
        let sign = s.and(s.bits(x), s.splat_i(1 << 31));
        s.of_bits(s.or(sign, s.splat_i(1.0_f32.to_bits())))
    }
    fn pick<S: Simd>(s: S, word: S::I, odd: S::F, even: S::F) -> S::F {
        s.pick(word, odd, even)
    }]
}

registers! { f64, D, splat_d, load_d, store_d;
    plus(a, b) = add_d;
    minus(a, b) = sub_d;
    times(a, b) = mul_d;
    times_plus(a, b, c) = fma_d;
    times_minus(a, b, c) = fms_d;
    times_sign(a, x) = mul_d;
    times_gate(a, x) = mul_d;
    [fn sums<S: Simd>(s: S, of: [S::D; 8]) -> [Self; 8] {
        s.sums_d(of)
    }
    fn columns<S: Simd>(_: S, rows: [[Self; 8]; 8]) -> [[Self; 8]; 8] {
        std::array::from_fn(|c| std::array::from_fn(|r| rows[r][c]))
    }
    fn signs<S: Simd>(s: S, x: S::D) -> S::D {
        let mut numbers = [0.0; LANES];
        s.store_d(x, &mut numbers);
        for number in &mut numbers {
            *number = 1.0_f64.copysign(*number);
        }
        s.load_d(&numbers)
    }
    fn pick<S: Simd>(s: S, word: S::I, odd: S::D, even: S::D) -> S::D {
        let (mut words, mut from, mut to) = ([0; LANES], [0.0; LANES], [0.0; LANES]);
        s.store_i(word, &mut words);
        s.store_d(odd, &mut from);
        s.store_d(even, &mut to);
        for l in 0..LANES {
            if words[l] & 1 == 1 {
                to[l] = from[l];
            }
        }
        s.load_d(&to)
    }]
}
