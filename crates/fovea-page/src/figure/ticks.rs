//! Ticks at round numbers, all labels of an axis in one notation.

/// A mark on an axis; an unlabelled one is minor.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    /// In the markup of labels; empty for a minor tick.
    pub(super) label: String,
}

/// The ticks of one axis and the power of ten its labels leave out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ticks {
    pub(super) ticks: Vec<Tick>,
    /// Labels are to be read times 10 to this power; zero when they are whole.
    pub(super) power: i32,
}

/// Ten to an integer power; exact for 0..=22, correctly rounded for -22..0.
pub(super) fn pow10(k: i32) -> f64 {
    let positive = (0..k.unsigned_abs()).fold(1.0, |p, _| p * 10.0);
    if k < 0 { 1.0 / positive } else { positive }
}

/// `i` times `digit` times ten to `k`, without the error of a rounded step.
fn multiple(i: f64, digit: f64, k: i32) -> f64 {
    if k < 0 { i * digit / pow10(-k) } else { i * digit * pow10(k) }
}

/// About `target` ticks at multiples of 1, 2 or 5 times a power of ten inside `low..=high`.
pub(super) fn linear(low: f64, high: f64, target: usize) -> Ticks {
    let span = high - low;
    // The bound keeps ten to the exponent finite and the multiples exact.
    if !(span.is_finite() && span > 1e-200) || low.abs().max(high.abs()) > 1e200 {
        return Ticks::default();
    }
    let target = target.max(1) as f64;
    let mut k = libm::floor(libm::log10(span / target)) as i32;
    let mut digit = 1.0;
    for candidate in [1.0, 2.0, 5.0, 10.0] {
        digit = candidate;
        if span / multiple(1.0, digit, k) <= target + 0.5 {
            break;
        }
    }
    if digit > 5.0 {
        (digit, k) = (1.0, k + 1);
    }
    let step = multiple(1.0, digit, k);
    // A hair of tolerance keeps an end that misses its tick by rounding.
    let first = libm::ceil(low / step - 1e-9);
    let last = libm::floor(high / step + 1e-9);
    if last - first > 1000.0 {
        return Ticks::default();
    }
    let values: Vec<f64> = (0..=(last - first).max(-1.0) as i64)
        .take_while(|_| last >= first)
        .map(|i| multiple(first + i as f64, digit, k) + 0.0)
        .collect();
    label(values, k)
}

/// Labels for linear ticks whose step has its last digit at ten to `k`.
fn label(values: Vec<f64>, k: i32) -> Ticks {
    let largest = values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let top = if largest > 0.0 { libm::floor(libm::log10(largest) + 1e-12) as i32 } else { 0 };
    let power = if !(-3..5).contains(&top) || -k > 5 && top < 0 { top } else { 0 };
    let decimals = (power - k).max(0) as usize;
    let ticks = values
        .into_iter()
        .map(|value| {
            let shown = if power < 0 { value * pow10(-power) } else { value / pow10(power) };
            Tick { value, label: decimal(shown, decimals) }
        })
        .collect();
    Ticks { ticks, power }
}

/// A decimal with a true minus and thin spaces between thousands from five digits on.
pub(super) fn decimal(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let whole = text.find('.').unwrap_or(text.len());
    let mut out = String::new();
    if value < 0.0 && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        out.push('−');
    }
    for (i, c) in text.chars().enumerate() {
        if i > 0 && i < whole && whole > 4 && (whole - i) % 3 == 0 {
            out.push('\u{2009}');
        }
        out.push(c);
    }
    out
}

