//! Gains on an axis and in words: infinity has a place and a sign of its own.

use fovea_core::Value;
use fovea_page::figure::Axis;

/// A gain as it is written in figures.
pub fn label(gain: f64) -> String {
    Value::Real(gain).to_string().replace("inf", "\u{221e}")
}

/// The name of the runs at a gain.
pub fn name(gain: f64) -> String {
    format!("gain={}", Value::Real(gain))
}

/// An axis on which gains are equally spaced in their order, so that infinity has a place; `margin` to either side.
pub fn axis(gains: &[f64], margin: f64) -> Axis {
    let ticks = gains.iter().enumerate().map(|(place, gain)| (place as f64, label(*gain)));
    Axis::new("gain").range(-margin, gains.len() as f64 - 1.0 + margin).ticks_at(ticks)
}
