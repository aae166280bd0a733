//! Colours: a colour-blind safe palette for series, a sequential and a diverging map for fields.

use serde::{Deserialize, Serialize};

/// A colour in 8-bit sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Color(pub u8, pub u8, pub u8);

/// The ink of axes and text.
pub(super) const INK: Color = Color(0x26, 0x26, 0x26);
/// Secondary text: captions, notes.
pub(super) const SOFT: Color = Color(0x5f, 0x5f, 0x5f);
/// Cells of a heat map that hold no finite value.
pub(super) const GAP: Color = Color(0xb8, 0xb8, 0xb8);

/// Okabe and Ito's set without its yellow, which vanishes on white; ordered so that neighbours differ in lightness too.
pub const SERIES: [Color; 7] = [
    Color(0x00, 0x72, 0xb2),
    Color(0xd5, 0x5e, 0x00),
    Color(0x00, 0x9e, 0x73),
    Color(0xcc, 0x79, 0xa7),
    Color(0xe6, 0x9f, 0x00),
    Color(0x56, 0xb4, 0xe9),
    Color(0x40, 0x40, 0x40),
];

/// Viridis at 11 equal steps: perceptually uniform, readable without colour vision and in grey print.
const VIRIDIS: [Color; 11] = [
    Color(0x44, 0x01, 0x54),
    Color(0x48, 0x25, 0x76),
    Color(0x41, 0x44, 0x87),
    Color(0x35, 0x60, 0x8d),
    Color(0x2a, 0x78, 0x8e),
    Color(0x21, 0x90, 0x8c),
    Color(0x22, 0xa8, 0x84),
    Color(0x43, 0xbf, 0x71),
    Color(0x7a, 0xd1, 0x51),
    Color(0xbb, 0xdf, 0x27),
    Color(0xfd, 0xe7, 0x25),
];

/// ColorBrewer's RdBu, reversed: blue below zero, white at zero, red above; safe for the common colour deficiencies.
const BLUE_RED: [Color; 11] = [
    Color(0x05, 0x30, 0x61),
    Color(0x21, 0x66, 0xac),
    Color(0x43, 0x93, 0xc3),
    Color(0x92, 0xc5, 0xde),
    Color(0xd1, 0xe5, 0xf0),
    Color(0xff, 0xff, 0xff),
    Color(0xfd, 0xdb, 0xc7),
    Color(0xf4, 0xa5, 0x82),
    Color(0xd6, 0x60, 0x4d),
    Color(0xb2, 0x18, 0x2b),
    Color(0x67, 0x00, 0x1f),
];

/// How a field's values become colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ColorMap {
    /// Dark to light, for values with an order and no centre.
    Sequential,
    /// Blue, white, red, symmetric about zero: white always means zero.
    Diverging,
}

impl ColorMap {
    /// The colour at `t` in [0, 1]; values outside are clamped.
    pub fn at(self, t: f64) -> Color {
        let table = match self {
            ColorMap::Sequential => &VIRIDIS,
            ColorMap::Diverging => &BLUE_RED,
        };
        let place = t.clamp(0.0, 1.0) * (table.len() - 1) as f64;
        let i = (place.floor() as usize).min(table.len() - 2);
        table[i].mix(table[i + 1], place - i as f64)
    }
}

impl Color {
    /// The colour of ordered series `i` of `n` (gains, widths, lengths): a ramp from dark to light that stops short of pale.
    pub fn ramp(i: usize, n: usize) -> Color {
        let t = if n < 2 { 0.3 } else { i as f64 / (n - 1) as f64 };
        ColorMap::Sequential.at(0.08 + 0.72 * t)
    }

    /// The colour between `self` (t = 0) and `other` (t = 1).
    #[must_use]
    pub fn mix(self, other: Color, t: f64) -> Color {
        let blend = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * t).round() as u8;
        Color(blend(self.0, other.0), blend(self.1, other.1), blend(self.2, other.2))
    }

    /// The same hue, dark enough to be read as text on white (contrast at least 4.5).
    #[must_use]
    pub fn as_text(self) -> Color {
        let mut color = self;
        while color.luminance() > 0.18 {
            color = color.mix(Color(0, 0, 0), 0.06);
        }
        color
    }

    /// Relative luminance, 0 for black and 1 for white.
    fn luminance(self) -> f64 {
        let linear = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// The colour as SVG and CSS write it.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_white_and_the_ends_are_blue_and_red() {
        assert_eq!(ColorMap::Diverging.at(0.5), Color(255, 255, 255));
        assert_eq!(ColorMap::Diverging.at(-3.0).hex(), "#053061");
        assert_eq!(ColorMap::Diverging.at(7.0).hex(), "#67001f");
    }

    #[test]
    fn the_sequential_map_grows_lighter_all_the_way() {
        let light: Vec<f64> =
            (0..=100).map(|i| ColorMap::Sequential.at(f64::from(i) / 100.0).luminance()).collect();
        assert!(light.windows(2).all(|w| w[1] > w[0] - 1e-3), "{light:?}");
    }

    #[test]
    fn every_series_colour_is_readable_as_text() {
        for color in SERIES.into_iter().chain((0..5).map(|i| Color::ramp(i, 5))) {
            let contrast = 1.05 / (color.as_text().luminance() + 0.05);
            assert!(contrast >= 4.5, "{color:?} {contrast}");
        }
    }
}
