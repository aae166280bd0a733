//! Where a function passes zero between two ends, by false position that keeps the bracket (Illinois).

/// The zero of `f` between `low` and `high`, where its signs differ; `ends` are its values there.
///
/// It ends when the bracket is `tolerance` wide, relative to its larger end, or cannot shrink any further.
///
/// # Errors
/// What `f` reports.
pub fn crossing<E>(
    [mut low, mut high]: [f64; 2],
    ends: [f64; 2],
    tolerance: f64,
    mut f: impl FnMut(f64) -> Result<f64, E>,
) -> Result<f64, E> {
    let [mut at_low, mut at_high] = ends;
    for step in 0..200 {
        let width = (high - low).abs();
        if width <= tolerance * low.abs().max(high.abs()) {
            break;
        }
        let inside = |x: f64| x > low.min(high) && x < low.max(high);
        let halved = 0.5 * (low + high);
        let leant = low - at_low * (high - low) / (at_high - at_low);
        // Every third step halves: false position alone is slow where the function is flat at one end.
        let middle = if step % 3 != 2 && inside(leant) { leant } else { halved };
        if !inside(middle) {
            break;
        }
        let now = f(middle)?;
        if now == 0.0 {
            return Ok(middle);
        }
        if (now > 0.0) == (at_high > 0.0) {
            (high, at_high) = (middle, now);
            at_low *= 0.5;
        } else {
            (low, at_low) = (middle, now);
            at_high *= 0.5;
        }
    }
    Ok(if at_low.abs() < at_high.abs() { low } else { high })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_flat_and_steep_zeros_are_found() {
        type Known = (fn(f64) -> f64, f64, f64, f64);
        let cases: [Known; 4] = [
            (|x| x * x - 2.0, 0.0, 2.0, std::f64::consts::SQRT_2),
            (|x| libm::pow(x - 0.3, 3.0), -1.0, 1.5, 0.3),
            (|x| libm::exp(50.0 * x) - 7.0, -1.0, 1.0, 0.038_918_202_981_106_26),
            (|x| 1.0 - x, 0.5, 3.0, 1.0),
        ];
        for (f, low, high, zero) in cases {
            let mut calls = 0;
            let counted = |x: f64| {
                calls += 1;
                Ok::<f64, ()>(f(x))
            };
            let got = crossing([low, high], [f(low), f(high)], 1e-14, counted).unwrap();
            assert!((got - zero).abs() < 1e-13, "{got} {zero}");
            assert!(calls < 160, "{calls}");
        }
    }
}
