//! The loss before training: of erf units, of ReLU units, and the absolute loss (note 002, (19)-(30)).
//!
//! An erf unit without bias and labels 1, -1: `4L = 2 + E_1 s^2 + E_0 s^2`, for Gaussian data `L = 1/2 + (1/2pi) sum_c
//! arcsin(s_c^2/(1 + s_c^2))` (L002.20). ReLU units and labels 1, 0: `4 E_w L = 1 - sqrt(2/pi) s_w E|X_1| + 2 n s_w^2 (1/2K +
//! (K-1)/(2 pi K))` (L002.21). The absolute loss is `1/2 E_1[1 - y] + 1/2 E_0[1 + y]` while `|y| <= 1` (L002.22).

use super::prelude::*;
use fovea_core::activation::{self, Row as Activation};
use fovea_core::ring::RingKernel;
use fovea_core::stats::VectorAccumulator;
use fovea_desk::error::refused;
use fovea_sim::expect::expect;
use fovea_sim::kernel::Workspace;
use fovea_sim::loss::{self, Row as Loss};
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::gaussian::Gaussian;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_sim::{Batch, Bias, Class, Labels, Network, Stimulus, Task};
use fovea_theory::starting::erf::{self, unit_power_at_norm, unit_power_of_gaussian};
use fovea_theory::starting::erf_gauss::{self, erf_gauss};
use fovea_theory::starting::erf_site::{self, erf_site};
use fovea_theory::starting::norm::{self, norm};
use fovea_theory::starting::relu::{self, relu};
use std::f64::consts::SQRT_2;

/// The row of this check.
pub const ENTRY: Check = Check {
    name: "starting-losses",
    summary: "The loss before training, of erf and of ReLU units, and the absolute loss.",
    covers: &[
        "L002.20/weights",
        "L002.20/site",
        "L002.20/mean",
        "L002.21/loss",
        "L002.21/norm",
        "L002.21/gain",
        "L002.22/erf",
        "L002.22/relu",
    ],
    run,
};

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    Ok(vec![
        at_weights(effort)?,
        on_a_site(effort)?,
        over_weights(effort)?,
        of_relu(effort)?,
        norms(effort)?,
        growing(effort)?,
        absolute(effort)?,
        beyond_one(effort)?,
    ])
}

/// A field on a ring; gain 0 is Gaussian.
fn field(n: usize, xi: f64, gain: f64) -> Result<Box<dyn Stimulus>, LabError> {
    Ok(if gain > 0.0 {
        Box::new(Nlgp::on_ring(n, xi, gain, Kernel::Ring).sampler()?)
    } else {
        Box::new(Gaussian::on_ring(n, xi, Kernel::Ring).sampler()?)
    })
}

fn task(n: usize, [pos, neg]: [f64; 2], gain: f64, negative: f64) -> Result<Task, LabError> {
    Ok(Task::pair(field(n, pos, gain)?, field(n, neg, gain)?, negative, Labels::Balanced)?)
}

/// A committee whose weights are given, or drawn anew for every batch where a deviation is given, with what the loss roughly gains
/// per unit of variance of the preactivation: that fluctuation, whose mean is known, is taken out.
struct Committee<'a> {
    activation: &'static Activation,
    width: usize,
    weights: Result<&'a [f64], [f64; 2]>,
    biases: &'a [f64],
}

