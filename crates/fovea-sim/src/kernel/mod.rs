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
use std::sync::{Mutex, PoisonError};
use superblock::Superblock;

/// Blocks whose samples share one lane accumulator.
const SUPERBLOCK: usize = 8;
/// Blocks of one unit of parallel work.
const CHUNK: usize = 2 * SUPERBLOCK;

/// Chunks whose sums are kept at once; memory does not grow with the batch beyond them.
const WAVE: usize = 64;

/// Reusable buffers of a batch's work.
pub struct Workspace<T> {
    weights: Vec<T>,
    biases: Vec<T>,
    chunks: Vec<Sums<T>>,
    /// Buffers that no thread is using.
    idle: Mutex<Vec<Buffers<T>>>,
    /// Gradient of the loss: weights (row by row), then biases.
    pub grad: Vec<f64>,
}

/// What one chunk adds up to.
#[derive(Clone)]
struct Sums<T> {
    grad: Vec<T>,
    squared_error: f64,
}

/// Where one thread draws and works through a superblock.
struct Buffers<T> {
    x: Vec<[T; BLOCK]>,
    h: Vec<[T; BLOCK]>,
    scratch: Vec<[T; LANES]>,
}

impl<T: Element> Workspace<T> {
    /// Buffers for batches of up to `batch` samples through `network`.
    pub fn new(network: &Committee, batch: usize) -> Self {
        let parameters = network.width() * (network.inputs() + 1);
        let sums = Sums { grad: vec![T::ZERO; parameters], squared_error: 0.0 };
        // Each class may end in a partly used block.
        let blocks = batch.div_ceil(BLOCK) + 1;
        Self {
            weights: Vec::new(),
            biases: Vec::new(),
            chunks: vec![sums; blocks.div_ceil(CHUNK).min(WAVE)],
            idle: Mutex::new(Vec::new()),
            grad: vec![0.0; parameters],
        }
    }

    /// The loss `1/2 mean (y_hat - y)^2` over the batch; its gradient is left in `grad`.
    pub fn loss_and_grad(&mut self, network: &Committee, batch: &Batch<'_>) -> f64 {
        self.weights.clear();
        self.weights.extend(network.weights().iter().map(|w| T::from_f64(*w)));
        self.biases.clear();
        self.biases.extend(network.biases().iter().map(|b| T::from_f64(*b)));
        let used = batch.blocks().div_ceil(CHUNK);
        let (theta, idle) = ((&self.weights[..], &self.biases[..]), &self.idle);
        let mut squared_error = 0.0;
        self.grad.fill(0.0);
        for start in (0..used).step_by(WAVE) {
            let wave = &mut self.chunks[..WAVE.min(used - start)];
            let work = |(index, sums): (usize, &mut Sums<T>)| {
                let mut buffers = take(idle).unwrap_or_else(|| Buffers::new(network));
                buffers.run(network, theta, batch, start + index, sums);
                give_back(idle, buffers);
            };
            if wave.len() > 1 && rayon::current_num_threads() > 1 {
                wave.par_iter_mut().enumerate().for_each(work);
            } else {
                wave.iter_mut().enumerate().for_each(work);
            }
            for sums in &*wave {
                squared_error += sums.squared_error;
                for (total, part) in self.grad.iter_mut().zip(&sums.grad) {
                    *total += part.to_f64();
                }
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

/// Buffers that are free.
fn take<T>(idle: &Mutex<Vec<T>>) -> Option<T> {
    idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

fn give_back<T>(idle: &Mutex<Vec<T>>, buffers: T) {
    idle.lock().unwrap_or_else(PoisonError::into_inner).push(buffers);
}

impl<T: Element> Buffers<T> {
    fn new(network: &Committee) -> Self {
        Self {
            x: vec![[T::ZERO; BLOCK]; SUPERBLOCK * network.inputs()],
            h: vec![[T::ZERO; BLOCK]; SUPERBLOCK * network.width()],
            scratch: Vec::new(),
        }
    }

    /// Works through chunk `index` of the batch.
    fn run(
        &mut self,
        network: &Committee,
        theta: (&[T], &[T]),
        batch: &Batch<'_>,
        index: usize,
        sums: &mut Sums<T>,
    ) {
        sums.grad.fill(T::ZERO);
        sums.squared_error = 0.0;
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
                grad: &mut sums.grad,
            };
            let name = network.activation().name;
            let sum = visit(name, superblock).ok().expect("a network's activation is registered");
            sums.squared_error += sum.to_f64();
        }
    }
}
