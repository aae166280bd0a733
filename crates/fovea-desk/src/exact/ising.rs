//! A ring of spins.

use super::{ClosedForm, Exact, SiteLaw, Wrong, control, read};
use fovea_core::params::{Assignments, ParamType, Schema};
use fovea_core::ring::distance;
use fovea_sim::stimulus::{self, ising::Ising};
use fovea_theory::ising::cov::cov as ising_cov;
use std::sync::Arc;

fn moments(values: &Assignments) -> Result<Exact, String> {
    let params: Ising = read(values)?;
    let Ising { n, coupling } = params;
    let by_distance = |row: Vec<f64>| move |i, j| row[distance(i, j, n)];
    let open = control("ising.cov", &params.values())
        .and_then(|(what, row)| Some(Wrong::new(what, by_distance(Vec::<f64>::read(&row)?))));
    // A spin is its own sign.
    let positive = by_distance(ising_cov(n, coupling));
    let positive = move |site| (0..n).map(|j| positive(site, j)).collect::<Vec<f64>>();
    let twice =
        Wrong::new("every bond counted twice, tanh 2J", by_distance(ising_cov(n, 2.0 * coupling)));
    Ok(Exact {
        shape: vec![n],
        mean: vec![0.0; n],
        cov: Arc::new(by_distance(ising_cov(n, coupling))),
        site: Arc::new(|_| SiteLaw::Atoms(vec![(-1.0, 0.5), (1.0, 0.5)])),
        stationary: true,
        gaussian: false,
        given_positive: Some(Arc::new(positive)),
        wrong: open.into_iter().chain([twice]).collect(),
    })
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::ising::ENTRY.name, moments };
