//! The distribution of a sum of squares of independent standard normals.

use super::ln_gamma;

/// The probabilities that the sum of `dof` squares lies below and above `x >= 0`. Neither is computed as one minus a number
/// near one.
///
/// ```math
/// P(\chi^2_\nu \le x) = \frac{\gamma(\nu/2, x/2)}{\Gamma(\nu/2)}
/// ```
///
/// ```
/// let (below, above) = fovea_core::special::chi_square_tails(3.0, 2.0);
/// assert!((above - (-1.5f64).exp()).abs() < 1e-15 && (below + above - 1.0).abs() < 1e-15);
/// ```
pub fn chi_square_tails(x: f64, dof: f64) -> (f64, f64) {
    if !(x >= 0.0 && dof > 0.0) {
        return (f64::NAN, f64::NAN);
    }
    if x == 0.0 {
        return (0.0, 1.0);
    }
    if x.is_infinite() {
        return (1.0, 0.0);
    }
    let (a, x) = (0.5 * dof, 0.5 * x);
    let factor = libm::exp(a * libm::log(x) - x - ln_gamma(a));
    if x < a + 1.0 {
        let below = factor * series(a, x);
        (below, 1.0 - below)
    } else {
        let above = factor / fraction(a, x);
        (1.0 - above, above)
    }
}

/// `sum_k x^k / (a (a+1) ... (a+k))`: DLMF 8.7.1.
fn series(a: f64, x: f64) -> f64 {
    let (mut sum, mut term, mut k) = (1.0 / a, 1.0 / a, a);
    while term > f64::EPSILON * 0.1 * sum {
        k += 1.0;
        term *= x / k;
        sum += term;
    }
    sum
}

/// `x + 1 - a - 1 (1-a) / (x + 3 - a - ...)`, the even part of DLMF 8.9.2, by the modified Lentz method.
fn fraction(a: f64, x: f64) -> f64 {
    const MAX_TERMS: u32 = 100_000;
    let mut b = x + 1.0 - a;
    let (mut value, mut c, mut d) = (b, b, 0.0);
    for k in (1..MAX_TERMS).map(f64::from) {
        let numerator = k * (a - k);
        b += 2.0;
        d = 1.0 / (b + numerator * d);
        c = b + numerator / c;
        value *= c * d;
        if (c * d - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::agrees_to_digits;

    #[test]
    fn both_tails_match_mpmath() {
        // mpmath 1.3, 40 digits: gammainc(dof/2, 0, x/2) and gammainc(dof/2, x/2), regularized.
        let table = [
            (0.5, 1.0, 0.5204998778130465, 0.4795001221869535),
            (20.0, 20.0, 0.5420702855281478, 0.4579297144718522),
            (3.2, 20.0, 7.142291801020267e-06, 0.999992857708199),
            (61.0, 20.0, 0.9999950187369255, 4.98126307442656e-06),
            (75.5, 20.0, 0.9999999775187551, 2.248124484855177e-08),
            (1.0, 7.0, 0.0051714634834845175, 0.9948285365165155),
            (12.3, 5.0, 0.9690995353645391, 0.03090046463546091),
            (40.0, 40.0, 0.52974273316076, 0.47025726683923996),
            (14.0, 40.0, 4.440247653963774e-05, 0.9999555975234604),
            (95.0, 40.0, 0.9999977308307333, 2.2691692667486068e-06),
            (150.0, 60.0, 0.9999999988387842, 1.1612157500765536e-09),
            (0.01, 3.0, 0.0002651650586556098, 0.9997348349413444),
        ];
        for (x, dof, below, above) in table {
            let (got_below, got_above) = chi_square_tails(x, dof);
            agrees_to_digits(got_below, below, 12.5).unwrap();
            agrees_to_digits(got_above, above, 12.5).unwrap();
        }
        assert!(chi_square_tails(-1.0, 3.0).0.is_nan() && chi_square_tails(1.0, 0.0).1.is_nan());
        assert_eq!(chi_square_tails(f64::INFINITY, 3.0), (1.0, 0.0));
    }
}
