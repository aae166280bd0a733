//! Evaluation of a network on samples that are the same at every record: held-out ones and those it trains on.

mod block;
mod loss;
mod needs;
mod set;

use super::{HeldOut, OnTraining, Probe};
use crate::dynamics::{Pace, Samples};
use crate::fused::FusedElement;
use crate::network::Network;
use crate::stimulus::Element;
use crate::task::{Target, Task};
use fovea_core::streams::Streams;
use fovea_core::work;

use block::Block;
pub use loss::held_out_loss;
use loss::mean_loss;
pub use needs::Needs;
use set::{Set, Slice};

/// Samples per slice of the held-out set, so that memory stays bounded; the loss uses the same slices.
const SLICE: usize = 8192;

/// What is evaluated, and for which probes.
#[derive(Clone, Copy)]
pub struct Evaluation<'a> {
    /// The task that the samples come from.
    pub task: &'a Task,
    /// The streams that sample them.
    pub streams: &'a Streams,
    /// How many there are; of rows, at most this many.
    pub samples: usize,
    /// How the network is trained: on one fixed sample, or on another at every step.
    pub pace: &'a Pace,
    /// The loss.
    pub loss: &'static crate::loss::Entry,
    /// The probes that need the result.
    pub probes: &'a [&'static Probe],
}

/// Evaluates one network after the other on the same samples.
pub struct Evaluator<'a> {
    of: Evaluation<'a>,
    gates: Gates,
}

/// The gates of every unit on every sample, unit by unit within a sample.
#[derive(Default)]
struct Gates {
    last: Vec<bool>,
    never_moved: Vec<bool>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that has seen the networks of these parameters, oldest first.
    pub fn new<T: Element>(of: Evaluation<'a>, network: &Network, seen: &[Vec<f64>]) -> Self {
        let mut evaluator = Self { of, gates: Gates::default() };
        for theta in seen {
            if let Ok(network) = network.clone().with_theta(theta.clone()) {
                evaluator.pass::<T>(&network);
            }
        }
        evaluator
    }

    /// What the probes need of `network`: on held-out samples, and on those it is trained on.
    pub fn look<T: FusedElement>(&mut self, network: &Network) -> (HeldOut, OnTraining) {
        let Evaluation { loss, probes, .. } = self.of;
        let mut seen = if Needs::Answers.of(probes)
            || Needs::Preactivations.of(probes)
            || Needs::Gates.of(probes)
        {
            self.pass::<T>(network)
        } else {
            HeldOut::default()
        };
        if probes.iter().any(|probe| probe.needs > Needs::Network && !probe.needs.is_of_training())
        {
            seen.loss = mean_loss::<T>(network, loss, &self.set().looked_at());
        }
        let mut on_training = OnTraining::default();
        if Needs::TrainingLoss.of(probes) {
            on_training.loss = mean_loss::<T>(network, loss, &self.training());
        }
        if Needs::TrainingAnswers.of(probes) {
            on_training.accuracy = self.accuracy::<T>(network, &self.training());
        }
        (seen, on_training)
    }

    fn set(&self) -> Set<'a> {
        let Evaluation { task, streams, samples, .. } = self.of;
        Set { task, streams, samples }
    }

    fn training(&self) -> Vec<Slice<'a>> {
        let pace = self.of.pace;
        self.set().training((pace.samples == Samples::Fixed).then_some(pace.batch))
    }

    /// Share of correct answers on some samples.
    fn accuracy<T: Element>(&self, network: &Network, slices: &[Slice<'_>]) -> f64 {
        let (task, mut answers) = (self.of.task, Answers::default());
        each::<T>(network, task, slices, |block, (class, used), weight| {
            answers.count(weight, block.right(network, task, class, used), used);
        });
        answers.right / answers.all
    }

    /// One pass over the set: answers, preactivations and gates.
    fn pass<T: Element>(&mut self, network: &Network) -> HeldOut {
        let Evaluation { task, probes, .. } = self.of;
        let slices = self.set().looked_at();
        let (asked, gated, units) =
            (Needs::Answers.of(probes), Needs::Gates.of(probes), network.width());
        let mut answers = Answers::default();
        let mut moments = vec![vec![Moments::default(); task.classes().len()]; units];
        let samples: usize = slices.iter().map(|(batch, _)| batch.size()).sum();
        let mut gates = Vec::with_capacity(if gated { samples * units } else { 0 });
        let mut weights = Vec::new();
        each::<T>(network, task, &slices, |block, (class, used), weight| {
            if asked {
                answers.count(weight, block.right(network, task, class, used), used);
            }
            for s in 0..used {
                work::poll();
                for (k, h) in block.h.iter().enumerate() {
                    moments[k][class].push(h[s]);
                }
                if gated {
                    gates.extend(block.gate.iter().map(|gate| gate[s] >= 0.0));
                    weights.push(weight);
                }
            }
        });
        HeldOut {
            loss: 0.0,
            accuracy: if asked && samples > 0 { answers.right / answers.all } else { 0.0 },
            kurtosis: moments
                .iter()
                .map(|unit| unit.iter().map(Moments::excess).collect())
                .collect(),
            same_gate: self.gates.next(gates, units, &weights),
        }
    }
}

