use super::measured;
use fovea_speed::Row;
use fovea_speed::scaling::rows;

fn row(name: &str) -> Row {
    rows().into_iter().find(|row| row.name == name).unwrap()
}

/// A step that takes `4^1.25` times as long on four times as many sites.
#[test]
fn a_row_says_the_exponent_of_its_time_beside_that_of_the_work() {
    let before = [measured("scaling-n-64", 1.0, 8.0)];
    let slower = measured("scaling-n-256", 1.0, 8.0 / libm::pow(4.0, 1.25));
    let relations = (row("scaling-n-256").relate)(&slower, &before);
    assert_eq!(relations.len(), 1);
    assert!((relations[0].value - 1.25).abs() < 1e-12);
    // 256 log 256 over 64 log 64 is 4 times 8/6.
    assert_eq!(relations[0].text, "time as n^1.25 from 64, work as n^1 to n^1.21");
    assert!((row("scaling-n-256").relate)(&slower, &[]).is_empty());
    assert!((row("scaling-n-64").relate)(&before[0], &[]).is_empty());
}

/// A step of all networks of a fleet is one piece of work.
#[test]
fn a_fleet_counts_the_steps_of_all_its_networks() {
    let before = [measured("scaling-networks-8", 8.0, 16.0)];
    let relations =
        (row("scaling-networks-32").relate)(&measured("scaling-networks-32", 32.0, 16.0), &before);
    assert_eq!(relations[0].text, "time as networks^1.00 from 8, work as networks^1");
}

#[test]
fn every_size_can_be_trained() {
    for row in rows() {
        (row.prepare)().unwrap()(1).unwrap();
    }
}
