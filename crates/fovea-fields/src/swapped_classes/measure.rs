//! Networks that share lengths, gain and kind of start: their results, and the loss in closed form of the Gaussian mode, of a single
//! site, and of the regression under its gate.
//!
//! For every symmetric distribution `L = (1 - R/2)/4` at the best scale of a field, `R = (E_pos |<w,x>|)^2 / w'Mw`, `M = C_neg + C_pos`
//! (L000.38).
//!
//! * **A mode on Gaussian data** of the same covariances: `R = (2/pi)/(1 + q)`, largest where `q = lambda_neg/lambda_pos` is smallest
//!   (L003.16).
//! * **A single site**: `R = (E|x_i|)^2 / 2`, whatever the lengths.
//! * **The gate of a single site, the weights by regression**: since `E|<w,x>| >= 2 <w, f(v)>` for every gate `v`,
//!   `R >= 4 f' M^-1 f` with `f = f(e_i)` at the weights `2 M^-1 f`, so that the best field does at least as well; at infinite gain and
//!   with a positive margin these weights are the dictator state and the bound is exact there (L000.39). The product is symmetric in the two classes there: with `C_pos M^-1 C_pos =
//!   C_pos - C_pos M^-1 C_neg` and equal diagonals, swapping them changes nothing.

use super::SwappedClasses;
use fovea_core::choice;
use fovea_desk::prelude::*;
use fovea_desk::replicas::{jackknife, mean};
use fovea_sim::probe::ipr::ipr;
use fovea_sim::train::held_out_loss;
use fovea_theory::ascent::least_squares;
use fovea_theory::nlgp::cov::cov;
use fovea_theory::nlgp::f_site::f_site;
use fovea_theory::relu::stable_mode::stable_mode;
use fovea_theory::site::Site;
use fovea_theory::variational::r_site::r_site;
use std::f64::consts::FRAC_2_PI;

/// Values of `R` at one gain.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The best mode, on Gaussian data of the same covariances.
    pub mode: f64,
    /// Its frequency.
    pub frequency: usize,
    /// A single site.
    pub site: f64,
    /// The regression under the gate of a single site.
    pub gate: f64,
}

/// The `R` of a field at its best scale with this loss.
pub fn gain_of(loss: f64) -> f64 {
    2.0 * (1.0 - 4.0 * loss)
}

impl Bounds {
    /// The bounds at one gain.
    ///
    /// # Errors
    /// A latent covariance is none.
    pub fn new(two: &TwoClass, gain: f64) -> Result<Self, LabError> {
        let [pos, neg] = two.kernels()?;
        let flow = two.matched_gaussian_flow(gain)?;
        let best = stable_mode(&flow.eigs_pos, &flow.eigs_neg, 0.0);
        let f: Vec<f64> = pos.first_row.iter().map(|rho| f_site(*rho, gain)).collect();
        let rows = pos.first_row.iter().zip(&neg.first_row);
        let sum: Vec<f64> = rows.map(|(p, n)| cov(*p, gain) + cov(*n, gain)).collect();
        // 4 f'M^-1 f = 2 <w, f> at w = 2 M^-1 f, the weights that regression gives to this gate.
        let gate = 2.0 * dot(&least_squares(&sum, &f), &f);
        let site = r_site(Site::Nlgp { gain });
        Ok(Self { mode: FRAC_2_PI / (1.0 + best.ratio), frequency: best.k, site, gate })
    }
}

choice! {
    /// Where a field starts.
    pub(super) enum Origin {
        /// At random weights.
        Glorot = "glorot",
        /// On one site.
        Site = "site",
    }
}

/// One pair of lengths, gain and kind of start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) two: TwoClass,
    pub(super) gain: f64,
    pub(super) origin: Origin,
}

impl Point {
    /// The name of its group; its curves are called `NAME=0` and so on.
    pub(super) fn name(&self) -> String {
        let (pos, neg, gain) = (self.two.xi_pos, self.two.xi_neg, Value::Real(self.gain));
        format!("xi={pos},{neg},gain={gain},{}", self.origin.word())
    }

    /// Whether the class with label 1 has the longer correlations.
    pub(super) fn is_longer(&self) -> bool {
        self.two.xi_pos > self.two.xi_neg
    }
}

/// The results of the networks of one point.
pub struct Ends {
    pub(super) point: Point,
    pub(super) fields: Vec<Vec<f64>>,
    /// Loss of every network on fresh samples of its own.
    pub(super) losses: Vec<Estimate>,
    pub(super) bounds: Bounds,
    /// IPR and loss of the mean field, where it should be the dictator state.
    pub(super) mean_field: Option<[Estimate; 2]>,
}

/// Where the streams of evaluations begin, beyond those of any network.
const EVALUATION: u64 = 1 << 40;
/// Sets on which the loss of a network is measured; their spread is its standard error.
const SETS: u64 = 8;

impl Ends {
    /// Measures the losses; points with one `index` are measured on the same samples, network by network.
    pub(super) fn new(
        settings: &SwappedClasses,
        point: Point,
        runs: &Group<'_>,
        index: usize,
        desk: &Desk<'_>,
    ) -> Result<Self, LabError> {
        let (task, mse) = (point.two.task(point.gain, Labels::Iid)?, &loss::mse::ENTRY);
        let places: Vec<usize> = (0..runs.runs.len()).collect();
        let losses = desk.try_fleet(&places, |place| {
            let network = runs.runs[*place].network();
            let streams = desk.streams().replica(EVALUATION + index as u64).replica(*place as u64);
            let set = |set: u64| {
                let samples = settings.eval / SETS as usize;
                held_out_loss::<f32>(&task, network, mse, &streams.replica(set), samples)
            };
            Estimate::from_samples(&(0..SETS).map(set).collect::<Vec<_>>())
        })?;
        let fields: Vec<Vec<f64>> =
            runs.runs.iter().map(|run| run.network().weights().to_vec()).collect();
        let localizes = point.origin == Origin::Site && point.gain.is_infinite();
        let mean_field = if localizes && point.two.dictator()?.exists {
            let network = one_unit(&mean(&fields, None))?;
            let streams = desk.streams().replica(2 * EVALUATION + u64::from(point.is_longer()));
            let set = |set: u64| {
                held_out_loss::<f64>(&task, &network, mse, &streams.replica(set), settings.eval)
            };
            let measured = Estimate::from_samples(&(0..2 * SETS).map(set).collect::<Vec<_>>())?;
            Some([jackknife(&fields, ipr)?, measured])
        } else {
            None
        };
        let bounds = Bounds::new(&point.two, point.gain)?;
        Ok(Self { point, fields, losses, bounds, mean_field })
    }

    /// IPR of every field.
    pub(super) fn iprs(&self) -> Vec<f64> {
        self.fields.iter().map(|field| ipr(field)).collect()
    }

    /// Mean loss over networks, with the spread between them.
    pub(super) fn mean_loss(&self) -> Result<Estimate, LabError> {
        let means: Vec<f64> = self.losses.iter().map(Estimate::mean).collect();
        Ok(Estimate::from_samples(&means)?)
    }

    /// `R` of every network.
    pub(super) fn rs(&self) -> Vec<f64> {
        self.losses.iter().map(|loss| gain_of(loss.mean())).collect()
    }

    pub(super) fn arrays(&self) -> [Array; 2] {
        let name = self.point.name();
        let losses: Vec<Vec<f64>> = self.losses.iter().map(|e| vec![e.mean(), e.se()]).collect();
        [
            Array::of_rows(format!("fields_{name}"), &self.fields),
            Array::of_rows(format!("loss_{name}"), &losses),
        ]
    }
}
