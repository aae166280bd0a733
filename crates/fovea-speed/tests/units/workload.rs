use fovea_core::streams::Streams;
use fovea_speed::workload::{ALL, Data};

#[test]
fn every_workload_builds_and_has_its_size() {
    for workload in ALL {
        let (task, network) =
            (workload.task().unwrap(), workload.network(&Streams::new(0)).unwrap());
        assert_eq!(
            (task.dim(), network.hidden()),
            (workload.n, workload.width),
            "{}",
            workload.name
        );
        assert_eq!(
            task.counts(&Streams::new(0), "train", 0, workload.batch),
            [workload.batch / 2; 2]
        );
    }
}

/// Pulses of a twentieth to a tenth of the ring against a fifth to a quarter, the shorter end left out.
#[test]
fn pulses_have_the_lengths_of_the_workload() {
    let Data::Pulse { pos, neg } = ALL[6].data else { panic!("{:?}", ALL[6]) };
    let n = ALL[6].n;
    assert_eq!((neg, pos), ([n / 20 + 1, n / 10], [n / 5 + 1, n / 4]));
}
