//! The fit of a Gabor to a field whose largest weight is 1 and lies on site 0.
//!
//! The iteration runs over the coefficients of the even part and of the odd part divided by the angle `theta`, the centre, the
//! logarithm of the width, and `theta^2`: in these the forms are smooth down to frequency 0, where the odd part is a straight line
//! times the envelope. Near the highest frequency the same holds of `pi - theta`, so that there are two charts.

use super::form::{Form, Gabor, angle, displacement, wrapped};
use super::packet::packet;
use super::solve::{FOLLOWED, FREE, log_widths, solved};
use super::start::packets;
use fovea_core::fit::Fit;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The best Gabor, its sum of squares, and the standard errors of amplitude, centre, width, frequency and phase.
pub(super) fn gabor(y: &[f64], bump: Form) -> (Gabor, f64, [f64; 5]) {
    let n = y.len();
    // A hundredth of a cycle around the ring: below it a wave is a straight line, and amplitude and phase are undetermined.
    let slowest = TAU / (100.0 * n as f64);
    let (mut low, mut high) = (Vec::new(), Vec::new());
    if let Form::Bump { amplitude, centre, width } = bump {
        low.push(vec![amplitude, 0.0, centre, libm::log(width), slowest * slowest]);
    }
    for start in packets(y).iter().take(FOLLOWED) {
        let [even, odd] = start.parts;
        let (above, theta) = (start.angle > FRAC_PI_2, start.angle.min(PI - start.angle));
        // The centre is a site, so that the packet seen from above is the conjugate, up to a sign.
        let sign = if start.centre % 2.0 > 0.5 { -1.0 } else { 1.0 };
        let [even, odd] = if above { [sign * even, -sign * odd] } else { [even, odd] };
        let start = vec![even, odd * theta, start.centre, libm::log(start.width), theta * theta];
        if above { high.push(start) } else { low.push(start) }
    }
    let mut best = chart(y, slowest, false, &low);
    if !high.is_empty() {
        let other = chart(y, slowest, true, &high);
        best = if other.1 < best.1 { other } else { best };
    }
    best
}

/// The best Gabor on the chart of low or of high frequencies.
fn chart(y: &[f64], slowest: f64, above: bool, starts: &[Vec<f64>]) -> (Gabor, f64, [f64; 5]) {
    let n = y.len();
    let model = |p: &[f64], r: &mut [f64], jacobian: &mut [f64]| {
        let (width, theta) = (libm::exp(p[3]), p[4].sqrt());
        for i in 0..n {
            let d = displacement(i as f64, p[2], n);
            let at = if above {
                packet(d, n, width, PI - theta).seen_above(p[2])
            } else {
                packet(d, n, width, theta)
            };
            let mix = |parts: [f64; 2]| p[0] * parts[0] + p[1] / theta * parts[1];
            r[i] = mix(at.value) - y[i];
            jacobian[i] = at.value[0];
            jacobian[n + i] = at.value[1] / theta;
            jacobian[2 * n + i] = mix(at.by_centre);
            jacobian[3 * n + i] = width * mix(at.by_width);
            let turned = mix(at.by_angle) - p[1] * at.value[1] / (theta * theta);
            jacobian[4 * n + i] = turned / (2.0 * theta);
        }
    };
    let fastest = 0.75 * PI;
    let bounds = [FREE, FREE, FREE, log_widths(n), (slowest * slowest, fastest * fastest)];
    let fit = solved(y, &bounds, &model, starts);
    let (gabor, errors) = canonical(&fit, n, above);
    (gabor, fit.rss, errors)
}

/// The parameters in canonical form, with their standard errors by linear propagation.
///
/// An error is at most what is known without a fit: half the ring for a centre, the ring for a width, 1/2 for a
/// frequency, pi for a phase, and the amplitude itself. A parameter that the field does not determine has that error.
fn canonical(fit: &Fit, n: usize, above: bool) -> (Gabor, [f64; 5]) {
    let p = &fit.params;
    let theta = p[4].sqrt();
    let (even, odd) = (p[0], p[1] / theta);
    let amplitude = libm::hypot(even, odd);
    let (width, f) = (libm::exp(p[3]), theta / TAU);
    let phase = libm::atan2(-odd, even);
    let safe = if amplitude > 0.0 { amplitude } else { 1.0 };
    // d odd / d p_4 = -odd / (2 theta^2)
    let by_q = -odd / (2.0 * p[4]);
    let by_amplitude = [even / safe, odd / safe / theta, 0.0, 0.0, odd / safe * by_q];
    let (sin, cos) = (odd / safe / safe, even / safe / safe);
    let mut by_phase = [sin, -cos / theta, 0.0, 0.0, -cos * by_q];
    if above {
        by_phase = by_phase.map(|slope| -slope);
        by_phase[2] = PI;
    }
    let unit = |j: usize, slope: f64| std::array::from_fn(|i| if i == j { slope } else { 0.0 });
    let slopes: [[f64; 5]; 5] =
        [by_amplitude, unit(2, 1.0), unit(3, width), unit(4, 0.5 / (TAU * theta)), by_phase];
    let most = [amplitude, n as f64 / 2.0, n as f64, 0.5, PI];
    let error = |i: usize| {
        let slope = &slopes[i];
        let unknown = (0..5).any(|j| slope[j].abs() > 0.0 && fit.undetermined[j]);
        let terms = (0..5)
            .flat_map(|a| (0..5).map(move |b| slope[a] * fit.covariance[a * 5 + b] * slope[b]));
        let error = terms.sum::<f64>().max(0.0).sqrt();
        if unknown || error > most[i] || error.is_nan() { most[i] } else { error }
    };
    // (-1)^x cos((pi - theta) d + phase) = cos(theta d + pi c - phase)
    let [frequency, phase] = if above { [0.5 - f, PI * p[2] - phase] } else { [f, phase] };
    let centre = wrapped(p[2], n);
    let gabor = Gabor { amplitude, centre, width, frequency, phase: angle(phase) };
    (gabor, std::array::from_fn(error))
}
