//! The best sinusoid with an offset, as the publication fits it.

use std::f64::consts::TAU;

/// What an offset sinusoid leaves of a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    /// Root mean square of the field.
    pub(super) size: f64,
    /// Mean square of what is left.
    pub(super) mse: f64,
}

impl Left {
    /// What is left over the field, in the 2-norm.
    pub(super) fn relative(&self) -> f64 {
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
pub(super) fn left(w: &[f64]) -> Left {
    let n = w.len() as f64;
    let gap: f64 = w.iter().zip(fit(w, 1.0)).map(|(w, f)| (w - f) * (w - f)).sum();
    Left { size: (w.iter().map(|w| w * w).sum::<f64>() / n).sqrt(), mse: gap / n }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_sinusoid_leaves_nothing_and_another_wave_all_of_itself() {
        let n = 40;
        let wave = |periods: f64, i: usize| libm::sin(0.3 + TAU * periods * i as f64 / 39.0);
        let one: Vec<f64> = (0..n).map(|i| 0.04 + 0.005 * wave(1.0, i)).collect();
        assert!(left(&one).relative() < 1e-14);
        let two: Vec<f64> = (0..n).map(|i| 0.04 + 0.005 * wave(8.0, i)).collect();
        let left = left(&two);
        assert!((left.mse / (0.005 * 0.005 / 2.0) - 1.0).abs() < 0.1, "{left:?}");
        assert!(super::left(&[0.0; 8]).relative().abs() < 1e-15);
    }
}
