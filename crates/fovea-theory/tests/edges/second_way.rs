//! Random evaluations compared with a second way to the same numbers: every form has the digits it states.
//!
//! `data/second_way/` computes them from the definitions, by other routes than the crate. A value that the last digits of the
//! arguments move by more than is stated may be off by as much: doubles cannot do better.

use fovea_core::Value;
use fovea_core::params::Assignments;
use fovea_theory::digits::Digits;
use fovea_theory::{Form, form, forms};
use serde_json::Value as Json;

/// One evaluation in the second way.
struct Point {
    form: &'static Form,
    given: Assignments,
    value: Json,
}

fn points() -> Vec<Point> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/second_way.json");
    let rows: Vec<Json> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let point = |row: Json| Point {
        form: form(row["form"].as_str().unwrap()).unwrap(),
        given: row["given"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(k, v)| (k.clone(), typed(v)))
            .collect(),
        value: row["value"].clone(),
    };
    rows.into_iter().map(point).collect()
}

/// An argument; the word `inf` counts as infinity wherever a number is read.
fn typed(json: &Json) -> Value {
    match json {
        Json::Array(items) => Value::List(items.iter().map(typed).collect()),
        Json::String(word) => Value::Text(word.clone()),
        Json::Number(number) if number.is_i64() => Value::Int(number.as_i64().unwrap()),
        number => Value::Real(number.as_f64().unwrap()),
    }
}

/// The numbers of one entry of a value, with true and false as 1 and 0.
fn expected(json: &Json) -> Vec<f64> {
    match json {
        Json::Array(items) => items.iter().flat_map(expected).collect(),
        Json::Bool(yes) => vec![f64::from(u8::from(*yes))],
        number => vec![number.as_str().unwrap().parse().unwrap()],
    }
}

fn got(value: &Value) -> Vec<f64> {
    match value {
        Value::List(items) => items.iter().flat_map(got).collect(),
        Value::Bool(yes) => vec![f64::from(u8::from(*yes))],
        number => vec![number.as_real().unwrap()],
    }
}

/// Pairs of lists, expected and got, one for every entry of the value that the second way has.
fn entries(second: &Json, value: &Value) -> Vec<(Vec<f64>, Vec<f64>)> {
    match second {
        Json::Object(rows) => rows
            .iter()
            .map(|(key, row)| {
                (expected(row), got(value.get(key).unwrap_or_else(|| panic!("no {key}"))))
            })
            .collect(),
        one => vec![(expected(one), got(value))],
    }
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |top, x| x.abs().max(top))
}

/// The largest error over the allowed one; infinite if a number is missing. `moved` is the change of the numbers, entry by entry,
/// when the last digits of the arguments change.
fn excess(digits: Digits, second: &Json, value: &Value, moved: &[Vec<f64>]) -> f64 {
    let entries = entries(second, value);
    let top = entries.iter().map(|(one, _)| largest(one)).fold(0.0, f64::max);
    let gap = |(i, (one, other)): (usize, &(Vec<f64>, Vec<f64>))| {
        if one.len() != other.len() {
            return f64::INFINITY;
        }
        let allowed =
            digits.error(largest(one), top) + moved.get(i).map_or(0.0, |moved| largest(moved));
        let over = |(a, b): (&f64, &f64)| match (a - b).abs() {
            _ if a.to_bits() == b.to_bits() || (a - b).abs() == 0.0 => 0.0,
            gap if gap.is_nan() => f64::INFINITY,
            gap => gap / allowed,
        };
        one.iter().zip(other).map(over).fold(0.0, f64::max)
    };
    entries.iter().enumerate().map(gap).fold(0.0, f64::max)
}

/// The largest change of the entries of a value when the real arguments change in their last digits, three times over.
fn moved(form: &Form, given: &Assignments, second: &Json, value: &Value) -> Vec<Vec<f64>> {
    fn nudged(value: &Value, turn: &mut u32) -> Value {
        match value {
            Value::List(items) => {
                Value::List(items.iter().map(|item| nudged(item, turn)).collect())
            }
            Value::Real(x) => {
                *turn = turn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                Value::Real(x * (1.0 + (f64::from(*turn >> 24) / 128.0 - 1.0) * f64::EPSILON))
            }
            other => other.clone(),
        }
    }
    let here = entries(second, value);
    let mut most: Vec<Vec<f64>> = here.iter().map(|(_, got)| vec![0.0; got.len()]).collect();
    for mut turn in 1..=3 {
        let given = given.iter().map(|(key, x)| (key.clone(), nudged(x, &mut turn))).collect();
        let Ok(there) = form.at(&given) else { continue };
        for ((most, (_, here)), (_, there)) in
            most.iter_mut().zip(&here).zip(entries(second, &there))
        {
            for ((most, here), there) in most.iter_mut().zip(here).zip(there) {
                *most = most.max((here - there).abs());
            }
        }
    }
    most
}

#[test]
fn every_form_has_the_digits_it_states() {
    let points = points();
    let (mut wrong, mut compared, mut taken, mut sensitive) = (Vec::new(), 0, 0, 0);
    for form in forms() {
        let digits = form.digits();
        let (mut worst, mut rejected, mut here) = (0.0_f64, false, 0);
        for Point { given, value, .. } in points.iter().filter(|point| point.form.name == form.name)
        {
            let over = match form.at(given) {
                Ok(first) => match excess(digits, value, &first, &[]) {
                    over if over > 1.0 => {
                        sensitive += 1;
                        excess(digits, value, &first, &moved(form, given, value, &first))
                    }
                    over => over,
                },
                Err(said) => {
                    wrong.push(format!("{}: {said}, at {given:?}", form.name));
                    continue;
                }
            };
            if over > 1.0 {
                let held = f64::from(digits.count) - libm::log10(over);
                wrong.push(format!("{}: {held:.1} digits, not {digits}, at {given:?}", form.name));
            }
            rejected |=
                form.control.at(given).is_ok_and(|other| excess(digits, value, &other, &[]) > 1.0);
            worst = worst.max(over);
            here += 1;
        }
        if here == 0 {
            continue;
        }
        if !rejected {
            wrong.push(format!("{}: the wrong form passes everywhere", form.name));
        }
        let held = f64::from(digits.count) - libm::log10(worst);
        println!("{}: {here} points, {held:.1} digits of {digits}", form.name);
        (compared, taken) = (compared + here, taken + 1);
    }
    println!(
        "tried | second way for closed forms | {compared} | {taken} forms; {} not as stated; at {sensitive} the last digits of \
         the arguments decide",
        wrong.len()
    );
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(compared >= 200 && taken >= 60, "{compared} evaluations over {taken} forms");
    assert_eq!(compared, points.len(), "each point is compared once");
}
