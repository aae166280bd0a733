//! Values that fit together: what a person would set a parameter to, given the size of the samples.
//!
//! A parameter that is not named here is drawn around its default, so that a new item is fuzzed without a line here.

use super::make::Maker;
use fovea_core::params::{Field, Kind};
use fovea_core::{Matrix, Value};

/// Choices that go with what else is set.
const CHOICES: [&str; 5] = ["bias", "output_bias", "target", "estimator", "labels"];

/// Whether a choice is better made here than at random.
pub(super) fn is_known(name: &str) -> bool {
    CHOICES.contains(&name)
}

/// A value for this parameter that probably fits the others.
pub(super) fn value(maker: &mut Maker<'_>, field: &Field) -> Value {
    let (n, inputs, width, several) = (maker.n, maker.inputs(), maker.width, maker.several);
    let dice = &mut maker.dice;
    match field.name {
        "n" => n.into(),
        "dim" => maker.dim.into(),
        "width" => width.into(),
        "length" | "min_length" => (1 + dice.below(n / 2)).into(),
        "max_length" => (n / 2 + dice.below((n - n / 2).max(1))).into(),
        "site" | "first" => dice.below(inputs).into(),
        "sites" => Value::List((0..several.min(inputs)).map(Value::from).collect()),
        // All of a base, so that the classes stay equally long.
        "keep" => inputs.into(),
        "values" => numbers(maker, several.min(inputs), -1.0, 1.0),
        "waves" => dice.below(n / 2 + 1).into(),
        "xi" => dice.between(0.05, 0.05 + 0.08 * n as f64).into(),
        "threshold" => dice.between(-1.0, 0.3).into(),
        "bias" | "output_bias" => dice.pick(&["trainable", "trainable", "frozen", "none"]).into(),
        "target" => dice.pick(&["label", "label", "sign-changes", "one-hot"]).into(),
        // Random shares of random batches are rarely whole numbers.
        "labels" if dice.chance(0.1) => "balanced".into(),
        // Most stimuli lack a symmetry, and what is refused is not trained.
        "estimator" if dice.chance(0.1) => dice.pick(&["antithetic", "orbit"]).into(),
        "labels" | "estimator" => "iid".into(),
        "lr" if dice.chance(0.05) => 1e300.into(),
        "label" => dice.pick(&[0.0, 1.0, 0.5, -1.0]).into(),
        "steps" | "warmup" | "checkpoint_every" => dice.below(100).into(),
        "record_every" | "eval_samples" | "batch" => (1 + dice.below(100)).into(),
        "records" => (2 + dice.below(100)).into(),
        "samples" if field.kind == Kind::Array => rows(maker, 6, inputs),
        "held_out" if dice.chance(0.1) => dice.pick(&[0.0, 0.3]).into(),
        "held_out" if dice.chance(0.1) => rows(maker, 3, inputs),
        "weights" => rows(maker, width, inputs),
        "biases" => rows(maker, 1, width),
        "direction" if dice.chance(0.5) => rows(maker, 1, inputs),
        "quantiles" => rising(maker),
        _ => near_default(maker, field),
    }
}

fn numbers(maker: &mut Maker<'_>, count: usize, low: f64, high: f64) -> Value {
    Value::List((0..count).map(|_| maker.dice.between(low, high).into()).collect())
}

fn rows(maker: &mut Maker<'_>, rows: usize, cols: usize) -> Value {
    let number = |_| maker.dice.between(-1.0, 1.0);
    Value::Array(Matrix::new(cols, (0..rows * cols).map(number).collect()))
}

/// One row of increasing numbers.
fn rising(maker: &mut Maker<'_>) -> Value {
    let (mut at, count) = (maker.dice.unit(), 2 + maker.dice.below(8));
    let mut next = || {
        at += maker.dice.unit();
        at
    };
    Value::Array(Matrix::new(count, (0..count).map(|_| next()).collect()))
}

/// The default, or a number of the range that is not far from it.
fn near_default(maker: &mut Maker<'_>, field: &Field) -> Value {
    let default = match &field.default {
        Value::List(items) => items.first().and_then(Value::as_real),
        one => one.as_real(),
    };
    let Some(default) = default else { return field.default.clone() };
    let near =
        if default.abs() > 0.0 { default * maker.dice.spread(0.2, 5.0) } else { maker.dice.unit() };
    match field.kind {
        Kind::Int | Kind::Ints if field.range.contains(near.round()) => {
            Value::Int(near.round() as i64)
        }
        Kind::Real | Kind::Reals if field.range.contains(near) => near.into(),
        _ => field.default.clone(),
    }
}
