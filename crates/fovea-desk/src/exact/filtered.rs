//! A stimulus of which only the samples beyond a plane are kept.

use super::{ClosedForm, Exact, SiteLaw, Wrong, exact, read, small_enough};
use fovea_core::Matrix;
use fovea_core::params::Assignments;
use fovea_sim::stimulus::{self, filtered::Filtered};
use fovea_theory::truncated::gaussian::gaussian as truncated;
use std::sync::Arc;

fn moments(values: &Assignments) -> Result<Exact, String> {
    let params: Filtered = read(values)?;
    let base = exact(&params.base)?;
    if let Some(half) = halved(&params, &base)? {
        return Ok(half);
    }
    if !base.gaussian {
        return Err(format!(
            "truncated.gaussian is about Gaussian data, and `base` is {}",
            params.base.name()
        ));
    }
    if !base.stationary || base.shape.len() > 1 {
        return Err("truncated.gaussian is written for a circulant covariance on a ring".to_owned());
    }
    let n = base.mean.len();
    small_enough(n)?;
    let direction = weights(&params.direction, params.site, n);
    let along: f64 = direction.iter().zip(&base.mean).map(|(a, m)| a * m).sum();
    let row: Vec<f64> = (0..n).map(|j| (base.cov)(0, j)).collect();
    let beyond =
        truncated(&row, &direction, params.threshold - along).map_err(|error| error.to_string())?;
    let unconditional = {
        let beyond = beyond.clone();
        let what = "the unconditional moments E[XX'; <a,X> >= b] of the notes";
        Wrong::new(what, move |i, j| {
            beyond.probability * (beyond.cov[i][j] + beyond.mean[i] * beyond.mean[j])
        })
    };
    let uncut = Wrong::new("the covariance of the base", {
        let cov = Arc::clone(&base.cov);
        move |i, j| cov(i, j)
    });
    let mean = beyond.mean.iter().zip(&base.mean).map(|(shift, mean)| mean + shift).collect();
    let site = "there is no form for one site of a Gaussian beyond a plane";
    Ok(Exact::uneven(
        mean,
        beyond.cov,
        SiteLaw::Unknown(site.to_owned()),
        vec![unconditional, uncut],
    ))
}

/// A symmetric distribution with the sign of one site fixed: its mean is twice the gated mean, and the second moments stay.
fn halved(params: &Filtered, base: &Exact) -> Result<Option<Exact>, String> {
    let (&[weight], Some(positive)) = (params.direction.numbers(), &base.given_positive) else {
        return Ok(None);
    };
    if params.threshold != 0.0 {
        return Ok(None);
    }
    let n = base.mean.len();
    small_enough(n)?;
    let mean: Vec<f64> = positive(params.site).iter().map(|m| weight.signum() * m).collect();
    let cov =
        |i: usize| -> Vec<f64> { (0..n).map(|j| (base.cov)(i, j) - mean[i] * mean[j]).collect() };
    let uncut = Wrong::new("the covariance of the base", {
        let cov = Arc::clone(&base.cov);
        move |i, j| cov(i, j)
    });
    let site = "there is no form for one site of a filtered field";
    let cov = (0..n).map(cov).collect();
    let half = Exact::uneven(mean, cov, SiteLaw::Unknown(site.to_owned()), vec![uncut]);
    Ok(Some(Exact { shape: base.shape.clone(), ..half }))
}

/// One weight per site from the parameter `direction`, whose single number belongs to `site` alone.
fn weights(direction: &Matrix, site: usize, n: usize) -> Vec<f64> {
    match direction.numbers() {
        [one] => (0..n).map(|i| if i == site { *one } else { 0.0 }).collect(),
        all => all.to_vec(),
    }
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::filtered::ENTRY.name, moments };
