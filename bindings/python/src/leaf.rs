//! The numbers and arrays of numbers that the value of a closed form is made of.

use fovea_core::Value;
use pyo3::prelude::*;

/// One number or array of numbers within a value.
#[derive(Clone, Debug, PartialEq, IntoPyObject)]
pub(crate) struct Leaf {
    pub(crate) name: Option<String>,
    pub(crate) kind: &'static str,
    pub(crate) shape: Vec<usize>,
}

impl Leaf {
    pub(crate) fn width(&self) -> usize {
        self.shape.iter().product()
    }
}

/// What a value is made of, where that is numbers.
pub(crate) fn leaves(value: &Value) -> Option<Vec<Leaf>> {
    let leaf = |name: Option<&String>, value: &Value| {
        let (kind, shape) = match value {
            Value::Real(_) => ("real", Vec::new()),
            Value::Int(_) => ("int", Vec::new()),
            Value::Bool(_) => ("bool", Vec::new()),
            list @ Value::List(_) => ("real", crate::convert::rectangle(list)?.0),
            _ => return None,
        };
        Some(Leaf { name: name.cloned(), kind, shape })
    };
    match value {
        Value::Table(rows) => rows.iter().map(|(name, value)| leaf(Some(name), value)).collect(),
        other => Some(vec![leaf(None, other)?]),
    }
}

/// Writes the numbers of a value that has these leaves; `false` where it has others.
pub(crate) fn fill(value: &Value, leaves: &[Leaf], out: &mut std::slice::IterMut<'_, f64>) -> bool {
    let mut one = |value: &Value, leaf: &Leaf| match value {
        Value::Bool(b) if leaf.kind == "bool" => put(f64::from(u8::from(*b)), out),
        Value::Real(x) if leaf.shape.is_empty() => put(*x, out),
        Value::Int(i) if leaf.kind == "int" => put(*i as f64, out),
        list @ Value::List(_) => crate::convert::rectangle(list).is_some_and(|(shape, numbers)| {
            shape == leaf.shape && numbers.into_iter().all(|x| put(x, out))
        }),
        _ => false,
    };
    match value {
        Value::Table(rows) => {
            rows.len() == leaves.len()
                && rows.iter().zip(leaves).all(|((_, value), leaf)| one(value, leaf))
        }
        other => one(other, &leaves[0]),
    }
}

fn put(x: f64, out: &mut std::slice::IterMut<'_, f64>) -> bool {
    out.next().map(|place| *place = x).is_some()
}
