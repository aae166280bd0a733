//! What the network answers to all images of a block, what that costs, and what it is worth to every preactivation.
//!
//! An answer adds up its units. A committee gives one answer a shift, each from one unit a row of weights; where rows are
//! shared, there is one answer, and a row is a unit at every shift. Preactivations are `[unit][answer]` in both cases.

use super::response::{Gate, Plain, Response, Spelled, biases, slopes, values};
use super::rows::{HeadSums, Heads, Rows};
use crate::loss::{self, Loss};
use crate::simd::{Kernel, Simd, dispatch};
use fovea_core::Function;
use fovea_core::activation::{self, Activation};
use fovea_core::lanes::{BLOCK, LANES, Real, tree_sum};
use std::marker::PhantomData;

/// From preactivations to answers.
pub(super) struct Forward<'a, T> {
    pub(super) heads: &'a Heads<T>,
    pub(super) rows: &'a mut Rows<T>,
}

/// Answers and targets into errors and the sum of losses.
pub(super) struct Errors<'a, T> {
    pub(super) rows: &'a mut Rows<T>,
}

/// From errors to the loss's derivative by preactivations and heads.
pub(super) struct Backward<'a, T> {
    pub(super) heads: &'a Heads<T>,
    pub(super) rows: &'a mut Rows<T>,
    pub(super) sums: HeadSums<'a, T>,
}

/// A pass through fixed gates.
pub(super) struct ThroughGates<P>(pub(super) P);

/// A pass with its loss known to the compiler.
struct Typed<P, L>(P, PhantomData<L>);

/// A pass through units that respond so.
struct Through<P, R>(P, R);

impl<T: Real> Forward<'_, T> {
    /// With units whose activation was typed.
    pub(super) fn spelled(self, phi: &Function) {
        dispatch(Through(self, Spelled(phi)));
    }
}

impl<T: Real> Backward<'_, T> {
    /// With units whose activation was typed.
    pub(super) fn spelled(self, phi: &Function) {
        dispatch(Through(self, Spelled(phi)));
    }
}

impl<T: Real> ThroughGates<Forward<'_, T>> {
    pub(super) fn run(self) {
        dispatch(Through(self.0, Gate));
    }
}

impl<T: Real> ThroughGates<Backward<'_, T>> {
    pub(super) fn run(self) {
        dispatch(Through(self.0, Gate));
    }
}

impl<T: Real> activation::Visitor for Forward<'_, T> {
    type Output = ();
    fn visit<A: Activation>(self) {
        dispatch(Through(self, Plain::<A>::new()));
    }
}

impl<T: Real> activation::Visitor for Backward<'_, T> {
    type Output = ();
    fn visit<A: Activation>(self) {
        dispatch(Through(self, Plain::<A>::new()));
    }
}

impl<T: Real> loss::Visitor for Errors<'_, T> {
    type Output = f64;
    fn visit<L: Loss>(self) -> f64 {
        L::SCALE * dispatch(Typed::<_, L>(self, PhantomData)).to_f64()
    }
}

impl<L: Loss, T: Real> Kernel for Typed<Errors<'_, T>, L> {
    type Output = T;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> T {
        let Rows { y, target, used, .. } = self.0.rows;
        let (outputs, half) = (target.len() / 2, y.len() / 2);
        let mut total = [T::ZERO; LANES];
        for (answers, target) in y.chunks_mut(half).zip(target.chunks(outputs)) {
            if outputs == 1 {
                one_output::<L, T>(answers, &target[0], *used, &mut total);
            } else {
                for answer in answers.chunks_mut(outputs) {
                    L::errors(answer, target, *used, &mut total);
                }
            }
        }
        tree_sum(total)
    }
}

/// The errors of answers with one output each; samples that do not count are cleared last, since few blocks have any.
#[inline(always)]
fn one_output<L: Loss, T: Real>(
    answers: &mut [[T; BLOCK]],
    target: &[T; BLOCK],
    used: usize,
    total: &mut [T; LANES],
) {
    let mut sum = [T::ZERO; BLOCK];
    for row in answers.iter_mut() {
        for l in 0..BLOCK {
            let (loss, slope) = L::one(row[l], target[l]);
            sum[l] = sum[l] + loss;
            row[l] = slope;
        }
    }
    if used < BLOCK {
        for row in answers {
            row[used..].fill(T::ZERO);
        }
        sum[used..].fill(T::ZERO);
    }
    for l in 0..BLOCK {
        total[l % LANES] = total[l % LANES] + sum[l];
    }
}

