//! The network's answers to all images of a block, their loss, and its derivative by every preactivation.
//!
//! An answer is a sum over units. A committee gives one answer per shift, each with one unit per row of weights. Where rows are
//! shared, there is one answer, and a row gives one unit per shift. Preactivations are `[unit][answer]` in both cases.

use super::response::{PIECE, Piece, Response};
use super::rows::{HeadSums, Heads, Rows};
use crate::loss::{self, Loss};
use crate::simd::{Body, Simd, dispatch};
use fovea_core::activation::Blocked;
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

/// A pass with its loss known to the compiler.
struct Typed<P, L>(P, PhantomData<L>);

impl<T: Real> loss::Visitor for Errors<'_, T> {
    type Output = f64;
    fn visit<L: Loss>(self) -> f64 {
        L::SCALE * dispatch(Typed::<_, L>(self, PhantomData)).to_f64()
    }
}

impl<L: Loss, T: Real> Body for Typed<Errors<'_, T>, L> {
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

/// The errors of answers with one output each. Unused samples are cleared last, since few blocks have any.
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

impl<T: Blocked> Forward<'_, T> {
    /// Through units with this response.
    pub(super) fn through(self, response: &Response<'_>) {
        let Self { heads, rows } = self;
        let (units, outputs, half) = (heads.biases.len(), rows.target.len() / 2, rows.y.len() / 2);
        if units > 1 || !heads.readout.is_empty() {
            rows.y.fill([T::ZERO; BLOCK]);
        }
        let mut piece = Piece::new();
        for unit in 0..units {
            for first in (0..rows.answers).step_by(PIECE) {
                piece.load(heads, rows, unit, first);
                piece.values(response);
                let (plus, minus) = rows.y.split_at_mut(half);
                for (values, y) in piece.signs().into_iter().zip([plus, minus]) {
                    let y = &mut y[first * outputs..(first + values.len()) * outputs];
                    dispatch(Answer { heads, unit, values, y });
                }
            }
        }
        for (o, bias) in heads.output_biases.iter().enumerate() {
            for y in rows.y.iter_mut().skip(o).step_by(outputs) {
                *y = y.map(|y| y + *bias);
            }
        }
    }
}

/// Adds what a unit passes on to answers, `[answer][output]`; the one unit of a committee is the answer.
struct Answer<'a, T> {
    heads: &'a Heads<T>,
    unit: usize,
    values: &'a [[T; BLOCK]],
    y: &'a mut [[T; BLOCK]],
}

impl<T: Real> Body for Answer<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { heads, unit, values, y } = self;
        let units = heads.biases.len();
        let mean = T::ONE / T::from_f64(units as f64);
        if heads.readout.is_empty() {
            if units == 1 {
                return y.copy_from_slice(values);
            }
            // One long loop: the compiler turns the short one over a row's lanes into gathers.
            for (y, value) in y.as_flattened_mut().iter_mut().zip(values.as_flattened()) {
                *y = value.fma(mean, *y);
            }
            return;
        }
        let outputs = y.len() / values.len();
        for (values, y) in values.iter().zip(y.chunks_mut(outputs)) {
            for (o, y) in y.iter_mut().enumerate() {
                let v = heads.readout[o * units + unit] * mean;
                for l in 0..BLOCK {
                    y[l] = v.fma(values[l], y[l]);
                }
            }
        }
    }
}

impl<T: Blocked> Backward<'_, T> {
    /// Through units with this response.
    pub(super) fn through(self, response: &Response<'_>) {
        let Self { heads, rows, mut sums } = self;
        let outputs = heads.output_biases.len();
        let mut piece = Piece::new();
        for unit in 0..heads.biases.len() {
            let mut total = [T::ZERO; BLOCK];
            for first in (0..rows.answers).step_by(PIECE) {
                piece.load(heads, rows, unit, first);
                if outputs > 0 {
                    piece.values(response);
                    let values = piece.signs();
                    dispatch(ToReadout {
                        heads,
                        rows,
                        place: (unit, first),
                        values,
                        sums: &mut sums,
                    });
                    piece.load(heads, rows, unit, first);
                }
                piece.slopes(response);
                let (slopes, biases) = (piece.signs(), !sums.biases.is_empty());
                let total = biases.then_some(&mut total);
                dispatch(ToUnit { heads, rows, place: (unit, first), slopes, total });
            }
            if let Some(sum) = sums.biases.get_mut(unit) {
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

/// Sums of errors times what a unit passes on, for the readout.
struct ToReadout<'a, 'b, T> {
    heads: &'a Heads<T>,
    rows: &'a Rows<T>,
    /// The unit and its first answer.
    place: (usize, usize),
    values: [&'a [[T; BLOCK]]; 2],
    sums: &'a mut HeadSums<'b, T>,
}

impl<T: Real> Body for ToReadout<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { heads, rows, place: (unit, first), values: [plus, minus], sums } = self;
        let (outputs, units) = (heads.output_biases.len(), heads.biases.len());
        let (plus_e, minus_e) = rows.y.split_at(rows.y.len() / 2);
        for (a, (plus, minus)) in plus.iter().zip(minus).enumerate() {
            for o in 0..outputs {
                let at = (first + a) * outputs + o;
                let sum = &mut sums.readout[o * units + unit];
                add(&plus_e[at], plus, sum);
                add(&minus_e[at], minus, sum);
            }
        }
    }
}

/// The derivative by a unit's preactivations from the answers of both signs and, where asked for, its sum: the derivative by the bias.
struct ToUnit<'a, T> {
    heads: &'a Heads<T>,
    rows: &'a mut Rows<T>,
    /// The unit and its first answer.
    place: (usize, usize),
    slopes: [&'a [[T; BLOCK]]; 2],
    total: Option<&'a mut [T; BLOCK]>,
}

impl<T: Real> Body for ToUnit<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { heads, rows, place: (unit, first), slopes: [up, down], mut total } = self;
        let (outputs, units) = (heads.output_biases.len(), heads.biases.len());
        let from = unit * rows.answers + first;
        let (plus_e, minus_e) = rows.y.split_at(rows.y.len() / 2);
        for (a, (up, down)) in up.iter().zip(down).enumerate() {
            let (mut plus, mut minus) = ([T::ZERO; BLOCK], [T::ZERO; BLOCK]);
            if outputs == 0 {
                (plus, minus) = (plus_e[first + a], minus_e[first + a]);
            }
            for o in 0..outputs {
                let (v, at) = (heads.readout[o * units + unit], (first + a) * outputs + o);
                for l in 0..BLOCK {
                    plus[l] = v.fma(plus_e[at][l], plus[l]);
                    minus[l] = v.fma(minus_e[at][l], minus[l]);
                }
            }
            let h = &mut rows.h[from + a];
            for l in 0..BLOCK {
                (plus[l], minus[l]) = (plus[l] * up[l], minus[l] * down[l]);
                h[l] = plus[l] - minus[l];
            }
            if let Some(total) = &mut total {
                for l in 0..BLOCK {
                    total[l] = total[l] + (plus[l] + minus[l]);
                }
            }
        }
    }
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
