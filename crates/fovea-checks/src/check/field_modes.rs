//! The Fourier coefficients of non-Gaussian data: uncorrelated, and not independent (note 001, section 5.4).

use super::prelude::*;
use fovea_theory::dictator::fixed_point::sign_cov;
use fovea_theory::nlgp::mode_kurtosis::mode_kurtosis;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "field-modes",
    summary: "Variances and joint fourth cumulants of the Fourier coefficients of sign data.",
    covers: &["L001.78"],
    run,
};

const RING: usize = 5;
const LENGTH: f64 = 1.1;

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    let corners = Corners::signs(RING, LENGTH);
    let modes: Vec<Vec<f64>> = (0..RING).map(|j| basis_vector(j, RING)).collect();
    let moment = |which: &[usize]| {
        corners.mean(|x| which.iter().map(|j| dot(&modes[*j], x)).product::<f64>())
    };
    let row = kernel_row(RING, LENGTH, Kernel::Ring);
    let eigs = circulant_eigs(&sign_cov(&row));
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for i in 0..RING {
        for j in i..RING {
            predicted.push(if i == j { eigs[frequency_of(i, RING)] } else { 0.0 });
            measured.push(moment(&[i, j]));
        }
    }
    for (k, kurtosis) in mode_kurtosis(&row, f64::INFINITY).into_iter().enumerate() {
        // The constant, then the cosine of every frequency.
        let j = if k == 0 { 0 } else { 2 * k - 1 };
        let variance = moment(&[j, j]);
        predicted.push(kurtosis);
        measured.push(moment(&[j; 4]) / (variance * variance) - 3.0);
    }
    // Four modes whose frequencies no choice of signs adds up to a multiple of n have no joint cumulant.
    let (mut forbidden, mut vanish) = (0, 0);
    for quad in quadruples() {
        let frequencies = quad.map(|j| frequency_of(j, RING) as i64);
        if closes(frequencies) {
            continue;
        }
        forbidden += 1;
        let [a, b, c, d] = quad;
        let pairs = moment(&[a, b]) * moment(&[c, d])
            + moment(&[a, c]) * moment(&[b, d])
            + moment(&[a, d]) * moment(&[b, c]);
        vanish += usize::from((moment(&quad) - pairs).abs() < 1e-10);
    }
    predicted.push(f64::from(forbidden));
    measured.push(vanish as f64);
    let what = "signs on a ring of 5 sites, xi = 1.1: variances and covariances of the Fourier coefficients, their kurtoses, and how many of the quadruples that no signs close have no joint cumulant; closed forms, and all corners by orthant quadrature";
    Ok(vec![Comparison::digits(&["L001.78"], what, &predicted, &measured)])
}

/// All multisets of four modes.
fn quadruples() -> impl Iterator<Item = [usize; 4]> {
    let all = 0..RING * RING * RING * RING;
    let digits = |code: usize| [0, 1, 2, 3].map(|place: u32| code / RING.pow(place) % RING);
    all.map(digits).filter(|quad| quad.is_sorted())
}

/// Whether some choice of signs makes the frequencies add up to a multiple of the ring.
fn closes([a, b, c, d]: [i64; 4]) -> bool {
    [-1, 1].iter().any(|p| {
        [-1, 1]
            .iter()
            .any(|q| [-1, 1].iter().any(|r| (a + p * b + q * c + r * d) % RING as i64 == 0))
    })
}
