//! Random evaluations.

use super::draw::arguments;
use super::judge::{Case, report, tried};
use super::numbers::Numbers;
use fovea_core::agree::{test_seed, trials};
use fovea_theory::{Form, forms};

#[test]
fn random_evaluations_have_a_value_or_a_reason() {
    let all: Vec<&Form> = forms().collect();
    let path = concat!(module_path!(), "::random");
    let cases = (0..trials(5000, 100_000)).map(move |i| {
        let form = all[i % all.len()];
        let given = arguments(form, &mut Numbers::new(test_seed(path, i as u64)));
        Case { form, given }
    });
    report("random evaluations of closed forms", tried(cases));
}