/// The simulator's mean loss, and the gradient by the first unit's weights and bias, over batches of its own.
fn simulated(
    effort: &Effort,
    (name, task, loss): (&str, &Task, &'static Loss),
    committee: &Committee<'_>,
    (batches, size): (usize, usize),
) -> Result<Vec<Estimate>, LabError> {
    effort.once(name, || {
        let (n, width, streams) = (task.dim(), committee.width, effort.streams.part(name));
        let empty = Network::committee(n, width, committee.activation, Bias::Trainable);
        let mut space = Workspace::<f64>::new(&empty, size);
        let row = |class: &Class| -> Result<Vec<f64>, LabError> {
            let field = &class.stimulus;
            let moments = field.moments().map_err(|error| refused(error, "choose another field"))?;
            Ok((0..n).map(|d| moments.covariance.at(0, d)).collect())
        };
        let rows: Vec<Vec<f64>> = task.classes().iter().map(row).collect::<Result<_, _>>()?;
        let (mut means, mut w) = (VectorAccumulator::new(n + 2), vec![0.0; n * width]);
        for step in 0..effort.samples(batches) as u64 {
            let batch = Batch::new(task, &streams, "samples", step, size);
            let mut at = |w: &[f64]| -> Result<Vec<f64>, LabError> {
                let network = empty.clone().with(w, committee.biases)?;
                let mut numbers = vec![space.loss_and_grad(&network, loss, &batch)];
                numbers.extend(&space.grad[..n]);
                numbers.push(space.grad[n * width]);
                Ok(numbers)
            };
            let numbers = match committee.weights {
                Ok(weights) => at(weights)?,
                // Weights and their negatives, which are as likely, on the same batch.
                Err([deviation, gain]) => {
                    streams.named("weights").normals(step, &mut w);
                    let (one, other) = (scaled(deviation, &w), scaled(-deviation, &w));
                    let mut numbers = combined(0.5, &at(&one)?, 0.5, &at(&other)?);
                    let variance: f64 =
                        rows.iter().map(|row| form(row, &one[..n], &one[..n])).sum();
                    numbers[0] -= gain * (variance - 2.0 * n as f64 * deviation * deviation);
                    numbers
                }
            };
            means.push(&numbers)?;
        }
        Ok(means.estimates()?)
    })
}

/// Twelve sites, a bump of this height.
fn bump(height: f64) -> Vec<f64> {
    (0..12).map(|i| height * libm::exp(-0.5 * (distance(i, 3, 12) as f64).powi(2))).collect()
}

const LENGTHS: [f64; 2] = [2.0, 1.0];

/// Variances of a preactivation in both classes of Gaussian data.
fn variances(w: &[f64]) -> [f64; 2] {
    LENGTHS.map(|xi| form(&kernel_row(w.len(), xi, Kernel::Ring), w, w))
}

/// One erf unit at given weights, Gaussian classes.
fn at_weights(effort: &Effort) -> Result<Comparison, LabError> {
    let closed: fn([f64; 2]) -> f64 =
        effort.form(&erf_gauss::ENTRY, erf_gauss, |var| erf_gauss(var.map(|v| 2.0 * v)));
    let task = task(12, LENGTHS, 0.0, -1.0)?;
    let mut pairs = Vec::new();
    for height in [0.3, 1.0, 3.0] {
        let w = bump(height);
        let unit = Committee {
            activation: &activation::erf::ENTRY,
            width: 1,
            weights: Ok(&w),
            biases: &[0.0],
        };
        let name = format!("erf/{height}");
        let measured = simulated(effort, (&name, &task, &loss::mse::ENTRY), &unit, (60, 2048))?;
        pairs.push((measured[0], closed(variances(&w))));
    }
    let what = "one erf unit without bias, labels 1 and -1, Gaussian classes, n = 12, xi_pos = 2, xi_neg = 1, bumps of height 0.3, 1 and 3: \
                1/2 + (1/2pi) sum_c arcsin(s_c^2/(1 + s_c^2)), and the mean loss of the simulator's network";
    Ok(Comparison::noise(&["L002.20/weights"], what, &pairs))
}

/// One erf unit that looks at one site, finite gain.
fn on_a_site(effort: &Effort) -> Result<Comparison, LabError> {
    let closed: fn(f64, f64) -> f64 =
        effort.form(&erf_site::ENTRY, erf_site, |alpha, gain| erf_site(SQRT_2 * alpha, gain));
    let mut pairs = Vec::new();
    for (alpha, gain) in [(0.7, 0.3), (1.0, 1.0), (1.5, 3.0)] {
        let mut w = vec![0.0; 12];
        w[5] = alpha;
        let unit = Committee {
            activation: &activation::erf::ENTRY,
            width: 1,
            weights: Ok(&w),
            biases: &[0.0],
        };
        let (task, name) = (task(12, LENGTHS, gain, -1.0)?, format!("site/{gain}"));
        let measured = simulated(effort, (&name, &task, &loss::mse::ENTRY), &unit, (60, 2048))?;
        pairs.push((measured[0], closed(alpha, gain)));
    }
    let what = "one erf unit with the weight 0.7, 1 or 1.5 on one site of fields of gain 0.3, 1 and 3, labels 1 and -1: quadrature over the site, \
                and the mean loss of the simulator's network";
    Ok(Comparison::noise(&["L002.20/site"], what, &pairs))
}

fn spectra(n: usize) -> Result<[Vec<f64>; 2], LabError> {
    let eigs = |xi| RingKernel::new(n, xi, Kernel::Ring).map(|kernel| kernel.eigs);
    Ok([eigs(LENGTHS[0]).map_err(FormError::from)?, eigs(LENGTHS[1]).map_err(FormError::from)?])
}

/// One erf unit, weights drawn: Gaussian fields and signs.
fn over_weights(effort: &Effort) -> Result<Comparison, LabError> {
    const N: usize = 40;
    let eigs = spectra(N)?;
    // Loss of a Gaussian field and of signs at this variance of a weight.
    let ends = |var: f64| {
        let gaussian = [0, 1].map(|c| unit_power_of_gaussian(&eigs[c], var));
        [gaussian, [unit_power_at_norm(var * N as f64); 2]].map(|power| erf::erf(1, power))
    };
    let var = 1.0 / N as f64;
    let closed = effort.form(&erf::ENTRY, ends(var), ends(2.0 * var));
    let mut measured = Vec::new();
    for (name, gain) in [("gaussian", 0.0), ("signs", f64::INFINITY)] {
        let unit = Committee {
            activation: &activation::erf::ENTRY,
            width: 1,
            // The slope of (1/4) (2/pi) arcsin(v/(1 + v)) at v = 1.
            weights: Err([var.sqrt(), 0.046]),
            biases: &[0.0],
        };
        let (task, name) = (task(N, LENGTHS, gain, -1.0)?, format!("start/{name}"));
        let found = simulated(effort, (&name, &task, &loss::mse::ENTRY), &unit, (2000, 128))?;
        measured.push(found[0]);
    }
    let pairs: Vec<_> = measured.into_iter().zip(closed).collect();
    let what = "one erf unit, w ~ N(0, I/n), n = 40, xi_pos = 2, xi_neg = 1: mean loss 0.66319 on Gaussian fields and 2/3 on signs, in closed form, \
                and over 2000 starts of the simulator's network; the source has it fixed";
    Ok(Comparison::noise(&["L002.20/mean"], what, &pairs).source(&[closed[0], closed[0]]))
}

/// ReLU committees, weights drawn: Gaussian fields and signs.
fn of_relu(effort: &Effort) -> Result<Comparison, LabError> {
    const N: usize = 40;
    let eigs = spectra(N)?;
    let closed: fn(usize, f64, f64, [f64; 2]) -> f64 =
        effort.form(&relu::ENTRY, relu, |width, std_w, norm, power| {
            relu(width, std_w, 2.0 * norm, power)
        });
    let one: fn(usize) -> usize =
        effort.slip("starting.relu", "the loss of one unit for that of K", |width| width, |_| 1);
    let std_w = (1.0 / N as f64).sqrt();
    let mut pairs = Vec::new();
    for width in [1, 3] {
        for (gain, norm) in [(0.0, norm(&eigs[0])), (f64::INFINITY, (N as f64).sqrt())] {
            let biases = vec![0.0; width];
            let units = Committee {
                activation: &activation::relu::ENTRY,
                width,
                weights: Err([std_w, 0.0]),
                biases: &biases,
            };
            let (task, name) = (task(N, LENGTHS, gain, 0.0)?, format!("relu/{width}/{gain}"));
            let found = simulated(effort, (&name, &task, &loss::mse::ENTRY), &units, (1500, 128))?;
            pairs.push((found[0], closed(one(width), std_w, norm, [N as f64; 2])));
        }
    }
    let what = "one and three ReLU units, labels 1 and 0, w ~ N(0, I/n), n = 40, xi_pos = 2, xi_neg = 1: E_w L from the mean norm of class pos, and \
                over 1500 starts of the simulator's network, on Gaussian fields and on signs";
    Ok(Comparison::noise(&["L002.21/loss"], what, &pairs))
}

/// The mean norm, which is all that the gain changes in the loss of ReLU units.
fn norms(effort: &Effort) -> Result<Comparison, LabError> {
    let closed: fn(&[f64], usize) -> f64 =
        effort.form(&norm::ENTRY, |eigs, _| norm(eigs), |_, n| (n as f64).sqrt());
    let mut pairs = Vec::new();
    for n in [12, 40] {
        for (xi, eigs) in LENGTHS.into_iter().zip(spectra(n)?) {
            let name = format!("norm/{n}/{xi}");
            let found = effort.once(&name, || -> Result<Estimate, LabError> {
                let stream = effort.streams.named(&name);
                let length = |x: &[f64], out: &mut [f64]| out[0] = dot(x, x).sqrt();
                Ok(expect(&*field(n, xi, 0.0)?, &stream, effort.samples(40_000), 1, length)?[0])
            })?;
            pairs.push((found, closed(&eigs, n)));
        }
    }
    let what = "mean norm of Gaussian fields on 12 and 40 sites, xi = 2 and 1: an integral over the eigenvalues, and sampled norms; sqrt n is that of signs";
    Ok(Comparison::noise(&["L002.21/norm"], what, &pairs))
}

/// The same latent fields at rising gains: the norm grows in the mean, its square does not.
fn growing(effort: &Effort) -> Result<Comparison, LabError> {
    const GAINS: [f64; 6] = [0.01, 0.3, 1.0, 3.0, 10.0, f64::INFINITY];
    let [norm, square] = effort.once("rises", || -> Result<[usize; 2], LabError> {
    let count = effort.samples(20_000);
    let samples: Vec<Sample> = GAINS
        .iter()
        .map(|gain| -> Result<Sample, LabError> {
            Ok(Sample::draw(&*field(40, 2.0, *gain)?, &effort.streams.named("latent"), count))
        })
        .collect::<Result<_, _>>()?;
    let rises = |of: &dyn Fn(f64) -> f64| -> Result<usize, LabError> {
        let mut hits = 0;
        for pair in samples.windows(2) {
            let gaps: Vec<f64> =
                pair[0].rows().zip(pair[1].rows()).map(|(a, b)| of(dot(b, b)) - of(dot(a, a))).collect();
            let rise = Estimate::from_samples(&gaps)?;
            hits += usize::from(rise.mean() > 5.0 * rise.se());
        }
        Ok(hits)
    };
    // The mean square is n at every gain: its fluctuation is taken out of the norm's.
    let norm = |square: f64| square.sqrt() - 0.5 * square / 40.0_f64.sqrt();
    Ok([rises(&norm)?, rises(&|square| square)?])
    })?;
    let what = "n = 40, xi = 2, the same latent fields at the gains 0.01, 0.3, 1, 3, 10 and infinity: steps from one gain to the next in which the mean \
                norm rises by more than 5 standard errors, which chance does once in 3 million";
    let steps = GAINS.len() - 1;
    Ok(Comparison::all(&["L002.21/gain"], what, (norm, steps), 3e-7)
        .against_cases("the mean square of the norm", (square, steps))
        .simulated())
}

/// Two erf units with biases: loss and gradient, linear in the answer.
fn absolute(effort: &Effort) -> Result<Comparison, LabError> {
    let rows = LENGTHS.map(|xi| kernel_row(12, xi, Kernel::Ring));
    let other: Vec<f64> = (0..12).map(|i| libm::cos(0.4 + 1.7 * f64::from(i))).collect();
    let (w, biases) = (bump(1.0), [-1.0, 0.6]);
    // E erf((S + b)/sqrt 2) = erf(b / sqrt(2 (1 + s^2))) in each class, for the first unit's weights and bias.
    let loss = |first: &[f64]| {
        let (w, bias) = first.split_at(12);
        let units = [(w, bias[0]), (&other[..], biases[1])];
        let answer = |row: &[f64]| {
            let mean = |(w, b): (&[f64], f64)| libm::erf(b / (2.0 * (1.0 + form(row, w, w))).sqrt());
            0.5 * units.map(mean).iter().sum::<f64>()
        };
        0.5 * (1.0 - answer(&rows[0])) + 0.5 * (1.0 + answer(&rows[1]))
    };
    let first = [&w[..], &biases[..1]].concat();
    let right = [vec![loss(&first)], gradient(&first, 1e-3, loss)].concat();
    // The class weights left out, as in (28)-(30).
    let source = scaled(2.0, &right);
    let closed = effort.slip("L002.22", "the class weights 1/2 left out", right, source.clone());
    let weights = [&w[..], &other[..]].concat();
    let units = Committee {
        activation: &activation::erf::ENTRY,
        width: 2,
        weights: Ok(&weights),
        biases: &biases,
    };
    let task = task(12, LENGTHS, 0.0, -1.0)?;
    let found = simulated(effort, ("l1/erf", &task, &loss::l1::ENTRY), &units, (100, 4096))?;
    let pairs: Vec<_> = found.into_iter().zip(closed).collect();
    let what = "two erf units with biases, labels 1 and -1, Gaussian classes, n = 12, xi_pos = 2, xi_neg = 1: 1/2 E_1[1 - y] + 1/2 E_0[1 + y] and its \
                gradient by the weights and the bias of one unit, and the simulator's absolute loss and its gradient";
    Ok(Comparison::noise(&["L002.22/erf"], what, &pairs).source(&source))
}

/// One ReLU unit, whose answer exceeds 1: the linear form does not hold.
fn beyond_one(effort: &Effort) -> Result<Comparison, LabError> {
    let task = task(12, LENGTHS, 0.0, -1.0)?;
    let (mut pairs, mut linear) = (Vec::new(), Vec::new());
    for height in [0.5, 1.5] {
        let w = bump(height);
        let [pos, neg] = variances(&w).map(f64::sqrt);
        let mean = |s: f64, of: &dyn Fn(f64) -> f64| {
            normal_expectation(|z| of((s * z).max(0.0)), &[0.0, 1.0 / s]).value
        };
        let size = effort.slip("L002.22", "linear beyond |y| = 1", f64::abs as fn(f64) -> f64, |x| x);
        pairs.push((
            simulated(
                effort,
                (&format!("l1/relu/{height}"), &task, &loss::l1::ENTRY),
                &Committee {
                    activation: &activation::relu::ENTRY,
                    width: 1,
                    weights: Ok(&w),
                    biases: &[0.0],
                },
                (60, 4096),
            )?[0],
            0.5 * mean(pos, &|y| size(1.0 - y)) + 0.5 * mean(neg, &|y| 1.0 + y),
        ));
        linear.push(0.5 * mean(pos, &|y| 1.0 - y) + 0.5 * mean(neg, &|y| 1.0 + y));
    }
    let what = "one ReLU unit, labels 1 and -1, the same classes, bumps of height 0.5 and 1.5: 1/2 E_1|1 - y| + 1/2 E_0[1 + y] by quadrature, and the \
                simulator's absolute loss; the linear form holds only up to |y| = 1";
    Ok(Comparison::noise(&["L002.22/relu"], what, &pairs)
        .against("the linear form at every answer", &linear))
}
