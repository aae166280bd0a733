//! Loss and gradient of a network over a batch, sixteen lanes at a time: the definition of a training step.
//!
//! Work is cut the same way on every machine: blocks of 32 samples, superblocks of 8 blocks, chunks of 2
//! superblocks. Within a superblock a gradient entry is summed lane by lane in the order of its samples, then the lanes
//! by halves; superblocks are added in the number type of the pass, chunks in double precision, all in the order of their index.
//! The bits are the same for any number of threads.

mod superblock;
mod theta;
mod tiles;

use crate::batch::Batch;
use crate::crew::Spare;
use crate::loss;
use crate::network::{Network, Units};
use crate::packed::NEAREST;
use crate::simd::{Level, dispatch};
use crate::stimulus::Element;
use fovea_core::Function;
use fovea_core::activation::Blocked;
use fovea_core::lanes::{BLOCK, LANES, Real, Room};
use fovea_core::work;
use std::ops::Range;
use superblock::{
    Accumulate, Backward, Errors, Forward, Preactivate, Rows, Squared, Theta, ThroughGates,
};
use tiles::Entries;

/// Blocks whose samples share one lane accumulator.
const SUPERBLOCK: usize = 8;
/// Blocks that are sampled before the network processes them, where this many fit into the nearest cache.
const FEW: usize = 4;
/// Blocks of one unit of parallel work.
const CHUNK: usize = 2 * SUPERBLOCK;

/// Most chunks whose sums are kept at once; memory does not grow with the batch beyond them.
const WAVE: usize = 64;
/// Most numbers kept in the sums of chunks, unless two chunks need more.
const WAVE_NUMBERS: usize = 1 << 25;

/// A number type that networks are trained in.
///
/// The pass is behind its method, so that it is compiled here and not in every crate that calls it.
pub trait FusedElement: Element {
    /// See [`Workspace::loss_and_grad`].
    fn fused_pass(
        workspace: &mut Workspace<Self>,
        network: &Network,
        loss: &'static loss::Entry,
        batch: &Batch<'_>,
    ) -> f64;
}

macro_rules! trained {
    ($($type:ty),+) => {
        $(impl FusedElement for $type {
            fn fused_pass(
                workspace: &mut Workspace<$type>,
                network: &Network,
                loss: &'static loss::Entry,
                batch: &Batch<'_>,
            ) -> f64 {
                workspace.work(network, loss, batch)
            }
        })+
    };
}

trained!(f32, f64);

/// Reusable buffers of a batch's work.
pub struct Workspace<T> {
    theta: Theta<T>,
    chunks: Vec<Sums<T>>,
    spare: Spare<Buffers<T>>,
    /// Gradient of the loss, in the order of the network's parameters; zero for those that are not trained.
    pub grad: Vec<f64>,
}

/// What every chunk of a batch shares.
struct Job<'a, T> {
    network: &'a Network,
    theta: &'a Theta<T>,
    loss: &'static loss::Entry,
    batch: &'a Batch<'a>,
}

/// The sums of one chunk.
#[derive(Clone)]
struct Sums<T> {
    grad: Vec<T>,
    loss: f64,
}

/// The work space of one thread for a superblock.
struct Buffers<T> {
    rows: Rows<T>,
    scratch: Vec<[T; LANES]>,
}

impl<T: FusedElement> Workspace<T> {
    /// Buffers for batches of up to `batch` samples through `network`.
    pub fn new(network: &Network, batch: usize) -> Self {
        Self::with_chunks_in_flight(network, batch, WAVE)
    }

    /// The same with at most this many chunks in progress at once, which affects memory alone.
    pub fn with_chunks_in_flight(network: &Network, batch: usize, most: usize) -> Self {
        let readout = if network.readout().is_some() { network.outputs() } else { 0 };
        let numbers = network.hidden() * (network.inputs() + 1) + readout * (network.hidden() + 1);
        // A class may end in a partly used block.
        let blocks = batch.div_ceil(BLOCK) + MOST_PARTLY_USED;
        let wave = (WAVE_NUMBERS / numbers).max(2).min(most);
        let sums = Sums { grad: vec![T::ZERO; numbers], loss: 0.0 };
        Self {
            theta: Theta::new(network),
            chunks: vec![sums; blocks.div_ceil(CHUNK).min(wave)],
            spare: Spare::new(),
            grad: vec![0.0; network.theta().len()],
        }
    }

    /// The mean loss over the batch; its gradient is left in `grad`.
    pub fn loss_and_grad(
        &mut self,
        network: &Network,
        loss: &'static loss::Entry,
        batch: &Batch<'_>,
    ) -> f64 {
        T::fused_pass(self, network, loss, batch)
    }

    fn work(&mut self, network: &Network, loss: &'static loss::Entry, batch: &Batch<'_>) -> f64 {
        self.theta.load(network);
        let used = batch.blocks().div_ceil(CHUNK);
        let (theta, spare) = (&self.theta, &self.spare);
        let mut total = 0.0;
        for start in (0..used).step_by(self.chunks.len()) {
            let kept = self.chunks.len().min(used - start);
            let wave = &mut self.chunks[..kept];
            let job = Job { network, theta, loss, batch };
            spare.share(
                wave,
                || Buffers::new(network),
                |buffers, index, sums| buffers.run(&job, start + index, sums),
            );
            for sums in &*wave {
                total += sums.loss;
            }
            let ends = (start == 0, start + kept == used);
            theta::collect(network, wave, ends, batch.size(), &mut self.grad);
        }
        total / batch.size() as f64
    }
}

