//! Functions of `libm` in double precision without its branches, so that a compiler can vectorise them over lanes.
//!
//! Each does the operations of `libm` in their order, computes both sides of a branch where it must, and keeps one. The bits are those
//! of `libm` over the domain that each function names, which tests check; the exception is [`exp_m1`], whose test states its error.
//! The polynomials are those of Sun's fdlibm.

mod erf;

pub(super) use erf::erf;

/// Adding and subtracting this rounds to the nearest integer, which the low bits of the sum hold.
const ROUND: f64 = 6_755_399_441_055_744.0;
const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN_2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

/// `c_0 + x (c_1 + x (c_2 + ...))`, every step rounded twice.
#[inline(always)]
fn polynomial<const N: usize>(coefficients: [f64; N], x: f64) -> f64 {
    let mut sum = coefficients[N - 1];
    for c in coefficients[..N - 1].iter().rev() {
        sum = c + x * sum;
    }
    sum
}

/// `2^k` for an integer in -1022..=1023.
#[inline(always)]
fn power_of_two(k: f64) -> f64 {
    f64::from_bits((k + (ROUND + 1023.0)).to_bits() << 52)
}

/// The natural logarithm of a positive normal number.
#[inline(always)]
pub(super) fn ln(x: f64) -> f64 {
    const ODD: [f64; 4] = [
        f64::from_bits(0x3fe5_5555_5555_5593),
        f64::from_bits(0x3fd2_4924_9422_9359),
        f64::from_bits(0x3fc7_4664_96cb_03de),
        f64::from_bits(0x3fc2_f112_df3e_5244),
    ];
    const EVEN: [f64; 3] = [
        f64::from_bits(0x3fd9_9999_9997_fa04),
        f64::from_bits(0x3fcc_71c5_1d8e_78af),
        f64::from_bits(0x3fc3_9a09_d078_c69f),
    ];
    // The top of the bits of sqrt(1/2): mantissas lie between it and twice as much.
    const SQRT_HALF: u64 = 0x3fe6_a09e << 32;
    const ONE: u64 = 1023 << 52;
    let shifted = x.to_bits().wrapping_add(ONE - SQRT_HALF);
    // 2^52 holds an integer in its last bits: a conversion that every vector unit has.
    let exponent = f64::from_bits(0x433 << 52 | shifted >> 52) - (4_503_599_627_370_496.0 + 1023.0);
    let f = f64::from_bits((shifted & ((1 << 52) - 1)) + SQRT_HALF) - 1.0;
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let rest = z * polynomial(ODD, w) + w * polynomial(EVEN, w);
    s * (half_square + rest) + exponent * LN_2_LOW - half_square + f + exponent * LN_2_HIGH
}

/// `e^x - 1` from `x = high - low`, small.
#[inline(always)]
fn exp_m1_of_rest(high: f64, low: f64) -> f64 {
    const P: [f64; 5] = [
        f64::from_bits(0x3fc5_5555_5555_553e),
        f64::from_bits(0xbf66_c16c_16be_bd93),
        f64::from_bits(0x3f11_566a_af25_de2c),
        f64::from_bits(0xbebb_bd41_c5d2_6bf1),
        f64::from_bits(0x3e66_3769_72be_a4d0),
    ];
    let x = high - low;
    let square = x * x;
    let c = x - square * polynomial(P, square);
    x * c / (2.0 - c) - low + high
}

/// `e^x` from `x = high - low`, small.
#[inline(always)]
fn exp_of_rest(high: f64, low: f64) -> f64 {
    1.0 + exp_m1_of_rest(high, low)
}

/// `e^x - 1` for a number that is at most zero, to two units in the last place, however small.
///
/// Not the operations of `libm`, which has too many branches, but those of [`exp`] up to the last: it is the sum with one that loses digits.
#[inline(always)]
pub(super) fn exp_m1(x: f64) -> f64 {
    // Below this the result is minus one.
    let x = if x < -700.0 { -700.0 } else { x };
    let k = (std::f64::consts::LOG2_E * x + ROUND) - ROUND;
    let rest = exp_m1_of_rest(x - k * LN_2_HIGH, k * LN_2_LOW);
    let scale = power_of_two(k);
    scale * rest + (scale - 1.0)
}

/// The integer part of a number of at most 2^51.
#[inline(always)]
fn whole(x: f64) -> f64 {
    let nearest = (x + ROUND) - ROUND;
    let beyond = if nearest.abs() > x.abs() { 1.0_f64.copysign(x) } else { 0.0 };
    nearest - beyond
}

/// The exponential of a number between -700 and -1.1.
#[inline(always)]
fn exp_below(x: f64) -> f64 {
    let k = whole(std::f64::consts::LOG2_E * x - 0.5);
    exp_of_rest(x - k * LN_2_HIGH, k * LN_2_LOW) * power_of_two(k)
}

