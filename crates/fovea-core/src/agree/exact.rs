//! Agreement of deterministic numbers: in bits, in digits, within a stated tolerance.

use super::{Disagreement, same_length};

/// Requires that two slices hold the same bits.
///
/// Zeros of different sign differ, and a NaN equals only a NaN with the same payload.
///
/// # Errors
/// The first entry that differs, or the two lengths.
pub fn same_bits(got: &[f64], expected: &[f64]) -> Result<(), Disagreement> {
    same_length(got.len(), expected.len())?;
    let differs = |i: &usize| got[*i].to_bits() != expected[*i].to_bits();
    match (0..got.len()).find(differs) {
        Some(index) => Err(Disagreement::Bits {
            index,
            got: got[index],
            expected: expected[index],
            ulps: rank(got[index]).abs_diff(rank(expected[index])),
        }),
        None => Ok(()),
    }
}

/// Requires that two slices of single-precision numbers hold the same bits.
///
/// # Errors
/// The first entry that differs, or the two lengths.
pub fn same_bits_f32(got: &[f32], expected: &[f32]) -> Result<(), Disagreement> {
    same_length(got.len(), expected.len())?;
    let differs = |i: &usize| got[*i].to_bits() != expected[*i].to_bits();
    match (0..got.len()).find(differs) {
        Some(index) => Err(Disagreement::Bits {
            index,
            got: got[index].into(),
            expected: expected[index].into(),
            ulps: rank_f32(got[index]).abs_diff(rank_f32(expected[index])),
        }),
        None => Ok(()),
    }
}

/// The position of a number in the order of all representable ones; -0 is just below +0.
fn rank(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits < 0 { i64::MIN.wrapping_sub(bits).wrapping_sub(1) } else { bits }
}

/// The position of a single-precision number in the order of all representable ones.
fn rank_f32(x: f32) -> i64 {
    let bits = i64::from(x.to_bits() as i32);
    if bits < 0 { i64::from(i32::MIN) - bits - 1 } else { bits }
}

/// The number of decimal digits that two numbers share, $`-\log_{10} |got - expected| / |expected|`$, from 0 to 17.
///
/// Equal numbers (also equal infinities) share 17. A number that should be 0 and is not, or a NaN, shares none.
///
/// ```
/// use fovea_core::agree::digits;
/// assert!((digits(1.001, 1.0) - 3.0).abs() < 1e-9);
/// ```
pub fn digits(got: f64, expected: f64) -> f64 {
    const ALL: f64 = 17.0;
    let gap = got - expected;
    if gap == 0.0 || got.to_bits() == expected.to_bits() {
        return if got.is_nan() { 0.0 } else { ALL };
    }
    let digits = -libm::log10(gap.abs() / expected.abs());
    // The comparison is false for the NaN of inf/inf, which is not agreement either.
    if digits > 0.0 { digits.min(ALL) } else { 0.0 }
}

/// Requires that two numbers share at least `required` decimal digits.
///
/// # Errors
/// Both numbers and the digits they share.
pub fn agrees_to_digits(got: f64, expected: f64, required: f64) -> Result<(), Disagreement> {
    let digits = digits(got, expected);
    if digits >= required {
        Ok(())
    } else {
        Err(Disagreement::Digits { got, expected, digits, required })
    }
}

/// Requires $`|got - expected| \le abs + rel\,|expected|`$, for references that state a tolerance.
///
/// # Errors
/// Both numbers, their distance and the distance allowed.
pub fn within(got: f64, expected: f64, rel: f64, abs: f64) -> Result<(), Disagreement> {
    let allowed = abs + rel * expected.abs();
    let distance = (got - expected).abs();
    // Equal infinities have no distance; a NaN fails both comparisons.
    if distance <= allowed && allowed.is_finite()
        || got.to_bits() == expected.to_bits() && !got.is_nan()
    {
        Ok(())
    } else {
        Err(Disagreement::Tolerance { got, expected, distance, allowed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_bits_holds_for_copies_and_names_the_first_difference() {
        let x = [1.0, -2.5, f64::NAN];
        assert!(
            same_bits(&x, &x).is_ok() && same_bits_f32(&[1.0, f32::NAN], &[1.0, f32::NAN]).is_ok()
        );
        let next = f64::from_bits(1.0_f64.to_bits() + 3);
        assert_eq!(
            same_bits(&[0.0, next], &[0.0, 1.0]),
            Err(Disagreement::Bits { index: 1, got: next, expected: 1.0, ulps: 3 })
        );
        assert_eq!(same_bits(&[1.0], &[]), Err(Disagreement::Length { got: 1, expected: 0 }));
        let message = same_bits_f32(&[1.0], &[-1.0]).unwrap_err().to_string();
        assert!(message.contains("1.0") && message.contains("-1.0"), "{message}");
    }

    #[test]
    fn bits_tell_the_two_zeros_apart_by_one_step() {
        let zeros = same_bits(&[-0.0], &[0.0]).unwrap_err();
        assert!(matches!(zeros, Disagreement::Bits { ulps: 1, .. }), "{zeros:?}");
        let zeros = same_bits_f32(&[-0.0], &[0.0]).unwrap_err();
        assert!(matches!(zeros, Disagreement::Bits { ulps: 1, .. }), "{zeros:?}");
        let tiny = f64::from_bits(1);
        let across = same_bits(&[-tiny], &[tiny]).unwrap_err();
        assert!(matches!(across, Disagreement::Bits { ulps: 3, .. }), "{across:?}");
    }

    #[test]
    fn digits_count_what_two_numbers_share() {
        assert!((digits(1.0 + 1e-12, 1.0) - 12.0).abs() < 1e-3);
        assert!((digits(-2e-200 * (1.0 + 1e-6), -2e-200) - 6.0).abs() < 1e-3);
        assert!((digits(0.3, 0.3) - 17.0).abs() < 1e-15);
        assert!((digits(0.0, -0.0) - 17.0).abs() < 1e-15);
        assert!((digits(f64::INFINITY, f64::INFINITY) - 17.0).abs() < 1e-15);
        for (got, expected) in
            [(1e-30, 0.0), (1.0, -1.0), (f64::INFINITY, 1.0), (1.0, f64::INFINITY)]
        {
            assert!(digits(got, expected) == 0.0, "{got} {expected}");
        }
        assert!(digits(f64::NAN, 1.0) == 0.0 && digits(f64::NAN, f64::NAN) == 0.0);
    }

    #[test]
    fn a_wrong_last_digit_is_noticed_where_it_must_be() {
        assert!(agrees_to_digits(1.0 + 1e-12, 1.0, 11.9).is_ok());
        let error = agrees_to_digits(1.0 + 1e-12, 1.0, 12.5).unwrap_err();
        assert!(error.to_string().contains("12.5 required"), "{error}");
    }

    #[test]
    fn within_adds_the_two_tolerances_and_refuses_the_rest() {
        assert!(within(101.0, 100.0, 0.005, 0.5).is_ok());
        assert!(within(101.1, 100.0, 0.005, 0.5).is_err());
        assert!(within(0.0, 0.0, 0.0, 0.0).is_ok());
        assert!(within(f64::INFINITY, f64::INFINITY, 1e-3, 0.0).is_ok());
        assert!(within(1.0, f64::INFINITY, 1e-3, 0.0).is_err());
        assert!(within(f64::NAN, f64::NAN, 1.0, 1.0).is_err());
    }
}
