use fovea_speed::step::Trainer;
use fovea_speed::workload::{self};
use std::sync::Arc;

/// Two stretches are one run: what is timed is what `fovea train` does.
#[test]
fn a_run_in_stretches_is_the_run_in_one() {
    let workload = workload::ALL[2];
    let task = Arc::new(workload.task().unwrap());
    let trained = |stretches: &[u64]| {
        let mut trainer = Trainer::new(&workload, Arc::clone(&task), 3).unwrap();
        for steps in stretches {
            trainer.advance(*steps).unwrap();
        }
        trainer.network
    };
    assert_eq!(trained(&[2, 3]).theta(), trained(&[5]).theta());
    assert_ne!(trained(&[5]).theta(), trained(&[4]).theta());
}

#[test]
fn the_loss_falls() {
    let workload = workload::ALL[2];
    let mut trainer = Trainer::new(&workload, Arc::new(workload.task().unwrap()), 0).unwrap();
    let before = trainer.loss(4000);
    trainer.advance(60).unwrap();
    // The held-out set is the same both times.
    assert!(trainer.loss(4000) < before);
}
