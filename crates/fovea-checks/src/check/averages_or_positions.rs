//! Comparing ring averages of responses with responses at one position, and which filters each prefers (note 002, (6)-(10)).
//!
//! (6) is `P(mean_t sigma(|S_t| + b) of class pos > that of class neg)`, (9) is `P(|S_1| > |S_0|)`. They differ (L002.10) and rank
//! filters differently, as does the difference of mean squares (L002.34).

use super::prelude::*;
use fovea_sim::Stimulus;
use fovea_sim::expect::expect;
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::gaussian::Gaussian;
use fovea_sim::stimulus::nlgp::Nlgp;
use fovea_theory::dominance::abs::{self, abs};
use fovea_theory::nlgp::cov::{self, cov};
use std::f64::consts::FRAC_1_SQRT_2;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "averages-or-positions",
    summary: "Comparing ring averages is not comparing single responses, and prefers other filters.",
    covers: &["L002.10/pair", "L002.10/flat", "L002.10/bump", "L002.34/means", "L002.34/averages"],
    run,
};

const N: usize = 40;
const LENGTHS: [f64; 2] = [2.0, 1.0];
const GAINS: [f64; 4] = [0.0, 1.0, 3.0, f64::INFINITY];

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let objectives = effort.once("objectives", || measure(effort))?;
    Ok(vec![
        pair(effort)?,
        flat(effort, &objectives)?,
        bump(&objectives)?,
        means(effort)?,
        averages(&objectives)?,
    ])
}

/// A field; gain 0 is Gaussian.
fn field(gain: f64, xi: f64) -> Result<Box<dyn Stimulus>, LabError> {
    Ok(if gain > 0.0 {
        Box::new(Nlgp::on_ring(N, xi, gain, Kernel::Ring).sampler()?)
    } else {
        Box::new(Gaussian::on_ring(N, xi, Kernel::Ring).sampler()?)
    })
}

/// A flat filter, bumps of deviation 1 and 2, and a Gabor of deviation 3 with five waves around the ring.
fn filters() -> [Vec<f64>; 4] {
    let at = |of: &dyn Fn(f64) -> f64| {
        (0..N).map(|i| of(distance(i, 0, N) as f64)).collect::<Vec<f64>>()
    };
    let gauss = |d: f64, sd: f64| libm::exp(-0.5 * (d / sd) * (d / sd));
    [
        at(&|_| 1.0),
        at(&|d| gauss(d, 1.0)),
        at(&|d| gauss(d, 2.0)),
        at(&|d| gauss(d, 3.0) * libm::cos(TAU * 5.0 * d / N as f64)),
    ]
}

const FLAT: usize = 0;
const BUMPS: [usize; 2] = [1, 2];
const GABOR: usize = 3;

/// For every pair of samples, 1 where class pos is ahead: responses at one position, and ring averages at biases -1 and -2.
type Ahead = [Vec<f64>; 3];

/// Every filter at every gain.
fn measure(effort: &Effort) -> Result<Vec<Vec<Ahead>>, LabError> {
    // A case counts beyond a number of standard errors: with fewer pairs it would be counted wrongly instead of left open.
    let count = 20_000;
    let mut all = Vec::new();
    for gain in GAINS {
        let draw = |xi: f64| -> Result<Sample, LabError> {
            let stream = effort.streams.named(&format!("{gain}/{xi}"));
            Ok(Sample::draw(&*field(gain, xi)?, &stream, count))
        };
        let (pos, neg) = (draw(LENGTHS[0])?, draw(LENGTHS[1])?);
        let mut of_gain = Vec::new();
        for w in filters() {
            // The deviation of class pos is scaled to 1, as the note's biases assume.
            let power = pos.rows().map(|x| dot(&w, x) * dot(&w, x)).sum::<f64>() / count as f64;
            let w = scaled(1.0 / power.sqrt(), &w);
            let same = w.iter().all(|entry| (entry - w[0]).abs() < 1e-12);
            let near: Vec<usize> = (0..N).filter(|i| w[*i].abs() > 1e-6).collect();
            let responses = |x: &[f64]| -> [f64; 3] {
                // A flat filter has the same response everywhere.
                let shifts = if same { 1 } else { N };
                let mut said = [dot(&w, x).abs(), 0.0, 0.0];
                for shift in 0..shifts {
                    let s: f64 = near.iter().map(|i| w[*i] * x[(i + shift) % N]).sum();
                    for (said, bias) in said[1..].iter_mut().zip([-1.0, -2.0]) {
                        *said += libm::erf(FRAC_1_SQRT_2 * (s.abs() + bias)) / shifts as f64;
                    }
                }
                said
            };
            let mut ahead: Ahead = Default::default();
            for (a, b) in pos.rows().zip(neg.rows()) {
                let (one, other) = (responses(a), responses(b));
                for at in 0..3 {
                    // Signs leave many ties, which rounding must not decide.
                    ahead[at].push(f64::from(u8::from(one[at] > other[at] + 1e-9)));
                }
            }
            of_gain.push(ahead);
        }
        all.push(of_gain);
    }
    Ok(all)
}

