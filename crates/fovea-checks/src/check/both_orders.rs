//! One unit on sign data in both orders of the lengths: where random starts end, and what they miss (note 001, section 1).

use super::one_unit::{Arm, SITES, Start, ends};
use super::prelude::*;
use fovea_desk::cell::in_dictator_cell;
use fovea_desk::two_class::TwoClass;
use fovea_sim::Labels;
use fovea_sim::expect::expect;
use fovea_theory::GaussianFlow;
use fovea_theory::dictator::fixed_point::{self, FixedPoint, fixed_point};
use fovea_theory::nlgp::cov as nlgp;
use fovea_theory::relu::stable_mode::stable_mode;

/// The entry of this check.
pub const ENTRY: Check = Check {
    name: "both-orders",
    summary: "Random starts end in bumps for one order of the lengths and in oscillations for the other, and miss a better state there.",
    covers: &["L001.4/random", "L001.4/minimum", "L001.4/worse"],
    run,
};

/// First rows of both covariances, and the localized state.
type State = fn(&[f64], &[f64]) -> FixedPoint;

/// The closed forms of this check.
struct Forms {
    state: State,
    signs: fn(f64, f64) -> f64,
}

impl Forms {
    /// First rows of both covariances of sign data.
    fn rows(&self, lengths: [f64; 2]) -> [Vec<f64>; 2] {
        let entry = |rho: &f64| (self.signs)(*rho, f64::INFINITY);
        lengths.map(|xi| kernel_row(SITES, xi, Kernel::Ring).iter().map(entry).collect())
    }
}

fn run(effort: &Effort) -> Result<Vec<Comparison>, LabError> {
    let forms = Forms {
        // Twice the weights, which have the loss of none at all.
        state: effort.form(&fixed_point::ENTRY, fixed_point, |pos, neg| {
            let right = fixed_point(pos, neg);
            FixedPoint { w: scaled(2.0, &right.w), loss: 0.25, ..right }
        }),
        signs: effort.form(&nlgp::ENTRY, nlgp::cov, |rho, _| rho),
    };
    Ok(vec![random_starts(effort)?, from_a_site(effort, &forms)?, worse(effort, &forms)?])
}

const BUMPS: [f64; 2] = [2.0, 1.0];
const SWAPPED: [f64; 2] = [1.0, 2.0];

/// Groups of starts, in each of which most must obey: at lengths (1, 2) a few in a thousand find the localized state.
const GROUPS: usize = 20;

/// Starts of a group at lengths (2, 1), and at (1, 2).
const OF_BUMPS: usize = 3;
const OF_WAVES: usize = 5;

/// Units trained from random starts at lengths (1, 2), in groups of five.
fn swapped(effort: &Effort) -> Result<Vec<Vec<f64>>, LabError> {
    let starts = OF_WAVES * GROUPS;
    effort.once("swapped", || ends(Arm::plain(SWAPPED), Start::Random, (effort, "glorot", starts)))
}

/// Whether the field is a short-range oscillation: more than nine tenths of its power lie at wavelengths of less than four sites.
fn is_wave(w: &[f64]) -> bool {
    let u = to_fourier(w);
    let short = |j: &usize| 4 * frequency_of(*j, SITES) > SITES;
    let power: f64 = (0..SITES).filter(short).map(|j| u[j] * u[j]).sum();
    !in_dictator_cell(w) && 10.0 * power > 9.0 * dot(&u, &u)
}

/// Groups of this size of which most fields obey, and how many there are.
fn groups(fields: &[Vec<f64>], size: usize, obeys: fn(&[f64]) -> bool) -> (usize, usize) {
    let most = |group: &&[Vec<f64>]| 2 * group.iter().filter(|w| obeys(w)).count() > group.len();
    let groups = fields.chunks(size);
    (groups.clone().filter(most).count(), groups.len())
}

/// Where random starts end, in both orders of the lengths.
fn random_starts(effort: &Effort) -> Result<Comparison, LabError> {
    let starts = OF_BUMPS * GROUPS;
    let bumps = effort
        .once("bumps", || ends(Arm::plain(BUMPS), Start::Random, (effort, "glorot", starts)))?;
    let waves = swapped(effort)?;
    let hits = |bumps: &[Vec<f64>], waves: &[Vec<f64>]| {
        let bumps = groups(bumps, OF_BUMPS, in_dictator_cell);
        let waves = groups(waves, OF_WAVES, is_wave);
        (bumps.0 + waves.0, bumps.1 + waves.1)
    };
    let count = |fields: &[Vec<f64>], obeys: fn(&[f64]) -> bool| {
        let hits = fields.iter().filter(|w| obeys(w)).count();
        format!("{hits} of {}", fields.len())
    };
    let (single, waving) = (count(&bumps, in_dictator_cell), count(&waves, is_wave));
    let what = format!(
        "sign data, n = 40, one bias-free ReLU unit, labels 1 and 0, Glorot starts, SGD of 500 steps: at lengths (2, 1), of 20 groups of three, those in most of whose fields one site outvotes all others ({single} fields), and at (1, 2), of 20 groups of five, those in most of whose fields none does and wavelengths below four sites have more than nine tenths of the power ({waving} fields); by chance one in two"
    );
    Ok(Comparison::all(&["L001.4/random"], what, hits(&bumps, &waves), 0.5)
        .shown()
        .against_cases("the fields of the two orders exchanged", hits(&waves, &bumps)))
}

