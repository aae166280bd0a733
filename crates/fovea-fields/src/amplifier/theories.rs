//! The theories of one unit on an Ising ring, each as a gated mean in the same descent.

use fovea_core::ring::{circulant_apply, unfold};
use fovea_desk::error::LabError;
use fovea_theory::amplifier::taylor::published;
use fovea_theory::cumulants::Cumulants;
use fovea_theory::ising::cov::cov;
use fovea_theory::relu::f_gauss::f_gauss;
use fovea_theory::site::Site;
use fovea_theory::unit_flow::{ClassRows, UnitFlow};
use fovea_theory::{AmplifierFlow, CubicFlow, EdgeworthFlow, FormError, Spins};

/// Signs, the law of a spin.
pub(super) const SPIN: Site = Site::Nlgp { gain: f64::INFINITY };
/// Excess kurtosis of a spin, the least there is.
const KURTOSIS: f64 = -2.0;

/// What is put in the place of the gated mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theory {
    /// That of Gaussian data.
    Gaussian,
    /// The localization amplifier.
    Amplifier,
    /// The amplifier to third order.
    Cubic,
    /// The Edgeworth form with exact fourth cumulants.
    Edgeworth,
    /// The sum over all corners.
    Exact,
}

impl Theory {
    pub(super) const ALL: [Self; 5] =
        [Self::Gaussian, Self::Amplifier, Self::Cubic, Self::Edgeworth, Self::Exact];
    /// Those that approximate.
    pub(super) const APPROXIMATE: [Self; 4] =
        [Self::Gaussian, Self::Amplifier, Self::Cubic, Self::Edgeworth];

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Gaussian => "Gaussian",
            Self::Amplifier => "amplifier",
            Self::Cubic => "cubic",
            Self::Edgeworth => "Edgeworth",
            Self::Exact => "exact",
        }
    }

    /// Its place among all.
    pub(super) fn index(self) -> usize {
        self as usize
    }
}

/// All theories of one task.
pub(super) struct Theories {
    spins: Spins,
    amplifier: AmplifierFlow,
    cubic: CubicFlow,
    edgeworth: EdgeworthFlow,
    pub(super) rows: ClassRows,
}

/// First rows of the covariances of two Ising rings.
pub(super) fn class_rows(n: usize, pos: f64, neg: f64) -> ClassRows {
    let row = |coupling| unfold(&cov(n, coupling), n);
    ClassRows { pos: row(pos), neg: row(neg) }
}

impl Theories {
    pub(super) fn new(n: usize, pos: f64, neg: f64) -> Result<Self, LabError> {
        let rows = class_rows(n, pos, neg);
        Ok(Self {
            spins: Spins::ising(n, pos).map_err(FormError::from)?,
            amplifier: AmplifierFlow::new(SPIN, rows.clone()),
            cubic: CubicFlow { excess_kurtosis: KURTOSIS, rows: rows.clone() },
            edgeworth: EdgeworthFlow { rows: rows.clone(), cumulants: Cumulants::ising(n, pos) },
            rows,
        })
    }

    /// The gated mean of one theory.
    pub(super) fn gated_mean(&self, theory: Theory, w: &[f64]) -> Vec<f64> {
        match theory {
            Theory::Gaussian => f_gauss(&self.rows.pos, w),
            Theory::Amplifier => self.amplifier.gated_mean(w),
            Theory::Cubic => self.cubic.gated_mean(w),
            Theory::Edgeworth => self.edgeworth.gated_mean(w),
            Theory::Exact => self.spins.gated_mean(w),
        }
    }

    /// One theory as a flow.
    pub(super) fn flow(&self, theory: Theory) -> impl UnitFlow {
        Of { all: self, theory }
    }
}

struct Of<'a> {
    all: &'a Theories,
    theory: Theory,
}

impl UnitFlow for Of<'_> {
    fn rows(&self) -> &ClassRows {
        &self.all.rows
    }
    fn gated_mean(&self, w: &[f64]) -> Vec<f64> {
        self.all.gated_mean(self.theory, w)
    }
}

/// The published program's flow: the cubic term without its factor, and half of the decay.
pub(super) struct Program {
    pub(super) rows: ClassRows,
}

impl UnitFlow for Program {
    fn rows(&self) -> &ClassRows {
        &self.rows
    }
    fn gated_mean(&self, w: &[f64]) -> Vec<f64> {
        // The program adds phi - M w/2 a step, which is 1/2 f - 1/4 M w with f = phi where it should be phi/2.
        let row = &self.rows.pos;
        let image = circulant_apply(row, w);
        let s = image.iter().zip(w).map(|(x, w)| x * w).sum::<f64>().sqrt();
        image.iter().map(|x| published(KURTOSIS, x / s)).collect()
    }
}
