//! One pulse on the ring.

use super::{ClosedForm, Exact, SiteLaw, Wrong, control, read};
use fovea_core::params::{Assignments, ParamType, Schema};
use fovea_sim::stimulus::{self, single_pulse::SinglePulse};
use fovea_theory::pulse::{Levels, single::single};
use std::sync::Arc;

fn moments(values: &Assignments) -> Result<Exact, String> {
    let params: SinglePulse = read(values)?;
    let SinglePulse { n, min_length, max_length, complement, low, high } = params;
    let pulse = single(n, [min_length, max_length], Levels { complement, low, high });
    let mean = pulse.mean;
    let by_offset = |second: Vec<f64>, mean: f64| {
        move |i: usize, j: usize| second[(j + n - i) % n] - mean * mean
    };
    // The defaults of the form are not those of the stimulus: every argument is passed on.
    let open = control("pulse.single", &params.values()).and_then(|(what, value)| {
        let second = Vec::<f64>::read(value.get("second")?)?;
        Some(Wrong::new(what, by_offset(second, mean)))
    });
    let raw = (mean.abs() > 0.0).then(|| {
        let cov = by_offset(pulse.second.clone(), 0.0);
        Wrong::new("the second moment, with the mean not subtracted", cov)
    });
    Ok(Exact {
        shape: vec![n],
        mean: vec![mean; n],
        cov: Arc::new(by_offset(pulse.second, mean)),
        site: Arc::new(move |_| SiteLaw::two_levels(mean, low, high)),
        stationary: true,
        gaussian: false,
        given_positive: None,
        wrong: open.into_iter().chain(raw).collect(),
    })
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::single_pulse::ENTRY.name, moments };
