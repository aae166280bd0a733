//! The loss of many starts at every gain, and the norms of the fields they see.

use super::StartingLoss;
use super::theory::{ACTS, Act, Fields, Theory};
use fovea_core::stats::Estimate;
use fovea_core::{ParamError, Value, activation};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::two_class::GAUSSIAN_GAIN;
use fovea_record::claim::Claim;
use fovea_sim::expect::expect;
use fovea_sim::init::Initializer;
use fovea_sim::init::lecun::LeCun;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_sim::train::{Precision, held_out_loss};
use fovea_sim::{Bias, Labels, Network, Task, Watch, loss};
use fovea_theory::starting::erf::unit_power_at_norm;

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

/// Measures all gains; the starts and the latent fields are the same at each. None where the run was stopped.
pub(super) fn measure(
    settings: &StartingLoss,
    bench: &Bench<'_>,
) -> Result<Option<Vec<AtGain>>, LabError> {
    let mut tasks = Vec::new();
    for gain in &settings.gain {
        tasks.push([task(settings, *gain, Act::Relu)?, task(settings, *gain, Act::Erf)?]);
    }
    let rule = LeCun { init_scale: settings.init_scale };
    bench.progress.expect(settings.inits as u64);
    let starts: Vec<u64> = (0..settings.inits as u64).collect();
    // losses[start][gain][act][width], one after the other.
    let losses = bench.fleet(&starts, |start| -> Result<Vec<f64>, ParamError> {
        let streams = bench.streams().replica(*start);
        let mut losses = Vec::new();
        if bench.stopped() {
            return Ok(losses);
        }
        for pair in &tasks {
            for (act, task) in ACTS.iter().zip(pair) {
                for width in &settings.width {
                    let row = match act {
                        Act::Relu => &activation::relu::ENTRY,
                        Act::Erf => &activation::erf::ENTRY,
                    };
                    let weights = rule.start(&[settings.n], *width, &streams)?.weights;
                    let network = Network::committee(settings.n, *width, row, Bias::None)
                        .with(&weights, &vec![0.0; *width])?;
                    let (cost, samples) = (&loss::mse::ENTRY, settings.samples);
                    losses.push(match settings.precision {
                        Precision::Single => {
                            held_out_loss::<f32>(task, &network, cost, &streams, samples)
                        }
                        Precision::Double => {
                            held_out_loss::<f64>(task, &network, cost, &streams, samples)
                        }
                    });
                }
            }
        }
        bench.stepped();
        Ok(losses)
    });
    let losses = losses.into_iter().collect::<Result<Vec<_>, _>>()?;
    if bench.stopped() {
        return Ok(None);
    }
    let mut all = Vec::new();
    for (g, gain) in settings.gain.iter().enumerate() {
        let widths = settings.width.len();
        let mean = |act: usize, width: usize| {
            let at = (2 * g + act) * widths + width;
            Estimate::from_samples(&losses.iter().map(|row| row[at]).collect::<Vec<_>>())
        };
        let of = |act: usize| (0..widths).map(|width| mean(act, width)).collect::<Result<_, _>>();
        let fields = fields(settings, &tasks[g][0], bench)?;
        all.push(AtGain { gain: *gain, loss: [of(0)?, of(1)?], fields });
    }
    Ok(Some(all))
}

/// Norms of fields that no start has seen.
fn fields(
    settings: &StartingLoss,
    task: &Task,
    bench: &Bench<'_>,
) -> Result<Fields<Estimate>, LabError> {
    let var_w = settings.std_w() * settings.std_w();
    let of = |class: usize| {
        let stream = bench.streams().named(["norms/pos", "norms/neg"][class]);
        let stimulus = &*task.classes()[class].stimulus;
        expect(stimulus, &stream, settings.norms, 2, |x, out| {
            let power: f64 = x.iter().map(|x| x * x).sum();
            out[0] = power.sqrt();
            out[1] = unit_power_at_norm(var_w * power);
        })
    };
    let (pos, neg) = (of(0)?, of(1)?);
    Ok(Fields { norm_pos: pos[0], unit_power: [pos[1], neg[1]] })
}

/// The ends of the gain beside their closed forms, and every gain beside the formula with the norms it has.
pub(super) fn claims(
    settings: &StartingLoss,
    theory: &Theory,
    all: &[AtGain],
) -> Result<Vec<Claim>, LabError> {
    let mut claims = Vec::new();
    for (a, act) in ACTS.into_iter().enumerate() {
        let (id, unit, kept) = match act {
            Act::Relu => ("L002.21", "ReLU", "the mean of |S| for that of its gated half"),
            Act::Erf => ("L002.20", "erf", "twice the output power of a unit"),
        };
        let (mut ends, mut other) = (Vec::new(), Vec::new());
        let (mut between, mut wrong) = (Vec::new(), Vec::new());
        for at in all {
            for (w, width) in settings.width.iter().enumerate() {
                let (loss, job) = (at.loss[a][w], (act, *width));
                let [gaussian, signs] = [&theory.gaussian, &theory.signs]
                    .map(|fields| theory.loss(act, *width, fields));
                if at.gain <= GAUSSIAN_GAIN / 2.0 {
                    ends.push((loss, gaussian));
                    other.push((loss, signs));
                } else if at.gain.is_infinite() {
                    ends.push((loss, signs));
                    other.push((loss, gaussian));
                }
                between.push(theory.without_fields(job, loss, &at.fields, 1.0)?);
                wrong.push(theory.without_fields(job, loss, &at.fields, 2.0)?);
            }
        }
        if !ends.is_empty() {
            let statement = format!(
                "{unit}: the mean loss of drawn weights on Gaussian fields and on signs is the closed form's"
            );
            let fixed = "a loss that stays fixed: that of the other end of the gain";
            claims.push(Claim::family(id, statement, &ends).rejecting(fixed, &other));
        }
        let statement = format!(
            "{unit}: at every gain and width the mean loss less what the norms of the fields put into it is a constant"
        );
        claims.push(Claim::family(id, statement, &between).rejecting(kept, &wrong));
    }
    Ok(claims)
}

/// One line a gain.
pub(super) fn summary(settings: &StartingLoss, theory: &Theory, all: &[AtGain]) -> Vec<String> {
    let widths = settings.width.iter().map(|k| format!("{:>22}", format!("K = {k}")));
    let header = format!("{:>8} {:>9}{}", "gain", "E|X_pos|", widths.collect::<String>());
    let mut lines = vec![header];
    for (a, act) in ACTS.into_iter().enumerate() {
        lines.push(format!("{act:?}").to_lowercase());
        for at in all {
            let losses = at.loss[a].iter().map(|e| format!("{:>12.5} +- {:.5}", e.mean(), e.se()));
            let gain = Value::Real(at.gain).to_string();
            let norm = at.fields.norm_pos.mean();
            lines.push(format!("{gain:>8} {norm:>9.4} {}", losses.collect::<String>()));
        }
        for (name, fields) in [("closed 0", &theory.gaussian), ("closed inf", &theory.signs)] {
            let widths = settings.width.iter();
            let losses =
                widths.map(|k| format!("{:>12.5}           ", theory.loss(act, *k, fields)));
            lines.push(format!(
                "{name:>8} {:>9.4} {}",
                fields.norm_pos,
                losses.collect::<String>()
            ));
        }
    }
    lines
}