/// The exponential of any number.
#[inline(always)]
pub(super) fn exp(x: f64) -> f64 {
    // Half of ln 2, which `libm` compares by its upper half; below it nothing is subtracted.
    const NEAR: f64 = f64::from_bits(0x3fd6_2e43 << 32);
    const TINY: f64 = f64::from_bits(0x3e30_0001 << 32);
    // Beyond these the result is infinite or zero.
    let x = if x > 710.0 { 710.0 } else { x };
    let x = if x < -746.0 { -746.0 } else { x };
    let k = whole(std::f64::consts::LOG2_E * x + 0.5_f64.copysign(x));
    let k = if x.abs() >= NEAR { k } else { 0.0 };
    let y = exp_of_rest(x - k * LN_2_HIGH, k * LN_2_LOW);
    // At the ends of the range 2^k is not a number: two factors, of which the first is exact.
    let half = (0.5 * k + ROUND) - ROUND;
    let y = y * power_of_two(half) * power_of_two(k - half);
    if x.abs() < TINY { 1.0 + x } else { y }
}

/// Sine and cosine of an angle between zero and a full turn, in radians; not valid where [`near_a_quarter`] is true.
#[inline(always)]
pub(super) fn sin_cos(x: f64) -> (f64, f64) {
    const PI_2_HIGH: f64 = f64::from_bits(0x3ff9_21fb_5440_0000);
    const PI_2_LOW: f64 = f64::from_bits(0x3dd0_b461_1a62_6331);
    // The odd eighths of a turn, which `libm` compares by their upper halves.
    const EIGHTHS: [f64; 4] = [
        f64::from_bits(0x3fe9_21fc << 32),
        f64::from_bits(0x4002_d97d << 32),
        f64::from_bits(0x400f_6a7b << 32),
        f64::from_bits(0x4015_fdbd << 32),
    ];
    const S: [f64; 6] = [
        f64::from_bits(0xbfc5_5555_5555_5549),
        f64::from_bits(0x3f81_1111_1110_f8a6),
        f64::from_bits(0xbf2a_01a0_19c1_61d5),
        f64::from_bits(0x3ec7_1de3_57b1_fe7d),
        f64::from_bits(0xbe5a_e5e6_8a2b_9ceb),
        f64::from_bits(0x3de5_d93a_5acf_d57c),
    ];
    const C: [f64; 6] = [
        f64::from_bits(0x3fa5_5555_5555_554c),
        f64::from_bits(0xbf56_c16c_16c1_5177),
        f64::from_bits(0x3efa_01a0_19cb_1590),
        f64::from_bits(0xbe92_7e4f_809c_52ad),
        f64::from_bits(0x3e21_ee9e_bdb4_b1c4),
        f64::from_bits(0xbda8_fae9_be88_38d4),
    ];
    let mut quarters = 0.0;
    for eighth in EIGHTHS {
        quarters += if x >= eighth { 1.0 } else { 0.0 };
    }
    let high = x - quarters * PI_2_HIGH;
    let part = quarters * PI_2_LOW;
    let rest = high - part;
    let low = (high - rest) - part;

    let z = rest * rest;
    let w = z * z;
    let r = S[1] + z * (S[2] + z * S[3]) + z * w * (S[4] + z * S[5]);
    let v = z * rest;
    let reduced = rest - ((z * (0.5 * low - v * r) - low) - v * S[0]);
    let sin = if x < EIGHTHS[0] { rest + v * (S[0] + z * r) } else { reduced };

    let r = z * polynomial([C[0], C[1], C[2]], z) + w * w * polynomial([C[3], C[4], C[5]], z);
    let half = 0.5 * z;
    let w = 1.0 - half;
    let cos = w + (((1.0 - w) - half) + (z * r - rest * low));

    let quarter = (quarters + ROUND).to_bits();
    let (s, c) = if quarter & 1 == 0 { (sin, cos) } else { (cos, sin) };
    let signed = |flag: u64, x: f64| f64::from_bits(x.to_bits() ^ flag << 63);
    (signed(quarter >> 1, s), signed(quarter ^ quarter >> 1, c))
}

/// Whether an angle is so near to a quarter, half, three quarters or the whole of a turn that [`sin_cos`] has too few digits of pi.
#[inline(always)]
pub(super) fn near_a_quarter(x: f64) -> bool {
    let top = (x.to_bits() >> 32) as u32;
    top == 0x3ff9_21fb || top == 0x4009_21fb || top == 0x4012_d97c || top == 0x4019_21fb
}

#[cfg(test)]
mod tests;
