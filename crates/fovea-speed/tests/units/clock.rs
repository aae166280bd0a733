use fovea_speed::clock::{Load, busy_of};

#[test]
fn busy_time_is_all_but_idle_and_waiting() {
    let text = "cpu  10 20 30 1000 500 1 2 3 4 5\ncpu0 10 20 30 1000 500 1 2 3 4 5\nintr 7 8\n";
    assert_eq!(busy_of(text, 2.0), [("cpu".to_owned(), 33.0), ("cpu0".to_owned(), 33.0)]);
    assert!(busy_of("", 100.0).is_empty());
}

#[test]
fn load_is_a_share() {
    let load = Load::start();
    assert!(load.foreign(0.0).is_none_or(|share| (0.0..=1.0).contains(&share)));
}
