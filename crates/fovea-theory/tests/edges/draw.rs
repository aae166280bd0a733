//! Random arguments for a form, made only from its schema.

use super::numbers::{Numbers, edges};
use super::values::{matrices, vectors};
use fovea_core::matrix::Matrix;
use fovea_core::params::{Assignments, Kind};
use fovea_core::{Field, Value};
use fovea_theory::Form;

/// Expressions used in addition to the registered activations.
const TYPED: [&str; 6] =
    ["x*tanh(x)", "tanh(100*x)", "exp(-x^2)", "abs(x-1e-3)", "x^3", "1e-200*x"];

/// The lengths of the lists of an evaluation: one entry for each of `n` sites, if the form has such a setting.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    /// The number of sites, and the number at the defaults.
    sites: Option<(usize, usize)>,
    /// The number of entries by which the other lists are longer than at the defaults.
    longer: usize,
}

impl Sizes {
    /// The lengths at these arguments.
    pub(super) fn of(schema: &[Field], given: &Assignments, longer: usize) -> Self {
        let count = |value: &Value| value.as_int().and_then(|n| usize::try_from(n).ok());
        let field = schema.iter().find(|field| field.name == "n" && field.kind == Kind::Int);
        let sites = field.and_then(|field| {
            let now = given.iter().find(|(key, _)| key == "n").map_or(&field.default, |(_, n)| n);
            // Nobody could give a list for every site of a huge ring.
            Some((count(now).filter(|n| *n <= 20_000)?, count(&field.default)?))
        });
        Self { sites, longer }
    }

    fn entries(self, default: usize) -> usize {
        match self.sites {
            Some((now, usual)) if usual == default => now,
            _ => default + self.longer,
        }
    }
}

/// The length of a list, or of the first row of a matrix.
fn entries(value: &Value) -> usize {
    match value {
        Value::List(items) => match items.first() {
            Some(row @ Value::List(_)) => entries(row),
            _ => items.len(),
        },
        Value::Array(matrix) => matrix.cols(),
        _ => 1,
    }
}

fn rows(matrix: &[Vec<f64>]) -> Value {
    Value::List(matrix.iter().map(|row| Value::reals(row)).collect())
}

/// Replaces numbers outside the range by the default; what is special about the others stays.
fn kept(field: &Field, numbers: Vec<f64>) -> Vec<f64> {
    let usual = match &field.default {
        Value::List(items) => items.iter().find_map(Value::as_real),
        one => one.as_real(),
    };
    let usual = usual.unwrap_or(1.0);
    numbers.into_iter().map(|x| if field.range.contains(x) { x } else { usual }).collect()
}

/// Whether a list holds sites of the ring.
fn holds_sites(field: &Field) -> bool {
    field.kind == Kind::Reals && field.unit == "sites"
}

/// A value of one argument.
fn value(field: &Field, sizes: Sizes, numbers: &mut Numbers) -> Value {
    let default = field.default.as_real().unwrap_or(1.0);
    let n = sizes.entries(entries(&field.default));
    match field.kind {
        Kind::Bool => Value::Bool(numbers.once_in(2)),
        Kind::Int => Value::Int(numbers.int(field.range, default) as i64),
        Kind::Real => Value::Real(numbers.real(field.range, default)),
        Kind::Reals if holds_sites(field) => {
            let most = sizes.sites.map_or(100, |(n, _)| n.max(1));
            let site = |_| field.range.low.max(0.0) + numbers.below(most) as f64;
            Value::reals(&kept(field, (0..n).map(site).collect()))
        }
        Kind::Reals | Kind::Ints if field.range.low >= 0.0 => {
            let each = |_| numbers.real(field.range, 1.0);
            Value::reals(&(0..n).map(each).collect::<Vec<f64>>())
        }
        Kind::Reals | Kind::Ints => Value::reals(&kept(field, numbers.vector(n))),
        Kind::Matrix => rows(&numbers.matrix(n)),
        Kind::Array => Value::Array(Matrix::new(n, numbers.symmetric(n))),
        Kind::Choice(words) => Value::from(*numbers.of(words)),
        Kind::Function(names) if numbers.once_in(2) => Value::from(*numbers.of(names)),
        Kind::Function(_) => Value::from(*numbers.of(&TYPED)),
        Kind::Item(_) | Kind::Words(_) | Kind::Tables(_) | Kind::Part => field.default.clone(),
    }
}

