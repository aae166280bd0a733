//! What `--dry-run` rests on: a rehearsal hands back what the whole would.

use fovea_core::params::Assignments;
use fovea_desk::experiment::{Prepared, Size};
use fovea_desk::rehearsal::Rehearsal;
use fovea_desk::{Conditions, Silent};
use fovea_record::Outcome;
use std::sync::atomic::AtomicBool;

fn prepared(name: &str, given: &[(&str, usize)]) -> Box<dyn Prepared> {
    let given: Assignments = given.iter().map(|(k, v)| ((*k).to_owned(), (*v).into())).collect();
    let row = fovea_fields::ALL.iter().find(|row| row.name == name).unwrap();
    (row.prepare)(Size::Quick, &given).unwrap()
}

/// The outcome of a rehearsal has the shape of the whole: every reading and every array.
#[test]
fn a_rehearsal_has_the_shape_of_what_it_rehearses() {
    for (name, given) in [
        ("localize", &[("steps", 300), ("replicas", 3)][..]),
        ("ipr-vs-gain", &[("steps", 40), ("batch", 64)]),
    ] {
        let (prepared, stop) = (prepared(name, given), AtomicBool::new(false));
        let whole = prepared.run(&Conditions::new(3, &Silent, &stop)).unwrap();
        let rehearsal = Rehearsal::default();
        let conditions = Conditions::rehearsed(3, &rehearsal, &stop);
        let rehearsed = prepared.run(&conditions).unwrap();
        assert_eq!(rehearsed.series.step, whole.series.step, "{name}");
        assert_eq!(rehearsed.series.probe, whole.series.probe, "{name}");
        let shapes = |outcome: &Outcome| -> Vec<(String, Vec<usize>)> {
            outcome.arrays.iter().map(|array| (array.name.clone(), array.shape.clone())).collect()
        };
        assert_eq!(shapes(&rehearsed), shapes(&whole), "{name}");
        let found = rehearsal.found();
        assert!(found.seconds > 0.0 && found.trainings > 3, "{found:?}");
        assert_eq!(found.parts.0, found.parts.1, "{name}: what was announced was taken");
    }
}