/// Both classes' mean of `of(answers, label)` over fresh samples.
fn over_both_classes(
    (effort, name, samples): (&Effort, &str, usize),
    lengths: [f64; 2],
    of: impl Fn(&[f64], f64) -> f64 + Sync,
) -> Result<Estimate, LabError> {
    let two = TwoClass { n: SITES, xi_pos: lengths[0], xi_neg: lengths[1], kernel: Kernel::Ring };
    let task = two.task(f64::INFINITY, Labels::Balanced)?;
    let mut halves = Vec::new();
    for class in task.classes() {
        let stream = effort.streams.named(&format!("{name}/{}", class.name));
        let cost = |x: &[f64], out: &mut [f64]| out[0] = of(x, class.label);
        halves.push((0.5, expect(class.stimulus.as_ref(), &stream, samples, 1, cost)?[0]));
    }
    Ok(Estimate::combination(&halves)?)
}

/// The loss of the best Gaussian mode, from first rows of both covariances.
fn best_mode(pos: &[f64], neg: &[f64]) -> f64 {
    let flow = GaussianFlow::from_rows(pos, neg);
    let mode = stable_mode(&flow.eigs_pos, &flow.eigs_neg, 0.0);
    0.25 * (1.0 - 0.5 * FRAC_2_PI / (1.0 + mode.ratio))
}

/// Sign data on 40 sites, both orders of the lengths: the loss of the mean field that training finds from one site.
///
/// Behind one gate the output is linear in the weights, so that half the product of the errors of two fields trained on independent
/// samples has the loss of their mean as its expectation: the noise of both drops out.
fn from_a_site(effort: &Effort, forms: &Forms) -> Result<Comparison, LabError> {
    let (mut pairs, mut source) = (Vec::new(), Vec::new());
    for (order, lengths) in [SWAPPED, BUMPS].into_iter().enumerate() {
        let measure = || -> Result<Vec<f64>, LabError> {
            let name = format!("site/{order}");
            let fields = ends(
                Arm::plain(lengths),
                Start::Site,
                (effort, &name, if effort.quick { 40 } else { 16 }),
            )?;
            let product = |pair: &[Vec<f64>], at: usize| {
                let of = |x: &[f64], label: f64| {
                    let [one, other] = [0, 1].map(|k| dot(&pair[k], x).max(0.0) - label);
                    0.5 * one * other
                };
                let name = format!("loss/{order}/{at}");
                over_both_classes((effort, &name, effort.samples(100_000)), lengths, of)
            };
            let losses = fields.chunks(2).enumerate().map(|(at, pair)| product(pair, at));
            losses.map(|loss| Ok(loss?.mean())).collect()
        };
        let losses = effort.once(&format!("losses/{order}"), measure)?;
        let [pos, neg] = forms.rows(lengths);
        let closed = (forms.state)(&pos, &neg).loss;
        pairs.push((Estimate::from_samples(&losses)?, closed));
        source.push(if order == 0 { best_mode(&pos, &neg) } else { closed });
    }
    let what = "sign data, n = 40, lengths (1, 2) and (2, 1), one bias-free ReLU unit started on one site, SGD of 500 steps: loss of w* in closed form, and of the mean field, by the product of the errors of two fields on fresh samples, over eight pairs of fields each; the source has an oscillation in the first order, whose loss is about that of the best Gaussian mode";
    Ok(Comparison::noise(&["L001.4/minimum"], what, &pairs).source(&source))
}

/// The margin, as a share, by which one loss must exceed another: more than four standard errors of a loss on 40 000 samples.
const ABOVE: f64 = 0.02;

/// The loss of the oscillations that random starts reach in the swapped order is above that of the localized state.
fn worse(effort: &Effort, forms: &Forms) -> Result<Comparison, LabError> {
    let fields: Vec<Vec<f64>> =
        swapped(effort)?.into_iter().filter(|w| is_wave(w)).take(20).collect();
    let losses = effort.once("worse", || -> Result<Vec<f64>, LabError> {
        let loss = |(at, w): (usize, &Vec<f64>)| {
            let of = |x: &[f64], label: f64| {
                let error = dot(w, x).max(0.0) - label;
                0.5 * error * error
            };
            over_both_classes((effort, &format!("above/{at}"), 20_000), SWAPPED, of)
        };
        fields.iter().enumerate().map(|at| Ok(loss(at)?.mean())).collect()
    })?;
    let [pos, neg] = forms.rows(SWAPPED);
    let closed = (forms.state)(&pos, &neg).loss;
    let above = |bound: f64| {
        let hits = losses.iter().filter(|loss| **loss > (1.0 + ABOVE) * bound).count();
        (hits, losses.len())
    };
    let what = "sign data, n = 40, lengths (1, 2), the first 20 oscillations that Glorot starts end in, SGD of 500 steps: those whose loss on 40 000 fresh samples is more than 2 % above that of w* in closed form; by chance one in two";
    let form = "the loss of the best Gaussian mode instead of that of w*";
    Ok(Comparison::all(&["L001.4/worse"], what, above(closed), 0.5)
        .simulated()
        .against_cases(form, above(best_mode(&pos, &neg))))
}
