//! Functions of the mean over replicas, with jackknife standard errors.

use crate::error::LabError;
use fovea_core::stats::Estimate;

/// The mean of rows, one of them left out where named.
pub fn mean(rows: &[Vec<f64>], without: Option<usize>) -> Vec<f64> {
    let kept = || rows.iter().enumerate().filter(|(i, _)| Some(*i) != without).map(|(_, row)| row);
    let count = kept().count() as f64;
    (0..rows[0].len()).map(|j| kept().map(|row| row[j]).sum::<f64>() / count).collect()
}

/// A function of the mean row, with the bias of order one over the count removed and its standard error.
///
/// # Errors
/// Fewer than two rows, or a value that is not finite.
pub fn jackknife(rows: &[Vec<f64>], of: impl Fn(&[f64]) -> f64) -> Result<Estimate, LabError> {
    let count = rows.len() as f64;
    let whole = of(&mean(rows, None));
    let pseudo: Vec<f64> =
        (0..rows.len()).map(|i| count * whole - (count - 1.0) * of(&mean(rows, Some(i)))).collect();
    Ok(Estimate::from_samples(&pseudo)?)
}

/// A function of the mean row without bias correction, for one that is too nonlinear for it, with the jackknife's standard error.
///
/// # Errors
/// Those of [`jackknife`].
pub fn plain(rows: &[Vec<f64>], of: impl Fn(&[f64]) -> f64) -> Result<Estimate, LabError> {
    let se = jackknife(rows, &of)?.se();
    Ok(Estimate::from_parts(of(&mean(rows, None)), se, rows.len())?)
}

/// A share `hits / count` with its standard error, which is that of one hit more or less where none or all hit.
///
/// # Errors
/// Fewer than two counted.
pub fn share(hits: usize, count: usize) -> Result<Estimate, LabError> {
    let (hits, all) = (hits as f64, count as f64);
    let spread = hits.clamp(1.0, (all - 1.0).max(1.0)) / all;
    let se = (spread * (1.0 - spread) / (all - 1.0)).sqrt();
    Ok(Estimate::from_parts(hits / all, se, count)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_jackknife_of_a_mean_is_the_mean_and_of_a_square_is_unbiased() {
        let rows: Vec<Vec<f64>> = [1.0, 2.0, 4.0, 9.0].iter().map(|x| vec![*x]).collect();
        let plain = Estimate::from_samples(&[1.0, 2.0, 4.0, 9.0]).unwrap();
        let same = jackknife(&rows, |mean| mean[0]).unwrap();
        assert!((same.mean() - 4.0).abs() < 1e-12 && (same.se() - plain.se()).abs() < 1e-12);
        // E mean^2 exceeds the square of the expectation by se^2, which the jackknife removes.
        let square = jackknife(&rows, |mean| mean[0] * mean[0]).unwrap();
        assert!((square.mean() - (16.0 - plain.se() * plain.se())).abs() < 1e-12);
    }

    #[test]
    fn a_share_has_the_standard_error_of_its_samples_and_never_none() {
        let samples: Vec<f64> = (0..20).map(|i| f64::from(u8::from(i < 6))).collect();
        let plain = Estimate::from_samples(&samples).unwrap();
        let six = share(6, 20).unwrap();
        assert!((six.mean() - 0.3).abs() < 1e-15 && (six.se() - plain.se()).abs() < 1e-12);
        assert!(share(0, 20).unwrap().mean().abs() < 1e-15);
        assert!((share(0, 20).unwrap().se() - share(1, 20).unwrap().se()).abs() < 1e-15);
        assert!((share(20, 20).unwrap().se() - share(19, 20).unwrap().se()).abs() < 1e-15);
        assert!(share(0, 1).is_err());
    }
}
