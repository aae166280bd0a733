use fovea_core::fourier::to_fourier;
use fovea_core::ring::Kernel;
use fovea_core::streams::Streams;
use fovea_desk::cell::peak;
use fovea_desk::two_class::TwoClass;
use fovea_fields::where_it_lands::measure::{Followed, image, teacher_over_decay};
use fovea_theory::GaussianFlow;

fn flow() -> GaussianFlow {
    let two = TwoClass { n: 40, xi_pos: 2.0, xi_neg: 1.0, kernel: Kernel::Ring };
    two.matched_gaussian_flow(3.0).unwrap()
}

#[test]
fn the_teacher_balances_the_decay_at_rest_and_at_the_handover() {
    let mut start = vec![0.0; 40];
    Streams::new(5).named("init").normals(0, &mut start);
    for w in &mut start {
        *w *= (2.0_f64 / 41.0).sqrt();
    }
    let flow = flow();
    let followed = Followed::new(&flow, &start, &[0.0, 1.0, 30.0]);
    assert!(followed.time > 0.5 && followed.time < 30.0, "{}", followed.time);
    let there = flow.solve(&start, followed.time).unwrap();
    assert!((teacher_over_decay(&flow, &to_fourier(&there)) - 1.0).abs() < 0.05);
    let rest = flow.solve(&start, 3000.0).unwrap();
    assert!((teacher_over_decay(&flow, &to_fourier(&rest)) - 1.0).abs() < 1e-4);
    assert_eq!((followed.sites.len(), followed.sites[0]), (3, peak(&start)));
}

#[test]
fn images_are_what_the_matrices_make() {
    let flow = flow();
    let w: Vec<f64> = (0..40).map(|i| f64::from(i * i % 11) - 5.0).collect();
    let sum = GaussianFlow {
        eigs_pos: flow.eigs_pos.iter().zip(&flow.eigs_neg).map(|(p, n)| p + n).collect(),
        ..flow.clone()
    };
    let back = image(&sum, &image(&flow, &w, true), false);
    for (a, b) in back.iter().zip(image(&flow, &w, false)) {
        assert!((a - b).abs() < 1e-11);
    }
}
