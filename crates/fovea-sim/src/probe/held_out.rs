//! What a network does on a held-out set: one pass over the same samples at every record.

mod loss;

use super::{HeldOut, Probe};
use crate::batch::Batch;
use crate::kernel::KernelElement;
use crate::network::{Network, Units};
use crate::plain;
use crate::stimulus::Element;
use crate::task::{Target, Task};
use fovea_core::ParamError;
use fovea_core::lanes::{BLOCK, Real};
use fovea_core::streams::Streams;
use fovea_core::work;

pub use loss::held_out_loss;

/// What a probe needs of the held-out set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Nothing: it looks at the fields alone.
    Weights,
    /// Nothing: it looks at biases or readout.
    Network,
    /// The mean loss.
    Loss,
    /// The answers.
    Answers,
    /// The preactivations, class by class.
    Preactivations,
    /// The gates at every record so far.
    Gates,
}

impl Needs {
    /// Whether one of these probes needs it.
    pub fn of(self, probes: &[&'static Probe]) -> bool {
        probes.iter().any(|probe| probe.needs == self)
    }

    /// Whether one of these probes looks at the held-out set at all.
    pub fn samples(probes: &[&'static Probe]) -> bool {
        probes.iter().any(|probe| probe.needs > Self::Network)
    }

    /// Refuses probes that have no meaning for a task.
    ///
    /// # Errors
    /// Accuracy where there are no labels to be near to.
    pub fn fit(probes: &[&'static Probe], task: &Task) -> Result<(), ParamError> {
        if Self::Answers.of(probes) && task.target() == Target::SignChanges {
            return Err(ParamError::Inconsistent {
                what:
                    "the probe accuracy counts right classes, and the target sign-changes has none"
                        .to_owned(),
                hint: "leave accuracy out, or choose the target label or one-hot".to_owned(),
            });
        }
        Ok(())
    }
}

/// Samples a slice of the held-out set, so that memory stays bounded; the slices are those of the loss.
const SLICE: usize = 8192;

/// What is looked at, and for whom.
#[derive(Clone, Copy)]
pub struct Evaluation<'a> {
    /// What the held-out set is drawn from.
    pub task: &'a Task,
    /// What draws it.
    pub streams: &'a Streams,
    /// Its samples.
    pub samples: usize,
    /// What an answer costs.
    pub loss: &'static crate::loss::Row,
    /// The probes that want to know.
    pub probes: &'a [&'static Probe],
}

/// Looks at one network after the other on the same held-out set.
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

    /// What the probes need to know of `network`.
    pub fn look<T: KernelElement>(&mut self, network: &Network) -> HeldOut {
        let Evaluation { task, streams, samples, loss, probes } = self.of;
        let mut seen = if Needs::Answers.of(probes)
            || Needs::Preactivations.of(probes)
            || Needs::Gates.of(probes)
        {
            self.pass::<T>(network)
        } else {
            HeldOut::default()
        };
        if Needs::samples(probes) {
            seen.loss = held_out_loss::<T>(task, network, loss, streams, samples);
        }
        seen
    }

    /// One pass over the set: answers, preactivations and gates.
    fn pass<T: Element>(&mut self, network: &Network) -> HeldOut {
        let Evaluation { task, streams, samples, probes, .. } = self.of;
        let (answers, units) = (Needs::Answers.of(probes), network.width());
        let mut right = 0_usize;
        let mut moments = vec![vec![Moments::default(); task.classes().len()]; units];
        let mut gates =
            Vec::with_capacity(if Needs::Gates.of(probes) { samples * units } else { 0 });
        let mut block = Block::<T>::new(network, task);
        for (slice, start) in (0..samples).step_by(SLICE).enumerate() {
            let size = SLICE.min(samples - start);
            let batch = Batch::new(task, streams, "eval", slice as u64, size);
            for index in 0..batch.blocks() {
                let (class, used) = batch.block(index);
                batch.fill(index, &mut block.scratch, &mut block.x, &mut block.y);
                block.preactivate(network);
                for s in 0..used {
                    work::poll();
                    if answers
                        && nearest(task, &block.answer(network, s)) == Some(class_of(task, class))
                    {
                        right += 1;
                    }
                    for (k, h) in block.h.iter().enumerate() {
                        moments[k][class].push(h[s]);
                    }
                    if Needs::Gates.of(probes) {
                        gates.extend(block.gate.iter().map(|gate| gate[s] >= 0.0));
                    }
                }
            }
        }
        HeldOut {
            loss: 0.0,
            accuracy: if samples > 0 { right as f64 / samples as f64 } else { 0.0 },
            kurtosis: moments
                .iter()
                .map(|unit| unit.iter().map(Moments::excess).collect())
                .collect(),
            same_gate: self.gates.next(gates, units),
        }
    }
}

