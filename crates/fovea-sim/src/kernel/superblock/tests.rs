use super::*;
use crate::simd::{Level, dispatch_at};
use fovea_core::activation::{erf::Erf, relu::Relu, sigmoid::Sigmoid, sin::Sin, tanh::Tanh};
use fovea_core::agree::same_bits;
use fovea_core::streams::Streams;

const INPUTS: usize = 7;
const WIDTH: usize = 5;

fn packed<T: Real>(units: usize, weights: Vec<T>, biases: Vec<T>) -> Packed<T> {
    let mut packed = Packed::new(INPUTS);
    packed.load(units, |k, i| weights[k * INPUTS + i], |k| biases[k].to_f64());
    packed
}

/// What one level's bodies give: every gradient entry and the sum of losses of three blocks.
struct Trial<T> {
    theta: Theta<T>,
    rows: Rows<T>,
    grad: Vec<T>,
}

impl<T: Real> Trial<T> {
    fn new(outputs: usize, gated: bool) -> Self {
        let mut rng = Streams::new(1).named("superblock").block(0, 0);
        let mut normals = |count: usize| -> Vec<T> {
            let lanes = (0..count.div_ceil(LANES)).flat_map(|_| T::normal_pair(&mut rng).0);
            lanes.take(count).collect()
        };
        let x = normals(3 * INPUTS * BLOCK).as_chunks::<BLOCK>().0.to_vec();
        let gates = if gated { WIDTH } else { 0 };
        let theta = Theta {
            hidden: packed(WIDTH, normals(WIDTH * INPUTS), normals(WIDTH)),
            gates: packed(gates, normals(gates * INPUTS), normals(gates)),
            readout: normals(outputs * WIDTH),
            output_biases: normals(outputs),
        };
        let rows = |count: usize| vec![[T::ZERO; BLOCK]; crate::kernel::SUPERBLOCK * count];
        let (h, u, y) = (rows(WIDTH), rows(WIDTH), rows(outputs.max(1)));
        let target = vec![[T::ONE; BLOCK]; y.len()];
        let used = vec![BLOCK, 9, BLOCK];
        let grad = vec![T::ZERO; WIDTH * (INPUTS + 1) + outputs * (WIDTH + 1)];
        Self { theta, rows: Rows { x, h, u, y, target, used }, grad }
    }

    fn numbers(self, loss: T) -> Vec<f64> {
        self.grad.iter().chain([&loss]).map(|g| g.to_f64()).collect()
    }

    fn preactivate(&mut self, level: Level) {
        let Self { theta, rows, .. } = self;
        let blocks = rows.used.len();
        let Theta { hidden, gates, .. } = theta;
        dispatch_at(level, Preactivate { theta: hidden, blocks, x: &rows.x, h: &mut rows.h });
        if gates.units() > 0 {
            dispatch_at(level, Preactivate { theta: gates, blocks, x: &rows.x, h: &mut rows.u });
        }
    }

    fn accumulate(&mut self, level: Level, outputs: usize) {
        let Self { rows, grad, .. } = self;
        let blocks = rows.used.len();
        let (hidden, readout) = grad.split_at_mut(WIDTH * (INPUTS + 1));
        let size = (WIDTH, INPUTS);
        dispatch_at(level, Accumulate { blocks, size, x: &rows.x, delta: &rows.h, grad: hidden });
        if outputs > 0 {
            let size = (outputs, WIDTH);
            let job = Accumulate { blocks, size, x: &rows.u, delta: &rows.y, grad: readout };
            dispatch_at(level, job);
        }
    }

    fn through<A: Activation>(level: Level, outputs: usize) -> Vec<f64> {
        let mut t = Self::new(outputs, false);
        t.preactivate(level);
        let forward = Forward { theta: &t.theta, rows: &mut t.rows };
        dispatch_at(level, Typed::<_, A>(forward, PhantomData));
        let errors = Errors { rows: &mut t.rows };
        let loss =
            dispatch_at(level, Typed::<_, loss::cross_entropy::CrossEntropy>(errors, PhantomData));
        let backward = Backward { theta: &t.theta, rows: &mut t.rows };
        dispatch_at(level, Typed::<_, A>(backward, PhantomData));
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
fn levels_agree<A: Activation>() {
    for level in Level::available() {
        for outputs in [0, 1, 3] {
            let single = |level| Trial::<f32>::through::<A>(level, outputs);
            same_bits(&single(level), &single(Level::Portable)).unwrap();
            let double = |level| Trial::<f64>::through::<A>(level, outputs);
            same_bits(&double(level), &double(Level::Portable)).unwrap();
        }
    }
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    levels_agree::<Relu>();
    levels_agree::<Erf>();
    levels_agree::<Sigmoid>();
    levels_agree::<Sin>();
    levels_agree::<Tanh>();
    for level in Level::available() {
        let portable = Trial::<f32>::through_gates(Level::Portable);
        same_bits(&Trial::<f32>::through_gates(level), &portable).unwrap();
    }
}
