//! What the loss before training should be, and what it is: over many starts at every gain, with the norms of the fields they see.

use super::StartingLoss;
use fovea_core::ring::RingKernel;
use fovea_core::stats::StatsError;
use fovea_desk::prelude::*;
use fovea_desk::two_class::GAUSSIAN_GAIN;
use fovea_sim::expect::expect;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::nlgp::norm_variance::norm_variance;
use fovea_theory::starting::{erf, norm, relu};
use std::f64::consts::FRAC_2_PI;

/// The two activations, in the order of every list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Labels 1 and 0.
    Relu,
    /// Labels 1 and -1.
    Erf,
}

/// Both of them.
pub const ACTS: [Act; 2] = [Act::Relu, Act::Erf];

impl Act {
    /// The name in words.
    pub(super) fn word(self) -> &'static str {
        ["ReLU", "erf"][self as usize]
    }

    pub(super) fn entry(self) -> &'static activation::Entry {
        [&activation::relu::ENTRY, &activation::erf::ENTRY][self as usize]
    }
}

/// The fields at one gain: the norm of class pos, and the mean squared output of an erf unit in each class.
#[derive(Clone, Copy, Debug)]
pub struct Fields<T> {
    pub(super) norm_pos: T,
    unit_power: [T; 2],
}

/// Closed forms of Gaussian fields and of signs, and the parts of the losses that do not depend on the gain.
pub struct Theory {
    n: f64,
    std_w: f64,
    kernels: [RingKernel; 2],
    /// Gaussian fields.
    pub gaussian: Fields<f64>,
    /// Signs of them.
    pub signs: Fields<f64>,
}

impl Theory {
    /// The theory at these settings.
    ///
    /// # Errors
    /// A latent kernel is no covariance.
    pub fn new(settings: &StartingLoss) -> Result<Self, LabError> {
        let kernels = settings.two.kernels()?;
        let (n, std_w) = (settings.two.n as f64, settings.std_w());
        let var_w = std_w * std_w;
        let gaussian = Fields {
            norm_pos: norm::norm(&kernels[0].eigs),
            unit_power: [0, 1].map(|c| erf::unit_power_of_gaussian(&kernels[c].eigs, var_w)),
        };
        let signs =
            Fields { norm_pos: n.sqrt(), unit_power: [erf::unit_power_at_norm(n * var_w); 2] };
        Ok(Self { n, std_w, kernels, gaussian, signs })
    }

    /// The mean loss of a committee on such fields.
    pub fn loss(&self, act: Act, width: usize, fields: &Fields<f64>) -> f64 {
        match act {
            Act::Relu => relu::relu(width, self.std_w, fields.norm_pos, [self.n; 2]),
            Act::Erf => erf::erf(width, fields.unit_power),
        }
    }

    /// The same on Gaussian fields and on signs.
    pub(super) fn ends(&self, act: Act, width: usize) -> [f64; 2] {
        [&self.gaussian, &self.signs].map(|fields| self.loss(act, width, fields))
    }

    /// The fields at a gain, to second order in the spread of their squared norm.
    pub fn expanded(&self, gain: f64) -> Fields<f64> {
        let spread = [0, 1].map(|c| norm_variance(&self.kernels[c].first_row, gain).variance);
        let (n, v) = (self.n, self.n * self.std_w * self.std_w);
        // E f(Q) = f(n) + f''(n) Var(Q)/2 with Q = |X|^2: sqrt(Q), and (2/pi) asin(v/(1+v)) at v = s^2 Q.
        let bend = -FRAC_2_PI * (2.0 + 3.0 * v)
            / ((1.0 + v) * (1.0 + v) * (1.0 + 2.0 * v).sqrt())
            / (1.0 + 2.0 * v);
        let unit = |c: usize| erf::unit_power_at_norm(v) + 0.5 * bend * v * v * spread[c] / (n * n);
        Fields {
            norm_pos: n.sqrt() * (1.0 - spread[0] / (8.0 * n * n)),
            unit_power: [unit(0), unit(1)],
        }
    }

    /// A measured loss less what the measured fields put into it, and what is left: a constant in closed form.
    ///
    /// `wrong` multiplies the norm in a ReLU's mean, or the output of an erf unit: 1 for the right form.
    pub(super) fn without_fields(
        &self,
        (act, width): (Act, usize),
        loss: Estimate,
        fields: &Fields<Estimate>,
        wrong: f64,
    ) -> Result<(Estimate, f64), StatsError> {
        let nothing = Fields { norm_pos: 0.0, unit_power: [0.0; 2] };
        let one = Fields { norm_pos: 1.0, unit_power: [1.0, 0.0] };
        let rest = self.loss(act, width, &nothing);
        let slope = wrong * (self.loss(act, width, &one) - rest);
        let [pos, neg] = fields.unit_power;
        let terms = match act {
            Act::Relu => vec![(1.0, loss), (-slope, fields.norm_pos)],
            Act::Erf => vec![(1.0, loss), (-slope, pos), (-slope, neg)],
        };
        Ok((Estimate::combination(&terms)?, rest))
    }
}

/// Which end of the gain this is, where it is one: Gaussian fields, 0, or signs, 1.
pub(super) fn end_of(gain: f64) -> Option<usize> {
    if gain <= GAUSSIAN_GAIN / 2.0 { Some(0) } else { gain.is_infinite().then_some(1) }
}

/// What was measured at one gain.
pub(super) struct AtGain {
    pub(super) gain: f64,
    /// Mean loss over the starts, `loss[act][width]`.
    pub(super) loss: [Vec<Estimate>; 2],
    pub(super) fields: Fields<Estimate>,
}

impl StartingLoss {
    /// Standard deviation of a weight.
    fn std_w(&self) -> f64 {
        (self.init_scale / self.two.n as f64).sqrt()
    }

    /// The task of one activation at one gain.
    pub(super) fn task(&self, gain: f64, act: Act) -> Result<Task, ParamError> {
        let class = |xi| Nlgp::on_ring(self.two.n, xi, gain, self.two.kernel).sampler();
        let (pos, neg) = (class(self.two.xi_pos)?, class(self.two.xi_neg)?);
        Task::pair(Box::new(pos), Box::new(neg), act.entry().negative_label, Labels::Balanced)
    }

    /// Norms of fields that no start has seen.
    pub(super) fn fields(
        &self,
        task: &Task,
        streams: &Streams,
    ) -> Result<Fields<Estimate>, LabError> {
        let var_w = self.std_w() * self.std_w();
        let of = |class: usize| {
            let stream = streams.named(["norms/pos", "norms/neg"][class]);
            let stimulus = &*task.classes()[class].stimulus;
            expect(stimulus, &stream, self.norms, 2, |x, out| {
                let power = dot(x, x);
                out[0] = power.sqrt();
                out[1] = erf::unit_power_at_norm(var_w * power);
            })
        };
        let (pos, neg) = (of(0)?, of(1)?);
        Ok(Fields { norm_pos: pos[0], unit_power: [pos[1], neg[1]] })
    }
}
