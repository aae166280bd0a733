//! The fit of a bump, a wave and a difference of Gaussians to a field whose largest weight is 1 and lies on site 0.

use super::form::{Form, angle, displacement, wrapped};
use super::packet::packet;
use super::start::{Start, bumps, widths};
use fovea_core::fit::{Fit, Problem, best_of};
use fovea_core::fourier::to_fourier;

/// The narrowest width, in sites: there a bump on a site is that site alone, to the floor.
const NARROWEST: f64 = 0.125;
/// The iteration counts a fit as perfect when this share of the squared field remains.
const DONE: f64 = 1e-29;
/// The two widths of a difference of Gaussians have at least this ratio; closer ones differ by rounding alone.
const APART: f64 = 1.05;
pub(super) const FREE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
/// How many matches of the table start a minimisation.
pub(super) const FOLLOWED: usize = 4;

fn square(y: &[f64]) -> f64 {
    y.iter().map(|y| y * y).sum()
}

pub(super) fn log_widths(n: usize) -> (f64, f64) {
    (libm::log(NARROWEST), libm::log(n as f64))
}

/// The best bump, with its sum of squares.
pub(super) fn bump(y: &[f64]) -> (Form, f64) {
    let n = y.len();
    let model = |p: &[f64], r: &mut [f64], jacobian: &mut [f64]| {
        let width = libm::exp(p[2]);
        for i in 0..n {
            let at = packet(displacement(i as f64, p[1], n), n, width, 0.0);
            r[i] = p[0] * at.value[0] - y[i];
            jacobian[i] = at.value[0];
            jacobian[n + i] = p[0] * at.by_centre[0];
            jacobian[2 * n + i] = p[0] * width * at.by_width[0];
        }
    };
    let best = |width: f64| {
        bumps(y, width).into_iter().reduce(|a, b| if b.score > a.score { b } else { a })
    };
    let mut starts: Vec<Start> = widths(n).into_iter().filter_map(best).collect();
    starts.sort_by(|a, b| b.score.total_cmp(&a.score));
    starts.truncate(FOLLOWED);
    let starts: Vec<Vec<f64>> =
        starts.iter().map(|s| vec![s.parts[0], s.centre, libm::log(s.width)]).collect();
    let bounds = [FREE, FREE, log_widths(n)];
    let fit = solved(y, &bounds, &model, &starts);
    let [amplitude, centre, width] =
        [fit.params[0], wrapped(fit.params[1], n), libm::exp(fit.params[2])];
    (Form::Bump { amplitude, centre, width }, fit.rss)
}

/// The best fit of a model from some starts.
pub(super) fn solved(
    y: &[f64],
    bounds: &[(f64, f64)],
    model: &fovea_core::fit::Model<'_>,
    starts: &[Vec<f64>],
) -> Fit {
    let problem = Problem { residuals: y.len(), bounds, floor: DONE * square(y), model };
    best_of(&problem, starts).expect("every ring has a width to start from")
}

/// The best wave of a whole number of cycles: the mode with most power; it leaves the power of all others.
pub(super) fn wave(y: &[f64]) -> (Form, f64) {
    let n = y.len();
    let u = to_fourier(y);
    let parts = |k: usize| match k {
        0 => [u[0], 0.0],
        k if 2 * k == n => [u[n - 1], 0.0],
        k => [u[2 * k - 1], u[2 * k]],
    };
    let power = |k: usize| parts(k)[0] * parts(k)[0] + parts(k)[1] * parts(k)[1];
    let k = (0..=n / 2).fold(0, |best, k| if power(k) > power(best) { k } else { best });
    let [cos, sin] = parts(k);
    let norm = (if k == 0 || 2 * k == n { 1.0 } else { 2.0 } / n as f64).sqrt();
    let amplitude = norm * power(k).sqrt();
    let phase = angle(libm::atan2(-sin, cos));
    let form = Form::Wave { amplitude, k, phase };
    let rest = form.field(n).iter().zip(y).map(|(w, y)| (w - y) * (w - y)).sum();
    (form, rest)
}

