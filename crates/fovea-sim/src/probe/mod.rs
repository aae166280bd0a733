//! Probes: pure measurements of a network during training, one a file.

use crate::network::Committee;
use fovea_core::registry;

/// What a probe may look at.
pub struct View<'a> {
    /// The network at this step.
    pub network: &'a Committee,
    /// Its loss on a held-out set that is the same at every record.
    pub loss: f64,
}

/// A registered probe; a reading is one row of numbers a unit, or a single row for the whole network.
pub struct Probe {
    /// The name in records and the shells.
    pub name: &'static str,
    /// One sentence with the formula.
    pub summary: &'static str,
    /// Takes the reading.
    pub observe: fn(&View<'_>) -> Vec<Vec<f64>>,
}

registry! { "src/probe": Probe; ipr, loss, norm, spectrum, weights }

/// Applies a measurement of one weight vector to every unit.
fn per_unit(view: &View<'_>, measure: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
    view.network.weights().chunks(view.network.inputs()).map(measure).collect()
}

#[cfg(test)]
mod laws {
    use super::*;
    use crate::network::Bias;
    use fovea_core::activation;

    fn read(probe: &Probe, w: Vec<f64>) -> Vec<Vec<f64>> {
        let network = Committee::new(w.len(), 1, &activation::relu::ENTRY, Bias::None);
        let network = network.with(w, vec![0.0]).unwrap();
        (probe.observe)(&View { network: &network, loss: 0.25 })
    }

    /// IPR, norm and spectrum do not see where on the ring a field sits, nor its sign; the weights do.
    #[test]
    fn readings_are_invariant_under_shift_and_sign() {
        let w = vec![0.3, -1.0, 0.2, 0.0, 0.5, 0.7];
        let mut moved: Vec<f64> = w.iter().map(|w| -w).collect();
        moved.rotate_right(2);
        for probe in [&ipr::ENTRY, &norm::ENTRY, &spectrum::ENTRY] {
            for (a, b) in
                read(probe, w.clone()).concat().iter().zip(read(probe, moved.clone()).concat())
            {
                assert!((a - b).abs() < 1e-14, "{}", probe.name);
            }
        }
        assert_ne!(read(&weights::ENTRY, w), read(&weights::ENTRY, moved));
    }
}
