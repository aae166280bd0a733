//! Whole training runs against the closed flow.

use fovea_core::Value;
use fovea_core::agree::test_seed;
use fovea_lab::{Conditions, Decision, Outcome, Silent, experiments};
use std::sync::atomic::AtomicBool;

fn run(name: &str, settings: &[(&str, Value)], seed: u64) -> Outcome {
    let given = settings.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    let prepared =
        (experiments::find(name).unwrap().prepare)(experiments::Size::Default, &given).unwrap();
    prepared.run(&Conditions::new(seed, &Silent, &AtomicBool::new(false))).unwrap()
}

fn assert_claims_hold(outcome: &Outcome) {
    assert!(!outcome.claims.is_empty());
    for claim in &outcome.claims {
        println!("z = {:+.3} (limit {:.2}) for {}", claim.z, claim.limit, claim.statement);
        assert_eq!(claim.decision(), Decision::Pass, "{claim:?}");
    }
}

/// 32 seeds from one start at the source's settings but for the batch, which is a tenth.
#[test]
fn the_mean_field_follows_the_euler_map_and_rejects_the_factor_two() {
    let outcome =
        run("gaussian-flow", &[("batch", Value::Int(1000))], test_seed(module_path!(), 0));
    assert_claims_hold(&outcome);
    let control = outcome.claims[0].control.as_ref().unwrap();
    assert!(control.z.abs() > 20.0, "{control:?}");
}

#[test]
fn double_precision_follows_it_too() {
    let small = [
        ("precision", Value::Text("f64".into())),
        ("batch", Value::Int(100)),
        ("steps", Value::Int(400)),
        ("seeds", Value::Int(32)),
    ];
    assert_claims_hold(&run("gaussian-flow", &small, test_seed(module_path!(), 1)));
}

#[test]
fn where_the_margin_is_negative_no_dictator_state_is_claimed_or_drawn() {
    let wide = [
        ("xi_pos", Value::Int(3)),
        ("gain", Value::Real(f64::INFINITY)),
        ("steps", Value::Int(200)),
        ("batch", Value::Int(100)),
        ("replicas", Value::Int(2)),
    ];
    let outcome = run("localize", &wide, test_seed(module_path!(), 2));
    assert!(outcome.claims.is_empty());
    assert!(outcome.arrays.iter().all(|array| !array.name.starts_with("dictator")));
    let state = outcome.report.tables().find(|table| table.name == "dictator").unwrap();
    let shown: Vec<String> = state.columns.iter().map(|column| column.cells.shown(0)).collect();
    assert_eq!(shown, ["-0.0556", "\u{2013}", "\u{2013}"]);
}
