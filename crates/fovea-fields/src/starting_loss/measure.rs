//! What the loss before training should be, and what it is: over many starts at every gain, with the norms of the fields they see.

use super::StartingLoss;
use fovea_core::ring::RingKernel;
use fovea_core::stats::StatsError;
use fovea_desk::prelude::*;
use fovea_sim::expect::expect;
use fovea_sim::init::Initializer;
use fovea_sim::init::lecun::LeCun;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_sim::train::held_out_loss;
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

/// What one gain's fields are like: the norm of class pos, and the mean squared output of an erf unit in each class.
#[derive(Clone, Copy, Debug)]
pub struct Fields<T> {
    pub(super) norm_pos: T,
    pub(super) unit_power: [T; 2],
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
    /// A latent covariance is none.
    pub fn new(settings: &StartingLoss) -> Result<Self, LabError> {
        let kernels = settings.two_class().kernels()?;
        let (n, std_w) = (settings.n as f64, settings.std_w());
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
    /// `gate` multiplies the norm in a ReLU's mean, `units` the output of an erf unit: 1 for the right form.
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

/// What was measured at one gain.
pub(super) struct AtGain {
    pub(super) gain: f64,
    /// Mean loss over the starts, `loss[act][width]`.
    pub(super) loss: [Vec<Estimate>; 2],
    pub(super) fields: Fields<Estimate>,
}

/// The task of one activation at one gain.
fn task(settings: &StartingLoss, gain: f64, act: Act) -> Result<Task, ParamError> {
    let class = |xi| Nlgp::on_ring(settings.n, xi, gain, settings.kernel).sampler();
    let (pos, neg) = (class(settings.xi_pos)?, class(settings.xi_neg)?);
    let label = if act == Act::Relu { 0.0 } else { -1.0 };
    Task::pair(Box::new(pos), Box::new(neg), label, Labels::Balanced)
}

/// Measures all gains; the starts and the latent fields are the same at each.
pub(super) fn measure(settings: &StartingLoss, desk: &Desk<'_>) -> Result<Vec<AtGain>, LabError> {
    let mut tasks = Vec::new();
    for gain in &settings.gain {
        tasks.push([task(settings, *gain, Act::Relu)?, task(settings, *gain, Act::Erf)?]);
    }
    let rule = LeCun { init_scale: settings.init_scale };
    let starts: Vec<u64> = (0..settings.inits as u64).collect();
    let held_out = match settings.precision {
        Precision::Single => held_out_loss::<f32>,
        Precision::Double => held_out_loss::<f64>,
    };
    // losses[start][gain][act][width], one after the other.
    let losses = desk.try_fleet(&starts, |start| -> Result<Vec<f64>, ParamError> {
        let (streams, mut losses) = (desk.streams().replica(*start), Vec::new());
        for pair in &tasks {
            for (act, task) in ACTS.iter().zip(pair) {
                let row = match act {
                    Act::Relu => &activation::relu::ENTRY,
                    Act::Erf => &activation::erf::ENTRY,
                };
                for width in &settings.width {
                    let weights = rule.start(&[settings.n], *width, &streams)?.weights;
                    let network = Network::committee(settings.n, *width, row, Bias::None)
                        .with(&weights, &vec![0.0; *width])?;
                    let cost = &loss::mse::ENTRY;
                    losses.push(held_out(task, &network, cost, &streams, settings.samples));
                }
            }
        }
        Ok(losses)
    })?;
    let mut all = Vec::new();
    for (g, gain) in settings.gain.iter().enumerate() {
        let widths = settings.width.len();
        let mean = |act: usize, width: usize| {
            let at = (2 * g + act) * widths + width;
            Estimate::from_samples(&losses.iter().map(|row| row[at]).collect::<Vec<_>>())
        };
        let of = |act: usize| (0..widths).map(|width| mean(act, width)).collect::<Result<_, _>>();
        let fields = fields(settings, &tasks[g][0], &desk.streams())?;
        all.push(AtGain { gain: *gain, loss: [of(0)?, of(1)?], fields });
    }
    Ok(all)
}

/// Norms of fields that no start has seen.
fn fields(
    settings: &StartingLoss,
    task: &Task,
    streams: &Streams,
) -> Result<Fields<Estimate>, LabError> {
    let var_w = settings.std_w() * settings.std_w();
    let of = |class: usize| {
        let stream = streams.named(["norms/pos", "norms/neg"][class]);
        let stimulus = &*task.classes()[class].stimulus;
        expect(stimulus, &stream, settings.norms, 2, |x, out| {
            let power: f64 = x.iter().map(|x| x * x).sum();
            out[0] = power.sqrt();
            out[1] = erf::unit_power_at_norm(var_w * power);
        })
    };
    let (pos, neg) = (of(0)?, of(1)?);
    Ok(Fields { norm_pos: pos[0], unit_power: [pos[1], neg[1]] })
}
