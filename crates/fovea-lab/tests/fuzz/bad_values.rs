//! Bad input for every parameter of every item, from the schema alone: each is refused by its name with what would be right.

use super::{none_failed, without_panic};
use fovea_core::params::{Field, Kind, ParamError, Schema};
use fovea_core::{Matrix, Value};
use fovea_lab::catalogue::{Item, catalogue};
use fovea_lab::settings::set_path;
use fovea_lab::training::{ClassSpec, Training, TrainingJob};
use fovea_lab::{LabError, experiments, forms};
use fovea_theory::FormError;

/// A value that a parameter must refuse, and what the hint must name.
struct Bad {
    value: Value,
    hint: String,
}

impl Bad {
    fn of(value: impl Into<Value>, hint: impl Into<String>) -> Self {
        Self { value: value.into(), hint: hint.into() }
    }
}

/// Every way in which a value of this parameter can be wrong.
fn bad_values(field: &Field) -> Vec<Bad> {
    let kind = field.kind.to_string();
    let mut bad = vec![Bad::of(Value::table([("x", Value::Int(1))]), kind.clone())];
    match field.kind {
        Kind::Bool => {
            bad.extend([Bad::of(3_usize, kind.clone()), Bad::of("yes", kind)]);
        }
        Kind::Choice(words) => {
            let near = format!("{}x", words[0]);
            bad = vec![Bad::of(near.as_str(), words[0]), Bad::of("zzzzzzzz", words[0])];
            bad.extend([Bad::of(3_usize, words[0]), Bad::of(Value::List(Vec::new()), words[0])]);
        }
        Kind::Words(words) => {
            let near = format!("{}x", words[0]);
            let list = Value::List(vec![words[1].into(), near.as_str().into()]);
            bad = vec![Bad::of(near.as_str(), words[0]), Bad::of(list, words[0])];
            bad.push(Bad::of(3_usize, words[0]));
        }
        Kind::Function(_) => {
            bad.push(Bad::of(Value::List(Vec::new()), kind));
            let wrong = [
                ("x+*2", "a number, `x`"),
                ("x*(1", "add `)`"),
                ("1/x", "finite on the whole line"),
            ];
            bad.extend(wrong.map(|(typed, hint)| Bad::of(typed, hint)));
            bad.extend([Bad::of("tanhh(x)", "`tanh`"), Bad::of("qqqqqq", "there are x, pi,")]);
        }
        Kind::Item(item) => {
            bad = vec![Bad::of(3_usize, kind), Bad::of("zzzzzzzzzz", "")];
            bad.push(Bad::of(Value::Table(Vec::new()), item.noun));
        }
        Kind::Tables(tables) => {
            bad = vec![Bad::of(3_usize, kind), Bad::of(Value::Table(Vec::new()), tables.noun)];
        }
        _ => bad.extend(bad_numbers(field)),
    }
    bad
}

/// Numbers outside of the range, no numbers, and lists of the wrong length or depth.
fn bad_numbers(field: &Field) -> Vec<Bad> {
    let (kind, range) = (field.kind.to_string(), field.range);
    let array = matches!(field.kind, Kind::Array | Kind::Matrix);
    let whole = matches!(field.kind, Kind::Int | Kind::Ints);
    let mut outside = vec![range.low - 1.0, range.high + 1.0, range.low, range.high];
    outside.extend([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300]);
    // A whole number cannot be NaN or infinite; it is then of the wrong kind.
    outside.retain(|x| !range.contains(*x) && (!whole || x.is_finite()));
    let in_place = |x: f64| match field.kind {
        Kind::Array => Value::Array(Matrix::new(2, vec![1.0, 1.0, 1.0, x])),
        Kind::Matrix => Value::List(vec![Value::reals(&[x, x])]),
        _ => x.into(),
    };
    let hint = if field.kind == Kind::Array { "row 1".to_owned() } else { range.to_string() };
    let mut bad: Vec<Bad> =
        outside.into_iter().map(|x| Bad::of(in_place(x), hint.clone())).collect();
    bad.extend([Bad::of("word", kind.clone()), Bad::of(Value::Bool(true), kind.clone())]);
    if whole {
        let not_whole = [0.5, f64::NAN, f64::INFINITY];
        bad.extend(not_whole.into_iter().map(|x| Bad::of(x, kind.clone())));
    }
    match field.kind {
        Kind::Int | Kind::Real => {
            bad.push(Bad::of(Value::reals(&[1.0, 2.0]), kind.clone()));
            bad.push(Bad::of(Value::List(Vec::new()), kind));
        }
        _ if array => {
            bad.push(Bad::of(3_usize, kind.clone()));
            bad.push(Bad::of(Value::List(Vec::new()), ""));
            let ragged = vec![Value::reals(&[1.0, 2.0]), Value::reals(&[1.0])];
            if field.kind == Kind::Array {
                bad.push(Bad::of(Value::List(ragged), kind));
            }
        }
        Kind::Part => bad.push(Bad::of(Value::List(Vec::new()), kind)),
        // A list that may be empty.
        _ if field.range.or_none => {}
        _ => bad.push(Bad::of(Value::List(Vec::new()), "list")),
    }
    bad
}

