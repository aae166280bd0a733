use super::*;
use crate::simd::{Level, dispatch_at};
use fovea_core::activation::{Activation, erf, relu, relu::Relu, sigmoid, sin, tanh};
use fovea_core::agree::same_bits;
use fovea_core::streams::Streams;

const INPUTS: usize = 7;
const WIDTH: usize = 5;

fn packed<T: Real>(units: usize, weights: &[T], biases: &[T]) -> Affine<T> {
    let mut packed = Affine::new(INPUTS);
    let row = |k: usize, i: usize, to: &mut [T]| {
        let from = k * INPUTS + i;
        to.copy_from_slice(&weights[from..from + to.len()]);
    };
    packed.load(units, row, |k| biases[k].to_f64());
    packed
}

/// The results of one level's bodies: every gradient entry and the sum of losses of three blocks.
struct Trial<T> {
    theta: Theta<T>,
    rows: Rows<T>,
    grad: Vec<T>,
}

impl<T: Blocked> Trial<T> {
    fn new(outputs: usize, gated: bool) -> Self {
        let mut rng = Streams::new(1).named("superblock").block(0, 0);
        let mut normals = |count: usize| -> Vec<T> {
            let lanes = (0..count.div_ceil(LANES)).flat_map(|_| T::normal_pair(&mut rng).0);
            lanes.take(count).collect()
        };
        let mut x = Room::new(3 * INPUTS);
        x.copy_from_slice(normals(3 * INPUTS * BLOCK).as_chunks::<BLOCK>().0);
        let gates = if gated { WIDTH } else { 0 };
        let theta = Theta {
            hidden: packed(WIDTH, &normals(WIDTH * INPUTS), &normals(WIDTH)),
            gates: packed(gates, &normals(gates * INPUTS), &normals(gates)),
            readout: normals(outputs * WIDTH),
            output_biases: normals(outputs),
            rectified: false,
            trains_biases: true,
        };
        let rows = |count: usize| Room::new(crate::fused::SUPERBLOCK * count);
        let (h, u, y) = (rows(WIDTH), rows(WIDTH), rows(outputs.max(1)));
        let mut target = rows(outputs.max(1));
        target.fill([T::ONE; BLOCK]);
        let used = vec![BLOCK, 9, BLOCK];
        let grad = vec![T::ZERO; WIDTH * (INPUTS + 1) + outputs * (WIDTH + 1)];
        Self { theta, rows: Rows { x, h, u, y, target, used, entries: Entries::Any }, grad }
    }

    fn numbers(self, loss: T) -> Vec<f64> {
        self.grad.iter().chain([&loss]).map(|g| g.to_f64()).collect()
    }

    fn preactivate(&mut self, level: Level) {
        let Self { theta, rows, .. } = self;
        let blocks = rows.used.len();
        let Theta { hidden, gates, .. } = theta;
        let x = (Entries::Any, &*rows.x);
        dispatch_at(level, Preactivate { theta: hidden, blocks, x, h: &mut rows.h, passed: None });
        if gates.units() > 0 {
            dispatch_at(
                level,
                Preactivate { theta: gates, blocks, x, h: &mut rows.u, passed: None },
            );
        }
    }

    fn accumulate(&mut self, level: Level, outputs: usize) {
        let Self { rows, grad, .. } = self;
        let blocks = rows.used.len();
        let (hidden, readout) = grad.split_at_mut(WIDTH * (INPUTS + 1));
        let (size, x) = ((WIDTH, INPUTS), (Entries::Any, &*rows.x));
        dispatch_at(level, Accumulate { blocks, size, x, delta: &rows.h, grad: hidden });
        if outputs > 0 {
            let (size, x) = ((outputs, WIDTH), (Entries::Any, &*rows.u));
            let job = Accumulate { blocks, size, x, delta: &rows.y, grad: readout };
            dispatch_at(level, job);
        }
    }

    fn through(level: Level, phi: &Function, outputs: usize) -> Vec<f64> {
        let mut t = Self::new(outputs, false);
        t.preactivate(level);
        Forward { theta: &t.theta, rows: &mut t.rows }.through(level, phi);
        let errors = Errors { rows: &mut t.rows };
        let loss =
            dispatch_at(level, Typed::<_, loss::cross_entropy::CrossEntropy>(errors, PhantomData));
        Backward { theta: &t.theta, rows: &mut t.rows }.through(level, phi);
        t.accumulate(level, outputs);
        t.numbers(loss)
    }

    fn through_gates(level: Level) -> Vec<f64> {
        let mut t = Self::new(0, true);
        t.preactivate(level);
        dispatch_at(level, ThroughGates(Forward { theta: &t.theta, rows: &mut t.rows }));
        let errors = Errors { rows: &mut t.rows };
        let loss = dispatch_at(level, Typed::<_, loss::l1::L1>(errors, PhantomData));
        dispatch_at(level, ThroughGates(Backward { theta: &t.theta, rows: &mut t.rows }));
        t.accumulate(level, 0);
        t.numbers(loss)
    }
}

