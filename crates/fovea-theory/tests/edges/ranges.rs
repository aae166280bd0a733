//! The edges of every argument, one at a time and in pairs.

use super::draw::{Sizes, edge_values, followers};
use super::judge::{Case, report, tried};
use super::numbers::Numbers;
use fovea_core::agree::{test_seed, trials};
use fovea_core::params::Assignments;
use fovea_core::{Field, Value};
use fovea_theory::{Form, forms};

/// A case with these arguments and those that depend on them.
fn case(form: &'static Form, schema: &[Field], given: Assignments) -> Case {
    let others = followers(schema, &given);
    Case { form, given: given.into_iter().chain(others).collect() }
}

fn one_at_a_time(form: &'static Form) -> Vec<Case> {
    let schema = (form.schema)();
    let sizes = Sizes::of(&schema, &Vec::new(), 0);
    let each = |field: &Field| {
        let set = |value: Value| case(form, &schema, vec![(field.name.to_owned(), value)]);
        edge_values(field, sizes).into_iter().map(set).collect::<Vec<_>>()
    };
    schema.iter().flat_map(each).collect()
}

/// Two random arguments, each at an edge.
fn pair(form: &'static Form, numbers: &mut Numbers) -> Option<Case> {
    let schema = (form.schema)();
    if schema.len() < 2 {
        return None;
    }
    let first = numbers.below(schema.len());
    let second = (first + 1 + numbers.below(schema.len() - 1)) % schema.len();
    let mut given = Assignments::new();
    for at in [first.min(second), first.max(second)] {
        let field = &schema[at];
        let values = edge_values(field, Sizes::of(&schema, &given, 0));
        if !values.is_empty() {
            given.push((field.name.to_owned(), numbers.of(&values).clone()));
        }
    }
    Some(case(form, &schema, given))
}

#[test]
fn every_form_has_a_value_or_a_reason_over_its_declared_range() {
    let every = trials(6, 1);
    let cases = forms().flat_map(one_at_a_time).enumerate().filter(move |(i, _)| i % every == 0);
    report("edges of every argument of every form", tried(cases.map(|(_, case)| case)));
}

#[test]
fn every_form_has_a_value_or_a_reason_where_two_arguments_are_at_an_edge() {
    let path = concat!(module_path!(), "::pairs");
    let times = trials(12, 1000);
    let cases = forms().enumerate().flat_map(move |(at, form)| {
        let draw = move |i: usize| Numbers::new(test_seed(path, (at * 100_000 + i) as u64));
        (0..times).filter_map(move |i| pair(form, &mut draw(i)))
    });
    report("pairs of edges of the arguments of every form", tried(cases));
}
