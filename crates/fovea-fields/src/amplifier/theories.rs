//! The theories of one unit on an Ising ring, each as a gated mean in the same descent.

use fovea_core::ring::{circulant_apply, unfold};
use fovea_desk::prelude::*;
use fovea_theory::amplifier::taylor::published;
use fovea_theory::cumulants::Cumulants;
use fovea_theory::ising::cov::cov;
use fovea_theory::relu::f_gauss::f_gauss;
use fovea_theory::site::Site;
use fovea_theory::unit_flow::{ClassRows, UnitFlow};
use fovea_theory::{AmplifierFlow, CubicFlow, EdgeworthFlow, FormError, Spins};

/// The theories: the gated mean of Gaussian data, the localization amplifier and its third order, the Edgeworth form with exact
/// fourth cumulants, and the sum over all corners, which is the only one that is no approximation. Then what they are compared with.
pub(super) const WORDS: [&str; 6] = ["Gaussian", "amplifier", "cubic", "Edgeworth", "exact", "SGD"];
pub(super) const AMPLIFIER: usize = 1;
pub(super) const EDGEWORTH: usize = 3;
pub(super) const EXACT: usize = 4;
pub(super) const SGD: usize = 5;

/// Signs, the distribution of a spin.
const SPIN: Site = Site::Nlgp { gain: f64::INFINITY };
/// Excess kurtosis of a spin, the least there is.
const KURTOSIS: f64 = -2.0;

/// What replaces the gated mean.
type GatedMean = dyn Fn(&[f64]) -> Vec<f64> + Send + Sync;

/// One theory between two classes.
pub(super) struct Theory {
    rows: ClassRows,
    f: Box<GatedMean>,
}

impl UnitFlow for Theory {
    fn rows(&self) -> &ClassRows {
        &self.rows
    }
    fn gated_mean(&self, w: &[f64]) -> Vec<f64> {
        (self.f)(w)
    }
}

impl Theory {
    fn new(rows: &ClassRows, f: impl Fn(&[f64]) -> Vec<f64> + Send + Sync + 'static) -> Self {
        Self { rows: rows.clone(), f: Box::new(f) }
    }

    pub(super) fn amplifier(rows: &ClassRows) -> Self {
        let flow = AmplifierFlow::new(SPIN, rows.clone());
        Self::new(rows, move |w| flow.gated_mean(w))
    }

    pub(super) fn cubic(rows: &ClassRows) -> Self {
        let flow = CubicFlow { excess_kurtosis: KURTOSIS, rows: rows.clone() };
        Self::new(rows, move |w| flow.gated_mean(w))
    }

    /// The published program's flow: the cubic term without its factor, and half of the decay.
    pub(super) fn program(rows: &ClassRows) -> Self {
        let row = rows.pos.clone();
        Self::new(rows, move |w| {
            // The program adds phi - M w/2 per step, which is 1/2 f - 1/4 M w with f = phi where it should be phi/2.
            let image = circulant_apply(&row, w);
            let s = dot(&image, w).sqrt();
            image.iter().map(|x| published(KURTOSIS, x / s)).collect()
        })
    }
}

/// First rows of the covariances of two Ising rings.
pub(super) fn class_rows(n: usize, pos: f64, neg: f64) -> ClassRows {
    let row = |coupling| unfold(&cov(n, coupling), n);
    ClassRows { pos: row(pos), neg: row(neg) }
}

/// All theories between two Ising rings.
pub(super) fn theories(n: usize, pos: f64, neg: f64) -> Result<[Theory; 5], LabError> {
    let rows = class_rows(n, pos, neg);
    let row = rows.pos.clone();
    let edgeworth = EdgeworthFlow { rows: rows.clone(), cumulants: Cumulants::ising(n, pos) };
    let spins = Spins::ising(n, pos).map_err(FormError::from)?;
    Ok([
        Theory::new(&rows, move |w| f_gauss(&row, w)),
        Theory::amplifier(&rows),
        Theory::cubic(&rows),
        Theory::new(&rows, move |w| edgeworth.gated_mean(w)),
        Theory::new(&rows, move |w| spins.gated_mean(w)),
    ])
}
