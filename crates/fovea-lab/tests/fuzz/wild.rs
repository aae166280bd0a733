//! Values chosen without regard for what fits: the ends of the range and beyond, other kinds, not numbers at all.

use super::dice::Dice;
use fovea_core::params::{Field, Kind};
use fovea_core::{Matrix, Value};

/// Any value at all for this parameter.
pub(super) fn value(dice: &mut Dice, field: &Field) -> Value {
    match dice.below(3) {
        0 => anything(dice),
        1 if is_number(field.kind) => number(dice, field).into(),
        1 => Value::Text(word(dice, field)),
        _ if is_number(field.kind) => whole(number(dice, field)),
        _ => field.default.clone(),
    }
}

fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Int | Kind::Real | Kind::Ints | Kind::Reals | Kind::Matrix | Kind::Array)
}

/// The ends of the range, numbers just outside and far away, and numbers inside.
fn number(dice: &mut Dice, field: &Field) -> f64 {
    let (low, high) = (field.range.low, field.range.high);
    // The largest rings are built now and then only: some items take seconds to.
    let high = if high > 1000.0 && !dice.chance(0.02) { 60.0 } else { high };
    let inside = dice.between(low.max(-1e6), high.min(1e6));
    let far = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 1e18, 1e-300, -0.0];
    match dice.below(4) {
        0 => dice.pick(&[low, high, low - 1.0, field.range.high + 1.0, -field.range.high]),
        1 => dice.pick(&far),
        2 => inside.round(),
        _ => inside,
    }
}

/// The number as a whole one where it is.
fn whole(number: f64) -> Value {
    if number.fract().abs() < f64::MIN_POSITIVE { Value::Int(number as i64) } else { number.into() }
}

/// A word that is nearly right, or not at all.
fn word(dice: &mut Dice, field: &Field) -> String {
    match field.kind {
        Kind::Function(_) if dice.chance(0.5) => {
            dice.pick(&["x*tanh(x", "1/x", "x^", "3", "x*", "(((x", "exp(exp(x^9))"]).to_owned()
        }
        Kind::Choice(words) | Kind::Words(words) | Kind::Function(words) => {
            let word = dice.pick(words);
            dice.pick(&[
                word.to_owned(),
                format!("{word}x"),
                word.to_uppercase(),
                word.replace('-', "_"),
            ])
        }
        _ => dice.pick(&["", "nlgp", "inf", "nan", "file.npy", "\u{1f9c0}", "true"]).to_owned(),
    }
}

/// A value of any kind.
fn anything(dice: &mut Dice) -> Value {
    match dice.below(12) {
        0 => Value::Bool(true),
        1 => Value::Int(dice.pick(&[0, 1, -1, 7, i64::MAX, i64::MIN])),
        2 => dice.pick(&[0.5, -0.5, f64::NAN, f64::INFINITY, 1e308]).into(),
        3 => dice.pick(&["word", "", "nlgp", "loss"]).into(),
        4 => Value::List(Vec::new()),
        5 => Value::List(vec![Value::List(Vec::new())]),
        6 => Value::reals(&[1.0, f64::NAN]),
        7 => Value::List(vec![Value::reals(&[1.0, 2.0]), Value::reals(&[3.0])]),
        8 => Value::List(vec!["loss".into(), Value::Int(3)]),
        9 => Value::Table(Vec::new()),
        10 => Value::table([("name", "nlgp".into()), ("n", Value::Int(5))]),
        _ => {
            let numbers = vec![1.0, dice.pick(&[2.0, f64::NAN]), f64::INFINITY, 0.0];
            Value::Array(Matrix::new(dice.pick(&[1, 2, 4]), numbers))
        }
    }
}
