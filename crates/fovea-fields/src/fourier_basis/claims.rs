//! Claims on the matrices and on sampled coefficients, arrays of the latter, and their table.

use super::measure::{Coefficients, Columns, ROUNDING, rank, real_basis, real_parts};
use fovea_core::fourier::frequency_of;
use fovea_core::ring::distance;
use fovea_desk::prelude::*;
use fovea_theory::nlgp::excess_kurtosis::excess_kurtosis;

/// The id of claims that are not in the catalogue.
const ID: &str = "fourier-basis";

/// All products of two columns, row after row.
fn products(left: &Columns, right: &Columns) -> Vec<f64> {
    left.iter().flat_map(|a| right.iter().map(|b| dot(a, b))).collect()
}

/// The columns times the covariance with this first row, entry by entry of the dense matrix.
fn images(columns: &Columns, row: &[f64]) -> Columns {
    let n = row.len();
    let image = |v: &Vec<f64>| {
        (0..n).map(|i| (0..n).map(|j| row[distance(i, j, n)] * v[j]).sum()).collect()
    };
    columns.iter().map(image).collect()
}

/// What holds of the matrices without any sample.
pub(super) fn of_matrices(row: &[f64], eigs: &[f64]) -> Vec<Claim> {
    let n = row.len();
    let (basis, parts) = (real_basis(n), real_parts(n));
    let diagonal = |values: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let entry = |j: usize, l: usize| if j == l { values(j) } else { 0.0 };
        (0..n).flat_map(|j| (0..n).map(move |l| (j, l))).map(|(j, l)| entry(j, l)).collect()
    };
    let gram = products(&basis, &basis);
    let rotated = products(&basis, &images(&basis, row));
    let deficient = rank(&parts) as f64;
    let stretched = |k: &dyn Fn(usize) -> usize| -> Vec<f64> {
        parts
            .iter()
            .enumerate()
            .flat_map(|(j, part)| part.iter().map(move |x| eigs[k(j)] * x))
            .collect()
    };
    vec![
        Claim::exact(
            "L003.22",
            "the real Fourier basis is orthonormal: every product of two columns",
            &diagonal(&|_| 1.0),
            &gram,
            ROUNDING,
        )
        .rejecting_exact("note 003's real parts", &products(&parts, &parts), &gram),
        Claim::exact(
            ID,
            "real parts of the columns are eigenvectors: the covariance of the ring times each, and the eigenvalue of its frequency times it",
            &stretched(&|j| distance(0, j, n)),
            &images(&parts, row).concat(),
            ROUNDING,
        )
        .rejecting_exact(
            "columns beyond n/2 with the eigenvalue of n/2",
            &stretched(&|j| j.min(n / 2)),
            &images(&parts, row).concat(),
        ),
        Claim::exact(
            ID,
            "the orthonormal real basis diagonalises the covariance of the ring: every entry of F'SF compared with the eigenvalues",
            &diagonal(&|j| eigs[frequency_of(j, n)]),
            &rotated,
            ROUNDING,
        )
        .rejecting_exact("note 003's real parts", &products(&parts, &images(&parts, row)), &rotated),
        Claim::exact(
            "L001.57",
            "the real parts alone have n/2 + 1 independent columns, by elimination",
            &[(n / 2 + 1) as f64],
            &[deficient],
            ROUNDING,
        )
        .rejecting_exact("a basis, with n of them", &[n as f64], &[deficient]),
    ]
}

/// What was sampled compared with what theory says, with the wrong form of each.
pub(super) fn of_coefficients(all: &[Coefficients]) -> Vec<Claim> {
    let (mut second, mut kurtosis, mut norm) = (Vec::new(), Vec::new(), Vec::new());
    for c in all {
        let n = c.variance.len();
        second.extend(c.variance.iter().enumerate().map(|(j, sampled)| {
            let k = frequency_of(j, n);
            let whole = k == 0 || 2 * k == n;
            (*sampled, [c.eigs[k], if whole { c.eigs[k] } else { 0.5 * c.eigs[k] }])
        }));
        second.extend(c.covariance.iter().map(|sampled| (*sampled, [0.0; 2])));
        let predicted = c.kurtosis.iter().zip(&c.predicted_kurtosis);
        kurtosis.extend(predicted.map(|(sampled, k)| (*sampled, [*k, excess_kurtosis(c.gain)])));
        // The norm of signs is not random: there is nothing to estimate.
        if c.gain.is_finite() {
            norm.push((c.norm, [c.predicted_norm.variance, c.predicted_norm.gaussian]));
        }
    }
    let mut claims = vec![
        told_apart(
            ID,
            "Fourier coefficients are uncorrelated, and their variances are the eigenvalues of the covariance",
            "half the variance, the coefficients of note 003's real parts",
            &second,
        ),
        told_apart(
            ID,
            "one coefficient alone is close to Gaussian: its excess kurtosis at every frequency",
            "the kurtosis of a site",
            &kurtosis,
        ),
    ];
    if !norm.is_empty() {
        claims.push(told_apart(
            ID,
            "coefficients are not independent: the variance of the squared norm, which adds up their joint cumulants",
            "independent coefficients",
            &norm,
        ));
    }
    claims
}

impl Coefficients {
    pub(super) fn arrays(&self) -> Vec<Array> {
        let name = format!("gain={}", Value::Real(self.gain));
        let side = self.kurtosis.len();
        let rows: Vec<Vec<f64>> =
            self.power_correlation.chunks(side).map(<[f64]>::to_vec).collect();
        vec![
            Array::of_entries(format!("variance_{name}"), &bars(&self.variance).0),
            Array::of_entries(format!("eigenvalues_{name}"), &self.eigs),
            Array::of_entries(format!("kurtosis_{name}"), &bars(&self.kurtosis).0),
            Array::of_entries(format!("predicted_kurtosis_{name}"), &self.predicted_kurtosis),
            Array::of_rows(format!("power_correlation_{name}"), &rows),
        ]
    }
}

/// The coefficients at every gain.
pub(super) fn table(all: &[Coefficients]) -> Table {
    Table::of("coefficients", all)
        .given("gain", |c| c.gain)
        .real("site_kurtosis", 4, |c| excess_kurtosis(c.gain))
        .real("mode_kurtosis", 4, |c| largest(&bars(&c.kurtosis).0))
        .real("exact_mode_kurtosis", 4, |c| largest(&c.predicted_kurtosis))
        .estimate("norm_variance", 2, |c| c.norm)
        .real("exact_norm_variance", 2, |c| c.predicted_norm.variance)
        .real("if_independent", 2, |c| c.predicted_norm.gaussian)
        .caption(
            "Excess kurtosis of one site; the largest of all Fourier coefficients, sampled and exact; the variance of the squared norm, \
             sampled, exact, and as it would be with independent coefficients.",
        )
}