/// The total weight of the correct answers and of all answers, summed the same way, so that the share of all answers is one.
#[derive(Default)]
struct Answers {
    right: f64,
    all: f64,
}

impl Answers {
    fn count(&mut self, weight: f64, right: usize, all: usize) {
        self.right += weight * right as f64;
        self.all += weight * all as f64;
    }
}

/// Calls `look` with every block of some samples, evaluated by the network, its class and how many samples count, and the weight of each.
fn each<T: Element>(
    network: &Network,
    task: &Task,
    slices: &[Slice<'_>],
    mut look: impl FnMut(&Block<T>, (usize, usize), f64),
) {
    let mut block = Block::<T>::new(network, task);
    for (batch, weight) in slices {
        for index in 0..batch.blocks() {
            work::poll();
            batch.fill(index, &mut block.scratch, &mut block.x, &mut block.y);
            block.preactivate(network);
            look(&block, batch.block(index), *weight);
        }
    }
}

impl Gates {
    /// The shares on the same side as last time and as at all earlier times; one at the first.
    fn next(&mut self, now: Vec<bool>, units: usize, weights: &[f64]) -> Vec<[f64; 2]> {
        if self.last.len() != now.len() {
            (self.last, self.never_moved) = (now.clone(), vec![true; now.len()]);
        }
        let mut same = vec![[0.0; 2]; units];
        for (i, now) in now.iter().enumerate() {
            let kept = self.last[i] == *now;
            self.never_moved[i] &= kept;
            let weight = weights[i / units];
            same[i % units][0] += if kept { weight } else { 0.0 };
            same[i % units][1] += if self.never_moved[i] { weight } else { 0.0 };
        }
        let all: f64 = weights.iter().sum();
        self.last = now;
        same.into_iter().map(|shares| shares.map(|share| share / all)).collect()
    }
}

/// The number that stands for a class among answers: its label, or its index where there is one output per class.
fn class_of(task: &Task, class: usize) -> f64 {
    if task.target() == Target::OneHot { class as f64 } else { task.classes()[class].label }
}

/// The label an answer is nearest to, or the class it is largest at.
fn nearest(task: &Task, answer: &[f64]) -> Option<f64> {
    match task.target() {
        Target::SignChanges => None,
        Target::OneHot => {
            let largest = (0..answer.len()).max_by(|a, b| answer[*a].total_cmp(&answer[*b]))?;
            Some(largest as f64)
        }
        Target::Label => {
            let labels = task.classes().iter().map(|class| class.label);
            labels.min_by(|a, b| (answer[0] - a).abs().total_cmp(&(answer[0] - b).abs()))
        }
    }
}

/// Sums of powers, in units in which they cannot overflow for any field whose own fourth powers do not.
#[derive(Clone, Copy, Default)]
struct Moments {
    count: f64,
    sums: [f64; 4],
}

impl Moments {
    fn push(&mut self, h: f64) {
        self.count += 1.0;
        let mut power = 1.0;
        for sum in &mut self.sums {
            power *= h;
            *sum += power;
        }
    }

    /// Fourth central moment over the square of the second, less three; zero without spread.
    fn excess(&self) -> f64 {
        let [m1, m2, m3, m4] = self.sums.map(|sum| sum / self.count.max(1.0));
        let variance = m2 - m1 * m1;
        let fourth = m4 - 4.0 * m1 * m3 + 6.0 * m1 * m1 * m2 - 3.0 * m1 * m1 * m1 * m1;
        let excess = fourth / (variance * variance) - 3.0;
        if variance > 1e-12 * m2 && excess.is_finite() { excess } else { 0.0 }
    }
}

#[cfg(test)]
mod noise;
#[cfg(test)]
mod tests;