/// Whether one list of cases lies above another by more than five standard errors of their difference.
fn above(one: &[f64], other: &[f64]) -> Result<bool, LabError> {
    let gap = Estimate::from_samples(&combined(1.0, one, -1.0, other))?;
    Ok(gap.mean() > 5.0 * gap.se())
}

/// Two sites, one-site filter, response `|S|`: the sum of both sizes is sqrt 2 times the larger of two independent normals.
fn pair(effort: &Effort) -> Result<Comparison, LabError> {
    let lengths = [3.0, 0.4];
    let rho = effort.slip("L002.10", "the classes exchanged", lengths, [lengths[1], lengths[0]]);
    let spreads = rho.map(|xi: f64| {
        let rho = libm::exp(-1.0 / (xi * xi));
        [(1.0 + rho).sqrt(), (1.0 - rho).sqrt()]
    });
    let below = |m: f64, s: f64| libm::erf(FRAC_1_SQRT_2 * m / s);
    let density = |m: f64, s: f64| 2.0 * normal_pdf(m / s) / s;
    let [[a, b], [c, d]] = spreads;
    let integrand = |m: f64| {
        (density(m, a) * below(m, b) + density(m, b) * below(m, a)) * below(m, c) * below(m, d)
    };
    let predicted = adaptive_split(integrand, &[0.0, 0.2, 1.0, 3.0, 14.0], 1e-12).value;
    let measured = effort.once("pair", || -> Result<Estimate, LabError> {
        let count = effort.samples(200_000);
        let draw = |xi: f64| -> Result<Sample, LabError> {
            let field = Gaussian::on_ring(2, xi, Kernel::Ring).sampler()?;
            Ok(Sample::draw(&field, &effort.streams.named(&format!("pair/{xi}")), count))
        };
        let sizes = |sample: &Sample| -> Vec<f64> {
            sample.rows().map(|x| x[0].abs() + x[1].abs()).collect()
        };
        let (pos, neg) = (sizes(&draw(lengths[0])?), sizes(&draw(lengths[1])?));
        let ahead = pos.iter().zip(&neg).map(|(a, b)| f64::from(u8::from(a > b)));
        Ok(Estimate::from_samples(&ahead.collect::<Vec<f64>>())?)
    })?;
    let what = "Gaussian pairs of sites, xi_pos = 3, xi_neg = 0.4, a filter on one site: chance that the mean of |S| over both positions is larger in class pos, 0.4655 by \
                quadrature over the larger of two independent normals, and over sampled pairs; at random positions it would be 1/2";
    Ok(Comparison::noise(&["L002.10/pair"], what, &[(measured, predicted)]).source(&[0.5]))
}

/// A flat filter has the same response at every position: both objectives are the arctangent.
fn flat(effort: &Effort, objectives: &[Vec<Ahead>]) -> Result<Comparison, LabError> {
    let chance: fn(f64, f64) -> f64 = effort.form(&abs::ENTRY, abs, |pos, neg| abs(neg, pos));
    let w = &filters()[FLAT];
    let [pos, neg] = LENGTHS.map(|xi| form(&kernel_row(N, xi, Kernel::Ring), w, w).sqrt());
    let mut pairs = Vec::new();
    for ahead in &objectives[0][FLAT] {
        pairs.push((Estimate::from_samples(ahead)?, chance(pos, neg)));
    }
    let what = "Gaussian classes, n = 40, xi_pos = 2, xi_neg = 1, a flat filter: (2/pi) arctan(s_1/s_0), and how often class pos is ahead in sampled pairs, at one \
                position and in ring averages with the biases -1 and -2";
    Ok(Comparison::noise(&["L002.10/flat"], what, &pairs))
}