/// Hands a value to a parameter of an item; `place` is where the item stands in a training file.
fn hand_in(item: &Item, place: &str, key: &str, value: &Value) -> Result<(), LabError> {
    let path = if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    let given = vec![(key.to_owned(), value.clone())];
    match item.kind {
        "experiment" => {
            (experiments::find(item.name)?.prepare)(experiments::Size::Quick, &given)
                .map(|_| ())?;
        }
        "form" => forms::find(item.name)?.at(&given).map(|_| ())?,
        _ => {
            let (mut settings, schema) = (Vec::new(), Training::schema());
            let mut set = |path: &str, value: Value| set_path(&mut settings, &schema, path, value);
            if place.contains("base") {
                set("class.neg.stimulus", Value::from_typed("scaled(base=scaled)"))?;
            }
            if !place.is_empty() && item.kind != "class" {
                set(place, item.name.into())?;
            }
            set(&path, value.clone())?;
            TrainingJob::new(&settings).map(|_| ())?;
        }
    }
    Ok(())
}

/// What is wrong with how a bad value was met.
fn check(item: &Item, place: &str, field: &Field, bad: &Bad) -> Result<(), String> {
    let error = match without_panic(|| hand_in(item, place, field.name, &bad.value))? {
        Ok(()) => return Err("taken".to_owned()),
        Err(error) => error,
    };
    let (message, hint) = (error.to_string(), error.hint());
    let path =
        if place.is_empty() { field.name.to_owned() } else { format!("{place}.{}", field.name) };
    let key = match &error {
        LabError::Param(error) | LabError::Form(FormError::Param(error)) => super::key_of(error),
        _ => None,
    };
    let no_class = matches!(error, LabError::Param(ParamError::Inconsistent { .. }))
        && matches!(field.kind, Kind::Tables(_));
    let named = key == Some(path.as_str()) && message.contains(&format!("`{path}`")) || no_class;
    if named && hint.contains(&bad.hint) && !hint.is_empty() {
        return Ok(());
    }
    Err(format!("{message:?}, hint {hint:?}; it should name `{path}` and {:?}", bad.hint))
}

/// Every item with the places where it can stand in a training file; elsewhere it has none.
fn items_in_their_places() -> Vec<(Item, Vec<&'static str>)> {
    let class = Item {
        kind: "class",
        name: "pos",
        summary: "one class",
        facts: Vec::new(),
        schema: ClassSpec::schema(),
    };
    let places = |kind: &str| match kind {
        "stimulus" => vec!["class.pos.stimulus", "class.neg.stimulus.base.base"],
        "network" => vec!["network"],
        "dynamics" => vec!["dynamics"],
        "schedule" => vec!["dynamics.schedule"],
        "initializer" => vec!["network.init"],
        "class" => vec!["class.pos"],
        _ => vec![""],
    };
    let all = catalogue().into_iter().chain([class]);
    all.map(|item| (places(item.kind), item)).map(|(places, item)| (item, places)).collect()
}

#[test]
fn every_parameter_of_every_item_refuses_bad_values_by_its_name() {
    let (mut failures, mut tried, mut fields) = (Vec::new(), 0, 0);
    for (item, places) in items_in_their_places() {
        for field in &item.schema {
            fields += 1;
            for place in &places {
                for bad in bad_values(field) {
                    tried += 1;
                    if let Err(what) = check(&item, place, field, &bad) {
                        let value = &bad.value;
                        failures.push(format!(
                            "{} {}.{} = {value}: {what}",
                            item.kind, item.name, field.name
                        ));
                    }
                }
            }
        }
    }
    none_failed(&failures);
    println!("{tried} bad values for {fields} parameters");
    assert!(fields > 100 && tried > 1000);
}