/// Every level gives the portable bodies' bits, in both precisions.
fn levels_agree(phi: &Function) {
    for level in Level::available() {
        for outputs in [0, 1, 3] {
            let single = |level| Trial::<f32>::through(level, phi, outputs);
            same_bits(&single(level), &single(Level::Portable)).unwrap();
            let double = |level| Trial::<f64>::through(level, phi, outputs);
            same_bits(&double(level), &double(Level::Portable)).unwrap();
        }
    }
}

/// Preactivations and gradients of tiles of every shape, compared with plain sums in the same order.
fn tiles_agree<T: Real>(entries: Entries, width: usize, n: usize, blocks: usize) {
    let mut rng = Streams::new(2).named("tiles").block(0, 0);
    let mut normals = |count: usize| -> Vec<T> {
        let lanes = (0..count.div_ceil(LANES)).flat_map(|_| T::normal_pair(&mut rng).0);
        lanes.take(count).collect()
    };
    let (weights, biases) = (normals(width * n), normals(width));
    let mut x = normals(blocks * n * BLOCK);
    for entry in &mut x {
        let positive = *entry >= T::ZERO;
        match entries {
            Entries::Any => {}
            Entries::Signs => *entry = if positive { T::ONE } else { -T::ONE },
            Entries::Gates => *entry = if positive { T::ONE } else { T::ZERO },
        }
    }
    let x = x.as_chunks::<BLOCK>().0.to_vec();
    let delta = normals(blocks * width * BLOCK).as_chunks::<BLOCK>().0.to_vec();
    let start = normals(width * (n + 1));
    let (mut h, mut grad) = (vec![[T::ZERO; BLOCK]; blocks * width], start.clone());
    for k in 0..width {
        for i in 0..=n {
            let mut lanes = [T::ZERO; LANES];
            for s in 0..blocks * BLOCK {
                let (slot, l) = (s / BLOCK, s % BLOCK);
                let d = delta[slot * width + k][l];
                let lane = &mut lanes[l % LANES];
                *lane = if i < n { d.fma(x[slot * n + i][l], *lane) } else { *lane + d };
            }
            let at = if i < n { k * n + i } else { width * n + k };
            grad[at] = start[at] + tree_sum(lanes);
        }
        for s in 0..blocks * BLOCK {
            let (slot, l) = (s / BLOCK, s % BLOCK);
            h[slot * width + k][l] =
                (0..n).fold(biases[k], |sum, i| weights[k * n + i].fma(x[slot * n + i][l], sum));
        }
    }
    let mut passed_on = vec![[T::ZERO; BLOCK]; blocks];
    for (row, h) in passed_on.iter_mut().zip(h.chunks(width)) {
        for l in 0..BLOCK {
            row[l] = h.iter().fold(T::ZERO, |sum, h| sum + Relu::value(h[l]));
        }
    }
    let mut theta = Affine::new(n);
    let row = |k: usize, i: usize, to: &mut [T]| {
        let from = k * n + i;
        to.copy_from_slice(&weights[from..from + to.len()]);
    };
    theta.load(width, row, |k| biases[k].to_f64());
    let numbers = |of: &[T]| -> Vec<f64> { of.iter().map(|x| x.to_f64()).collect() };
    for level in Level::available() {
        let mut found = vec![[T::ZERO; BLOCK]; blocks * width];
        let x = (entries, &*x);
        let mut sums = vec![[T::ONE; BLOCK]; blocks];
        let (into, passed) = (&mut found, Some(&mut *sums));
        dispatch_at(level, Preactivate { theta: &theta, blocks, x, h: into, passed });
        same_bits(&numbers(found.as_flattened()), &numbers(h.as_flattened())).unwrap();
        same_bits(&numbers(sums.as_flattened()), &numbers(passed_on.as_flattened())).unwrap();
        let mut found = start.clone();
        let size = (width, n);
        dispatch_at(level, Accumulate { blocks, size, x, delta: &delta, grad: &mut found });
        same_bits(&numbers(&found), &numbers(&grad)).unwrap();
    }
}

#[test]
fn tiles_of_every_shape_are_plain_sums() {
    for entries in [Entries::Any, Entries::Signs, Entries::Gates] {
        for (width, n, blocks) in (1..=17).map(|k| (k, 5, 3)).chain((1..=9).map(|n| (6, n, 5))) {
            tiles_agree::<f32>(entries, width, n, blocks);
            tiles_agree::<f64>(entries, width, n, blocks);
        }
        tiles_agree::<f32>(entries, 3, 40, 8);
        tiles_agree::<f32>(entries, 1, 2, 1);
    }
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    for row in [relu::ENTRY, erf::ENTRY, sigmoid::ENTRY, sin::ENTRY, tanh::ENTRY] {
        levels_agree(&Function::parse(row.name).unwrap());
    }
    for level in Level::available() {
        let portable = Trial::<f32>::through_gates(Level::Portable);
        same_bits(&Trial::<f32>::through_gates(level), &portable).unwrap();
    }
}
