use fovea_core::lanes::BLOCK;
use fovea_core::ring::Kernel;
use fovea_core::streams::Streams;
use fovea_fields::loss_label_bias::mirror::Mirrored;
use fovea_sim::stimulus::Draw;
use fovea_sim::stimulus::nlgp::Nlgp;

#[test]
fn the_second_half_of_a_block_mirrors_the_first() {
    let stimulus = Mirrored(Nlgp::on_ring(6, 1.0, 3.0, Kernel::Ring).sampler().unwrap());
    let mut block = vec![[0.0_f64; BLOCK]; 6];
    let rng = &mut Streams::new(1).named("train/data").block(0, 0);
    stimulus.draw(rng, &mut Vec::new(), &mut block);
    for row in &block {
        for s in 0..BLOCK / 2 {
            assert!(row[s].abs() > 0.0 && (row[s] + row[s + BLOCK / 2]).abs() < 1e-300);
        }
    }
}
