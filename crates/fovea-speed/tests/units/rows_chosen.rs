use fovea_desk::error::LabError;
use fovea_speed::select;

fn names(given: &[&str]) -> Result<Vec<String>, LabError> {
    let given: Vec<String> = given.iter().map(|name| (*name).to_owned()).collect();
    Ok(select(&given)?.into_iter().map(|row| row.name).collect())
}

#[test]
fn rows_are_named_once_and_chosen_by_name_or_beginning() {
    let all = names(&[]).unwrap();
    for (i, name) in all.iter().enumerate() {
        assert!(!all[..i].contains(name), "{name} twice");
    }
    assert_eq!(names(&["step-d"]).unwrap(), ["step-d"]);
    assert_eq!(names(&["network-b", "peak"]).unwrap(), ["peak-f32", "peak-f64", "network-b"]);
    assert_eq!(names(&["step_c"]).unwrap(), ["step-c-relu", "step-c-sigmoid"]);
    let error = names(&["step-x"]).unwrap_err();
    assert_eq!(error.to_string(), "there is no row of the benchmark called `step-x`");
    assert!(names(&[""]).is_err());
}