/// The best difference of Gaussians; the bump is the one whose wide part vanishes.
pub(super) fn dog(y: &[f64], bump: (Form, f64)) -> (Form, f64) {
    let n = y.len();
    let model = |p: &[f64], r: &mut [f64], jacobian: &mut [f64]| {
        let narrow = libm::exp(p[3]);
        let wide = libm::exp(p[3] + p[4]);
        for i in 0..n {
            let d = displacement(i as f64, p[2], n);
            let (one, two) = (packet(d, n, narrow, 0.0), packet(d, n, wide, 0.0));
            r[i] = p[0] * one.value[0] + p[1] * two.value[0] - y[i];
            jacobian[i] = one.value[0];
            jacobian[n + i] = two.value[0];
            jacobian[2 * n + i] = p[0] * one.by_centre[0] + p[1] * two.by_centre[0];
            jacobian[4 * n + i] = p[1] * wide * two.by_width[0];
            jacobian[3 * n + i] = p[0] * narrow * one.by_width[0] + jacobian[4 * n + i];
        }
    };
    let (low, high) = log_widths(n);
    let mut best = bump;
    for sign in [1.0, -1.0] {
        let (up, down) = ((0.0, f64::INFINITY), (f64::NEG_INFINITY, 0.0));
        let [first, second] = if sign > 0.0 { [up, down] } else { [down, up] };
        let bounds =
            [first, second, FREE, (low, high), (libm::log(APART), libm::log(n as f64 / NARROWEST))];
        let starts = dog_starts(y, sign);
        if starts.is_empty() {
            continue;
        }
        let fit = solved(y, &bounds, &model, &starts);
        if fit.rss < best.1 {
            let p = &fit.params;
            let widths = [libm::exp(p[3]), libm::exp(p[3] + p[4])];
            best =
                (Form::Dog { amplitudes: [p[0], p[1]], centre: wrapped(p[2], n), widths }, fit.rss);
        }
    }
    if let Form::Bump { amplitude, centre, width } = best.0 {
        let widths = [width, APART * width];
        best.0 = Form::Dog { amplitudes: [amplitude, 0.0], centre, widths };
    }
    best
}

/// The best pairs of bumps on one site with coefficients of opposite signs, the narrow one of this sign.
fn dog_starts(y: &[f64], sign: f64) -> Vec<Vec<f64>> {
    let (n, widths) = (y.len(), widths(y.len()));
    let table: Vec<Vec<Start>> = widths.iter().map(|width| bumps(y, *width)).collect();
    let shape = |width: f64| -> Vec<f64> {
        (0..n).map(|i| packet(displacement(i as f64, 0.0, n), n, width, 0.0).value[0]).collect()
    };
    let shapes: Vec<Vec<f64>> = widths.iter().map(|width| shape(*width)).collect();
    let mut found: Vec<(f64, Vec<f64>)> = Vec::new();
    for a in 0..widths.len() {
        for b in a + 1..widths.len() {
            let overlap: f64 = shapes[a].iter().zip(&shapes[b]).map(|(x, y)| x * y).sum();
            let (aa, bb) = (square(&shapes[a]), square(&shapes[b]));
            let mut best: Option<(f64, Vec<f64>)> = None;
            for at in 0..n {
                // The dots with both shapes, from the coefficients of each alone.
                let (x, z) = (table[a][at].parts[0] * aa, table[b][at].parts[0] * bb);
                let det = aa * bb - overlap * overlap;
                let (p, q) = ((bb * x - overlap * z) / det, (aa * z - overlap * x) / det);
                let score = p * x + q * z;
                let wanted = p * sign > 0.0 && q * sign < 0.0 && score.is_finite();
                if wanted && best.as_ref().is_none_or(|best| score > best.0) {
                    let start = vec![
                        p,
                        q,
                        at as f64,
                        libm::log(widths[a]),
                        libm::log(widths[b] / widths[a]),
                    ];
                    best = Some((score, start));
                }
            }
            found.extend(best);
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().take(FOLLOWED).map(|(_, start)| start).collect()
}