impl<R: Response, T: Real> Kernel for Through<Forward<'_, T>, R> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self(Forward { heads, rows }, r) = self;
        let (answers, units) = (rows.answers, heads.biases.len());
        let mean = T::ONE / T::from_f64(units as f64);
        let (outputs, half) = (rows.target.len() / 2, rows.y.len() / 2);
        if units > 1 || !heads.readout.is_empty() {
            rows.y.fill([T::ZERO; BLOCK]);
        }
        let (plus_y, minus_y) = rows.y.split_at_mut(half);
        for u in 0..units {
            let (b, c) = biases::<R, T>(heads, u);
            let place = u * answers..(u + 1) * answers;
            let h = &rows.h[place.clone()];
            let g = if R::GATED { &rows.gates[place] } else { h };
            if heads.readout.is_empty() {
                // One long loop: the compiler turns the short one over a row's lanes into gathers.
                let inputs = h.as_flattened().iter().zip(g.as_flattened());
                let out = plus_y.as_flattened_mut().iter_mut().zip(minus_y.as_flattened_mut());
                if units == 1 {
                    for ((plus, minus), (h, g)) in out.zip(inputs) {
                        *plus = r.value(b + *h, c + *g);
                        *minus = r.value(b - *h, c - *g);
                    }
                    continue;
                }
                for ((plus, minus), (h, g)) in out.zip(inputs) {
                    *plus = r.value(b + *h, c + *g).fma(mean, *plus);
                    *minus = r.value(b - *h, c - *g).fma(mean, *minus);
                }
                continue;
            }
            for (a, (h, g)) in h.iter().zip(g).enumerate() {
                let (plus_u, minus_u) = values::<R, T>(r, (b, c), h, g);
                for o in 0..outputs {
                    let v = heads.readout[o * units + u] * mean;
                    let at = a * outputs + o;
                    let (plus, minus) = (&mut plus_y[at], &mut minus_y[at]);
                    for l in 0..BLOCK {
                        plus[l] = v.fma(plus_u[l], plus[l]);
                        minus[l] = v.fma(minus_u[l], minus[l]);
                    }
                }
            }
        }
        for (o, bias) in heads.output_biases.iter().enumerate() {
            for y in rows.y.iter_mut().skip(o).step_by(outputs) {
                for l in 0..BLOCK {
                    y[l] = y[l] + *bias;
                }
            }
        }
    }
}

impl<R: Response, T: Real> Kernel for Through<Backward<'_, T>, R> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self(Backward { heads, rows, mut sums }, r) = self;
        let (answers, units) = (rows.answers, heads.biases.len());
        let outputs = heads.output_biases.len();
        for u in 0..units {
            let (b, c) = biases::<R, T>(heads, u);
            if outputs == 0 && sums.biases.is_empty() {
                let place = u * answers..(u + 1) * answers;
                let (plus, minus) = rows.y.split_at(answers);
                let errors = plus.as_flattened().iter().zip(minus.as_flattened());
                let h = rows.h[place.clone()].as_flattened_mut();
                if R::GATED {
                    let gates = rows.gates[place].as_flattened();
                    for ((h, g), (e, f)) in h.iter_mut().zip(gates).zip(errors) {
                        let (up, down) = slopes::<R, T>(r, (b, c), *h, *g);
                        *h = *e * up - *f * down;
                    }
                } else {
                    for (h, (e, f)) in h.iter_mut().zip(errors) {
                        let (up, down) = slopes::<R, T>(r, (b, c), *h, *h);
                        *h = *e * up - *f * down;
                    }
                }
                continue;
            }
            let mut total = [T::ZERO; BLOCK];
            for a in 0..answers {
                let at = u * answers + a;
                let (mut plus, mut minus) = (rows.y[a], rows.y[rows.y.len() / 2 + a]);
                if outputs > 0 {
                    (plus, minus) = back::<R, T>(r, heads, rows, (u, a), &mut sums);
                }
                let h = &mut rows.h[at];
                for l in 0..BLOCK {
                    let g = if R::GATED { rows.gates[at][l] } else { h[l] };
                    let (up, down) = slopes::<R, T>(r, (b, c), h[l], g);
                    (plus[l], minus[l]) = (plus[l] * up, minus[l] * down);
                    h[l] = plus[l] - minus[l];
                    total[l] = total[l] + (plus[l] + minus[l]);
                }
            }
            if let Some(sum) = sums.biases.get_mut(u) {
                add(&total, &[T::ONE; BLOCK], sum);
            }
        }
        for (o, sum) in sums.output_biases.iter_mut().enumerate() {
            for e in rows.y.iter().skip(o).step_by(outputs) {
                add(e, &[T::ONE; BLOCK], sum);
            }
        }
    }
}

/// What answer `a` of both signs is worth to unit `u` through the readout, whose own sums it adds to.
#[inline(always)]
fn back<R: Response, T: Real>(
    r: R,
    heads: &Heads<T>,
    rows: &Rows<T>,
    (u, a): (usize, usize),
    sums: &mut HeadSums<'_, T>,
) -> ([T; BLOCK], [T; BLOCK]) {
    let (outputs, units) = (heads.output_biases.len(), heads.biases.len());
    let h = &rows.h[u * rows.answers + a];
    let g = if R::GATED { &rows.gates[u * rows.answers + a] } else { h };
    let values = values::<R, T>(r, biases::<R, T>(heads, u), h, g);
    let (plus_e, minus_e) = rows.y.split_at(rows.y.len() / 2);
    let (mut plus, mut minus) = ([T::ZERO; BLOCK], [T::ZERO; BLOCK]);
    for o in 0..outputs {
        let v = heads.readout[o * units + u];
        let (e, f) = (&plus_e[a * outputs + o], &minus_e[a * outputs + o]);
        for l in 0..BLOCK {
            plus[l] = v.fma(e[l], plus[l]);
            minus[l] = v.fma(f[l], minus[l]);
        }
        let sum = &mut sums.readout[o * units + u];
        add(e, &values.0, sum);
        add(f, &values.1, sum);
    }
    (plus, minus)
}

/// `sum += a b`, the two samples of a lane one after the other.
#[inline(always)]
fn add<T: Real>(a: &[T; BLOCK], b: &[T; BLOCK], sum: &mut [T; LANES]) {
    for l in 0..LANES {
        sum[l] = a[l].fma(b[l], sum[l]);
    }
    for l in 0..LANES {
        sum[l] = a[LANES + l].fma(b[LANES + l], sum[l]);
    }
}
