//! The basis in which circulant covariances are diagonal, complex and real (note 003, "Fourier transforms").

use super::prelude::*;
use fovea_theory::fourier::basis::{self, basis};

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "fourier-basis",
    summary: "Complex and real Fourier columns: orthonormal, and eigenvectors of every circulant.",
    covers: &["L003.20", "L003.21", "L003.22", "L001.57"],
    run,
};

/// The Fourier matrix of a ring of this many sites, row by row.
type Matrix = fn(usize) -> Vec<Vec<f64>>;

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let matrix: Matrix = effort.form(&basis::ENTRY, basis, |n| {
        let norm = |j: usize| if frequencies_alone(j, n) { 1.0 } else { 0.5_f64.sqrt() };
        let scaled = |row: Vec<f64>| row.iter().enumerate().map(|(j, x)| norm(j) * x).collect();
        basis(n).into_iter().map(scaled).collect()
    });
    Ok(vec![complex(effort), real_parts(effort), rescaled(matrix), cosines_alone(matrix)?])
}

const SIZES: [usize; 2] = [9, 10];

/// Whether mode `j` is the only one of its frequency: the constant, and for even n the alternating one.
fn frequencies_alone(j: usize, n: usize) -> bool {
    j == 0 || (n.is_multiple_of(2) && j == n - 1)
}

/// Real and imaginary part of column `j`, entries `exp(-2 pi i j k / n) / sqrt(n)`.
fn column(j: usize, n: usize) -> [Vec<f64>; 2] {
    let angle = |i: usize| TAU * (i * j) as f64 / n as f64;
    let norm = (n as f64).sqrt();
    [
        (0..n).map(|i| libm::cos(angle(i)) / norm).collect(),
        (0..n).map(|i| -libm::sin(angle(i)) / norm).collect(),
    ]
}

/// The matrix with this first row times a vector, entry by entry.
fn image(row: &[f64], x: &[f64]) -> Vec<f64> {
    let n = x.len();
    (0..n).map(|i| (0..n).map(|j| row[distance(i, j, n)] * x[j]).sum()).collect()
}

/// Unit columns, orthogonal to each other, and eigenvectors.
fn complex(effort: &Effort) -> Comparison {
    let square =
        effort.slip("norm of the complex columns", "1/2, as for their real parts alone", 1.0, 0.5);
    let folded = effort.slip(
        "frequency of column j",
        "j up to n/2, and n/2 for every column beyond",
        true,
        false,
    );
    let turn = effort.slip(
        "eigenvalue of a circulant",
        "its conjugate, with the sign of the transform",
        1.0,
        -1.0,
    );
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for n in SIZES {
        let row = kernel_row(n, 1.3, Kernel::Ring);
        let eigs = circulant_eigs(&row);
        for j in 0..n {
            let [re, im] = column(j, n);
            for k in 0..n {
                let [other_re, other_im] = column(k, n);
                predicted.extend([if j == k { square } else { 0.0 }, 0.0]);
                measured.push(dot(&re, &other_re) + dot(&im, &other_im));
                measured.push(dot(&re, &other_im) - dot(&im, &other_re));
            }
            let eig = eigs[if folded { distance(0, j, n) } else { j.min(n / 2) }];
            predicted.extend([&re, &im].into_iter().flatten().map(|x| eig * x));
            measured.extend([image(&row, &re), image(&row, &im)].concat());
            // Entries C_ik = c_(i-k) without reflection symmetry: the eigenvalue is complex.
            let lopsided: Vec<f64> = (0..n).map(|d| libm::exp(-0.7 * d as f64)).collect();
            let angle = |d: usize| TAU * (d * j) as f64 / n as f64;
            let sum = |f: fn(f64) -> f64| (0..n).map(|d| lopsided[d] * f(angle(d))).sum::<f64>();
            let (a, b) = (sum(libm::cos), turn * sum(libm::sin));
            predicted.extend([combined(a, &re, -b, &im), combined(a, &im, b, &re)].concat());
            for x in [&re, &im] {
                let entry = |i: usize| (0..n).map(|k| lopsided[(n + i - k) % n] * x[k]).sum();
                measured.extend((0..n).map(entry).collect::<Vec<f64>>());
            }
        }
    }
    let what = "complex columns exp(-2 pi i jk/n)/sqrt n, n = 9 and 10: inner products 0 and 1 and, for the circulant of xi = 1.3 and for one that is not symmetric, first column exp(-0.7 i), eigenvalue times column; and the inner products and the matrix times the column, summed entry by entry";
    Comparison::digits(&["L003.20"], what, &predicted, &measured)
}

