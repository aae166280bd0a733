use fovea_desk::prelude::Experiment;
use fovea_fields::dictator::{Dictator, EVALUATION, Place, WAYS, direction};

#[test]
fn every_run_has_streams_of_its_own() {
    let settings = Dictator::quick();
    let mut streams: Vec<u64> = settings.places().iter().map(Place::stream).collect();
    let count = streams.len();
    streams.sort_unstable();
    streams.dedup();
    assert_eq!(streams.len(), count);
    assert!(*streams.last().unwrap() < EVALUATION);
}

#[test]
fn ways_out_have_unit_length() {
    for kind in WAYS {
        let way = direction(kind, &[3.0, -4.0, 0.0, 1.0]);
        assert!((way.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-15);
    }
}
