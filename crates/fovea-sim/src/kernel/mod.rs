//! Loss and gradient of a committee over a batch, sixteen lanes at a time: the definition of a training step.
//!
//! Work is cut the same way whatever the machine: blocks of 32 samples, superblocks of 8 blocks, chunks of 2
//! superblocks. Within a superblock a gradient entry is summed lane by lane in the order of its samples and the lanes
//! by halves; superblocks add in the kernel's type, chunks in double precision, all in the order of their index. Chunks
//! run on any number of threads and the bits stay the same.

mod superblock;

use crate::batch::{Batch, Element};
use crate::network::{Bias, Committee};
use fovea_core::activation::visit;
use fovea_core::lanes::{BLOCK, LANES};
use rayon::prelude::*;
use superblock::Superblock;

/// Blocks whose samples share one lane accumulator.
const SUPERBLOCK: usize = 8;
/// Blocks of one unit of parallel work.
const CHUNK: usize = 2 * SUPERBLOCK;

/// Reusable buffers of a batch's work; nothing is allocated in a training step but the first.
pub struct Workspace<T> {
    weights: Vec<T>,
    biases: Vec<T>,
    chunks: Vec<Chunk<T>>,
    /// Gradient of the loss: weights (row by row), then biases.
    pub grad: Vec<f64>,
}

/// The buffers and sums of one chunk.
#[derive(Clone)]
struct Chunk<T> {
    x: Vec<[T; BLOCK]>,
    h: Vec<[T; BLOCK]>,
    scratch: Vec<[T; LANES]>,
    grad: Vec<T>,
    squared_error: f64,
}

impl<T: Element> Workspace<T> {
    /// Buffers for batches of up to `batch` samples through `network`.
    pub fn new(network: &Committee, batch: usize) -> Self {
        let (n, width) = (network.inputs(), network.width());
        let chunk = Chunk {
            x: vec![[T::ZERO; BLOCK]; SUPERBLOCK * n],
            h: vec![[T::ZERO; BLOCK]; SUPERBLOCK * width],
            scratch: Vec::new(),
            grad: vec![T::ZERO; width * (n + 1)],
            squared_error: 0.0,
        };
        // Each class may end in a partly used block.
        let blocks = batch.div_ceil(BLOCK) + 1;
        Self {
            weights: Vec::new(),
            biases: Vec::new(),
            chunks: vec![chunk; blocks.div_ceil(CHUNK)],
            grad: vec![0.0; width * (n + 1)],
        }
    }

    /// The loss `1/2 mean (y_hat - y)^2` over the batch; its gradient is left in `grad`.
    pub fn loss_and_grad(&mut self, network: &Committee, batch: &Batch<'_>) -> f64 {
        self.weights.clear();
        self.weights.extend(network.weights().iter().map(|w| T::from_f64(*w)));
        self.biases.clear();
        self.biases.extend(network.biases().iter().map(|b| T::from_f64(*b)));
        let used = batch.blocks().div_ceil(CHUNK);
        let (weights, biases) = (&self.weights, &self.biases);
        let work = |(index, chunk): (usize, &mut Chunk<T>)| {
            chunk.run(network, (weights, biases), batch, index);
        };
        if used > 1 && rayon::current_num_threads() > 1 {
            self.chunks[..used].par_iter_mut().enumerate().for_each(work);
        } else {
            self.chunks[..used].iter_mut().enumerate().for_each(work);
        }

        let mut squared_error = 0.0;
        self.grad.fill(0.0);
        for chunk in &self.chunks[..used] {
            squared_error += chunk.squared_error;
            for (total, part) in self.grad.iter_mut().zip(&chunk.grad) {
                *total += part.to_f64();
            }
        }
        // d loss / d y_hat carries 1/batch, d y_hat / d unit the mean readout's 1/width.
        let scale = 1.0 / (batch.size() as f64 * network.width() as f64);
        self.grad.iter_mut().for_each(|g| *g *= scale);
        if network.bias() != Bias::Trainable {
            let biases_at = network.weights().len();
            self.grad[biases_at..].fill(0.0);
        }
        0.5 * squared_error / batch.size() as f64
    }
}

impl<T: Element> Chunk<T> {
    fn run(&mut self, network: &Committee, theta: (&[T], &[T]), batch: &Batch<'_>, index: usize) {
        self.grad.fill(T::ZERO);
        self.squared_error = 0.0;
        let n = network.inputs();
        let end = batch.blocks().min((index + 1) * CHUNK);
        for start in (index * CHUNK..end).step_by(SUPERBLOCK) {
            let blocks = start..end.min(start + SUPERBLOCK);
            let mut targets = [(T::ZERO, 0); SUPERBLOCK];
            for (slot, block) in blocks.clone().enumerate() {
                batch.fill(block, &mut self.scratch, &mut self.x[slot * n..(slot + 1) * n]);
                let (class, used) = batch.block(block);
                targets[slot] = (T::from_f64(class.label), used);
            }
            let superblock = Superblock {
                weights: theta.0,
                biases: theta.1,
                targets: &targets[..blocks.len()],
                x: &self.x,
                h: &mut self.h,
                grad: &mut self.grad,
            };
            let name = network.activation().name;
            let sum = visit(name, superblock).ok().map_or(T::ZERO, |sum| sum);
            self.squared_error += sum.to_f64();
        }
    }
}
