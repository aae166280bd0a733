//! One setting of the variances: the recursion, and drawn networks.

use super::Criticality;
use fovea_desk::depth::{AtLayer, deep, first_pair, follow, two_inputs};
use fovea_desk::prelude::*;
use fovea_theory::averages::{Averages, Pair};
use fovea_theory::critical::Critical;
use fovea_theory::layer::Layer;

/// One setting.
pub(super) struct Arm {
    /// C_w and C_b.
    pub(super) constants: [f64; 2],
    /// Kernels of infinitely wide layers.
    pub(super) theory: Vec<Pair>,
    /// Those of drawn networks.
    pub(super) measured: Vec<AtLayer>,
}

/// The critical constants and the variance at the first layer; without a critical point those at which close inputs keep their distance at K = 1.
fn anchor(settings: &Criticality, found: &Critical) -> Result<([f64; 2], f64), LabError> {
    if let (Some(c_w), Some(c_b)) = (found.c_w, found.c_b) {
        return Ok(([c_w, c_b], found.k.filter(|k| *k > 0.0).unwrap_or(1.0)));
    }
    let slope = Averages::of(&settings.activation).slope_square(1.0)?;
    Ok(([1.0 / slope, 0.0], 1.0))
}

impl Arm {
    /// The setting whose weights have `factor` times the critical variance.
    pub(super) fn new(
        settings: &Criticality,
        found: &Critical,
        index: usize,
        factor: f64,
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let ([c_w, c_b], k) = anchor(settings, found)?;
        // The inputs that have K at the first layer of the critical network, the same for all settings.
        let size = (k - c_b) / c_w;
        let constants = [factor * c_w, c_b];
        let layer = Layer::new(&settings.activation, constants[0], c_b);
        let tolerant = Layer { averages: layer.averages.clone().to(1e-9), ..layer };
        let first = first_pair(constants, size, settings.r);
        let theory = tolerant.pairs(first, settings.layers - 1)?;
        let shape = deep(&settings.activation, constants, settings.width, settings.layers);
        let x = two_inputs(size, settings.r);
        let measured = follow(&shape, &x, settings.nets, &format!("setting {index}"), desk)?;
        Ok(Self { constants, theory, measured })
    }

    /// Variance and covariance by layer: predicted, measured, standard errors.
    pub(super) fn array(&self) -> Array {
        let line = |(k, m): (&Pair, &AtLayer)| {
            let [variance, covariance] = [m.variance, m.covariance];
            let errors = [variance.se(), covariance.se()];
            vec![k.aa, k.ab, variance.mean(), covariance.mean(), errors[0], errors[1]]
        };
        let rows: Vec<Vec<f64>> = self.theory.iter().zip(&self.measured).map(line).collect();
        Array::of_rows(format!("kernels_cw_{:.4}", self.constants[0]), &rows)
    }
}
