//! Does a learning rate that was tuned on a narrow network serve a wide one?
//!
//! Two hidden layers. In the standard parametrisation with one rate the largest rate that learns falls as one over the width, and the best one with it; in muP (last weights of size `1/n`, rates n, 1 and `1/n` in the first, middle and
//! last layer) one step moves the outputs as much at every width and the best rate stays where it is. The rates of muP are what its start asks for: with one rate for all layers a step moves the outputs in proportion to n, not O(1) as
//! printed (T05.3). A best rate that moves with the width in muP would falsify it; the exponents of one parametrisation must be rejected in the other.
//!
//! GELU has one least loss in muP. With tanh there are two, near 1 and near 3, and which one is the lower still shifts at these widths: the best rate then drifts up by half from width 32 to 256.

mod figure;

use super::{Experiment, Row};
use crate::bench::Bench;
use crate::claim::Claim;
use crate::depth::holds;
use crate::error::LabError;
use crate::outcome::{Array, Outcome, Series, Status};
use crate::present::{Words, aligned, report};
use crate::widths::{N_IN, angles, check_widths, exponent, norm, on_circle};
use fovea_core::params::{any, between};
use fovea_core::stats::Estimate;
use fovea_core::{Function, ParamError, Params, activation, params};
use fovea_sim::Watch;
use fovea_sim::mlp::{Descent, Parametrisation, Shape};
use fovea_sim::schedule::constant::Constant;

params! {
    /// Settings of `mup-transfer`.
    pub struct MupTransfer {
        /// Activation: a registered one, or an expression in x.
        activation: Function = Function::Registered(&activation::gelu::ENTRY), any(), "";
        /// Widths of the two hidden layers.
        width: Vec<usize> = vec![32, 64, 128, 256], between(2.0, 4096.0), "units";
        /// Examples on a circle.
        examples: usize = 5, between(1.0, 100.0), "";
        /// The least and the largest learning rate.
        lr: Vec<f64> = vec![0.004, 8.0], between(1e-12, 1e12), "";
        /// Rates to an octave.
        per_octave: usize = 2, between(1.0, 32.0), "";
        /// Steps of full gradient descent.
        steps: usize = 20, between(1.0, 1e6), "steps";
        /// Networks trained at each width and rate.
        nets: usize = 24, between(4.0, 1e5), "networks";
    }
}

impl Params for MupTransfer {
    fn check(&self) -> Result<(), ParamError> {
        check_widths(&self.width, 3)?;
        if self.lr.len() != 2 || self.lr[0] >= self.lr[1] {
            return Err(ParamError::Inconsistent {
                what: format!("`lr` is {:?}", self.lr),
                hint: "give the least and the largest learning rate".to_owned(),
            });
        }
        let shape = |n: &usize| self.shape(*n, Parametrisation::Mup);
        self.width.iter().try_for_each(|n| holds(&shape(n), self.examples))
    }
}

const WORDS: Words<'static> = Words {
    title: "Learning rates that transfer",
    lead: "In muP the best learning rate of a narrow network is that of a wide one; in the standard parametrisation it falls as one over the width.",
    caption: figure::CAPTION,
    formulas: &[
        r"\text{muP}:\quad W^{(L+1)}\sim N(0,C_w/n^2),\qquad\gamma^{(1)},\gamma^{(l)},\gamma^{(L+1)}=\gamma n,\ \gamma,\ \gamma/n",
    ],
};

/// The parametrisations beside each other, and the exponent of the best rate in each.
const ARMS: [(Parametrisation, f64); 2] =
    [(Parametrisation::Standard, -1.0), (Parametrisation::Mup, 0.0)];

/// The rate at which one step is taken.
const ONE_STEP: f64 = 0.01;

struct Found {
    /// Mean logarithm of the loss left by parametrisation, width and rate; infinite where a network diverged.
    losses: Vec<Vec<Vec<f64>>>,
    /// Best rates by parametrisation, network and width.
    best: Vec<Vec<Vec<f64>>>,
    /// How far one step moves the outputs, by network and width: with the rates of muP and with one rate.
    moved: [Vec<Vec<f64>>; 2],
}