/// `S Re v_j = l_j Re v_j` and the same for the imaginary part, `l_j` from the cosine sum.
fn real_parts(effort: &Effort) -> Comparison {
    let across = effort.slip(
        "cosine sum of an eigenvalue",
        "twice the sum over half the ring, the site across it counted twice",
        1.0,
        2.0,
    );
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for n in SIZES {
        let row = kernel_row(n, 2.5, Kernel::Ring);
        for j in 0..n {
            let weight = |d: usize| if 2 * d == n { across } else { 1.0 };
            let term = |d: usize| weight(d) * row[d] * libm::cos(TAU * (j * d) as f64 / n as f64);
            let eig: f64 = (0..n).map(term).sum();
            for part in column(j, n) {
                predicted.extend(part.iter().map(|x| eig * x));
                measured.extend(image(&row, &part));
            }
        }
    }
    let what = "l_j Re v_j and l_j Im v_j with l_j from the cosine sum, and the circulant times either, entry by entry, n = 9 and 10, xi = 2.5";
    Comparison::digits(&["L003.21"], what, &predicted, &measured)
}

/// `F F'` of columns.
fn square(columns: &[Vec<f64>]) -> Vec<f64> {
    let n = columns.len();
    let entry = |i: usize, k: usize| columns.iter().map(|column| column[i] * column[k]).sum();
    (0..n).flat_map(|i| (0..n).map(move |k| entry(i, k)).collect::<Vec<f64>>()).collect()
}

/// The unit matrix, row by row.
fn unit(n: usize) -> Vec<f64> {
    (0..n * n).map(|at| f64::from(u8::from(at % (n + 1) == 0))).collect()
}

fn each(f: impl Fn(usize) -> Vec<f64>) -> Vec<f64> {
    SIZES.iter().flat_map(|n| f(*n)).collect()
}

/// The columns of a matrix given by its rows.
fn columns(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..rows.len()).map(|j| rows.iter().map(|row| row[j]).collect()).collect()
}

/// Real and imaginary parts of the complex columns, not rescaled, in the order of the basis.
fn parts(n: usize) -> Vec<Vec<f64>> {
    let part = |j: usize| {
        let [re, im] = column(j.div_ceil(2), n);
        if j == 0 || !j.is_multiple_of(2) { re } else { scaled(-1.0, &im) }
    };
    (0..n).map(part).collect()
}

/// Note 003 takes real and imaginary parts without rescaling; divided by their norms they are the form's columns.
fn rescaled(matrix: Matrix) -> Comparison {
    let unit_norm = |column: Vec<f64>| scaled(1.0 / dot(&column, &column).sqrt(), &column);
    let predicted = each(|n| columns(&matrix(n)).concat());
    let measured = each(|n| parts(n).into_iter().flat_map(unit_norm).collect());
    let what = "the columns of the real Fourier matrix in closed form, and real and imaginary parts of the complex columns divided by their norms, n = 9 and 10";
    let same = Comparison::digits(&["L003.22"], what, &predicted, &measured)
        .source(&each(|n| parts(n).concat()));
    let what = "F F' of the closed form, and the unit matrix, n = 9 and 10";
    let product = each(|n| square(&columns(&matrix(n))));
    same.and(
        Comparison::digits(&["L003.22"], what, &product, &each(unit))
            .source(&each(|n| square(&parts(n)))),
    )
}

/// Real parts of all columns: note 001 (136) leaves the sines out.
fn cosines_alone(matrix: Matrix) -> Result<Comparison, LabError> {
    let cosines = |n: usize| -> Vec<Vec<f64>> { (0..n).map(|j| column(j, n)[0].clone()).collect() };
    let what = "F F' of cosines and sines in closed form, and the unit matrix, n = 9 and 10; the real parts of all complex columns span only the even half";
    let product = each(|n| square(&columns(&matrix(n))));
    let whole = Comparison::digits(&["L001.57"], what, &product, &each(unit))
        .source(&each(|n| square(&cosines(n))));
    // Columns j and n - j have the same real part: their products have the eigenvalues 1 and 0.
    let spanned = |n: usize| n / 2 + 1;
    let expected = each(|n| (0..n).map(|j| f64::from(u8::from(j < spanned(n)))).collect());
    let mut found = Vec::new();
    for n in SIZES {
        let all = cosines(n);
        let products: Vec<Vec<f64>> =
            all.iter().map(|a| all.iter().map(|b| dot(a, b)).collect()).collect();
        let mut eigs = eigenvalues(&products)?;
        eigs.sort_by(|a, b| b.total_cmp(a));
        found.extend(eigs);
    }
    let what = "eigenvalues of the inner products of the n real parts: n/2 + 1 of them, rounded down, are 1 and the others 0, and those computed, n = 9 and 10; columns that span the space have only 1";
    let span = Comparison::digits(&["L001.57"], what, &expected, &found);
    Ok(whole.and(span.source(&vec![1.0; found.len()])))
}
