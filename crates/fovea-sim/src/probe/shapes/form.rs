//! The four forms a field is compared with, as functions on the ring.

use super::packet::packet;
use std::f64::consts::TAU;

/// A Gabor function in canonical form: positive amplitude, frequency between 0 and 1/2, phase above -pi and up to pi.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gabor {
    /// Height of the envelope.
    pub amplitude: f64,
    /// Centre of the envelope, in sites.
    pub centre: f64,
    /// Standard deviation of the envelope, in sites.
    pub width: f64,
    /// Cycles per site.
    pub frequency: f64,
    /// Phase of the wave at the centre, in radians.
    pub phase: f64,
}

impl Gabor {
    /// The same `shift` sites on, times `scale`.
    #[must_use]
    pub(super) fn moved(self, n: usize, shift: usize, scale: f64) -> Self {
        Self {
            amplitude: self.amplitude * scale.abs(),
            centre: wrapped(self.centre + shift as f64, n),
            phase: angle(if scale < 0.0 { self.phase + TAU / 2.0 } else { self.phase }),
            ..self
        }
    }
}

/// A form of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// $`A e^{-d^2/2s^2}`$.
    Bump {
        /// Height, with its sign.
        amplitude: f64,
        /// Centre, in sites.
        centre: f64,
        /// Standard deviation, in sites.
        width: f64,
    },
    /// $`A\cos(2\pi kx/n + \varphi)`$ with a whole `k`: no other frequency closes on a ring.
    Wave {
        /// Amplitude.
        amplitude: f64,
        /// Cycles around the ring.
        k: usize,
        /// Phase at site 0, in radians.
        phase: f64,
    },
    /// $`A_1 e^{-d^2/2s_1^2} + A_2 e^{-d^2/2s_2^2}`$ with amplitudes of opposite signs and $`s_1 < s_2`$.
    Dog {
        /// Heights of the narrow and the wide Gaussian, with their signs.
        amplitudes: [f64; 2],
        /// The common centre, in sites.
        centre: f64,
        /// Standard deviations, the smaller first, in sites.
        widths: [f64; 2],
    },
    /// $`A e^{-d^2/2s^2}\cos(2\pi fd + \varphi)`$.
    Gabor(Gabor),
}

impl Form {
    /// The value at a place on a ring of `n` sites, summed over all windings.
    pub fn at(&self, x: f64, n: usize) -> f64 {
        match *self {
            Self::Bump { amplitude, centre, width } => {
                amplitude * packet(displacement(x, centre, n), n, width, 0.0).value[0]
            }
            Self::Wave { amplitude, k, phase } => {
                amplitude * libm::cos(TAU * (k as f64 * x) / n as f64 + phase)
            }
            Self::Dog { amplitudes, centre, widths } => {
                let d = displacement(x, centre, n);
                amplitudes[0] * packet(d, n, widths[0], 0.0).value[0]
                    + amplitudes[1] * packet(d, n, widths[1], 0.0).value[0]
            }
            Self::Gabor(Gabor { amplitude, centre, width, frequency, phase }) => {
                let [even, odd] =
                    packet(displacement(x, centre, n), n, width, TAU * frequency).value;
                amplitude * (libm::cos(phase) * even - libm::sin(phase) * odd)
            }
        }
    }

    /// The field on a ring of `n` sites.
    pub fn field(&self, n: usize) -> Vec<f64> {
        (0..n).map(|i| self.at(i as f64, n)).collect()
    }

    /// The width: that of the envelope, of the narrow Gaussian, or the whole ring for a wave, which has none.
    pub fn width(&self, n: usize) -> f64 {
        match self {
            Self::Bump { width, .. } => *width,
            Self::Wave { .. } => n as f64,
            Self::Dog { widths, .. } => widths[0],
            Self::Gabor(gabor) => gabor.width,
        }
    }

    /// Cycles per site, zero without a wave.
    pub fn frequency(&self, n: usize) -> f64 {
        match self {
            Self::Bump { .. } | Self::Dog { .. } => 0.0,
            Self::Wave { k, .. } => *k as f64 / n as f64,
            Self::Gabor(gabor) => gabor.frequency,
        }
    }

    /// The same form `shift` sites on, times `scale`.
    #[must_use]
    pub(super) fn moved(self, n: usize, shift: usize, scale: f64) -> Self {
        let place = |centre: f64| wrapped(centre + shift as f64, n);
        match self {
            Self::Bump { amplitude, centre, width } => {
                Self::Bump { amplitude: amplitude * scale, centre: place(centre), width }
            }
            Self::Wave { amplitude, k, phase } => {
                let turned = phase - TAU * ((k * shift) % n) as f64 / n as f64;
                let phase = if scale < 0.0 { turned + TAU / 2.0 } else { turned };
                Self::Wave { amplitude: amplitude * scale.abs(), k, phase: angle(phase) }
            }
            Self::Dog { amplitudes, centre, widths } => Self::Dog {
                amplitudes: amplitudes.map(|a| a * scale),
                centre: place(centre),
                widths,
            },
            Self::Gabor(gabor) => Self::Gabor(gabor.moved(n, shift, scale)),
        }
    }
}

/// The displacement from a centre, between half a ring back and half a ring on.
pub(super) fn displacement(x: f64, centre: f64, n: usize) -> f64 {
    let (n, d) = (n as f64, x - centre);
    d - n * (d / n + 0.5).floor()
}

/// A place between 0 and `n`.
pub(super) fn wrapped(x: f64, n: usize) -> f64 {
    let (n, turns) = (n as f64, (x / n as f64).floor());
    let place = x - n * turns;
    if place < n { place } else { 0.0 }
}

/// An angle above -pi and up to pi.
pub(super) fn angle(x: f64) -> f64 {
    let half = TAU / 2.0;
    let turned = x - TAU * ((x + half) / TAU).floor();
    if turned <= -half { half } else { turned }
}
