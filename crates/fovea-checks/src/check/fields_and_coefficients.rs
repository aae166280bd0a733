//! Shapes of closed fields, and which way the Fourier matrix turns a field (note 003, "Uncertainty principle" and figure 2).

use super::prelude::*;
use fovea_desk::two_class::TwoClass;
use fovea_theory::GaussianFlow;
use fovea_theory::relu::stable_mode::stable_mode;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "fields-and-coefficients",
    summary: "How well Gabor functions fit the closed fields, and the coefficients of a field by integrals.",
    covers: &["L003.25", "L003.60"],
    run,
};

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![gabors()?, coefficients()])
}

/// How much of the power the best Gabor must carry for a field to count as one.
const ENOUGH: f64 = 0.95;

/// The fields one unit rests in, at both ends of the gain and in both orders of the lengths: all are close to a Gabor.
fn gabors() -> Result<Comparison, LabError> {
    let n = 40;
    let (mut fields, mut shares) = (0, Vec::new());
    for (xi_pos, xi_neg) in [(2.0, 1.0), (1.0, 2.0)] {
        let two = TwoClass { n, xi_pos, xi_neg, kernel: Kernel::Ring };
        let [pos, neg] = two.kernels()?;
        let flow = GaussianFlow { eigs_pos: pos.eigs, eigs_neg: neg.eigs };
        let k = stable_mode(&flow.eigs_pos, &flow.eigs_neg, 0.0).k;
        let wave = basis_vector(if k == 0 { 0 } else { 2 * k - 1 }, n);
        for field in [wave, two.dictator()?.w] {
            fields += 1;
            shares.push(best_gabor(&field));
        }
    }
    let gabors = shares.iter().filter(|share| **share > ENOUGH).count();
    let what = format!(
        "fields of one unit on Gaussian data and on signs, n = 40, lengths (2, 1) and (1, 2): how many have more than 0.95 of their power in the best Gabor centred on them (shares {:.3}, {:.3}, {:.3}, {:.3})",
        shares[0], shares[1], shares[2], shares[3]
    );
    Ok(Comparison::digits(&["L003.25"], what, &[f64::from(fields)], &[gabors as f64]))
}

/// The largest share of a field's power along `exp(-d^2/4s^2) cos(kd)`, over widths and frequencies.
fn best_gabor(field: &[f64]) -> f64 {
    let n = field.len();
    let centre = fovea_desk::cell::peak(field);
    let share = |ln_s: f64, k: f64| {
        let s = libm::exp(ln_s);
        let (mut along, mut norm, mut power) = (0.0, 0.0, 0.0);
        for (i, w) in field.iter().enumerate() {
            let d = distance(centre, i, n) as f64;
            let g = libm::exp(-0.25 * d * d / (s * s)) * libm::cos(k * d);
            along += w * g;
            norm += g * g;
            power += w * w;
        }
        along * along / (norm * power)
    };
    // A grid from a third of a site to far beyond the ring, then finer and finer around the best point.
    let (mut best, mut at) = (0.0, (0.0, 0.0));
    for i in 0..=40 {
        for j in 0..=80 {
            let point = (-1.0 + 0.2 * f64::from(i), PI * f64::from(j) / 80.0);
            let value = share(point.0, point.1);
            if value > best {
                (best, at) = (value, point);
            }
        }
    }
    let (mut step_s, mut step_k) = (0.1, PI / 160.0);
    for _ in 0..60 {
        let around = [(step_s, 0.0), (-step_s, 0.0), (0.0, step_k), (0.0, -step_k)];
        let next = around
            .map(|(ds, dk)| (share(at.0 + ds, at.1 + dk), (at.0 + ds, at.1 + dk)))
            .into_iter()
            .max_by(|a, b| a.0.total_cmp(&b.0));
        match next {
            Some((value, point)) if value > best => (best, at) = (value, point),
            _ => (step_s, step_k) = (0.5 * step_s, 0.5 * step_k),
        }
    }
    best
}

/// Coefficients are those of the transpose: known waves have them by construction.
fn coefficients() -> Comparison {
    let n = 9;
    // A field written as a sum of waves, each of unit norm: its coefficients are what was put in.
    let put_in = [0.7, -1.1, 0.4, 2.0, 0.3, -0.6, 0.0, 0.9, -0.2];
    let wave = |j: usize, i: usize| {
        let angle = TAU * (j.div_ceil(2) * i) as f64 / n as f64;
        match (j, j % 2) {
            (0, _) => 1.0 / f64::sqrt(n as f64),
            (_, 1) => (2.0 / n as f64).sqrt() * libm::cos(angle),
            _ => (2.0 / n as f64).sqrt() * libm::sin(angle),
        }
    };
    let w: Vec<f64> = (0..n).map(|i| (0..n).map(|j| put_in[j] * wave(j, i)).sum()).collect();
    // The source multiplies by F itself, whose rows are sites.
    let columns: Vec<Vec<f64>> = (0..n).map(|j| basis_vector(j, n)).collect();
    let turned: Vec<f64> = (0..n).map(|i| (0..n).map(|j| columns[j][i] * w[j]).sum()).collect();
    let what = "coefficients F'w, sorted by frequency, of a field made of nine waves, and what was put in; the source multiplies by F";
    Comparison::digits(&["L003.60"], what, &to_fourier(&w), &put_in).source(&turned)
}
