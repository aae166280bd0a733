//! A Gaussian times a wave, wound around the ring.
//!
//! ```math
//! z(d) = \sum_m e^{-(d+mn)^2/2s^2}\,e^{i\theta(d+mn)}
//!      = \frac{s\sqrt{2\pi}}{n}\sum_k e^{-s^2(\theta-\kappa_k)^2/2}\,e^{i\kappa_k d},\qquad \kappa_k = 2\pi k/n .
//! ```
//!
//! The sum over windings is smooth and periodic in the displacement. A displacement cut at half the ring is not: a wave of
//! frequency `f` jumps there unless `fn` is whole, and the jump moves with the centre, so that the sum of squares would be
//! discontinuous in the parameters. Narrow packets are summed over windings, wide ones over modes (Poisson), where either takes
//! fewer than ten terms.

use std::f64::consts::{PI, TAU};

/// The packet and its derivatives, each as its real (even) and imaginary (odd) part.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packet {
    pub(super) value: [f64; 2],
    /// By the centre; the displacement falls as it grows.
    pub(super) by_centre: [f64; 2],
    /// By the width `s`.
    pub(super) by_width: [f64; 2],
    /// By the angle per site, `theta`.
    pub(super) by_angle: [f64; 2],
}

/// Terms beyond this many widths are below the rounding of a sum of order one: `exp(-9^2/2)` is 3e-18.
const REACH: f64 = 9.0;
/// Widths, as shares of the ring, from which modes are summed: there both sums have as many terms.
const WIDE: f64 = 0.4;

/// The packet at a displacement from its centre, of a width and an angle per site.
pub(super) fn packet(d: f64, n: usize, width: f64, angle: f64) -> Packet {
    let n = n as f64;
    let mut sum = Packet::default();
    if width < WIDE * n {
        let (low, high) = (-REACH * width - d, REACH * width - d);
        let (mut m, last) = ((low / n).ceil(), (high / n).floor());
        while m <= last {
            let at = d + m * n;
            let size = libm::exp(-0.5 * at * at / (width * width));
            let (sin, cos) = if angle.abs() > 0.0 { libm::sincos(angle * at) } else { (0.0, 1.0) };
            let [re, im] = [size * cos, size * sin];
            let (slope, spread) = (at / (width * width), at * at / (width * width * width));
            sum.value = add(sum.value, [re, im]);
            sum.by_centre = add(sum.by_centre, [slope * re + angle * im, slope * im - angle * re]);
            sum.by_width = add(sum.by_width, [spread * re, spread * im]);
            sum.by_angle = add(sum.by_angle, [-at * im, at * re]);
            m += 1.0;
        }
        return sum;
    }
    let unit = TAU / n;
    let (mut k, last) =
        (((angle - REACH / width) / unit).ceil(), ((angle + REACH / width) / unit).floor());
    while k <= last {
        let (mode, gap) = (k * unit, angle - k * unit);
        let size = width * TAU.sqrt() / n * libm::exp(-0.5 * (width * gap) * (width * gap));
        let (sin, cos) = libm::sincos(mode * d);
        let [re, im] = [size * cos, size * sin];
        let (spread, turn) = (1.0 / width - width * gap * gap, -width * width * gap);
        sum.value = add(sum.value, [re, im]);
        sum.by_centre = add(sum.by_centre, [mode * im, -mode * re]);
        sum.by_width = add(sum.by_width, [spread * re, spread * im]);
        sum.by_angle = add(sum.by_angle, [turn * re, turn * im]);
        k += 1.0;
    }
    sum
}

impl Packet {
    /// The packet seen from the highest frequency: `(-1)^x` times one of angle `pi - theta`, for sites `x` and a centre `c`.
    ///
    /// Since `x` is whole, it is the conjugate of `exp(i pi c) z`; the angle it is differentiated by is `pi - theta`.
    pub(super) fn seen_above(self, centre: f64) -> Self {
        let (sin, cos) = libm::sincos(PI * (centre - 2.0 * (centre / 2.0).floor()));
        let turned = |[re, im]: [f64; 2]| [cos * re - sin * im, -(sin * re + cos * im)];
        let [re, im] = self.value;
        Self {
            value: turned(self.value),
            by_centre: turned(add(self.by_centre, [-PI * im, PI * re])),
            by_width: turned(self.by_width),
            by_angle: turned(self.by_angle).map(|slope| -slope),
        }
    }
}

fn add(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The obvious sum over many windings.
    fn plain(d: f64, n: f64, s: f64, angle: f64) -> [f64; 2] {
        (-40..=40).fold([0.0, 0.0], |sum, m| {
            let at = d + f64::from(m) * n;
            let size = libm::exp(-0.5 * at * at / (s * s));
            add(sum, [size * libm::cos(angle * at), size * libm::sin(angle * at)])
        })
    }

    #[test]
    fn both_sums_are_the_plain_one_and_derivatives_are_difference_quotients() {
        for s in [0.2, 1.0, 3.9, 4.1, 9.0] {
            for angle in [0.0, 0.3, 1.7, 3.1] {
                for d in [-4.6, -1.0, 0.0, 0.4, 5.0] {
                    let (h, got) = (1e-5, packet(d, 10, s, angle));
                    let slope = |up: Packet, down: Packet, part: usize| {
                        (up.value[part] - down.value[part]) / (2.0 * h)
                    };
                    for part in 0..2 {
                        let want = plain(d, 10.0, s, angle)[part];
                        assert!((got.value[part] - want).abs() < 1e-13, "{d} {s} {angle}");
                        let centre =
                            slope(packet(d - h, 10, s, angle), packet(d + h, 10, s, angle), part);
                        assert!((got.by_centre[part] - centre).abs() < 1e-7);
                        let width =
                            slope(packet(d, 10, s + h, angle), packet(d, 10, s - h, angle), part);
                        assert!((got.by_width[part] - width).abs() < 1e-6, "{d} {s} {angle}");
                        let turn =
                            slope(packet(d, 10, s, angle + h), packet(d, 10, s, angle - h), part);
                        assert!((got.by_angle[part] - turn).abs() < 1e-6, "{d} {s} {angle}");
                    }
                }
            }
        }
    }

    #[test]
    fn seen_seen_above_a_packet_alternates() {
        for n in [10, 11] {
            for x in 0..n {
                let (c, s, slow) = (3.3, 2.4, 0.4);
                let d = |c: f64| f64::from(x) - c;
                let above =
                    |c: f64, slow: f64| packet(d(c), n as usize, s, PI - slow).seen_above(c);
                let sign = |m: i32| if (x + m * n) % 2 == 0 { 1.0 } else { -1.0 };
                let want: f64 = (-20..=20)
                    .map(|m| {
                        let at = d(c) + f64::from(m * n);
                        sign(m) * libm::exp(-0.5 * at * at / (s * s)) * libm::cos(slow * at)
                    })
                    .sum();
                let (got, h) = (above(c, slow), 1e-5);
                assert!((got.value[0] - want).abs() < 1e-13, "{n} {x}");
                for part in 0..2 {
                    let by_centre = (above(c + h, slow).value[part]
                        - above(c - h, slow).value[part])
                        / (2.0 * h);
                    let by_angle = (above(c, slow + h).value[part]
                        - above(c, slow - h).value[part])
                        / (2.0 * h);
                    assert!((got.by_centre[part] - by_centre).abs() < 1e-7);
                    assert!((got.by_angle[part] - by_angle).abs() < 1e-7);
                }
            }
        }
    }
}