impl MupTransfer {
    fn shape(&self, width: usize, parametrisation: Parametrisation) -> Shape {
        Shape {
            n_in: N_IN,
            widths: vec![width, width],
            activation: self.activation.clone(),
            c_w: 1.5,
            parametrisation,
            ..Shape::default()
        }
    }

    fn rates(&self) -> Vec<f64> {
        let octaves = libm::log2(self.lr[1] / self.lr[0]);
        let count = libm::ceil(octaves * self.per_octave as f64) as usize;
        let at = |i: usize| self.lr[0] * libm::exp2(octaves * i as f64 / count as f64);
        (0..=count).map(at).collect()
    }

    /// The logarithm of the loss that is left at every rate, from one start.
    fn sweep(&self, arm: usize, width: usize, index: u64, bench: &Bench<'_>) -> Vec<f64> {
        let shape = self.shape(width, ARMS[arm].0);
        let streams = bench.streams().part(&format!("{} {width}", ARMS[arm].0.word()));
        let streams = streams.replica(index);
        let start = shape.draw(&streams);
        let set = on_circle(&angles(self.examples));
        let left = |lr: &f64| {
            let mut mlp = start.clone();
            let descent = Descent {
                lr: *lr,
                rates: &shape.rates(),
                schedule: &Constant::default(),
                batch: None,
                steps: self.steps as u64,
            };
            descent.run(&mut mlp, &set, &streams, |_, _| !bench.stopped());
            let gone = 2.0 * libm::log(norm(mlp.errors(&set)) / norm(set.y.iter().copied()));
            // A loss above that of no output at all counts as no learning.
            if gone <= 0.0 { gone } else { f64::INFINITY }
        };
        self.rates().iter().map(left).collect()
    }

    /// The rate of the least loss, between rates by the parabola through its neighbours.
    fn best(&self, losses: &[f64]) -> Option<f64> {
        let rates = self.rates();
        let least = (0..losses.len()).min_by(|a, b| losses[*a].total_cmp(&losses[*b]))?;
        if !losses[least].is_finite() || least == 0 || least + 1 == losses.len() {
            return None;
        }
        let (before, here, after) = (losses[least - 1], losses[least], losses[least + 1]);
        let bend = before - 2.0 * here + after;
        // Beside a rate that diverges there is no parabola.
        let shift =
            if bend.is_finite() && bend > 0.0 { 0.5 * (before - after) / bend } else { 0.0 };
        Some(rates[least] * libm::pow(rates[1] / rates[0], shift))
    }

    /// How far one step moves the outputs.
    fn one_step(&self, width: usize, index: u64, one_rate: bool, bench: &Bench<'_>) -> f64 {
        let shape = self.shape(width, Parametrisation::Mup);
        let streams = bench.streams().part(&format!("one step {width}")).replica(index);
        let mut mlp = shape.draw(&streams);
        let set = on_circle(&angles(self.examples));
        let rates = if one_rate { vec![1.0; 3] } else { shape.rates() };
        let before = mlp.descend(&set, ONE_STEP, &rates).errors;
        norm(mlp.errors(&set).iter().zip(&before).map(|(a, b)| a - b))
    }

    fn found(&self, bench: &Bench<'_>) -> Result<Option<Found>, LabError> {
        let jobs: Vec<(usize, u64, usize)> = (0..ARMS.len())
            .flat_map(|arm| (0..self.nets as u64).map(move |i| (arm, i)))
            .flat_map(|(arm, i)| self.width.iter().map(move |n| (arm, i, *n)))
            .collect();
        bench.progress.expect(jobs.len() as u64);
        let sweeps = bench.fleet(&jobs, |(arm, i, n)| {
            let losses = if bench.stopped() { Vec::new() } else { self.sweep(*arm, *n, *i, bench) };
            bench.stepped();
            losses
        });
        if bench.stopped() {
            return Ok(None);
        }
        let widths = self.width.len();
        let mut found =
            Found { losses: Vec::new(), best: Vec::new(), moved: [Vec::new(), Vec::new()] };
        for (arm, sweeps) in sweeps.chunks(self.nets * widths).enumerate() {
            let mean = |w: usize, k: usize| {
                sweeps.iter().skip(w).step_by(widths).map(|losses| losses[k]).sum::<f64>()
                    / self.nets as f64
            };
            let rates = self.rates().len();
            found
                .losses
                .push((0..widths).map(|w| (0..rates).map(|k| mean(w, k)).collect()).collect());
            let best = sweeps.iter().map(|losses| self.best(losses)).collect::<Option<Vec<f64>>>();
            let best = best.ok_or_else(|| ParamError::Inconsistent {
                what: format!(
                    "the best rate of a network is none of those tried, {}",
                    ARMS[arm].0.word()
                ),
                hint: "choose a wider `lr`".to_owned(),
            })?;
            found.best.push(best.chunks(widths).map(<[f64]>::to_vec).collect());
        }
        for (k, moved) in found.moved.iter_mut().enumerate() {
            *moved = (0..self.nets as u64)
                .map(|i| self.width.iter().map(|n| self.one_step(*n, i, k == 1, bench)).collect())
                .collect();
        }
        Ok(Some(found))
    }

