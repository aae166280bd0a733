use fovea_core::fourier::power_by_frequency;
use fovea_core::streams::Streams;
use fovea_fields::gabor_or_not::measure::scrambled;

#[test]
fn scrambling_keeps_the_power_and_moves_the_field() {
    for n in [9, 10] {
        let w: Vec<f64> = (0..n).map(|i| 1.0 / (1.0 + f64::from(i * i))).collect();
        let moved = scrambled(&w, &Streams::new(3), 0);
        for (a, b) in power_by_frequency(&w).iter().zip(power_by_frequency(&moved)) {
            assert!((a - b).abs() < 1e-14);
        }
        assert!(w.iter().zip(&moved).any(|(a, b)| (a - b).abs() > 0.1));
    }
}