/// Decades inside `low..=high` as powers of ten, thinned to about `target`, with minor ticks between. A range too short for
/// decades gets 1, 2, 5 in plain decimals, or round numbers.
pub(super) fn log10(low: f64, high: f64, target: usize) -> Ticks {
    if !(low > 0.0 && high > low && high.is_finite()) {
        return Ticks::default();
    }
    let (a, b) = (libm::log10(low), libm::log10(high));
    let (first, last) = (libm::ceil(a - 1e-9) as i32, libm::floor(b + 1e-9) as i32);
    if last - first < 1 {
        return short_log(low, high, target, (first - 1, last + 1));
    }
    let every = (1..=last - first)
        .find(|n| (last - first) / n < target.max(2) as i32)
        .unwrap_or(last - first);
    // Labelled decades are multiples of the stride, so that 1 is among them when it is in range.
    let labelled = |k: i32| k.rem_euclid(every) == 0;
    let mut ticks = Vec::new();
    for k in first - 1..=last {
        if k >= first {
            let label = if labelled(k) { format!("$10^{{{k}}}$") } else { String::new() };
            ticks.push(Tick { value: pow10(k), label });
        }
        for digit in (2..10).take_while(|_| every == 1 && last - first <= 6) {
            let value = multiple(1.0, f64::from(digit), k);
            if (low..=high).contains(&value) {
                ticks.push(Tick { value, label: String::new() });
            }
        }
    }
    Ticks { ticks, power: 0 }
}

fn short_log(low: f64, high: f64, target: usize, decades: (i32, i32)) -> Ticks {
    let mut values = Vec::new();
    for k in decades.0..=decades.1 {
        for digit in [1.0, 2.0, 5.0] {
            values.push((multiple(1.0, digit, k), k));
        }
    }
    values.retain(|(v, _)| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(v));
    let plain = low >= 1e-3 && high < 1e5;
    if values.len() < 2 || !plain {
        return linear(low, high, target);
    }
    let ticks = values
        .into_iter()
        .map(|(value, k)| Tick { value, label: decimal(value, (-k).max(0) as usize) })
        .collect();
    Ticks { ticks, power: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &Ticks) -> String {
        let shown: Vec<&str> =
            ticks.ticks.iter().map(|t| &*t.label).filter(|l| !l.is_empty()).collect();
        format!("{} p{}", shown.join(" "), ticks.power)
    }

    #[test]
    fn linear_ticks_are_round_and_in_one_notation() {
        for (low, high, expected) in [
            (0.0, 1.0, "0.0 0.2 0.4 0.6 0.8 1.0 p0"),
            (-0.3, 0.3, "−0.3 −0.2 −0.1 0.0 0.1 0.2 0.3 p0"),
            (0.0, 40.0, "0 10 20 30 40 p0"),
            (0.0, 20000.0, "0 5000 10\u{2009}000 15\u{2009}000 20\u{2009}000 p0"),
            (0.0, 3e6, "0.0 0.5 1.0 1.5 2.0 2.5 3.0 p6"),
            (2e-5, 9e-5, "2 4 6 8 p-5"),
            (99.97, 100.02, "99.97 99.98 99.99 100.00 100.01 100.02 p0"),
            (-1e-9, 1.0, "0.0 0.2 0.4 0.6 0.8 1.0 p0"),
        ] {
            assert_eq!(labels(&linear(low, high, 6)), expected, "{low}..{high}");
        }
    }

    #[test]
    fn awkward_ranges_neither_hang_nor_fill_the_axis() {
        for (low, high) in
            [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (1e300, 2e300)]
        {
            assert!(linear(low, high, 6).ticks.is_empty(), "{low}..{high}");
            assert!(log10(low, high, 6).ticks.len() < 40, "{low}..{high}");
        }
        assert!(linear(1e15, 1e15 + 1.0, 6).ticks.len() < 10);
        assert!(log10(-1.0, 10.0, 6).ticks.is_empty());
    }

    #[test]
    fn log_ticks_are_powers_of_ten_unless_the_range_is_short() {
        assert_eq!(
            labels(&log10(0.9, 1.1e4, 6)),
            "$10^{0}$ $10^{1}$ $10^{2}$ $10^{3}$ $10^{4}$ p0"
        );
        assert_eq!(
            labels(&log10(1e-12, 1.0, 5)),
            "$10^{-12}$ $10^{-9}$ $10^{-6}$ $10^{-3}$ $10^{0}$ p0"
        );
        assert_eq!(labels(&log10(0.3, 6.0, 6)), "0.5 1 2 5 p0");
        assert_eq!(labels(&log10(2.0, 3.0, 6)), "2.0 2.2 2.4 2.6 2.8 3.0 p0");
    }

    #[test]
    fn minor_ticks_lie_between_decades() {
        let ticks = log10(1.0, 100.0, 6);
        assert_eq!(ticks.ticks.iter().filter(|t| t.label.is_empty()).count(), 16);
    }
}
