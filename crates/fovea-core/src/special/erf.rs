//! The error function, its complement, and the inverses of both.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

use super::horner;

/// The error function, $`\mathrm{erf}(x) = \frac{2}{\sqrt\pi}\int_0^x e^{-u^2}\,du`$.
///
/// ```
/// use fovea_core::special::{erf, inv_erf};
/// assert!((inv_erf(erf(0.7)) - 0.7).abs() < 1e-15);
/// ```
pub fn erf(x: f64) -> f64 {
    libm::erf(x)
}

/// The complement $`1 - \mathrm{erf}(x)`$, with full relative accuracy where it is tiny.
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// The inverse of [`erf`] on $`[-1, 1]`$; the ends give the infinities.
///
/// Near an end the argument itself is too coarse: a caller who knows $`1 - y`$ exactly uses [`inv_erfc`].
pub fn inv_erf(y: f64) -> f64 {
    if y.abs() <= CENTRE {
        centre(y)
    } else if y.abs() <= 1.0 {
        // 1 - |y| is exact here, so nothing is lost by using the complement.
        tail(1.0 - y.abs()).copysign(y)
    } else {
        f64::NAN
    }
}

/// The inverse of [`erfc`] on $`[0, 2]`$, accurate down to the smallest normal number; the ends give the infinities.
pub fn inv_erfc(q: f64) -> f64 {
    if (1.0 - q).abs() <= CENTRE {
        centre(1.0 - q)
    } else if (0.0..=1.0).contains(&q) {
        tail(q)
    } else if (1.0..=2.0).contains(&q) {
        -tail(2.0 - q)
    } else {
        f64::NAN
    }
}

/// The border between Wichura's central and tail approximations, `2 * 0.425` on the scale of `erf`.
const CENTRE: f64 = 0.85;

/// `inv_erf(y)` for `|y| <= CENTRE`: AS241 gives the normal quantile of `(1 + y) / 2`,
/// and one Newton step removes its rounding.
fn centre(y: f64) -> f64 {
    let half = 0.5 * y;
    let r = 0.180625 - half * half;
    let x = half * horner(&CENTRE_NUM, r) / horner(&CENTRE_DEN, r) * FRAC_1_SQRT_2;
    x - (erf(x) - y) / (FRAC_2_SQRT_PI * libm::exp(-x * x))
}

/// `inv_erfc(q)` for `0 <= q <= 1 - CENTRE`: AS241, then one Newton step on the logarithm.
///
/// The step costs one `erfc` and makes the result independent of the range of the rational fit: the tail of
/// `erfc` is known to full relative accuracy and its inverse is well conditioned there.
fn tail(q: f64) -> f64 {
    if q == 0.0 {
        return f64::INFINITY;
    }
    let r = (-libm::log(0.5 * q)).sqrt();
    let z = if r <= 5.0 {
        horner(&TAIL_NUM, r - 1.6) / horner(&TAIL_DEN, r - 1.6)
    } else {
        horner(&FAR_NUM, r - 5.0) / horner(&FAR_DEN, r - 5.0)
    };
    let x = z * FRAC_1_SQRT_2;
    let slope = FRAC_2_SQRT_PI * libm::exp(-x * x);
    if slope < f64::MIN_POSITIVE {
        return x; // subnormal: a quotient of two numbers with few bits would only add error
    }
    x + (erfc(x) - q) / slope
}

