//! A stimulus times an independent number.

use super::{ClosedForm, Cov, Exact, SiteLaw, Wrong, exact, read};
use fovea_core::params::Assignments;
use fovea_sim::stimulus;
use fovea_sim::stimulus::scaled::{Factor, Scaled};
use fovea_theory::scaled::excess_kurtosis::Scale;
use std::f64::consts::PI;
use std::sync::Arc;

/// Second moments stay, `E s^2 = 1`; the mean shrinks to `E s` times what it was, and the covariance is the rest.
fn moments(values: &Assignments) -> Result<Exact, String> {
    let params: Scaled = read(values)?;
    let base = exact(&params.base)?;
    let (scale, shrunk) = match params.factor {
        Factor::Normal => (Scale::Normal, 0.0),
        Factor::Uniform => (Scale::Uniform, 0.0),
        Factor::Sign => (Scale::Sign, 0.0),
        // The mean of the root of an exponential number is the gamma function at 3/2.
        Factor::RootExponential => (Scale::RootExponential, PI.sqrt() / 2.0),
    };
    let centred = base.mean.iter().all(|m| m.abs() < f64::MIN_POSITIVE);
    let mean = Arc::new(base.mean.clone());
    let spread = move |cov: Cov| {
        let mean = Arc::clone(&mean);
        move |i: usize, j: usize| cov(i, j) + (1.0 - shrunk * shrunk) * mean[i] * mean[j]
    };
    let wrong = base.wrong.iter().map(|w| Wrong::new(&*w.what, spread(Arc::clone(&w.cov))));
    let mut wrong: Vec<Wrong> = wrong.collect();
    if !centred {
        let cov = Arc::clone(&base.cov);
        wrong.insert(0, Wrong::new("the covariance of the base", move |i, j| cov(i, j)));
    }
    let law = move |i: usize| {
        if centred {
            SiteLaw::Scaled { scale, base: Box::new((base.site)(i)) }
        } else {
            let why = "scaled.excess_kurtosis needs a base with mean 0";
            SiteLaw::Unknown(why.to_owned())
        }
    };
    Ok(Exact {
        mean: base.mean.iter().map(|m| shrunk * m).collect(),
        cov: Arc::new(spread(base.cov)),
        site: Arc::new(law),
        gaussian: base.gaussian && centred && params.factor == Factor::Sign,
        given_positive: None,
        shape: base.shape,
        stationary: base.stationary,
        wrong,
    })
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::scaled::ENTRY.name, moments };
