use fovea_fields::uncertainty_in_time::PROBES;
use fovea_fields::uncertainty_in_time::measure::{HALF_NORMAL_MEDIAN, Heights, MEASURES, share};
use fovea_sim::probe::Columns;
use std::f64::consts::FRAC_1_SQRT_2;

/// Two fields of four streams with noise of 0.1 around their paths; the second is far above the first.
fn heights(path: [f64; 3]) -> Heights {
    let field = |offset: f64| -> Vec<Vec<f64>> {
        let stream = |noise: [f64; 3]| (0..3).map(|t| offset + path[t] + 0.1 * noise[t]).collect();
        [[0.0, 1.0, -1.0], [0.0, -1.0, 1.0], [0.0, 0.5, 0.3], [0.0, -0.5, -0.3]]
            .map(stream)
            .to_vec()
    };
    Heights(vec![field(0.0), field(50.0)])
}

#[test]
fn noise_is_the_spread_between_streams_alone() {
    let typical = heights([3.0, 2.0, 2.5]).typical([0, 1]).unwrap();
    // Gaps of the first record's noise: 2, 1.5, 1.5, 1, 0.5, 0.5 tenths, twice over; the median is 1.25.
    assert!((typical - 0.125 * FRAC_1_SQRT_2 / HALF_NORMAL_MEDIAN).abs() < 1e-12);
    assert!(share(&[0.0; 10]).unwrap().se() > 0.05);
}

#[test]
fn a_rise_within_the_noise_is_none_and_one_beyond_it_is() {
    let z = |path: [f64; 3]| {
        let heights = heights(path);
        let [rise, error] = heights.change(1, [1, 2], heights.typical([1, 2]).unwrap()).unwrap();
        rise / error
    };
    assert!(z([3.0, 2.0, 2.05]) < 1.0 && z([3.0, 2.0, 3.5]) > 12.0 && z([3.0, 2.0, 1.0]) < -8.0);
}

#[test]
fn the_measures_are_the_first_columns_of_the_probe() {
    let Columns::Named(columns) = PROBES[0].columns else { panic!("columns have names") };
    for (measure, column) in MEASURES.iter().zip(columns) {
        assert_eq!(measure.name, *column);
    }
}
