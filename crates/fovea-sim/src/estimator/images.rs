//! Loss and gradient over the images of a batch's samples.
//!
//! Work is cut the same way on every machine: blocks of 32 draws, chunks of 4 blocks. Within a chunk the gradient is
//! summed lane by lane in the order of its blocks, then the lanes by halves; chunks are added in double precision in the order
//! of their index. The bits are the same for any number of threads.

use super::answers::{Backward, Errors, Forward};
use super::correlate::{Room, Route};
use super::response::Response;
use super::rows::{HeadSums, Heads, Rows};
use super::spectral::linear;
use super::{Estimator, ImageElement};
use crate::batch::Batch;
use crate::crew::Spare;
use crate::loss::{self, Loss};
use crate::network::{Network, Role, Units};
use crate::stimulus::Element;
use crate::task::Target;
use fovea_core::activation::relu;
use fovea_core::lanes::{BLOCK, LANES, Real, tree_sum};
use fovea_core::work;

/// Blocks of one unit of parallel work.
const CHUNK: usize = 4;
/// Most chunks whose sums are kept at once; memory does not grow with the batch beyond them.
const WAVE: usize = 64;
/// Most numbers kept in the sums of chunks, unless two chunks need more.
const WAVE_NUMBERS: usize = 1 << 24;

/// Reusable buffers of the average over images.
pub struct Images<T> {
    route: Route<T>,
    weights: Vec<T>,
    gates: Vec<T>,
    heads: Heads<T>,
    chunks: Vec<Sums>,
    spare: Spare<Buffers<T>>,
    /// Gradient of the loss, in the order of the network's parameters; zero for those that are not trained.
    pub grad: Vec<f64>,
}

/// The sums of one chunk.
#[derive(Clone, Default)]
struct Sums {
    /// Sums of the route, then of biases, readout and output biases.
    numbers: Vec<f64>,
    loss: f64,
}

/// How many numbers each part of the sums has.
#[derive(Clone, Copy)]
struct Sizes {
    weights: usize,
    /// One per unit where biases are trained.
    biases: usize,
    readout: usize,
    outputs: usize,
}

impl Sizes {
    fn of<T: Real>(network: &Network, route: &Route<T>) -> Self {
        let readout = network.readout().map_or(0, <[f64]>::len);
        Self {
            weights: network.width() * route.sums(network.inputs()),
            biases: if network.trains(Role::Biases) { network.hidden() } else { 0 },
            readout,
            outputs: network.output_biases().len(),
        }
    }

    fn all(self) -> usize {
        self.weights + self.biases + self.readout + self.outputs
    }
}

/// What every chunk of a batch shares.
struct Job<'a, T> {
    network: &'a Network,
    route: &'a Route<T>,
    weights: &'a [T],
    gates: &'a [T],
    heads: &'a Heads<T>,
    loss: &'static loss::Entry,
    batch: &'a Batch<'a>,
    /// Whether `delta = H` wherever the target is zero.
    linear: bool,
}

/// The work space of one thread.
struct Buffers<T> {
    room: Room<T>,
    rows: Rows<T>,
    scratch: Vec<[T; LANES]>,
    /// Lane sums of a chunk.
    sums: Vec<[T; LANES]>,
}

impl<T: ImageElement> Images<T> {
    /// Buffers for batches of up to `batch` draws through `network`.
    pub fn new(estimator: Estimator, network: &Network, batch: usize) -> Self {
        let route = Route::new(estimator, network);
        let numbers = Sizes::of(network, &route).all();
        let wave = (WAVE_NUMBERS / numbers).clamp(2, WAVE);
        // A class may end in a partly used block; more classes only mean more waves.
        let blocks = batch.div_ceil(BLOCK) + 16;
        let mut gates = Vec::new();
        if let Units::Gated { gates: vectors, .. } = network.units() {
            route.load(vectors, network.inputs(), &mut gates);
        }
        Self {
            route,
            weights: Vec::new(),
            gates,
            heads: Heads::default(),
            chunks: vec![Sums::default(); blocks.div_ceil(CHUNK).min(wave)],
            spare: Spare::new(),
            grad: vec![0.0; network.theta().len()],
        }
    }

    /// The mean loss over the images of the batch; its gradient is left in `grad`.
    pub fn loss_and_grad(
        &mut self,
        network: &Network,
        loss: &'static loss::Entry,
        batch: &Batch<'_>,
    ) -> f64 {
        T::by_images(self, network, loss, batch)
    }

    pub(super) fn work(
        &mut self,
        network: &Network,
        loss: &'static loss::Entry,
        batch: &Batch<'_>,
    ) -> f64 {
        self.route.load(network.weights(), network.inputs(), &mut self.weights);
        self.heads.load(network);
        let job = Job {
            network,
            route: &self.route,
            weights: &self.weights,
            gates: &self.gates,
            heads: &self.heads,
            loss,
            batch,
            linear: is_linear(network, loss),
        };
        let (spare, used) = (&self.spare, batch.blocks().div_ceil(CHUNK));
        let mut total =
            Sums { numbers: vec![0.0; Sizes::of(network, &self.route).all()], loss: 0.0 };
        for start in (0..used).step_by(self.chunks.len()) {
            let kept = self.chunks.len().min(used - start);
            let wave = &mut self.chunks[..kept];
            spare.share(
                wave,
                || Buffers::new(&job),
                |buffers, index, sums| buffers.run(&job, start + index, sums),
            );
            for sums in &*wave {
                total.loss += sums.loss;
                for (total, part) in total.numbers.iter_mut().zip(&sums.numbers) {
                    *total += part;
                }
            }
        }
        let answers = if network.shared() { 1 } else { self.route.shifts(network.inputs()) };
        let images = (2 * answers * batch.size()) as f64;
        self.finish(network, &total.numbers, images);
        total.loss / images
    }