// Wichura (1988), Algorithm AS241 (PPND16), Applied Statistics 37, 477-484; highest power first.
const CENTRE_NUM: [f64; 8] = [
    2509.0809287301227,
    33430.57558358813,
    67265.7709270087,
    45921.95393154987,
    13731.69376550946,
    1971.5909503065513,
    133.14166789178438,
    3.3871328727963665,
];
const CENTRE_DEN: [f64; 8] = [
    5226.495278852854,
    28729.085735721943,
    39307.89580009271,
    21213.794301586597,
    5394.196021424751,
    687.1870074920579,
    42.31333070160091,
    1.0,
];
const TAIL_NUM: [f64; 8] = [
    0.0007745450142783414,
    0.022723844989269184,
    0.2417807251774506,
    1.2704582524523684,
    3.6478483247632045,
    5.769497221460691,
    4.630337846156546,
    1.4234371107496835,
];
const TAIL_DEN: [f64; 8] = [
    1.0507500716444169e-9,
    0.0005475938084995345,
    0.015198666563616457,
    0.14810397642748008,
    0.6897673349851,
    1.6763848301838038,
    2.053191626637759,
    1.0,
];
const FAR_NUM: [f64; 8] = [
    2.0103343992922881e-7,
    2.7115555687434876e-5,
    0.0012426609473880784,
    0.026532189526576124,
    0.29656057182850487,
    1.7848265399172913,
    5.463784911164114,
    6.657904643501103,
];
const FAR_DEN: [f64; 8] = [
    2.0442631033899397e-15,
    1.421511758316446e-7,
    1.8463183175100548e-5,
    0.0007868691311456133,
    0.014875361290850615,
    0.1369298809227358,
    0.599832206555888,
    1.0,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::{agrees_to_digits, within};

    #[test]
    fn inv_erf_matches_mpmath() {
        // mpmath 1.3, 60 digits: erfinv(y) at the double nearest y.
        let table = [
            (1e-300, 8.86226925452758e-301),
            (1e-10, 8.862269254527581e-11),
            (0.1, 0.08885599049425769),
            (0.3, 0.2724627147267543),
            (0.5, 0.4769362762044699),
            (0.7, 0.7328690779592167),
            (0.84, 0.9935356283473041),
            (0.86, 1.0435418436397588),
            (0.95, 1.3859038243496777),
            (0.999, 2.3267537655135246),
            (0.999999999, 4.320005388105362),
            (0.9999999999999999, 5.8635847487551676),
        ];
        for (y, x) in table {
            agrees_to_digits(inv_erf(y), x, 15.3).unwrap();
            agrees_to_digits(inv_erf(-y), -x, 15.3).unwrap();
        }
    }

    #[test]
    fn inv_erfc_matches_mpmath_far_into_the_tail() {
        // mpmath 1.3, 60 digits: findroot on log(erfc(x)) - log(q), erfinv(1 - q) for q > 0.1.
        let table = [
            (1.999999, -3.4589107372909473),
            (1.9, -1.1630871536766738),
            (1.2, -0.17914345462129164),
            (1.0000001, -8.862269259701992e-8),
            (0.8, 0.17914345462129164),
            (0.5, 0.4769362762044699),
            (0.2, 0.9061938024368232),
            (0.14, 1.0435418436397588),
            (0.001, 2.3267537655135246),
            (1e-10, 4.572824967389486),
            (1e-50, 10.592090169527365),
            (1e-100, 15.065574702592645),
            (1e-200, 21.37478304902626),
            (1e-300, 26.209469960516124),
        ];
        for (q, x) in table {
            agrees_to_digits(inv_erfc(q), x, 15.3).unwrap();
        }
    }

    #[test]
    fn there_and_back_again() {
        // Away from the ends x is the accurate number; towards them erf itself is, and erfc further out.
        for i in -800..=800 {
            let x = f64::from(i) / 1000.0 + 1e-7;
            agrees_to_digits(inv_erf(erf(x)), x, 15.0).unwrap();
        }
        for i in -5800..=5800 {
            let y = erf(f64::from(i) / 1000.0 + 1e-7);
            within(erf(inv_erf(y)), y, 2.0 * f64::EPSILON, 0.0).unwrap();
        }
        for i in -800..26_000 {
            let x = f64::from(i) / 1000.0 + 1e-7;
            // Around zero erfc is near one, and its last place is an absolute error of x.
            within(inv_erfc(erfc(x)), x, 4.0 * f64::EPSILON, 2.0 * f64::EPSILON).unwrap();
        }
        // The last numbers before the ends, and the first ones after zero.
        let last = 1.0 - f64::EPSILON / 2.0;
        within(erf(inv_erf(last)), last, f64::EPSILON, 0.0).unwrap();
        within(erf(inv_erf(1e-300)), 1e-300, 2.0 * f64::EPSILON, 0.0).unwrap();
    }

    #[test]
    fn the_ends_give_the_infinities_and_beyond_them_there_is_nothing() {
        assert!(inv_erf(1.0).is_infinite() && inv_erf(1.0) > 0.0);
        assert!(inv_erf(-1.0).is_infinite() && inv_erf(-1.0) < 0.0);
        assert!(inv_erfc(0.0).is_infinite() && inv_erfc(0.0) > 0.0);
        assert!(inv_erfc(2.0).is_infinite() && inv_erfc(2.0) < 0.0);
        assert!(inv_erf(1.1).is_nan() && inv_erfc(-0.1).is_nan() && inv_erf(f64::NAN).is_nan());
    }
}
