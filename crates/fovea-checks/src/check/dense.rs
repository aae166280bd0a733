//! Linear equations by elimination, to check solutions that are otherwise found mode by mode.

/// The solution of a square system, by elimination with the largest pivot of each column.
pub fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for column in 0..n {
        let size = |row: &usize| matrix[*row][column].abs();
        let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(column);
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..n {
            let factor = matrix[row][column] / matrix[column][column];
            for at in column..n {
                matrix[row][at] -= factor * matrix[column][at];
            }
            right[row] -= factor * right[column];
        }
    }
    let mut x = vec![0.0; n];
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|at| matrix[row][at] * x[at]).sum();
        x[row] = (right[row] - known) / matrix[row][row];
    }
    x
}
