//! Power of each field by frequency.

use super::{Change, Columns, Probe, per_unit};
use fovea_core::fourier::power_by_frequency;

/// Power at frequencies `0..=n/2` along the last axis, added up over the lines of a torus.
pub(super) fn spectrum(w: &[f64], side: usize) -> Vec<f64> {
    let mut power = vec![0.0; side / 2 + 1];
    for line in w.chunks(side) {
        for (total, part) in power.iter_mut().zip(power_by_frequency(line)) {
            *total += part;
        }
    }
    power
}

/// The registry entry.
pub const ENTRY: Probe = Probe {
    columns: Columns::Per("frequency"),
    unmoved_by: &[Change::Sign, Change::OwnShift],
    ..Probe::of_units(
        "spectrum",
        "power of each unit's field at frequencies 0..n/2 (on a torus, along its last axis); sums to |w|^2",
        |view| {
            let side = *view.network.shape().last().unwrap_or(&1);
            per_unit(view, |w| spectrum(w, side))
        },
    )
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_along_the_last_axis_has_its_frequency_and_all_the_power() {
        let wave = |i: usize| libm::cos(std::f64::consts::TAU * 2.0 * (i % 6) as f64 / 6.0);
        let w: Vec<f64> = (0..24).map(wave).collect();
        let power = spectrum(&w, 6);
        let total: f64 = w.iter().map(|w| w * w).sum();
        assert!((power[2] - total).abs() < 1e-12 && power[1].abs() < 1e-12, "{power:?}");
    }
}
