//! The direction of the cumulant over the correlation length, at weak gain and for signs.

use fovea_core::ring::{Kernel, RingKernel, kernel_row};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_record::claim::Claim;
use fovea_record::outcome::Array;
use fovea_theory::FormError;
use fovea_theory::cumulants::{Cumulants, Leading};
use fovea_theory::nlgp::weak_cumulant::{amplifier_direction, direction};

/// Length and participation ratio at weak gain, n = 40, computed by another program.
pub(super) const PUBLISHED: [(f64, f64); 6] =
    [(0.5, 0.9992), (0.7, 0.959), (1.0, 0.595), (2.0, 0.244), (3.0, 0.163), (5.0, 0.098)];

pub(super) struct Lengths {
    pub(super) xi: Vec<f64>,
    pub(super) weak: Vec<Leading>,
    pub(super) sign_iprs: Vec<f64>,
}

impl Lengths {
    pub(super) fn new(
        n: usize,
        xi: &[f64],
        kernel: Kernel,
        bench: &Bench<'_>,
    ) -> Result<Self, LabError> {
        let both = bench.fleet(xi, |xi| {
            let row = RingKernel::new(n, *xi, kernel).map_err(FormError::from)?.first_row;
            Ok((direction(&row), Cumulants::nlgp(&row, f64::INFINITY).direction().ipr))
        });
        let both = both.into_iter().collect::<Result<Vec<_>, LabError>>()?;
        let (weak, sign_iprs) = both.into_iter().unzip();
        Ok(Self { xi: xi.to_vec(), weak, sign_iprs })
    }

    pub(super) fn iprs(&self) -> Vec<f64> {
        self.weak.iter().map(|leading| leading.ipr).collect()
    }

    /// At n = 40 the ratios are those found independently; the amplifier's cubic term leads elsewhere.
    pub(super) fn claim() -> Claim {
        let row = |xi: f64| kernel_row(40, xi, Kernel::Ring);
        let predicted: Vec<f64> =
            PUBLISHED.iter().map(|(xi, _)| direction(&row(*xi)).ipr).collect();
        let found: Vec<f64> = PUBLISHED.iter().map(|(_, ipr)| *ipr).collect();
        let wrong: Vec<f64> =
            PUBLISHED.iter().map(|(xi, _)| amplifier_direction(&row(*xi)).ipr).collect();
        let statement = "n = 40, lengths 0.5 to 5: participation ratio of the leading direction of the weak-gain cumulant, and the ratios another program found, to their last digit";
        Claim::exact("L000.21", statement, &predicted, &found, 6e-4).rejecting_exact(
            "where the amplifier's cubic term leads",
            &wrong,
            &found,
        )
    }

    pub(super) fn arrays(&self) -> Vec<Array> {
        let directions: Vec<Vec<f64>> = self.weak.iter().map(|leading| leading.v.clone()).collect();
        vec![
            Array::of_entries("lengths", &self.xi),
            Array::of_entries("ipr_weak", &self.iprs()),
            Array::of_entries("ipr_sign", &self.sign_iprs),
            Array::of_rows("direction_weak", &directions),
        ]
    }
}