/// All arguments at once, each left at its default once in three times.
pub(super) fn arguments(form: &Form, numbers: &mut Numbers) -> Assignments {
    let schema = (form.schema)();
    let (mut given, longer) = (Assignments::new(), numbers.below(8) / 5);
    // The size of the ring first, because the lists depend on it.
    let (size, rest): (Vec<&Field>, Vec<&Field>) = schema.iter().partition(|f| f.name == "n");
    for field in size.into_iter().chain(rest) {
        let sizes = Sizes::of(&schema, &given, longer);
        let follows = sizes.entries(entries(&field.default)) != entries(&field.default);
        if follows || !numbers.once_in(3) {
            given.push((field.name.to_owned(), value(field, sizes, numbers)));
        }
    }
    given
}

/// Every edge of one argument.
pub(super) fn edge_values(field: &Field, sizes: Sizes) -> Vec<Value> {
    let n = sizes.entries(entries(&field.default));
    match field.kind {
        Kind::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Kind::Int => {
            let whole = |x: &f64| x.fract().abs() < f64::MIN_POSITIVE && x.abs() < 9e18;
            edges(field.range).into_iter().filter(whole).map(|x| Value::Int(x as i64)).collect()
        }
        Kind::Real => edges(field.range).into_iter().map(Value::Real).collect(),
        Kind::Reals | Kind::Ints => {
            let each = vectors(n).into_iter().map(|v| kept(field, v));
            let ends = edges(field.range).into_iter().map(|x| vec![x; n]);
            each.chain(ends).map(|v| Value::reals(&v)).collect()
        }
        Kind::Matrix => matrices(n).iter().map(|matrix| rows(matrix)).collect(),
        Kind::Array => {
            vectors(n * n).into_iter().map(|v| Value::Array(Matrix::new(n, v))).collect()
        }
        Kind::Choice(words) => words.iter().map(|word| Value::from(*word)).collect(),
        Kind::Function(names) => {
            names.iter().chain(&TYPED).map(|name| Value::from(*name)).collect()
        }
        Kind::Item(_) | Kind::Words(_) | Kind::Tables(_) | Kind::Part => Vec::new(),
    }
}

/// The arguments that depend on the size of the ring: lists with an entry for each site.
pub(super) fn followers(schema: &[Field], given: &Assignments) -> Assignments {
    let sizes = Sizes::of(schema, given, 0);
    let follows = |field: &&Field| {
        let usual = entries(&field.default);
        let set = given.iter().any(|(key, _)| key == field.name);
        !set && matches!(field.kind, Kind::Reals | Kind::Matrix) && sizes.entries(usual) != usual
    };
    let value = |field: &Field| {
        let n = sizes.entries(entries(&field.default));
        let bump = kept(field, vectors(n)[5].clone());
        match field.kind {
            Kind::Matrix => rows(&[bump]),
            _ => Value::reals(&bump),
        }
    };
    schema.iter().filter(follows).map(|field| (field.name.to_owned(), value(field))).collect()
}

impl Numbers {
    /// The entries of a symmetric matrix.
    fn symmetric(&mut self, n: usize) -> Vec<f64> {
        let rows: Vec<Vec<f64>> = (0..n).map(|_| self.vector(n)).collect();
        let entry = |at: usize| rows[(at / n).min(at % n)][(at / n).max(at % n)];
        (0..n * n).map(entry).collect()
    }
}
