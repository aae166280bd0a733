//! Loss and gradient of a committee over a batch, sixteen lanes at a time: the definition of a training step.
//!
//! Work is cut the same way whatever the machine: blocks of 32 samples, superblocks of 8 blocks, chunks of 2
//! superblocks. Within a superblock a gradient entry is summed lane by lane in the order of its samples and the lanes
//! by halves; superblocks add in the kernel's type, chunks in double precision, all in the order of their index. Chunks
//! run on any number of threads and the bits stay the same.

use crate::batch::{Batch, Element};
use crate::network::{Bias, Committee};
use crate::simd::{Kernel, dispatch};
use fovea_core::activation::{Activation, Visitor, visit};
use fovea_core::lanes::{BLOCK, LANES, Real, tree_sum};
use rayon::prelude::*;

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

/// One superblock through the network and back.
struct Superblock<'a, T> {
    weights: &'a [T],
    biases: &'a [T],
    /// Label and number of used samples of each block.
    targets: &'a [(T, usize)],
    /// Samples, `[block][input][sample]`.
    x: &'a [[T; BLOCK]],
    /// Preactivations, then their errors, `[block][unit][sample]`.
    h: &'a mut [[T; BLOCK]],
    grad: &'a mut [T],
}

impl<T: Real> Visitor for Superblock<'_, T> {
    type Output = T;

    fn visit<A: Activation>(self) -> T {
        dispatch(Typed::<A, T>(self, std::marker::PhantomData))
    }
}

struct Typed<'a, A, T>(Superblock<'a, T>, std::marker::PhantomData<A>);

impl<A: Activation, T: Real> Kernel for Typed<'_, A, T> {
    type Output = T;

    /// Returns the sum of squared errors of the used samples.
    #[inline(always)]
    fn run(self) -> T {
        let s = self.0;
        let (width, n) = (s.biases.len(), s.weights.len() / s.biases.len());
        let readout = T::ONE / T::from_f64(width as f64);
        let mut squares = [T::ZERO; LANES];
        for (slot, (label, used)) in s.targets.iter().enumerate() {
            let x = &s.x[slot * n..(slot + 1) * n];
            let h = &mut s.h[slot * width..(slot + 1) * width];
            preactivations(s.weights, s.biases, x, h);
            let mut sum = [T::ZERO; BLOCK];
            for row in h.iter() {
                for l in 0..BLOCK {
                    sum[l] = sum[l] + A::value(row[l]);
                }
            }
            let mut error = [T::ZERO; BLOCK];
            for l in 0..BLOCK {
                let gap = sum[l] * readout - *label;
                error[l] = if l < *used { gap } else { T::ZERO };
            }
            for l in 0..LANES {
                squares[l] = error[l].fma(error[l], squares[l]);
            }
            for l in 0..LANES {
                squares[l] = error[LANES + l].fma(error[LANES + l], squares[l]);
            }
            for row in h.iter_mut() {
                for l in 0..BLOCK {
                    row[l] = error[l] * A::slope(row[l]);
                }
            }
        }
        gradients(s.targets.len(), (width, n), s.x, s.h, s.grad);
        tree_sum(squares)
    }
}

/// `h_k = b_k + sum_i w_ki x_i`, in the order of `i`.
#[inline(always)]
fn preactivations<T: Real>(weights: &[T], biases: &[T], x: &[[T; BLOCK]], h: &mut [[T; BLOCK]]) {
    let n = x.len();
    let mut units = h.chunks_exact_mut(TILE);
    let mut k = 0;
    for rows in units.by_ref() {
        rows.copy_from_slice(&preactivation_tile::<T, TILE>(&weights[k * n..], &biases[k..], x));
        k += TILE;
    }
    for row in units.into_remainder() {
        [*row] = preactivation_tile::<T, 1>(&weights[k * n..], &biases[k..], x);
        k += 1;
    }
}

/// Units, or inputs, whose accumulators share a pass over the samples; more would spill the registers.
const TILE: usize = 4;

/// The preactivations of the first `R` units.
#[inline(always)]
fn preactivation_tile<T: Real, const R: usize>(
    weights: &[T],
    biases: &[T],
    x: &[[T; BLOCK]],
) -> [[T; BLOCK]; R] {
    let n = x.len();
    let mut rows = [[T::ZERO; BLOCK]; R];
    for r in 0..R {
        rows[r] = [biases[r]; BLOCK];
    }
    for (i, x) in x.iter().enumerate() {
        for r in 0..R {
            let w = weights[r * n + i];
            for l in 0..BLOCK {
                rows[r][l] = w.fma(x[l], rows[r][l]);
            }
        }
    }
    rows
}

/// `G_ki += sum_s delta_ks x_is` and `G_kb += sum_s delta_ks` over the superblock.
#[inline(always)]
fn gradients<T: Real>(
    blocks: usize,
    (width, n): (usize, usize),
    x: &[[T; BLOCK]],
    delta: &[[T; BLOCK]],
    grad: &mut [T],
) {
    let (weights, biases) = grad.split_at_mut(width * n);
    for k in 0..width {
        let row = &mut weights[k * n..(k + 1) * n];
        let mut inputs = row.chunks_exact_mut(TILE);
        let mut i = 0;
        for entries in inputs.by_ref() {
            let sums = gradient_tile::<T, TILE>(blocks, (&delta[k..], width), (&x[i..], n));
            for t in 0..TILE {
                entries[t] = entries[t] + sums[t];
            }
            i += TILE;
        }
        for entry in inputs.into_remainder() {
            *entry = *entry + gradient_tile::<T, 1>(blocks, (&delta[k..], width), (&x[i..], n))[0];
            i += 1;
        }
        let mut lanes = [T::ZERO; LANES];
        for slot in 0..blocks {
            let d = &delta[slot * width + k];
            for l in 0..LANES {
                lanes[l] = lanes[l] + d[l];
            }
            for l in 0..LANES {
                lanes[l] = lanes[l] + d[LANES + l];
            }
        }
        biases[k] = biases[k] + tree_sum(lanes);
    }
}

/// `sum_s delta_s x_is` for `R` inputs: lane by lane in the order of the samples, then the lanes by halves.
#[inline(always)]
fn gradient_tile<T: Real, const R: usize>(
    blocks: usize,
    (delta, delta_stride): (&[[T; BLOCK]], usize),
    (x, x_stride): (&[[T; BLOCK]], usize),
) -> [T; R] {
    let mut lanes = [[T::ZERO; LANES]; R];
    for slot in 0..blocks {
        let d = &delta[slot * delta_stride];
        for r in 0..R {
            let x = &x[slot * x_stride + r];
            for l in 0..LANES {
                lanes[r][l] = d[l].fma(x[l], lanes[r][l]);
            }
            for l in 0..LANES {
                lanes[r][l] = d[LANES + l].fma(x[LANES + l], lanes[r][l]);
            }
        }
    }
    lanes.map(tree_sum)
}
