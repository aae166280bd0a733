//! Two classes of one elliptical distribution, and its closed flow: that of Gaussian data with another constant (L000.11).

use crate::two_class::{TwoClass, scaled_at_records};
use fovea_core::{Item, ParamError};
use fovea_sim::lattice::Lattice;
use fovea_sim::stimulus::elliptical::{Elliptical, Radius};
use fovea_sim::{Labels, TaskSpec};
use fovea_theory::committee_flow::GAUSSIAN;
use fovea_theory::elliptical::Radial;
use fovea_theory::elliptical::half_mean_abs::half_mean_abs;
use std::sync::Arc;

/// What is sampled for a distribution.
pub fn sampled(law: Radial, lattice: Lattice) -> Elliptical {
    let of = |radius: Radius| Elliptical { lattice, radius, ..Elliptical::default() };
    match law {
        Radial::Student { dof } => Elliptical { dof, ..of(Radius::Student) },
        Radial::Laplace => of(Radius::Laplace),
        Radial::Shell => of(Radius::Shell),
        Radial::Ball => of(Radius::Ball),
        Radial::Power { beta } => Elliptical { beta, ..of(Radius::Power) },
        Radial::HalfLogistic => of(Radius::HalfLogistic),
    }
}

/// The task between two classes of this distribution as data, labels 1 and 0, half of the samples of each class.
pub fn spec(two: &TwoClass, law: Radial) -> Arc<TaskSpec> {
    let class =
        |xi: f64| Item::of("elliptical", &sampled(law, Lattice::ring(two.n, xi, two.kernel)));
    Arc::new(TaskSpec::pair(class(two.xi_pos), class(two.xi_neg), 0.0, Labels::Balanced))
}

/// The constant of the gated mean over that of Gaussian data on `n` sites.
pub fn factor(law: Radial, n: usize) -> f64 {
    half_mean_abs(law, n) / GAUSSIAN
}

/// The closed flow from the first field of every run, seen where training records: `[run][record]`.
///
/// # Errors
/// A kernel is not a covariance.
pub fn flows(
    two: &TwoClass,
    law: Radial,
    runs: &[Vec<Vec<f64>>],
    schedule: (f64, usize, usize),
) -> Result<Vec<Vec<Vec<f64>>>, ParamError> {
    let (flow, factor) = (two.gaussian_flow()?, factor(law, two.n));
    Ok(runs.iter().map(|run| scaled_at_records(&flow, &run[0], factor, schedule)).collect())
}
