//! The two matrices: the real Fourier basis, and the source's real parts of the complex one.

use fovea_core::fourier::{basis_vector, cos_turns, frequency_of};
use fovea_core::ring::distance;
use fovea_record::claim::Claim;
use fovea_sim::expect::dot;

/// Rounding of sums of some tens of products of numbers below one.
const ROUNDING: f64 = 1e-12;

/// Columns of a matrix.
pub(super) type Columns = Vec<Vec<f64>>;

/// The orthonormal real basis, sorted by frequency: constant, cosine 1, sine 1, cosine 2, ...
pub fn real_basis(n: usize) -> Columns {
    (0..n).map(|j| basis_vector(j, n)).collect()
}

/// Note 003 (35): the real parts of the complex columns, $`\cos(2\pi ji/n)/\sqrt n`$ for every $`j`$.
pub fn real_parts(n: usize) -> Columns {
    let norm = 1.0 / (n as f64).sqrt();
    (0..n).map(|j| (0..n).map(|i| norm * cos_turns(j * i, n)).collect()).collect()
}

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

/// How many columns are independent, by elimination with the largest pivot.
pub fn rank(columns: &Columns) -> usize {
    let mut rest = columns.clone();
    for done in 0..rest.len() {
        let size = |v: &Vec<f64>| v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let largest = (done..rest.len()).max_by(|a, b| size(&rest[*a]).total_cmp(&size(&rest[*b])));
        let Some(largest) = largest.filter(|i| size(&rest[*i]) > ROUNDING) else { return done };
        rest.swap(done, largest);
        let pivot = rest[done].clone();
        let at = (0..pivot.len()).max_by(|a, b| pivot[*a].abs().total_cmp(&pivot[*b].abs()));
        let at = at.unwrap_or(0);
        for column in &mut rest[done + 1..] {
            let factor = column[at] / pivot[at];
            column.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    columns.len()
}

/// What holds of the matrices without any sample.
pub(super) fn claims(row: &[f64], eigs: &[f64]) -> Vec<Claim> {
    let n = row.len();
    let (basis, parts) = (real_basis(n), real_parts(n));
    let diagonal = |values: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let entry = |j: usize, l: usize| if j == l { values(j) } else { 0.0 };
        (0..n).flat_map(|j| (0..n).map(move |l| (j, l))).map(|(j, l)| entry(j, l)).collect()
    };
    let gram = products(&basis, &basis);
    let rotated = products(&basis, &images(&basis, row));
    let deficient = rank(&parts) as f64;
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
            "L003.21",
            "it diagonalises the covariance of the ring: every entry of F'SF beside the eigenvalues",
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
