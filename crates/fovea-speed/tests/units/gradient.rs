use fovea_speed::gradient::rows;

#[test]
fn every_other_estimator_stands_behind_plain_draws() {
    let names: Vec<String> = rows().into_iter().map(|row| row.name).collect();
    assert_eq!(names.len(), 12);
    for case in names.chunks(3) {
        assert!(case[0].ends_with("-iid") && case[2].ends_with("-orbit"), "{case:?}");
    }
}
