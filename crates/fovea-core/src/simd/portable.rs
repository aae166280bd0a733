//! Arrays of sixteen numbers: the definition that every other level reproduces.

use super::{LANES, Simd, tree_sum};

/// The level that every machine has.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

#[inline(always)]
fn zip<A: Copy, B: Copy, C: Copy + Default>(
    a: [A; LANES],
    b: [B; LANES],
    f: impl Fn(A, B) -> C,
) -> [C; LANES] {
    let mut out = [C::default(); LANES];
    for l in 0..LANES {
        out[l] = f(a[l], b[l]);
    }
    out
}

macro_rules! lanewise {
    ($($name:ident: $of:ty = $f:expr;)+) => {
        $(#[inline(always)]
        fn $name(self, a: [$of; LANES], b: [$of; LANES]) -> [$of; LANES] {
            zip(a, b, $f)
        })+
    };
}

macro_rules! shifts {
    ($($name:ident = $f:expr;)+) => {
        $(#[inline(always)]
        fn $name(self, a: [u32; LANES], by: u32) -> [u32; LANES] {
            zip(a, [by; LANES], $f)
        })+
    };
}

macro_rules! memory {
    ($($of:ty: $splat:ident $load:ident $store:ident;)+) => {
        $(#[inline(always)]
        fn $splat(self, x: $of) -> [$of; LANES] {
            [x; LANES]
        }
        #[inline(always)]
        fn $load(self, from: &[$of; LANES]) -> [$of; LANES] {
            *from
        }
        #[inline(always)]
        fn $store(self, x: [$of; LANES], to: &mut [$of; LANES]) {
            *to = x;
        })+
    };
}

impl Simd for Portable {
    const WIDTH: usize = 16;
    const SUMS: usize = 12;
    type F = [f32; LANES];
    type D = [f64; LANES];
    type I = [u32; LANES];

    memory! {
        f32: splat load store;
        f64: splat_d load_d store_d;
        u32: splat_i load_i store_i;
    }
    lanewise! {
        add: f32 = |a, b| a + b;
        sub: f32 = |a, b| a - b;
        mul: f32 = |a, b| a * b;
        div: f32 = |a, b| a / b;
        min: f32 = |a, b| if a < b { a } else { b };
        max: f32 = |a, b| if a > b { a } else { b };
        add_d: f64 = |a, b| a + b;
        sub_d: f64 = |a, b| a - b;
        mul_d: f64 = |a, b| a * b;
        add_i: u32 = u32::wrapping_add;
        sub_i: u32 = u32::wrapping_sub;
        min_i: u32 = u32::min;
        xor: u32 = |a, b| a ^ b;
        or: u32 = |a, b| a | b;
        and: u32 = |a, b| a & b;
    }
    shifts! {
        shl = |a, by| a << by;
        shr = |a, by| a >> by;
        sar = |a, by| (a as i32 >> by) as u32;
        rotl = u32::rotate_left;
    }

    #[inline(always)]
    fn fma(self, a: Self::F, b: Self::F, mut c: Self::F) -> Self::F {
        for l in 0..LANES {
            c[l] = a[l].mul_add(b[l], c[l]);
        }
        c
    }
    #[inline(always)]
    fn fma_d(self, a: Self::D, b: Self::D, mut c: Self::D) -> Self::D {
        for l in 0..LANES {
            c[l] = a[l].mul_add(b[l], c[l]);
        }
        c
    }
    #[inline(always)]
    fn fms(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        self.fma(a, b, c.map(|c| -c))
    }
    #[inline(always)]
    fn fms_d(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D {
        self.fma_d(a, b, c.map(|c| -c))
    }
    #[inline(always)]
    fn sqrt(self, a: Self::F) -> Self::F {
        a.map(f32::sqrt)
    }
    #[inline(always)]
    fn float(self, a: Self::I) -> Self::F {
        a.map(|word| word as i32 as f32)
    }
    #[inline(always)]
    fn bits(self, a: Self::F) -> Self::I {
        a.map(f32::to_bits)
    }
    #[inline(always)]
    fn of_bits(self, a: Self::I) -> Self::F {
        a.map(f32::from_bits)
    }
    #[inline(always)]
    fn pick(self, word: Self::I, odd: Self::F, mut even: Self::F) -> Self::F {
        for l in 0..LANES {
            if word[l] & 1 == 1 {
                even[l] = odd[l];
            }
        }
        even
    }

    #[inline(always)]
    fn columns(self, rows: [[f32; 8]; 8]) -> [[f32; 8]; 8] {
        std::array::from_fn(|c| std::array::from_fn(|r| rows[r][c]))
    }

    #[inline(always)]
    fn sums(self, of: [Self::F; 8]) -> [f32; 8] {
        of.map(tree_sum)
    }
    #[inline(always)]
    fn sums_d(self, of: [Self::D; 8]) -> [f64; 8] {
        of.map(tree_sum)
    }
}
