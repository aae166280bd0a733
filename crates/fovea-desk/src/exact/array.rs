//! The rows of an array.

use super::{ClosedForm, Exact, SiteLaw, Wrong, read, small_enough};
use fovea_core::params::Assignments;
use fovea_sim::stimulus::{self, array::Array};
use std::sync::Arc;

/// The array's own moments, column by column: the rows are the whole distribution.
fn moments(values: &Assignments) -> Result<Exact, String> {
    let Array { samples, .. } = read(values)?;
    let (rows, n) = (samples.rows(), samples.cols());
    small_enough(n)?;
    let average = move |f: &dyn Fn(usize) -> f64| (0..rows).map(f).sum::<f64>() / rows as f64;
    let mean: Vec<f64> = (0..n).map(|j| average(&|r| samples.row(r)[j])).collect();
    let cov = {
        let (samples, mean) = (samples.clone(), mean.clone());
        move |i: usize, j: usize| {
            average(&|r| (samples.row(r)[i] - mean[i]) * (samples.row(r)[j] - mean[j]))
        }
    };
    let cov = Arc::new(cov);
    let estimated = {
        let (cov, factor) = (Arc::clone(&cov), rows as f64 / (rows as f64 - 1.0));
        Wrong::new("the estimate from a sample, divided by one row less", move |i, j| {
            factor * cov(i, j)
        })
    };
    let column = move |j: usize| {
        let mut entries: Vec<f64> = (0..rows).map(|r| samples.row(r)[j]).collect();
        entries.sort_by(f64::total_cmp);
        let share = |level: &[f64]| (level[0], level.len() as f64 / rows as f64);
        SiteLaw::Atoms(entries.chunk_by(|a, b| a.total_cmp(b).is_eq()).map(share).collect())
    };
    Ok(Exact {
        shape: vec![n],
        mean,
        cov,
        site: Arc::new(column),
        stationary: false,
        gaussian: false,
        given_positive: None,
        wrong: if rows > 1 { vec![estimated] } else { Vec::new() },
    })
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::array::ENTRY.name, moments };