impl Gates {
    /// The shares on the same side as last time and as at all times; all of them at the first.
    fn next(&mut self, now: Vec<bool>, units: usize) -> Vec<[f64; 2]> {
        if self.last.len() != now.len() {
            (self.last, self.never_moved) = (now.clone(), vec![true; now.len()]);
        }
        let mut same = vec![[0_usize; 2]; units];
        for (i, now) in now.iter().enumerate() {
            let kept = self.last[i] == *now;
            self.never_moved[i] &= kept;
            same[i % units][0] += usize::from(kept);
            same[i % units][1] += usize::from(self.never_moved[i]);
        }
        let samples = (now.len() / units).max(1) as f64;
        self.last = now;
        same.into_iter().map(|counts| counts.map(|count| count as f64 / samples)).collect()
    }
}

/// One block of samples and what the rows of weights make of it; of a shared filter, at its first place.
struct Block<T> {
    scratch: Vec<[T; fovea_core::lanes::LANES]>,
    x: Vec<[T; BLOCK]>,
    y: Vec<[T; BLOCK]>,
    /// `<w, x>` of each row, without its bias.
    h: Vec<[f64; BLOCK]>,
    /// What is compared with zero by the gate of each row.
    gate: Vec<[f64; BLOCK]>,
}

impl<T: Real> Block<T> {
    fn new(network: &Network, task: &Task) -> Self {
        let rows = vec![[0.0; BLOCK]; network.width()];
        Self {
            scratch: Vec::new(),
            x: vec![[T::ZERO; BLOCK]; network.inputs()],
            y: vec![[T::ZERO; BLOCK]; task.outputs()],
            h: rows.clone(),
            gate: rows,
        }
    }

    fn preactivate(&mut self, network: &Network) {
        project(network.weights(), &self.x, &mut self.h);
        if let Units::Gated { gates, .. } = network.units() {
            project(gates, &self.x, &mut self.gate);
        } else {
            self.gate.copy_from_slice(&self.h);
        }
        let offsets = match network.units() {
            Units::Gated { offsets, .. } => offsets,
            Units::Activation(_) => network.biases(),
        };
        for (row, offset) in self.gate.iter_mut().zip(offsets) {
            for h in row {
                *h += offset;
            }
        }
    }

    /// The network's answer to sample `s`.
    fn answer(&self, network: &Network, s: usize) -> Vec<f64> {
        match network.units() {
            Units::Activation(phi) if !network.shared() => {
                let (mean, width) = (1.0 / network.width() as f64, network.width());
                let output = |o: usize| {
                    let readout = |k: usize| network.readout().map_or(1.0, |v| v[o * width + k]);
                    let unit = |k: usize| readout(k) * phi.value(self.gate[k][s]);
                    mean * (0..width).map(unit).sum::<f64>()
                        + network.output_biases().get(o).unwrap_or(&0.0)
                };
                (0..network.outputs()).map(output).collect()
            }
            _ => {
                let x: Vec<f64> = self.x.iter().map(|entry| entry[s].to_f64()).collect();
                plain::outputs(network, &x)
            }
        }
    }
}

/// Products of each row of weights with every sample of a block.
fn project<T: Real>(weights: &[f64], x: &[[T; BLOCK]], h: &mut [[f64; BLOCK]]) {
    for (w, h) in weights.chunks(x.len()).zip(h) {
        *h = [0.0; BLOCK];
        for (w, x) in w.iter().zip(x) {
            for s in 0..BLOCK {
                h[s] += w * x[s].to_f64();
            }
        }
    }
}

/// What stands for a class among answers: its label, or its place where there is an output a class.
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
mod tests;
