use super::*;
use fovea_core::special::normal_quantile;

const SEEDS: usize = 20;
const PAIRS: usize = 300;

/// A calibration of many pairs with standard normal scores, those of the first changed by `wrong`.
fn made(salt: &str, wrong: impl Fn(f64) -> f64) -> Calibration {
    let stream = Streams::new(7).named(salt);
    let pair = |place: usize| {
        let mut block = stream.block(place as u64, 0);
        let mut draw = || {
            let uniform = (f64::from(block.next_u32()) + 0.5) / 4_294_967_296.0;
            let normal = normal_quantile(uniform);
            if place == 0 { wrong(normal) } else { normal }
        };
        let first: Vec<f64> = (0..SEEDS).map(|_| draw()).collect();
        let again = (0..AGAIN as usize * SEEDS).map(|_| draw()).collect();
        Pair { check: "x", ids: &["L000.5"], place, first, again }
    };
    Calibration { seeds: SEEDS as u64, pairs: (0..PAIRS).map(pair).collect() }
}

fn caught(salt: &str, wrong: impl Fn(f64) -> f64) -> Vec<usize> {
    made(salt, wrong).caught().iter().map(|pair| pair.place).collect()
}

#[test]
fn right_distances_raise_no_alarm() {
    // One of 30 calibrations would have to be the one in a thousand.
    for i in 0..30 {
        assert!(caught(&format!("right/{i}"), |score| score).is_empty(), "calibration {i}");
    }
}

#[test]
fn a_bias_and_a_wrong_error_bar_are_caught() {
    // The bias that the mean ratio of L000.9 once had, one standard error, and error bars twice and half as long as they should be.
    type Wrong = fn(f64) -> f64;
    let wrongs: [(&str, Wrong); 4] = [
        ("ratio", |score| score - 2.3),
        ("bias", |score| score + 1.0),
        ("long", |score| 0.5 * score),
        ("short", |score| 2.0 * score),
    ];
    for (name, wrong) in wrongs {
        assert_eq!(caught(name, wrong), [0], "{name}");
    }
    assert_eq!(caught("none", |_| f64::NAN), [0], "a distance that is no number");
}

#[test]
fn a_planted_bias_of_one_standard_error_is_found_in_nearly_every_pair() {
    let (found, of) = made("planted", |score| score).planted();
    assert!(of == 2 * PAIRS && found as f64 > 0.95 * of as f64, "{found} of {of}");
}

#[test]
fn the_histogram_counts_every_score() {
    let bars = made("bars", |score| score).histogram(12);
    let (counted, expected) = bars.iter().fold((0, 0.0), |(n, e), bar| (n + bar.1, e + bar.2));
    assert_eq!(counted, SEEDS * PAIRS);
    assert!((expected - (SEEDS * PAIRS) as f64).abs() < 1e-6);
    assert!(
        bars.iter().all(|(_, count, expected)| {
            (*count as f64 - expected).abs() < 5.0 * expected.sqrt()
        })
    );
}
