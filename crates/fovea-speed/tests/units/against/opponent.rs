use fovea_speed::against::opponent::{TRAINING, described, start};
use fovea_speed::workload::ALL;
use serde_json::{Value, json};

/// The first of each pair is class `neg`, which the programs draw first and label 0.
#[test]
fn a_workload_is_described_with_class_neg_first() {
    let nlgp = described(&ALL[4], 7);
    assert_eq!((&nlgp["xi"], &nlgp["steps"]), (&json!([10.0, 20.0]), &json!(7)));
    assert_eq!((&nlgp["bias"], &nlgp["activation"]), (&json!(true), &json!("relu")));
    let pulse = described(&ALL[6], 7);
    assert_eq!((&pulse["pulse"], &pulse["gain"]), (&json!([[3, 4], [9, 10]]), &Value::Null));
}

#[test]
fn what_is_no_python_is_refused() {
    let error = start("no-such-python", None, &TRAINING).err().unwrap();
    assert!(error.to_string().starts_with("`against` is no-such-python: "), "{error}");
    assert_eq!(error.hint(), "give a Python 3 that has jax or torch, such as --against python3");
}
