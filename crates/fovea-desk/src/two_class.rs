//! What the two-class experiments share: the task of telling two nonlinear Gaussian processes apart, and its theory.

use crate::error::{LabError, refuse};
use fovea_core::fourier::from_fourier;
use fovea_core::params::{ParamType, any, between, finite_above};
use fovea_core::ring::{Kernel, RingKernel};
use fovea_core::streams::{Stream, Streams};
use fovea_core::{Item, ParamError, Value, activation, params};
use fovea_sim::init::Initializer;
use fovea_sim::init::glorot::Glorot;
use fovea_sim::lattice::Lattice;
use fovea_sim::stimulus::copula::{Copula, Shape};
use fovea_sim::stimulus::ising::Ising;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_sim::{Bias, Labels, Network, Task, TaskSpec};
use fovea_theory::GaussianFlow;
use fovea_theory::dictator::fixed_point::{FixedPoint, fixed_point, sign_cov};
use fovea_theory::nlgp::cov::cov;
use std::sync::Arc;

params! {
    /// Two classes that differ in the correlation length of their latent field.
    pub struct TwoClass {
        /// Ring size: inputs of the network.
        n: usize = 40, between(2.0, 4096.0), "sites";
        /// Correlation length of class `pos`, label 1.
        xi_pos: f64 = 2.0, finite_above(0.0), "sites";
        /// Correlation length of class `neg`, label 0 unless the labels are set otherwise.
        xi_neg: f64 = 1.0, finite_above(0.0), "sites";
        /// Covariance kernel of the latent fields.
        kernel: Kernel = Kernel::Ring, any(), "";
    }
}

impl Copy for TwoClass {}

impl TwoClass {
    /// The latent covariances of `pos` and `neg`.
    ///
    /// # Errors
    /// One of them is not a covariance; the message names the parameter.
    pub fn kernels(&self) -> Result<[RingKernel; 2], ParamError> {
        let of = |key: &str, xi: f64| {
            RingKernel::new(self.n, xi, self.kernel).map_err(|error| ParamError::Inconsistent {
                what: format!("`{key}` is {xi}: {error}"),
                hint: error.hint(),
            })
        };
        Ok([of("xi_pos", self.xi_pos)?, of("xi_neg", self.xi_neg)?])
    }

    /// The task at one gain, labels 1 and 0.
    ///
    /// # Errors
    /// A latent covariance is none.
    pub fn task(&self, gain: f64, labels: Labels) -> Result<Task, ParamError> {
        self.kernels()?;
        let class = |xi| Nlgp::on_ring(self.n, xi, gain, self.kernel).sampler();
        Task::pair(Box::new(class(self.xi_pos)?), Box::new(class(self.xi_neg)?), 0.0, labels)
    }

    /// The task at one gain as data, labels 1 and 0.
    pub fn spec(&self, gain: f64, labels: Labels) -> Arc<TaskSpec> {
        let class = |xi| Item::of("nlgp", &Nlgp::on_ring(self.n, xi, gain, self.kernel));
        Arc::new(TaskSpec::pair(class(self.xi_pos), class(self.xi_neg), 0.0, labels))
    }

    /// The task on power tails of exponent `k` as data, labels 1 and 0: Gaussian copulas with the algebraic distribution.
    pub fn power_tails(&self, k: f64, labels: Labels) -> Arc<TaskSpec> {
        let class = |xi| {
            let lattice = Lattice::ring(self.n, xi, self.kernel);
            Item::of("copula", &Copula { lattice, marginal: Shape::Kur, k, ..Copula::default() })
        };
        Arc::new(TaskSpec::pair(class(self.xi_pos), class(self.xi_neg), 0.0, labels))
    }

    /// Both classes in words, for the subtitle of a figure.
    pub fn in_words(&self) -> String {
        let [pos, neg] = [self.xi_pos, self.xi_neg].map(Value::Real);
        format!("n = {}, correlation lengths {pos} (label 1) and {neg} (label 0)", self.n)
    }

    /// The flow of one unit on Gaussian data with the latent covariances.
    ///
    /// # Errors
    /// A latent covariance is none.
    pub fn gaussian_flow(&self) -> Result<GaussianFlow, ParamError> {
        let [pos, neg] = self.kernels()?;
        Ok(GaussianFlow { eigs_pos: pos.eigs, eigs_neg: neg.eigs })
    }

    /// The flow of one unit on Gaussian data with the covariances the process has at this gain.
    ///
    /// # Errors
    /// A latent covariance is none.
    pub fn matched_gaussian_flow(&self, gain: f64) -> Result<GaussianFlow, LabError> {
        let [pos, neg] = self.kernels()?;
        let row = |kernel: &RingKernel| -> Vec<f64> {
            kernel.first_row.iter().map(|rho| cov(*rho, gain)).collect()
        };
        Ok(GaussianFlow::from_rows(&row(&pos), &row(&neg)))
    }

    /// The localized state of one unit on sign data, centred on site 0.
    ///
    /// # Errors
    /// A latent covariance is none.
    pub fn dictator(&self) -> Result<FixedPoint, LabError> {
        let [pos, neg] = self.kernels()?;
        Ok(fixed_point(&sign_cov(&pos.first_row), &sign_cov(&neg.first_row)))
    }
}

impl TwoClass {
    /// The documented wrong form of [`TwoClass::dictator`]: the latent covariance in place of that of the signs.
    ///
    /// # Errors
    /// A latent covariance is none.
    pub fn latent_dictator(&self) -> Result<FixedPoint, LabError> {
        let [pos, neg] = self.kernels()?;
        Ok(fixed_point(&pos.first_row, &neg.first_row))
    }
}