    /// Turns sums over images into the gradient of a mean, and clears what is not trained.
    fn finish(&mut self, network: &Network, sums: &[f64], images: f64) {
        let sizes = Sizes::of(network, &self.route);
        let (weights, heads) = sums.split_at(sizes.weights);
        let (biases, readout) = heads.split_at(sizes.biases);
        let grad = &mut self.grad;
        self.route.finish(weights, &mut grad[network.at(Role::Weights)]);
        // The biases of a shared row add up over its shifts.
        let copies = network.hidden() / network.width();
        for (g, parts) in grad[network.at(Role::Biases)].iter_mut().zip(biases.chunks(copies)) {
            *g = parts.iter().sum();
        }
        grad[network.at(Role::Biases).end..].copy_from_slice(readout);
        // d loss / d y_hat carries 1/images, d y_hat / d unit the mean's 1/K; the output bias is outside the mean.
        let units = 1.0 / (images * network.hidden() as f64);
        for part in network.parts() {
            let scale = if part.role == Role::OutputBiases { 1.0 / images } else { units };
            let entries = grad[part.at.clone()].iter_mut();
            entries.for_each(|g| *g = if part.trained { *g * scale } else { 0.0 });
        }
    }
}

/// Whether the two signs add up to a linear function where the target is zero. They do for one ReLU unit without bias
/// under the squared error: `e_+ phi'(H) - e_- phi'(-H) = max(H, 0) - max(-H, 0) = H`.
fn is_linear(network: &Network, loss: &loss::Entry) -> bool {
    let relu = matches!(network.units(), Units::Activation(phi) if phi.name() == relu::ENTRY.name);
    let alone = network.hidden() == 1 && network.readout().is_none();
    let bias = network.trains(Role::Biases) || network.biases()[0] != 0.0;
    relu && alone && !bias && loss.squared
}

impl<T: Element> Buffers<T> {
    fn new(job: &Job<'_, T>) -> Self {
        let Job { network, route, .. } = job;
        let (sites, outputs) = (network.inputs(), network.outputs());
        let shifts = route.shifts(sites);
        let answers = if network.shared() { 1 } else { shifts };
        let rows = |rows: usize| vec![[T::ZERO; BLOCK]; rows];
        let gated = matches!(network.units(), Units::Gated { .. });
        Self {
            room: route.room(sites),
            rows: Rows {
                answers,
                h: rows(network.width() * shifts),
                gates: rows(if gated { network.width() * shifts } else { 0 }),
                y: rows(2 * answers * outputs),
                target: rows(2 * outputs),
                used: 0,
            },
            scratch: Vec::new(),
            sums: vec![[T::ZERO; LANES]; Sizes::of(network, route).all()],
        }
    }

    /// Works through chunk `index` of the batch.
    fn run(&mut self, job: &Job<'_, T>, index: usize, sums: &mut Sums) {
        self.sums.fill([T::ZERO; LANES]);
        sums.loss = 0.0;
        for block in index * CHUNK..job.batch.blocks().min((index + 1) * CHUNK) {
            work::poll();
            self.draw(job.batch, block);
            sums.loss += self.block(job);
        }
        sums.numbers.clear();
        sums.numbers.extend(self.sums.iter().map(|lanes| tree_sum(*lanes).to_f64()));
    }

    /// Draws a block and gives the targets of it and of its negative.
    fn draw(&mut self, batch: &Batch<'_>, block: usize) {
        let (class, used) = batch.block(block);
        let (x, outputs) = (&mut self.room.x[..batch.dim()], batch.task().outputs());
        let (plus, minus) = self.rows.target.split_at_mut(outputs);
        batch.fill(block, &mut self.scratch, x, plus);
        minus.copy_from_slice(plus);
        if batch.task().target() == Target::SignChanges {
            // The sign of zero is positive on both sides.
            let negative: Vec<_> = x.iter().map(|row| row.map(|x| -x)).collect();
            batch.task().targets(class, &negative, minus);
        }
        self.rows.used = used;
    }

    /// One block through the network and back; returns the sum of its losses.
    fn block(&mut self, job: &Job<'_, T>) -> f64 {
        let Self { room, rows, sums, .. } = self;
        let sizes = Sizes::of(job.network, job.route);
        let (weight_sums, rest) = sums.split_at_mut(sizes.weights);
        let (biases, rest) = rest.split_at_mut(sizes.biases);
        let (readout, output_biases) = rest.split_at_mut(sizes.readout);
        let heads = job.heads;
        job.route.prepare(room);
        let whole = rows.used == BLOCK && rows.target.as_flattened().iter().all(|y| *y == T::ZERO);
        if matches!(job.route, Route::Spectral(_)) && job.linear && whole {
            return loss::mse::Mse::SCALE * linear(job.weights, room, weight_sums);
        }
        job.route.forward(job.weights, room, &mut rows.h);
        if !job.gates.is_empty() {
            job.route.forward(job.gates, room, &mut rows.gates);
        }
        let response = Response::of(job.network.units());
        Forward { heads, rows: &mut *rows }.through(&response);
        let loss = loss::visit(job.loss, Errors { rows: &mut *rows });
        let sums = HeadSums { biases, readout, output_biases };
        Backward { heads, rows: &mut *rows, sums }.through(&response);
        job.route.backward(&rows.h, room, weight_sums);
        loss
    }
}