/// Most classes whose last block is counted when buffers are made; more only means more waves.
const MOST_PARTLY_USED: usize = 16;

impl<T: Element> Buffers<T> {
    fn new(network: &Network) -> Self {
        let rows = |a_block: usize| Room::new(SUPERBLOCK * a_block);
        let plain = network.readout().is_none() && matches!(network.units(), Units::Activation(_));
        let passed_on = Room::new(if plain { 1 } else { SUPERBLOCK } * network.hidden());
        Self {
            rows: Rows {
                x: rows(network.inputs()),
                h: rows(network.hidden()),
                u: passed_on,
                y: rows(network.outputs()),
                target: rows(network.outputs()),
                used: Vec::new(),
                entries: Entries::Any,
            },
            scratch: Vec::new(),
        }
    }

    /// Works through chunk `index` of the batch.
    fn run(&mut self, job: &Job<'_, T>, index: usize, sums: &mut Sums<T>) {
        let Job { network, theta, loss, batch } = *job;
        sums.grad.fill(T::ZERO);
        sums.loss = 0.0;
        let (n, outputs) = (network.inputs(), network.outputs());
        // Samples are multiplied by the weights while they are in the nearest cache, if enough of them to keep the registers busy fit there.
        let fits = FEW * n * size_of::<[T; BLOCK]>() <= NEAREST;
        let together = if fits { FEW } else { SUPERBLOCK };
        let end = batch.blocks().min((index + 1) * CHUNK);
        for start in (index * CHUNK..end).step_by(SUPERBLOCK) {
            // Between superblocks, so that a stop takes effect within any batch.
            work::poll();
            let rows = &mut self.rows;
            rows.used.clear();
            let blocks = end.min(start + SUPERBLOCK) - start;
            for first in (0..blocks).step_by(together) {
                let slots = first..blocks.min(first + together);
                for slot in slots.clone() {
                    let x = &mut rows.x[slot * n..(slot + 1) * n];
                    let target = &mut rows.target[slot * outputs..(slot + 1) * outputs];
                    rows.used.push(batch.fill(start + slot, &mut self.scratch, x, target));
                    let entries = Entries::of(x, network.hidden());
                    rows.entries = if slot > 0 { rows.entries.and(entries) } else { entries };
                }
                preactivate(network, theta, slots, rows);
            }
            pass(network, theta, loss, rows, sums);
        }
    }
}

/// The preactivations of some blocks of a superblock.
fn preactivate<T: Real>(
    network: &Network,
    theta: &Theta<T>,
    slots: Range<usize>,
    rows: &mut Rows<T>,
) {
    let (width, n, blocks) = (network.hidden(), network.inputs(), slots.len());
    let x = (rows.entries, &rows.x[slots.start * n..slots.end * n]);
    let units = slots.start * width..slots.end * width;
    let h = &mut rows.h[units.clone()];
    let passed = theta.rectified.then_some(&mut rows.y[slots]);
    dispatch(Preactivate { theta: &theta.hidden, blocks, x, h, passed });
    if let Units::Gated { .. } = network.units() {
        let h = &mut rows.u[units];
        dispatch(Preactivate { theta: &theta.gates, blocks, x, h, passed: None });
    }
}

/// One superblock from its preactivations on through the network and back.
fn pass<T: Blocked>(
    network: &Network,
    theta: &Theta<T>,
    loss: &'static loss::Entry,
    rows: &mut Rows<T>,
    sums: &mut Sums<T>,
) {
    let blocks = rows.used.len();
    let (width, n, outputs) = (network.hidden(), network.inputs(), theta.output_biases.len());
    sums.loss += match network.units() {
        Units::Activation(phi) => units(phi, loss, theta, rows),
        Units::Gated { .. } => {
            dispatch(ThroughGates(Forward { theta, rows }));
            let loss = loss::visit(loss, Errors { rows });
            dispatch(ThroughGates(Backward { theta, rows }));
            loss
        }
    };
    let (hidden, readout) = sums.grad.split_at_mut(width * (n + 1));
    let hidden = &mut hidden[..width * (n + usize::from(theta.trains_biases))];
    let x = (rows.entries, &*rows.x);
    dispatch(Accumulate { blocks, size: (width, n), x, delta: &rows.h, grad: hidden });
    if outputs > 0 {
        let size = (outputs, width);
        let x = (Entries::Any, &*rows.u);
        dispatch(Accumulate { blocks, size, x, delta: &rows.y, grad: readout });
    }
}

/// From the preactivations of units to the loss and its derivative by them.
fn units<T: Blocked>(
    phi: &Function,
    loss: &'static loss::Entry,
    theta: &Theta<T>,
    rows: &mut Rows<T>,
) -> f64 {
    let level = Level::best();
    let squared = theta.output_biases.is_empty() && loss.squared;
    if squared && let Some(loss) = (Squared { theta, rows: &mut *rows }).through(level, phi) {
        return loss;
    }
    Forward { theta, rows: &mut *rows }.through(level, phi);
    let loss = loss::visit(loss, Errors { rows: &mut *rows });
    Backward { theta, rows }.through(level, phi);
    loss
}

#[cfg(test)]
mod tests;
