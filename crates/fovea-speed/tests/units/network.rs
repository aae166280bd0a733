use super::measured;
use fovea_core::lanes::BLOCK;
use fovea_core::streams::Streams;
use fovea_sim::Stimulus;
use fovea_speed::network::{Kept, network};
use fovea_speed::workload::{self};

#[test]
fn kept_blocks_are_those_of_the_stimulus_in_turn() {
    let task = workload::ALL[2].task().unwrap();
    let kept = Kept::new(task.classes()[0].stimulus.as_ref());
    let mut rng = Streams::new(9).named("unused").block(0, 0);
    let mut block = vec![[0.0; BLOCK]; 40];
    for index in [0, 1, 2, 3, 4, 5, 6, 7, 0] {
        block.fill([0.0; BLOCK]);
        for _ in 0..2 {
            kept.fill_single(&mut rng, &mut Vec::new(), &mut block);
            assert_eq!(block, kept.blocks[index], "once in place it stays");
        }
    }
    assert_ne!(kept.blocks[0], kept.blocks[1]);
}

/// Seconds of step, draw and network and the peak's rate give the two numbers that the row adds.
#[test]
fn the_network_is_set_beside_the_peak_and_the_whole_step() {
    let before = [
        measured("peak-f32", 1.0, 100.0),
        measured("step-b", 1.0, 0.1),
        measured("draw-b", 2.0, 0.5),
    ];
    let row = network(workload::ALL[1]);
    let relations = (row.relate)(&measured("network-b", 300.0, 50.0), &before);
    let numbers: Vec<_> = relations.iter().map(|r| (r.key, r.value)).collect();
    assert_eq!(numbers, [("share_of_peak", 0.5), ("step_over_parts", 1.0)]);
    assert!((row.relate)(&measured("network-b", 300.0, 50.0), &[]).is_empty());
}
