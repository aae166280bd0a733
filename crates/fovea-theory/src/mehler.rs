//! Averages over two preactivations that are weakly correlated or narrow: Mehler's series in Hermite polynomials. An odd activation
//! does not cancel in it, and its terms are averages over one preactivation.
//!
//! ```math
//! E\,f(z_a)g(z_b)=\sum_nf_ng_nr^n,\qquad f_n=\frac1{\sqrt{n!}}E[f(\sqrt{K_{aa}}u)He_n(u)]
//! ```
//!
//! The squares of the coefficients add up to the average of the square: the rest of that sum bounds the rest of the series.

use crate::form::FormError;

/// The largest number of terms.
const TERMS: usize = 40;
/// The allowed remainder relative to the sum.
const LEFT: f64 = 1e-15;
/// The allowed remainder relative to the squares, if the sum is negligible compared with them.
const NOTHING: f64 = 1e-18;
/// The relative accuracy of the squares: their remainder is taken to be at least this share.
const KNOWN: f64 = 1e-15;
/// Terms between two checks of how fast the remainder decreases.
const LOOK: usize = 6;

/// $`He_n(x)/\sqrt{n!}`$, by its recurrence.
pub(crate) fn normalised(n: usize, x: f64) -> f64 {
    let (mut before, mut now) = (0.0, 1.0);
    for j in 0..n {
        let j = j as f64;
        (before, now) = (now, (x * now - j.sqrt() * before) / (j + 1.0).sqrt());
    }
    now
}

/// The sum at correlation `r`, given the averages of the squares of both functions and their coefficients; `None` if the series is
/// too long.
///
/// # Errors
/// What `coefficients` reports.
pub(crate) fn sum(
    r: f64,
    squares: [f64; 2],
    coefficients: impl Fn(usize) -> Result<[f64; 2], FormError>,
) -> Result<Option<f64>, FormError> {
    let size = (squares[0] * squares[1]).sqrt();
    let (mut left, mut sum, mut power) = (squares, 0.0, 1.0);
    let mut last = size;
    for n in 0..TERMS {
        let [a, b] = coefficients(n)?;
        sum += power * a * b;
        power *= r;
        left = [left[0] - a * a, left[1] - b * b];
        let known = |i: usize| left[i].max(KNOWN * squares[i]);
        let most = power.abs() * (known(0) * known(1)).sqrt();
        let enough = (LEFT * sum.abs()).max(if n < 3 { 0.0 } else { NOTHING * size });
        if most <= enough {
            return Ok(Some(sum));
        }
        if n % LOOK == LOOK - 1 {
            // At this rate the series will not be short enough.
            let looks = ((TERMS - n) / LOOK) as f64;
            if most * libm::pow(most / last, looks) > enough {
                return Ok(None);
            }
            last = most;
        }
    }
    Ok(None)
}
