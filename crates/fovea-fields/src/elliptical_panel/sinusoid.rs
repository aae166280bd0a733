//! The best sinusoid with an offset, as the publication fits it.

use std::f64::consts::TAU;

/// What an offset sinusoid leaves of a field.
#[derive(Clone, Copy, Debug)]
pub struct Left {
    /// Root mean square of the field.
    pub(super) size: f64,
    /// Mean square of what is left.
    pub mse: f64,
}

impl Left {
    /// What is left over the field, in the 2-norm.
    pub fn relative(&self) -> f64 {
        if self.size > 0.0 { self.mse.sqrt() / self.size } else { 0.0 }
    }
}

/// The least-squares sinusoid with an offset, of `periods` periods from the first site to the last; the ring has one site more.
///
/// The published fit descends from one period and a phase chosen by eye. At weights of a few hundredths its amplitude and offset
/// find their optimum and its frequency hardly moves, so that one period it is.
pub(super) fn fit(w: &[f64], periods: f64) -> Vec<f64> {
    let wave = |i: usize| libm::sincos(TAU * periods * i as f64 / (w.len() - 1) as f64);
    let columns = [
        vec![1.0; w.len()],
        (0..w.len()).map(|i| wave(i).0).collect::<Vec<f64>>(),
        (0..w.len()).map(|i| wave(i).1).collect(),
    ];
    // Gram-Schmidt: the three are nearly orthogonal, and on so many sites never dependent.
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for mut column in columns {
        for other in &basis {
            let along = dot(&column, other);
            column.iter_mut().zip(other).for_each(|(x, o)| *x -= along * o);
        }
        let norm = dot(&column, &column).sqrt();
        basis.push(column.iter().map(|x| x / norm).collect());
    }
    let mut fitted = vec![0.0; w.len()];
    for vector in &basis {
        let along = dot(w, vector);
        fitted.iter_mut().zip(vector).for_each(|(f, v)| *f += along * v);
    }
    fitted
}

/// What the best offset sinusoid of one period leaves.
pub fn left(w: &[f64]) -> Left {
    let n = w.len() as f64;
    let gap: f64 = w.iter().zip(fit(w, 1.0)).map(|(w, f)| (w - f) * (w - f)).sum();
    Left { size: (w.iter().map(|w| w * w).sum::<f64>() / n).sqrt(), mse: gap / n }
}
