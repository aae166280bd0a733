//! Averages over two preactivations that are little correlated or narrow: Mehler's series in Hermite polynomials. An odd activation does not
//! cancel in it, and its terms are averages over one preactivation.
//!
//! ```math
//! E\,f(z_a)g(z_b)=\sum_nf_ng_nr^n,\qquad f_n=\frac1{\sqrt{n!}}E[f(\sqrt{K_{aa}}u)He_n(u)]
//! ```
//!
//! The squares of the coefficients add up to the average of the square: what is left of those bounds what is left of the series.

use crate::form::FormError;

/// Terms before the series is given up.
const TERMS: usize = 40;
/// What may be left out, relative to the sum; of the squares, where the sum is nothing beside them.
const LEFT: f64 = 1e-15;
const NOTHING: f64 = 1e-18;
/// The squares are known to this share of themselves: less than that is never left of them.
const KNOWN: f64 = 1e-15;
/// Terms between two looks at how fast what is left falls.
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

/// The sum at correlation `r`, given the averages of the squares of both functions and their coefficients; none where the series is too long.
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
            // Falling on at this rate it will not be short enough.
            let looks = ((TERMS - n) / LOOK) as f64;
            if most * libm::pow(most / last, looks) > enough {
                return Ok(None);
            }
            last = most;
        }
    }
    Ok(None)
}
