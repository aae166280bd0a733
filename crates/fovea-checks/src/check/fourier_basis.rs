//! The basis in which circulant covariances are diagonal, complex and real (note 003, "Fourier transforms").

use super::prelude::*;
use fovea_theory::fourier::basis::basis;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "fourier-basis",
    summary: "Complex and real Fourier columns: orthonormal, and eigenvectors of every circulant.",
    covers: &["L003.20", "L003.21", "L003.22", "L001.57"],
    run,
};

fn run(_: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![complex(), real_parts(), rescaled(), cosines_alone()])
}

const SIZES: [usize; 2] = [9, 10];

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
fn complex() -> Comparison {
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for n in SIZES {
        let row = kernel_row(n, 1.3, Kernel::Ring);
        let eigs = circulant_eigs(&row);
        for j in 0..n {
            let [re, im] = column(j, n);
            for k in 0..n {
                let [other_re, other_im] = column(k, n);
                predicted.extend([f64::from(u8::from(j == k)), 0.0]);
                measured.push(dot(&re, &other_re) + dot(&im, &other_im));
                measured.push(dot(&re, &other_im) - dot(&im, &other_re));
            }
            let eig = eigs[distance(0, j, n)];
            predicted.extend([&re, &im].into_iter().flatten().map(|x| eig * x));
            measured.extend([image(&row, &re), image(&row, &im)].concat());
        }
    }
    let what = "inner products 0 and 1 of the complex columns and eigenvalue times column, and the sums themselves, n = 9 and 10";
    Comparison::digits(&["L003.20"], what, &predicted, &measured)
}

/// `S Re v_j = l_j Re v_j` and the same for the imaginary part, `l_j` from the cosine sum.
fn real_parts() -> Comparison {
    let (mut predicted, mut measured) = (Vec::new(), Vec::new());
    for n in SIZES {
        let row = kernel_row(n, 0.9, Kernel::Ring);
        for j in 0..n {
            let eig: f64 =
                (0..n).map(|d| row[d] * libm::cos(TAU * (j * d) as f64 / n as f64)).sum();
            for part in column(j, n) {
                predicted.extend(part.iter().map(|x| eig * x));
                measured.extend(image(&row, &part));
            }
        }
    }
    let what = "l_j Re v_j and l_j Im v_j, and the circulant times either, n = 9 and 10, xi = 0.9";
    Comparison::digits(&["L003.21"], what, &predicted, &measured)
}

/// A vector put together again from its coefficients in these columns, `F F'w`.
fn again(columns: &[Vec<f64>], w: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; w.len()];
    for column in columns {
        let coefficient = dot(column, w);
        sum.iter_mut().zip(column).for_each(|(sum, x)| *sum += coefficient * x);
    }
    sum
}

fn weights(n: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * i + 2 * i) % 7) as f64 - 2.3).collect()
}

/// The columns of the form, one a mode.
fn orthonormal(n: usize) -> Vec<Vec<f64>> {
    let rows = basis(n);
    (0..n).map(|j| rows.iter().map(|row| row[j]).collect()).collect()
}

/// `F F'w = w`, and what a set of columns of the source makes of the same vectors.
fn put_together(source: impl Fn(usize) -> Vec<Vec<f64>>) -> [Vec<f64>; 3] {
    let each =
        |f: &dyn Fn(usize) -> Vec<f64>| SIZES.iter().flat_map(|n| f(*n)).collect::<Vec<f64>>();
    [
        each(&|n| again(&orthonormal(n), &weights(n))),
        each(&weights),
        each(&|n| again(&source(n), &weights(n))),
    ]
}

/// Real and imaginary parts without their factor: note 003 takes them as they are.
fn rescaled() -> Comparison {
    let parts = |n: usize| -> Vec<Vec<f64>> {
        let half = n.div_ceil(2);
        let mut columns: Vec<Vec<f64>> = (0..half).map(|j| column(j, n)[0].clone()).collect();
        columns.extend((1..half).map(|j| column(j, n)[1].clone()));
        if n.is_multiple_of(2) {
            columns.push(column(n / 2, n)[0].clone());
        }
        columns
    };
    let [predicted, measured, source] = put_together(parts);
    let what =
        "w put together from its coefficients in cosines and sines of norm 1, and w, n = 9 and 10";
    Comparison::digits(&["L003.22"], what, &predicted, &measured).source(&source)
}

/// Real parts of all columns: note 001 (136) leaves the sines out.
fn cosines_alone() -> Comparison {
    let [predicted, measured, source] =
        put_together(|n| (0..n).map(|j| column(j, n)[0].clone()).collect());
    let what = "w put together from its coefficients in cosines and sines, and w; the real parts alone keep its even half";
    Comparison::digits(&["L001.57"], what, &predicted, &measured).source(&source)
}
