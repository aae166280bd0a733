//! The three products of a layer, each sum in an order that does not depend on the machine.

/// Partial sums kept side by side, so that a sum over many entries runs in the registers of any machine.
const SIDE: usize = 8;

/// The inner product: eight partial sums over every eighth entry, added in their order.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; SIDE];
    let (whole_a, rest_a) = a.as_chunks::<SIDE>();
    let (whole_b, rest_b) = b.as_chunks::<SIDE>();
    for (a, b) in whole_a.iter().zip(whole_b) {
        for i in 0..SIDE {
            sums[i] += a[i] * b[i];
        }
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + rest
}

/// Every row of `x` times the transposed matrix `w` of `units` rows: `y[a][i] = <w[i], x[a]>`.
pub(super) fn rows_times_transposed(x: &[f64], w: &[f64], inputs: usize, units: usize) -> Vec<f64> {
    let rows = x.len() / inputs;
    let mut y = vec![0.0; rows * units];
    // A row of the matrix meets all samples while it is at hand.
    for (i, row) in w.chunks_exact(inputs).enumerate() {
        for (a, sample) in x.chunks_exact(inputs).enumerate() {
            y[a * units + i] = dot(row, sample);
        }
    }
    y
}

/// Every row of `y` times the matrix `w`: `x[a][j] = sum_i y[a][i] w[i][j]`.
pub(super) fn rows_times(y: &[f64], w: &[f64], inputs: usize, units: usize) -> Vec<f64> {
    let rows = y.len() / units;
    let mut x = vec![0.0; rows * inputs];
    for (i, row) in w.chunks_exact(inputs).enumerate() {
        for (a, image) in x.chunks_exact_mut(inputs).enumerate() {
            let factor = y[a * units + i];
            image.iter_mut().zip(row).for_each(|(x, w)| *x += factor * w);
        }
    }
    x
}

/// The inner products of all pairs of rows.
pub(super) fn gram(rows: &[f64], length: usize) -> Vec<f64> {
    let count = rows.len() / length;
    let mut all = vec![0.0; count * count];
    for a in 0..count {
        for b in 0..=a {
            let entry =
                dot(&rows[a * length..(a + 1) * length], &rows[b * length..(b + 1) * length]);
            (all[a * count + b], all[b * count + a]) = (entry, entry);
        }
    }
    all
}
