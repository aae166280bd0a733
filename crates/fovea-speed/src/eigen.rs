//! Eigenvalues and eigenvectors of a symmetric matrix, by the method in use and by the slower one that tests it.
//!
//! The entries come from a hash of their place, as the inputs of the tangent kernel do.

use super::row::{Measured, Relation, Row, Work};
use super::tangent::numbers;
use fovea_core::symmetric::{Eigen, SymmetricError, eigen, jacobi};

/// Decomposes rows.
type Way = fn(&[Vec<f64>]) -> Result<Eigen, SymmetricError>;

pub(super) fn rows() -> Vec<Row> {
    let steps = "Householder's reflections and implicit QL steps";
    vec![
        row("jacobi", 200, "Jacobi's rotations", jacobi::eigen),
        row("eigen", 200, steps, eigen),
        row("eigen", 480, steps, eigen),
    ]
}

/// A symmetric matrix without any structure.
fn matrix(n: usize) -> Vec<Vec<f64>> {
    let entries = numbers(0, n * n);
    (0..n).map(|i| (0..n).map(|j| entries[i.max(j) * n + i.min(j)]).collect()).collect()
}

fn row(name: &str, n: usize, by: &str, way: Way) -> Row {
    let about =
        format!("eigenvalues and eigenvectors of a symmetric matrix of {n} rows, f64, by {by}");
    let prepare = move || {
        let rows = matrix(n);
        let work: Work = Box::new(move |count| {
            for _ in 0..count {
                let found = way(&rows)?;
                std::hint::black_box(found);
            }
            Ok(())
        });
        Ok(work)
    };
    let relate = move |row: &Measured, before: &[Measured]| {
        let milliseconds = 1e3 * row.seconds();
        let time = Relation {
            key: "milliseconds",
            value: milliseconds,
            text: format!("{milliseconds:.3} ms"),
        };
        let judge = (row.name == "eigen-200").then(|| row.ratio("jacobi-200", before)).flatten();
        let judge = judge.map(|value| Relation {
            key: "over_jacobi",
            value,
            text: format!("{value:.1} times jacobi-200"),
        });
        [Some(time), judge].into_iter().flatten().collect()
    };
    let row = Row::new(format!("{name}-{n}"), about, ("matrices/s", 1.0), prepare);
    Row { relate: Box::new(relate), ..row }
}
