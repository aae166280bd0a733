//! The five kinds of agreement a test can claim, each with the helper that enforces it.
//!
//! | kind | question | helper |
//! |---|---|---|
//! | bits | did it change? | [`same_bits`], [`same_bits_f32`] |
//! | digits | is the arithmetic right? | [`digits`], [`agrees_to_digits`], [`within`] |
//! | order | does the error shrink as claimed? | [`order`], [`has_order`] |
//! | noise | is the estimate unbiased? | [`agrees`], [`all_agree`], [`estimates_agree`] |
//! | limit | is the asymptotic claim right? | [`approaches`], [`extrapolate`], [`extrapolates_to`] |
//!
//! Rounding, truncation, finite-size bias and noise are four different errors and never share one tolerance. Every helper
//! returns a [`Disagreement`] instead of panicking, so that a negative control can assert `is_err()`.

mod exact;
mod noise;
mod seed;
mod trend;

pub use exact::{agrees_to_digits, digits, same_bits, same_bits_f32, within};
pub use noise::{FAMILY_ALPHA, agrees, all_agree, estimates_agree, noise_limit};
pub use seed::{test_seed, trials};
pub use trend::{approaches, extrapolate, extrapolates_to, has_order, order};

/// Two things that were claimed to agree and do not, with both numbers and the distance between them.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Disagreement {
    /// The two sides do not have the same number of entries.
    #[error("{got} entries against {expected}")]
    Length {
        /// Entries on the left.
        got: usize,
        /// Entries on the right.
        expected: usize,
    },
    /// Two numbers differ in their bits.
    #[error(
        "entry {index}: got {got:?}, expected {expected:?}: {ulps} representable numbers apart"
    )]
    Bits {
        /// The first entry that differs.
        index: usize,
        /// The number found.
        got: f64,
        /// The number it must be.
        expected: f64,
        /// The number of representable steps between them.
        ulps: u64,
    },
    /// Two numbers share too few digits.
    #[error("got {got:e}, expected {expected:e}: {digits:.2} digits, {required} required")]
    Digits {
        /// The number found.
        got: f64,
        /// The number it must be.
        expected: f64,
        /// The digits they share.
        digits: f64,
        /// The digits they must share.
        required: f64,
    },
    /// Two numbers are further apart than a stated tolerance.
    #[error("got {got:e}, expected {expected:e}: {distance:e} apart, {allowed:e} allowed")]
    Tolerance {
        /// The number found.
        got: f64,
        /// The number it must be.
        expected: f64,
        /// Their distance.
        distance: f64,
        /// The largest distance allowed.
        allowed: f64,
    },
    /// A fit has too few points to be meaningful.
    #[error("{got} points; a fit needs at least {needed}")]
    TooFewPoints {
        /// The points given.
        got: usize,
        /// The points needed.
        needed: usize,
    },
    /// A size, a step or an error cannot be put on a logarithmic axis.
    #[error("point {index} is {value:e}; it must be finite and above 0")]
    NotPositive {
        /// Which point.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// An exponent fitted on logarithmic axes is not the claimed one.
    #[error(
        "fitted exponent {fitted:.3}, claimed {claimed}: {distance:.3} apart, {allowed} allowed"
    )]
    Exponent {
        /// The slope of the fit.
        fitted: f64,
        /// The slope claimed.
        claimed: f64,
        /// Their distance.
        distance: f64,
        /// The largest distance allowed.
        allowed: f64,
    },
    /// A measured mean lies too many standard errors from a value.
    #[error(
        "entry {index}: measured {mean:e} +- {se:e}, expected {value:e}: z = {z:.2}, limit {limit:.2}"
    )]
    Noise {
        /// Which entry of the family.
        index: usize,
        /// The mean.
        mean: f64,
        /// Its standard error.
        se: f64,
        /// The value it must have.
        value: f64,
        /// Their distance in standard errors.
        z: f64,
        /// The limit for the family.
        limit: f64,
    },
}

/// Refuses two sides of different length.
fn same_length(got: usize, expected: usize) -> Result<(), Disagreement> {
    if got == expected { Ok(()) } else { Err(Disagreement::Length { got, expected }) }
}
