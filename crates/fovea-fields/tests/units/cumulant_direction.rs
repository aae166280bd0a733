use fovea_core::ring::Kernel;
use fovea_core::streams::Streams;
use fovea_fields::cumulant_direction::measure::{contract, sampled};
use fovea_sim::sample::Sample;
use fovea_sim::stimulus::nlgp::Nlgp;

#[test]
fn independent_signs_lead_to_one_site_with_cumulant_minus_two() {
    let signs = Nlgp::on_ring(6, 0.1, f64::INFINITY, Kernel::Ring).sampler().unwrap();
    let stream = Streams::new(1).named("tensor");
    let sample = Sample::draw(&signs, &stream, 2000);
    let e = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    assert!((contract(&sample, &e, None)[0] + 2.0).abs() < 1e-12);
    let found = sampled(&signs, &stream, 2000, &e).unwrap();
    assert!(found.ipr.mean() > 0.98 && found.v[0] > 0.99, "{:?}", found.v);
}