/// The task of telling Ising rings of two couplings apart as data, labels 1 and 0.
pub fn spins(n: usize, [pos, neg]: [f64; 2], labels: Labels) -> Arc<TaskSpec> {
    let class = |coupling| Item::of("ising", &Ising { n, coupling });
    Arc::new(TaskSpec::pair(class(pos), class(neg), 0.0, labels))
}

/// One bias-free ReLU unit with these weights.
///
/// # Errors
/// A weight is not finite.
pub fn one_unit(weights: &[f64]) -> Result<Network, ParamError> {
    Network::committee(weights.len(), 1, &activation::relu::ENTRY, Bias::None).with(weights, &[0.0])
}

/// Glorot weights of one unit on a ring of `n` sites.
///
/// # Errors
/// The scale is not a factor on a variance.
pub fn glorot(n: usize, init_scale: f64, streams: &Streams) -> Result<Vec<f64>, ParamError> {
    Ok(Glorot { init_scale }.start(&[n], 1, streams)?.weights)
}

/// How large the random weights of a start are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartSize {
    /// Standard normal weights.
    Unit,
    /// Normal weights of Glorot's variance 2/(n + 1).
    Glorot,
}

impl StartSize {
    /// Start `index` of a stream, the same direction at either size.
    pub fn weights(self, n: usize, stream: &Stream, index: u64) -> Vec<f64> {
        let mut w = vec![0.0; n];
        stream.normals(index, &mut w);
        let deviation = match self {
            Self::Unit => 1.0,
            Self::Glorot => (2.0 / (n as f64 + 1.0)).sqrt(),
        };
        w.into_iter().map(|w| w * deviation).collect()
    }
}

/// Glorot weights of one unit on a ring of `n` sites: draw `index` of a stream.
pub fn random_start(n: usize, init_scale: f64, stream: &Stream, index: u64) -> Vec<f64> {
    let mut w = vec![0.0; n];
    stream.normals(index, &mut w);
    let std = (init_scale * 2.0 / (n + 1) as f64).sqrt();
    w.iter().map(|w| std * w).collect()
}

/// Full-batch gradient descent on the closed flow, recorded when training is: steps of `lr`, one record per interval.
pub fn at_records(
    flow: &GaussianFlow,
    start: &[f64],
    (lr, steps, record_every): (f64, usize, usize),
) -> Vec<Vec<f64>> {
    let (mut fields, mut step) = (Vec::new(), 0);
    flow.euler_map(start, lr, steps, |_, u| {
        if step % record_every == 0 || step == steps {
            fields.push(from_fourier(u));
        }
        step += 1;
    });
    fields
}

/// The same for an elliptical distribution, whose constant of the gated mean is `factor` times the Gaussian one.
///
/// With `w = a v` in `w' = 1/2 c C w/s - 1/4 M w`, `s` is `a` times that of `v`, so that `v` has the constant `c/a`.
pub fn scaled_at_records(
    flow: &GaussianFlow,
    start: &[f64],
    factor: f64,
    schedule: (f64, usize, usize),
) -> Vec<Vec<f64>> {
    let start: Vec<f64> = start.iter().map(|w| w / factor).collect();
    let mut fields = at_records(flow, &start, schedule);
    fields.iter_mut().flatten().for_each(|w| *w *= factor);
    fields
}

/// The first note's flow (L000.3), whose second term `1/2 (C_neg + C_pos) w` is twice too large.
///
/// It is the true flow of a class `neg` with covariance `2 C_neg + C_pos`, since that makes `1/4 (C_neg + C_pos)` double.
pub fn first_note_flow(flow: &GaussianFlow) -> GaussianFlow {
    let doubled = flow.eigs_neg.iter().zip(&flow.eigs_pos).map(|(neg, pos)| 2.0 * neg + pos);
    GaussianFlow { eigs_pos: flow.eigs_pos.clone(), eigs_neg: doubled.collect() }
}

/// `|field - theory| / |theory|`: how far apart two fields are.
pub fn relative_distance(field: &[f64], theory: &[f64]) -> f64 {
    let gap: f64 = field.iter().zip(theory).map(|(w, v)| (w - v) * (w - v)).sum();
    let size: f64 = theory.iter().map(|v| v * v).sum();
    (gap / size).sqrt()
}

/// Up to this gain the excess kurtosis of an entry is within 0.1 of 0 and the data count as Gaussian.
pub const GAUSSIAN_GAIN: f64 = 0.1;

/// Refuses a batch that cannot be halved between the classes.
///
/// # Errors
/// Balanced labels and an odd batch.
pub fn check_labels(labels: Labels, batch: usize) -> Result<(), ParamError> {
    labels.share_out(&[0.5; 2], batch)
}

/// Refuses a gain that is named twice, since records are told apart by it.
///
/// # Errors
/// A gain occurs twice.
pub fn check_gains(gains: &[f64]) -> Result<(), ParamError> {
    check_once("gain", gains)
}

/// Refuses a value of `key` that is named twice, since records are told apart by it.
///
/// # Errors
/// A value occurs twice.
pub fn check_once<T: ParamType + PartialEq>(key: &str, values: &[T]) -> Result<(), ParamError> {
    let twice = (1..values.len()).find(|i| values[..*i].contains(&values[*i]));
    twice.map_or(Ok(()), |i| {
        let what = format!("`{key}` names {} twice", values[i].write());
        refuse(what, format!("give each {key} once"))
    })
}