    fn claims(&self, found: &Found) -> Result<Vec<Claim>, LabError> {
        let slopes = [0, 1].map(|arm| exponent(&self.width, &found.best[arm]));
        let [standard, mup] = slopes;
        let (standard, mup) = (standard?, mup?);
        let pairs: Vec<(Estimate, f64)> = vec![(standard, ARMS[0].1), (mup, ARMS[1].1)];
        let swapped: Vec<(Estimate, f64)> = vec![(standard, ARMS[1].1), (mup, ARMS[0].1)];
        let best = Claim::family(
            "T05.3",
            "exponents in the width of the best learning rate, standard and muP",
            &pairs,
        )
        .rejecting("the exponents of the other parametrisation", &swapped);
        let [by_layer, one] = [0, 1].map(|k| exponent(&self.width, &found.moved[k]));
        let (by_layer, one) = (by_layer?, one?);
        let step = Claim::family(
            "T05.3",
            "exponents in the width of how far one step moves the outputs from the start of muP: its rates by layer, and one rate",
            &[(by_layer, 0.0), (one, 1.0)],
        )
        .rejecting("0 with one rate, as printed", &[(by_layer, 0.0), (one, 0.0)]);
        Ok(vec![best, step])
    }

    fn table(&self, found: &Found) -> Vec<String> {
        let head = [
            "width",
            "best rate, standard",
            "std err of log2",
            "best rate, muP",
            "std err of log2",
        ];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for (w, width) in self.width.iter().enumerate() {
            let mut row = vec![width.to_string()];
            for arm in 0..2 {
                let logs: Vec<f64> = found.best[arm].iter().map(|net| libm::log2(net[w])).collect();
                let (mean, se) = Estimate::from_samples(&logs)
                    .map_or((f64::NAN, f64::NAN), |e| (e.mean(), e.se()));
                row.extend([format!("{:.5}", libm::exp2(mean)), format!("{se:.3}")]);
            }
            rows.push(row);
        }
        aligned(&rows)
    }
}

impl Experiment for MupTransfer {
    fn quick() -> Self {
        Self { width: vec![16, 32, 64], nets: 24, lr: vec![0.02, 8.0], ..Self::default() }
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Outcome, LabError> {
        let found = self.found(bench)?;
        let (mut claims, mut figures, mut summary, mut arrays) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        if let Some(found) = &found {
            claims = self.claims(found)?;
            figures = vec![("mup-transfer", self.figure(found)?)];
            summary = self.table(found);
            let best: Vec<Vec<f64>> = found.best.concat();
            arrays.push(Array::of_rows("best", &best));
        }
        let report = report(&WORDS, self, &figures, &claims, &summary);
        let status = if found.is_some() { Status::Completed } else { Status::Interrupted };
        let series = Series::default();
        Ok(Outcome { status, dtype: "f64", series, arrays, claims, figures, report, summary })
    }
}

/// The registry row.
pub const ENTRY: Row = Row::of::<MupTransfer>(
    "mup-transfer",
    "the best learning rate against the width in the standard parametrisation and in muP",
    "Does a learning rate tuned on a narrow network serve a wide one? In muP, yes: its rates by layer make one step move the outputs as much at every width (T05.3); in the standard parametrisation the best rate falls as one over the width. \
     A best rate that moves with the width in muP would falsify it.",
);
