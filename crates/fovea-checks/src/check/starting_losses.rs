//! The loss before training, of erf and of ReLU units (note 002, (19)-(27)).
//!
//! An erf unit without bias and labels 1, -1: `4L = 2 + E_1 s^2 + E_0 s^2`, for Gaussian data `L = 1/2 + (1/2pi) sum_c
//! arcsin(s_c^2/(1 + s_c^2))` (L002.20). ReLU units and labels 1, 0: `4 E_w L = 1 - sqrt(2/pi) s_w E|X_1| + 2 n s_w^2 (1/2K +
//! (K-1)/(2 pi K))` (L002.21).

use super::prelude::*;
use super::simulated_loss::{Committee, LENGTHS, Weights, bump, field, simulated, task, variances};
use fovea_core::activation;
use fovea_core::ring::RingKernel;
use fovea_sim::expect::expect;
use fovea_sim::loss;
use fovea_sim::sample::Sample;
use fovea_theory::nlgp::normalizer::normalizer;
use fovea_theory::starting::erf::{self, unit_power_at_norm, unit_power_of_gaussian};
use fovea_theory::starting::erf_gauss::{self, erf_gauss};
use fovea_theory::starting::erf_site::{self, erf_site};
use fovea_theory::starting::norm::{self, norm};
use fovea_theory::starting::relu::{self, relu};
use std::f64::consts::SQRT_2;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "starting-losses",
    summary: "The loss before training, of erf and of ReLU units.",
    covers: &[
        "L002.20/weights",
        "L002.20/site",
        "L002.20/mean",
        "L002.21/loss",
        "L002.21/norm",
        "L002.21/gain",
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
    ])
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
            weights: Weights::Given(&w),
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

/// One erf unit with weight on one site alone, finite gain.
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
            weights: Weights::Given(&w),
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

/// One erf unit, random weights: Gaussian fields and signs.
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
            weights: Weights::Drawn { std_w: var.sqrt(), slope: 0.046 },
            biases: &[0.0],
        };
        let (task, name) = (task(N, LENGTHS, gain, -1.0)?, format!("start/{name}"));
        let found = simulated(effort, (&name, &task, &loss::mse::ENTRY), &unit, (2000, 128))?;
        measured.push(found[0]);
    }
    let pairs: Vec<_> = measured.into_iter().zip(closed).collect();
    let what = "one erf unit, w ~ N(0, I/n), n = 40, xi_pos = 2, xi_neg = 1: mean loss 0.66319 on Gaussian fields and 2/3 on signs, in closed form, \
                and over 2000 starts of the simulator's network; in the source it does not change";
    Ok(Comparison::noise(&["L002.20/mean"], what, &pairs).source(&[closed[0], closed[0]]))
}

/// ReLU committees, random weights: Gaussian fields and signs.
fn of_relu(effort: &Effort) -> Result<Comparison, LabError> {
    const N: usize = 40;
    let eigs = spectra(N)?;
    let closed: fn(usize, f64, f64, [f64; 2]) -> f64 =
        effort.form(&relu::ENTRY, relu, |width, std_w, norm, power| {
            relu(width, std_w, 2.0 * norm, power)
        });
    let one: fn(usize) -> usize =
        effort.slip("starting.relu", "the loss of one unit for that of K", |width| width, |_| 1);
    let mut pairs = Vec::new();
    // With n s_w^2 = 1 alone s_w and its square could not be distinguished.
    for (width, total) in [(1, 1.0), (3, 2.0)] {
        let std_w = (total / N as f64).sqrt();
        for (gain, norm) in [(0.0, norm(&eigs[0])), (f64::INFINITY, (N as f64).sqrt())] {
            let biases = vec![0.0; width];
            let units = Committee {
                activation: &activation::relu::ENTRY,
                width,
                weights: Weights::Drawn { std_w, slope: 0.0 },
                biases: &biases,
            };
            let (task, name) = (task(N, LENGTHS, gain, 0.0)?, format!("relu/{width}/{gain}"));
            let found = simulated(effort, (&name, &task, &loss::mse::ENTRY), &units, (1500, 128))?;
            pairs.push((found[0], closed(one(width), std_w, norm, [N as f64; 2])));
        }
    }
    let what = "one ReLU unit with w ~ N(0, I/n) and three with w ~ N(0, 2I/n), labels 1 and 0, n = 40, xi_pos = 2, xi_neg = 1: E_w L from the mean norm of class pos, and \
                over 1500 starts of the simulator's network, on Gaussian fields and on signs";
    Ok(Comparison::noise(&["L002.21/loss"], what, &pairs))
}

/// The mean norm, the only part of the loss of ReLU units that depends on the gain.
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

/// The same latent fields at rising gains: the norm grows on average, its square does not.
fn growing(effort: &Effort) -> Result<Comparison, LabError> {
    const GAINS: [f64; 6] = [0.01, 0.3, 1.0, 3.0, 10.0, f64::INFINITY];
    let ([norm, square], powers) = effort.once("rises", || -> Result<_, LabError> {
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
                let gaps: Vec<f64> = pair[0]
                    .rows()
                    .zip(pair[1].rows())
                    .map(|(a, b)| of(dot(b, b)) - of(dot(a, a)))
                    .collect();
                let rise = Estimate::from_samples(&gaps)?;
                hits += usize::from(rise.mean() > 5.0 * rise.se());
            }
            Ok(hits)
        };
        // The mean square is n at every gain: its fluctuation is subtracted from that of the norm.
        let norm = |square: f64| square.sqrt() - 0.5 * square / 40.0_f64.sqrt();
        let power = |sample: &Sample| -> Result<Estimate, LabError> {
            let squares: Vec<f64> = sample.rows().map(|x| dot(x, x)).collect();
            Ok(Estimate::from_samples(&squares)?)
        };
        let powers: Vec<Estimate> = samples[..5].iter().map(power).collect::<Result<_, _>>()?;
        Ok(([rises(&norm)?, rises(&|square| square)?], powers))
    })?;
    let what = "n = 40, xi = 2, the same latent fields at the gains 0.01, 0.3, 1, 3, 10 and infinity: steps from one gain to the next in which the mean \
                norm rises by more than 5 standard errors, which chance does once in 3 million, (|X|^2 - n)/(2 sqrt n) subtracted from it for less noise";
    let steps = GAINS.len() - 1;
    let rising = Comparison::all(&["L002.21/gain"], what, (norm, steps), 3e-7)
        .against_cases("the mean square of the norm", (square, steps))
        .simulated();
    let what = "its mean square, n at each of these gains except the last, where it is always n, and sampled";
    let pairs: Vec<_> = powers.into_iter().map(|power| (power, 40.0)).collect();
    let bare: Vec<f64> = GAINS[..5].iter().map(|gain| 40.0 * normalizer(*gain)).collect();
    let power = Comparison::noise(&["L002.21/gain"], what, &pairs)
        .against("n Z(g), for sites that are not normalised", &bare);
    Ok(rising.and(power))
}