fn bump(objectives: &[Vec<Ahead>]) -> Result<Comparison, LabError> {
    let apart = |filters: &[usize]| -> Result<usize, LabError> {
        let mut hits = 0;
        let [_, flat @ ..] = &objectives[0][FLAT];
        for filter in filters {
            let [one, averages @ ..] = &objectives[0][*filter];
            for (average, flat) in averages.iter().zip(flat) {
                hits += usize::from(above(average, one)?) + usize::from(above(average, flat)?);
            }
        }
        Ok(hits)
    };
    let what = "the same classes, bumps of deviation 1 and 2, biases -1 and -2: cases in which class pos is ahead more often in ring averages than at one position, \
                and than in ring averages of a flat filter, by more than 5 standard errors, which chance does once in 3 million";
    Ok(Comparison::all(&["L002.10/bump"], what, (apart(&BUMPS)?, 8), 3e-7)
        .against_cases("a flat filter", (apart(&[FLAT])?, 4))
        .simulated())
}

/// Differences of means at unit norm.
fn means(effort: &Effort) -> Result<Comparison, LabError> {
    let site = effort.form(&cov::ENTRY, cov as fn(f64, f64) -> f64, |rho, _| rho);
    let unit = filters().map(|w| scaled(1.0 / dot(&w, &w).sqrt(), &w));
    let mut pairs = Vec::new();
    for gain in [1.0, 3.0, f64::INFINITY] {
        let measured = effort.once(&format!("means/{gain}"), || {
            let squares = |xi: f64| -> Result<Vec<Estimate>, LabError> {
                let square = |x: &[f64], out: &mut [f64]| {
                    for (out, at) in out.iter_mut().zip([FLAT, BUMPS[1]]) {
                        *out = dot(&unit[at], x) * dot(&unit[at], x);
                    }
                };
                let stream = effort.streams.named(&format!("means/{gain}/{xi}"));
                Ok(expect(&*field(gain, xi)?, &stream, effort.samples(350_000), 2, square)?)
            };
            let (pos, neg) = (squares(LENGTHS[0])?, squares(LENGTHS[1])?);
            let gaps = pos.iter().zip(&neg).map(|(pos, neg)| pos.difference(neg));
            Ok::<Vec<Estimate>, LabError>(gaps.collect())
        })?;
        let row = |xi: f64| -> Vec<f64> {
            kernel_row(N, xi, Kernel::Ring).iter().map(|rho| site(*rho, gain)).collect()
        };
        let gap = combined(1.0, &row(LENGTHS[0]), -1.0, &row(LENGTHS[1]));
        let closed = [FLAT, BUMPS[1]].map(|at| form(&gap, &unit[at], &unit[at]));
        pairs.extend(measured.into_iter().zip(closed));
    }
    let what = "n = 40, xi_pos = 2, xi_neg = 1, gains 1, 3 and infinity, filters of norm 1: difference of mean squares of the flat filter (1.69, 1.50, 1.27) and of \
                the bump of deviation 2 (1.39, 1.24, 1.06), in closed form and in samples";
    Ok(Comparison::noise(&["L002.34/means"], what, &pairs))
}

fn averages(objectives: &[Vec<Ahead>]) -> Result<Comparison, LabError> {
    let ranked = |at: usize| -> Result<usize, LabError> {
        let mut hits = 0;
        for gain in objectives {
            hits += usize::from(above(&gain[BUMPS[0]][at], &gain[GABOR][at])?);
            hits += usize::from(above(&gain[GABOR][at], &gain[FLAT][at])?);
        }
        Ok(hits)
    };
    let trials = 2 * GAINS.len();
    let what = "n = 40, xi_pos = 2, xi_neg = 1, gains 0, 1, 3 and infinity, s_1 = 1, b = -1: cases in which (6) of a bump of deviation 1 exceeds that of a Gabor of \
                deviation 3 and five waves, and that of the Gabor the flat filter's, by more than 5 standard errors over 20000 pairs, which chance does once in 3 \
                million";
    Ok(Comparison::all(&["L002.34/averages"], what, (ranked(1)?, trials), 3e-7)
        .against_cases("responses at one position, (9)", (ranked(0)?, trials))
        .shown())
}
