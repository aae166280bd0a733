//! Gains on an axis and in words: infinity has a place and a sign of its own.

use fovea_core::Value;
use fovea_page::figure::Axis;

/// A gain as it is written in figures.
pub fn label(gain: f64) -> String {
    Value::Real(gain).to_string().replace("inf", "\u{221e}")
}

/// A gain with its name, as it is written in titles and legends.
pub fn words(gain: f64) -> String {
    format!("gain {}", label(gain))
}

/// The name of the runs at a gain.
pub fn name(gain: f64) -> String {
    format!("gain={}", Value::Real(gain))
}

/// An axis on which gains are equally spaced in their order, so that infinity has a place: gain `i` lies at `i`, with `margin` to
/// either side.
pub fn axis(gains: &[f64], margin: f64) -> Axis {
    let ticks = gains.iter().enumerate().map(|(place, gain)| (place as f64, label(*gain)));
    Axis::new("gain").range(-margin, gains.len() as f64 - 1.0 + margin).ticks_at(ticks)
}

/// A logarithmic axis of gains with a tick at every decade, on which infinity lies a decade beyond the largest gain; and the place of
/// each gain.
pub fn log_axis(gains: &[f64]) -> (Axis, Vec<f64>) {
    let finite = || gains.iter().copied().filter(|gain| gain.is_finite());
    let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(0.0, f64::max));
    let (low, high) = if low <= high { (low, high) } else { (1.0, 1.0) };
    let end = 10.0 * high;
    let decades = libm::floor(libm::log10(low)) as i32..=libm::ceil(libm::log10(high)) as i32;
    let decades = decades.map(|k| libm::pow(10.0, f64::from(k)));
    let infinite = gains.iter().any(|gain| gain.is_infinite());
    let ticks = decades.filter(|at| *at < 0.5 * end).map(|at| (at, label(at)));
    let ticks: Vec<_> = ticks.chain(infinite.then(|| (end, label(f64::INFINITY)))).collect();
    let places = gains.iter().map(|gain| gain.min(end)).collect();
    let last = if infinite { end } else { high };
    (Axis::new("gain").log().range(0.6 * low, last / 0.6).ticks_at(ticks), places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_page::figure::TickChoice;

    #[test]
    fn infinity_has_a_place_on_a_logarithmic_axis() {
        let (axis, places) = log_axis(&[0.02, 3.0, f64::INFINITY]);
        assert_eq!(places, [0.02, 3.0, 30.0]);
        let TickChoice::At(ticks) = axis.ticks else { panic!("no ticks") };
        let labels: Vec<&str> = ticks.iter().map(|(_, label)| &**label).collect();
        assert_eq!(labels, ["0.01", "0.1", "1", "10", "\u{221e}"]);
        assert_eq!(log_axis(&[f64::INFINITY]).1, [10.0]);
    }
}
