//! What is learned, and by which network.

use super::GaborOrNot;
use fovea_core::activation::{self, Row};
use fovea_core::ring::Kernel;
use fovea_core::{ParamError, Value};
use fovea_desk::error::LabError;
use fovea_desk::fleet::{Arm, committee};
use fovea_desk::two_class::TwoClass;
use fovea_sim::lattice::Lattice;
use fovea_sim::stimulus::copula::{Copula, Shape};
use fovea_sim::stimulus::ising::Ising;
use fovea_sim::{Bias, Labels, Plan, Sgd, Task};

/// Where the two classes come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Source {
    /// Nonlinear Gaussian processes of a gain.
    Nlgp(f64),
    /// Ising rings of two couplings.
    Ising,
    /// A Gaussian copula with power tails.
    Kur(f64),
}

impl Source {
    /// A short name for tables and axes.
    pub(super) fn label(self) -> String {
        match self {
            Self::Nlgp(gain) => Value::Real(gain).to_string(),
            Self::Ising => "Ising".to_owned(),
            Self::Kur(k) => format!("Kur {}", Value::Real(k)),
        }
    }

    fn name(self) -> String {
        match self {
            Self::Nlgp(gain) => format!("gain={}", Value::Real(gain)),
            Self::Ising => "ising".to_owned(),
            Self::Kur(k) => format!("kur={}", Value::Real(k)),
        }
    }

    pub(super) fn task(self, settings: &GaborOrNot) -> Result<Task, ParamError> {
        let GaborOrNot { n, xi_pos, xi_neg, .. } = *settings;
        match self {
            Self::Nlgp(gain) => {
                TwoClass { n, xi_pos, xi_neg, kernel: Kernel::Ring }.task(gain, Labels::Balanced)
            }
            Self::Ising => {
                let class = |coupling| Ising { n, coupling }.sampler();
                let [pos, neg] = [class(settings.coupling_pos)?, class(settings.coupling_neg)?];
                Task::pair(Box::new(pos), Box::new(neg), 0.0, Labels::Balanced)
            }
            Self::Kur(k) => {
                let lattice = |xi| Lattice::ring(n, xi, Kernel::Ring);
                let class = |xi| {
                    let marginal = Shape::Kur;
                    Copula { lattice: lattice(xi), marginal, k, ..Copula::default() }.sampler()
                };
                let [pos, neg] = [class(xi_pos)?, class(xi_neg)?];
                Task::pair(Box::new(pos), Box::new(neg), 0.0, Labels::Balanced)
            }
        }
    }
}

/// Whether a gain is one of those listed.
pub(super) fn listed(gains: &[f64], gain: f64) -> bool {
    gains.iter().any(|other| other.total_cmp(&gain).is_eq())
}

/// A kind of network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Net {
    pub(super) width: usize,
    pub(super) activation: &'static Row,
    pub(super) bias: Bias,
}

impl Net {
    /// A name for tables and panels.
    pub(super) fn label(&self) -> String {
        let units = if self.width == 1 { "unit" } else { "units" };
        let bias = if self.bias == Bias::None { "" } else { " with bias" };
        let kind = if self.activation.name == "relu" { "ReLU" } else { self.activation.name };
        format!("{} {kind} {units}{bias}", self.width)
    }

    fn name(&self) -> String {
        let bias = if self.bias == Bias::None { "" } else { "-bias" };
        format!("{}{bias}-{}", self.activation.name, self.width)
    }

    fn rate(&self, settings: &GaborOrNot) -> f64 {
        let rate =
            if self.activation.name == "relu" { settings.lr_relu } else { settings.lr_sigmoid };
        rate * self.width as f64
    }
}

impl GaborOrNot {
    /// The networks, in the order of the panels.
    pub(super) fn nets(&self) -> [Net; 6] {
        let relu = |width, bias| Net { width, activation: &activation::relu::ENTRY, bias };
        let sigmoid =
            |width| Net { width, activation: &activation::sigmoid::ENTRY, bias: Bias::Trainable };
        [
            relu(1, Bias::None),
            relu(self.few, Bias::None),
            relu(self.many, Bias::None),
            relu(self.few, Bias::Trainable),
            sigmoid(self.few),
            sigmoid(self.many),
        ]
    }

    /// The sources, in the order of the axes.
    pub(super) fn sources(&self) -> Vec<Source> {
        let gains = self.gain.iter().map(|gain| Source::Nlgp(*gain));
        let others = [Source::Ising].into_iter().chain(self.kur.iter().map(|k| Source::Kur(*k)));
        gains.chain(others).collect()
    }

    /// Every source with every network that is trained on it: the large ones on some gains alone, and biases and Ising spins or power
    /// tails together for sigmoid units only.
    pub(super) fn pairs(&self) -> Vec<(Source, usize)> {
        let seen = |source: Source, net: usize| match source {
            Source::Nlgp(gain) => ![2, 5].contains(&net) || listed(&self.many_gain, gain),
            Source::Ising | Source::Kur(_) => [0, 1, 4].contains(&net),
        };
        let all =
            self.sources().into_iter().flat_map(|source| (0..6).map(move |net| (source, net)));
        all.filter(|(source, net)| seen(*source, *net)).collect()
    }

    /// The arm of a pair.
    pub(super) fn arm<'a>(
        &self,
        (source, net): (Source, usize),
        plan: Plan<'a>,
    ) -> Result<Arm<'a>, LabError> {
        let net = self.nets()[net];
        Ok(Arm {
            name: format!("{},{}", net.name(), source.name()),
            task: source.task(self)?,
            network: committee(net.width, net.activation, net.bias, self.init_scale),
            sgd: Sgd::online(net.rate(self), self.batch),
            plan,
        })
    }
}
