use fovea_fields::starting_loss::StartingLoss;
use fovea_fields::starting_loss::measure::{ACTS, Fields, Theory};

#[test]
fn the_expansion_is_exact_for_signs_and_close_for_gaussian_fields() {
    let theory = Theory::new(&StartingLoss::default()).unwrap();
    for act in ACTS {
        let loss = |fields: &Fields<f64>| theory.loss(act, 1, fields);
        let (low, high) = (theory.expanded(1e-6), theory.expanded(f64::INFINITY));
        assert!((loss(&high) - loss(&theory.signs)).abs() < 1e-12);
        let (step, error) =
            (loss(&theory.signs) - loss(&theory.gaussian), loss(&low) - loss(&theory.gaussian));
        assert!(error.abs() < 0.1 * step.abs(), "{act:?}: {error} of {step}");
    }
}
