//! The orthonormal real Fourier matrix of the ring, one row per site and one column per mode.
//!
//! ```math
//! F_{i,\cdot}=\Big[\tfrac1{\sqrt n},\;\sqrt{\tfrac2n}\cos\tfrac{2\pi ki}n,\;\sqrt{\tfrac2n}\sin\tfrac{2\pi ki}n\;\;(1\le k\le\lceil\tfrac n2\rceil-1),\;\tfrac{(-1)^i}{\sqrt n}\;(n\text{ even})\Big]
//! ```
//!
//! # Source
//! Note 003 (33)-(35) and figure 2, corrected; claims L003.22, L003.60. The note's columns, the real and imaginary
//! parts of the complex ones, have norm $`1/\sqrt2`$ except at the ends; note 001 (136) keeps only the real parts,
//! which span half the space (claim L001.57).
//!
//! # Symbols
//! * $`F, P`$: the value, columns in the order const, cos 1, sin 1, and so on, with $`u=F^\top w`$ and $`w=Fu`$ (a real
//!   discrete Fourier transform, neither a cosine nor a sine transform)
//! * $`k`$: the frequency of a column
//!
//! # Holds when
//! Every `n >= 2`, odd or even: $`F^\top F=I`$, and $`F^\top\Sigma F`$ is diagonal for every symmetric circulant
//! $`\Sigma`$.
//!
//! # Checked by
//! Orthonormal columns; circulants become diagonal, with the eigenvalues of `ring.eigs`.

use crate::form::{Control, Form, matrix, with};
use fovea_core::fourier::{basis_vector, frequency_of};
use fovea_core::params::{Schema, between};
use fovea_core::ring::multiplicity;
use fovea_core::{Params, params};

/// The matrix of a ring of `n` sites, row by row.
///
/// ```
/// let f = fovea_theory::fourier::basis::basis(2);
/// assert!((f[0][0] - 0.5_f64.sqrt()).abs() < 1e-16 && (f[1][1] + 0.5_f64.sqrt()).abs() < 1e-16);
/// ```
pub fn basis(n: usize) -> Vec<Vec<f64>> {
    let columns: Vec<Vec<f64>> = (0..n).map(|j| basis_vector(j, n)).collect();
    (0..n).map(|i| columns.iter().map(|column| column[i]).collect()).collect()
}

params! {
    /// Arguments of `fourier.basis`.
    pub struct Args {
        /// Ring size.
        n: usize = 8, between(2.0, 1e3), "sites";
    }
}

impl Params for Args {}

impl Args {
    /// The real and imaginary parts of the complex columns, as the note takes them.
    fn source_form(&self) -> Vec<Vec<f64>> {
        let norm = |j: usize| 1.0 / (multiplicity(frequency_of(j, self.n), self.n) as f64).sqrt();
        let scaled = |row: Vec<f64>| row.iter().enumerate().map(|(j, x)| norm(j) * x).collect();
        basis(self.n).into_iter().map(scaled).collect()
    }
}

/// The registry entry of this form.
pub const ENTRY: Form = Form {
    name: "fourier.basis",
    text: include_str!("basis.rs"),
    control: Control {
        what: "note 003 (35): real and imaginary parts of unit complex columns, of norm 1/sqrt 2",
        eval: |given| with(given, |a: Args| Ok(matrix(&a.source_form()))),
    },
    schema: Args::schema,
    moves: None,
    eval: |given| with(given, |a: Args| Ok(matrix(&basis(a.n)))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use fovea_core::ring::{Kernel, kernel_eigs, kernel_row};

    fn dot(f: &[Vec<f64>], g: &[Vec<f64>], a: usize, b: usize) -> f64 {
        (0..f.len()).map(|i| f[i][a] * g[i][b]).sum()
    }

    #[test]
    fn columns_are_orthonormal_and_diagonalise_circulants_for_odd_and_even_rings() {
        for n in [2, 3, 7, 40, 41] {
            let f = basis(n);
            let row = kernel_row(n, 0.9, Kernel::Ring);
            let eigs = kernel_eigs(n, 0.9, Kernel::Ring);
            let image: Vec<Vec<f64>> = (0..n)
                .map(|i| {
                    let entry = |b: usize| (0..n).map(|j| row[i.abs_diff(j)] * f[j][b]).sum();
                    (0..n).map(entry).collect()
                })
                .collect();
            for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
                let one = f64::from(u8::from(a == b));
                assert!((dot(&f, &f, a, b) - one).abs() < 3e-15, "n={n} {a} {b}");
                let eig = one * eigs[frequency_of(a, n)];
                assert!((dot(&f, &image, a, b) - eig).abs() < 1e-14, "n={n} {a} {b}");
            }
        }
        let wrong = Args { n: 8 }.source_form();
        assert!((dot(&wrong, &wrong, 1, 1) - 0.5).abs() < 1e-15);
    }
}
