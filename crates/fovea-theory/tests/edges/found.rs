//! Numbers that were once wrong, and evaluations that once did not end.

use super::judge::{Case, report, tried};
use fovea_core::Value;
use fovea_core::agree::{agrees_to_digits, trials};
use fovea_core::params::Assignments;
use fovea_theory::form;

/// Settings as they are typed, separated by blanks.
fn settings(typed: &str) -> Assignments {
    let pair = |word: &str| {
        let (key, value) = word.split_once('=').unwrap();
        (key.to_owned(), Value::from_typed(value))
    };
    typed.split_whitespace().map(pair).collect()
}

/// The number at a path of keys and indices.
fn number(value: &Value, path: &str) -> f64 {
    let step = |value: Value, word: &str| match &value {
        Value::List(items) => items[word.parse::<usize>().unwrap()].clone(),
        table => table.get(word).unwrap().clone(),
    };
    let end = path.split('.').filter(|word| !word.is_empty()).fold(value.clone(), step);
    end.as_real().unwrap()
}

/// A form, its settings, the path of the number, the number and its required digits.
type Row = (&'static str, &'static str, &'static str, f64, f64);

/// The flow of one of two mirrored units, whose symmetry a solver for stiff equations cannot break (Radau of SciPy, 1e-12); sums over
/// modes, steady states and integrals with 30 digits or more by mpmath.
const RIGHT: [Row; 16] = [
    ("relu.order_parameters", "t=400", "q_pos.0.0", 0.9773713115, 9.5),
    ("relu.order_parameters", "t=500", "q_pos.0.0", 0.9773713072, 9.5),
    ("relu.order_parameters", "t=1000", "q_pos.0.0", 0.9773713068183234, 9.5),
    ("relu.order_parameters", "t=5000", "q_pos.0.0", 0.9773713068183234, 9.5),
    ("relu.order_parameters", "t=10000", "q_neg.0.1", -0.596226663090891, 9.5),
    ("relu.flow_exact", "t=4", "theta", 5.71070244522368, 10.5),
    ("relu.flow_exact", "t=4", "w.0", 0.3362030211708174, 10.5),
    ("relu.flow_exact", "t=1000", "theta", 1879.048757480462, 11.0),
    ("relu.flow_exact", "t=1000", "w.0", 0.08155366028998064, 11.0),
    ("relu.flow_exact", "t=100000", "theta", 188004.94745727343, 13.0),
    ("relu.flow_exact", "t=100000", "w.0", 0.08155366028998064, 11.0),
    ("ising.edge", "n=40 coupling_neg=4.9", "", 5.183274716949394, 13.0),
    ("ising.edge", "n=3 coupling_neg=4.9", "", 5.386477538236495, 13.0),
    ("charfun.f", "law=student dof=2.1", "mean_abs", 0.5332584371794966, 11.0),
    ("dictator.dominance", "n=16", "", 9.405688675163606e-8, 13.0),
    ("dictator.dominance", "n=30", "", 2.2645057893864372e-18, 13.0),
];

#[test]
fn right_values_are_those_of_other_programs() {
    for (name, typed, path, right, digits) in RIGHT {
        let value = form(name).unwrap().at(&settings(typed)).unwrap();
        let found = number(&value, path);
        agrees_to_digits(found, right, digits)
            .unwrap_or_else(|error| panic!("{name} {typed} {path}: {error}"));
    }
}

#[test]
fn an_edge_that_does_not_exist_is_not_the_limit_of_a_search() {
    for typed in ["n=2 coupling_neg=0.3", "n=2 coupling_neg=-5", "n=2 coupling_neg=4.9"] {
        let value = form("ising.edge").unwrap().at(&settings(typed)).unwrap();
        assert_eq!(value, Value::Real(f64::INFINITY), "{typed}");
    }
}

/// Evaluations that once took more than half a minute or did not end; the quick ones first.
const ENDLESS: [(&str, &str); 19] = [
    ("starting.erf", "n=10000 std_w=1e300 width=1064 kernel=wrapped"),
    ("ising.rest", "coupling_pos=2.2"),
    ("ising.rest", "coupling_pos=2.5"),
    ("ising.rest", "coupling_pos=5"),
    ("ising.rest", "n=4 coupling_pos=5 w=0.03,0.01,-0.02,0.005"),
    ("ising.rest", "n=3 w=1,1e100,1"),
    ("ising.rest", "n=3 w=1,1e12,1"),
    ("ising.rest", "n=4 w=3.12e198,1.13e198,-0.97e198,2.04e198"),
    ("charfun.f", "law=student dof=2.1"),
    ("charfun.f", "law=student dof=2.2"),
    ("nlgp.mode_kurtosis", "n=64"),
    ("nlgp.mode_kurtosis", "n=64 xi=20 kernel=wrapped"),
    ("nlgp.mode_kurtosis", "n=64 xi=5 gain=inf k=32 kernel=wrapped"),
    ("nlgp.weak_cumulant", "n=1000"),
    ("nlgp.norm_variance", "n=10000 xi=2000 kernel=wrapped"),
    ("dictator.edge", "n=1000 xi_neg=200 kernel=wrapped"),
    ("ising.edge", "n=1000 coupling_neg=-5"),
    (
        "ising.rest",
        "n=4 coupling_pos=-4.99999999 coupling_neg=-2.6183099929174176 w=-6.036081031017393,-0.5955443461056421,0.15502891210214242,0.14887135801478954",
    ),
    ("ising.rest", "n=16 w=5e-324,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"),
];

#[test]
fn evaluations_that_once_did_not_end_do() {
    let cases = ENDLESS.into_iter().take(trials(11, ENDLESS.len()));
    let case = |(name, typed)| Case { form: form(name).unwrap(), given: settings(typed) };
    report("evaluations that once did not end", tried(cases.map(case)));
}

#[test]
fn the_loss_of_a_gate_that_the_weights_do_not_have_has_its_own_name() {
    for name in ["dictator.labels", "dictator.output_bias"] {
        let value = form(name).unwrap().at(&settings("n=2 label_neg=-1")).unwrap();
        assert_eq!(value.get("exists"), Some(&Value::Bool(false)), "{name}");
        assert!(value.get("loss").is_none() && value.get("gate_loss").is_some(), "{name}");
    }
}
