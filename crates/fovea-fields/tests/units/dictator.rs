use fovea_desk::experiment::Experiment;
use fovea_fields::dictator::jobs::{EVALUATION, Job, WAYS, direction, jobs};
use fovea_fields::dictator::{Dictator, Pair};

#[test]
fn every_run_has_streams_of_its_own() {
    let settings = Dictator::quick();
    let pairs: Vec<Pair> =
        (0..2).map(|pair| Pair::new(settings.two_class(pair)).unwrap()).collect();
    let mut streams: Vec<u64> = jobs(&settings, &pairs).iter().map(Job::stream).collect();
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
