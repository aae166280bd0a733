//! The error function as in `libm`.

use super::{exp_below, exp_of_rest, polynomial};
use crate::lanes::LANES;

/// Numerator and denominator of `erf x / x - 1` in `x^2`, up to 0.84375.
const NEAR_P: [u64; 5] = [
    0x3fc0_6eba_8214_db68,
    0xbfd4_cd7d_691c_b913,
    0xbf9d_2a51_dbd7_194f,
    0xbf77_a291_2366_68e4,
    0xbef8_ead6_1200_16ac,
];
const NEAR_Q: [u64; 6] = [
    0x3ff0_0000_0000_0000,
    0x3fd9_7779_cdda_dc09,
    0x3fb0_a54c_5536_ceba,
    0x3f74_d022_c4d3_6b0f,
    0x3f21_5dc9_221c_1a10,
    0xbed0_9c43_42a2_6120,
];
/// Those of `erf x - ERX` in `x - 1`, up to 1.25.
const MIDDLE_P: [u64; 7] = [
    0xbf63_59b8_bef7_7538,
    0x3fda_8d00_ad92_b34d,
    0xbfd7_d240_fbb8_c3f1,
    0x3fd4_5fca_8051_20e4,
    0xbfbc_6398_3d3e_28ec,
    0x3fa2_2a36_5997_95eb,
    0xbf61_bf38_0a96_073f,
];
const MIDDLE_Q: [u64; 7] = [
    0x3ff0_0000_0000_0000,
    0x3fbb_3e66_18ee_e323,
    0x3fe1_4af0_92eb_6f33,
    0x3fb2_635c_d99f_e9a7,
    0x3fc0_2660_e763_351f,
    0x3f8b_edc2_6b51_dd1c,
    0x3f88_8b54_5735_151d,
];
/// Those of `ln(x erfc x) + x^2 + 0.5625` in `1 / x^2`, up to 1 / 0.35.
const FAR_P: [u64; 8] = [
    0xbf84_3412_600d_6435,
    0xbfe6_3416_e4ba_7360,
    0xc025_1e04_41b0_e726,
    0xc04f_300a_e4cb_a38d,
    0xc064_4cb1_8428_2266,
    0xc067_135c_ebcc_abb2,
    0xc054_5265_57e4_d2f2,
    0xc023_a0ef_c69a_c25c,
];
const FAR_Q: [u64; 9] = [
    0x3ff0_0000_0000_0000,
    0x4033_a6b9_bd70_7687,
    0x4061_350c_526a_e721,
    0x407b_290d_d58a_1a71,
    0x4084_2b19_21ec_2868,
    0x407a_d021_5770_0314,
    0x405b_28a3_ee48_ae2c,
    0x401a_47ef_8e48_4a93,
    0xbfae_eff2_ee74_9a62,
];
/// The same beyond.
const LAST_P: [u64; 7] = [
    0xbf84_3412_39e8_6f4a,
    0xbfe9_93ba_70c2_85de,
    0xc031_c209_555f_995a,
    0xc064_145d_43c5_ed98,
    0xc083_ec88_1375_f228,
    0xc090_0461_6a2e_5992,
    0xc07e_384e_9bdc_383f,
];
const LAST_Q: [u64; 8] = [
    0x3ff0_0000_0000_0000,
    0x403e_568b_261d_5190,
    0x4074_5cae_221b_9f0a,
    0x4098_02eb_189d_5118,
    0x40a8_ffb7_688c_246a,
    0x40a3_f219_cedf_3be6,
    0x407d_a874_e79f_e763,
    0xc036_70e2_4271_2d62,
];
/// `erf 1`, to as many digits as a single holds.
const ERX: f64 = f64::from_bits(0x3feb_0ac1_6000_0000);
/// Eight times `2 / sqrt(pi) - 1`, for numbers so small that the function is linear.
const LINEAR: f64 = f64::from_bits(0x3ff0_6eba_8214_db69);

/// Where one rational function takes over from another; `libm` compares upper halves.
const NEAR: f64 = 0.84375;
const MIDDLE: f64 = 1.25;
const TINY: f64 = 1.0 / (1_u64 << 28) as f64;
const FAR: f64 = f64::from_bits(0x4006_db6d << 32);

/// The polynomial of the first list if `first` holds, else of the second.
#[inline(always)]
fn either<const N: usize, const M: usize>(first: bool, p: [u64; N], q: [u64; M], x: f64) -> f64 {
    let coefficient = |k: usize| {
        let [p, q] = [p.get(k), q.get(k)].map(|bits| f64::from_bits(bits.copied().unwrap_or(0)));
        if first { p } else { q }
    };
    let longest = if N > M { N } else { M };
    let mut sum = coefficient(longest - 1);
    for k in (0..longest - 1).rev() {
        sum = coefficient(k) + x * sum;
    }
    sum
}

/// The error function of any number below 0.84375 in size.
#[inline(always)]
fn near(x: f64) -> f64 {
    let [p, q] = [
        polynomial(NEAR_P.map(f64::from_bits), x * x),
        polynomial(NEAR_Q.map(f64::from_bits), x * x),
    ];
    near_by(x, p / q)
}

/// The same from the quotient of its polynomials.
#[inline(always)]
fn near_by(x: f64, ratio: f64) -> f64 {
    if x.abs() < TINY { 0.125 * (8.0 * x + LINEAR * x) } else { x + x * ratio }
}

/// The error function of any number.
#[inline(always)]
fn any(x: f64) -> f64 {
    let size = x.abs();
    let (nearest, inner) = (size < NEAR, size < MIDDLE);
    let z = if nearest { x * x } else { size - 1.0 };
    let (p, q) = (either(nearest, NEAR_P, MIDDLE_P, z), either(nearest, NEAR_Q, MIDDLE_Q, z));
    let (middle, z) = (size < FAR, 1.0 / (size * size));
    let (far_p, far_q) = (either(middle, FAR_P, LAST_P, z), either(middle, FAR_Q, LAST_Q, z));
    // One quotient is used for all four.
    let ratio = if inner { p } else { far_p } / if inner { q } else { far_q };
    let cut = f64::from_bits(size.to_bits() & !0xffff_ffff);
    let rest = (cut - size) * (cut + size) + ratio;
    let far = exp_below(-cut * cut - 0.5625) * exp_of_rest(rest, 0.0) / size;
    let y = 1.0 - if inner { 1.0 - ERX - ratio } else { far };
    let y = if size >= 6.0 { 1.0 } else { y }.copysign(x);
    if size >= NEAR { y } else { near_by(x, ratio) }
}

/// The error function in every lane.
#[inline(always)]
pub(in crate::lanes) fn erf(lanes: &mut [f64; LANES]) {
    // With small gains all lanes are near zero, which takes a seventh of the work.
    let mut far = false;
    for x in lanes.iter() {
        far |= x.abs() >= NEAR;
    }
    if far {
        for x in lanes {
            *x = any(*x);
        }
    } else {
        for x in lanes {
            *x = near(*x);
        }
    }
}
