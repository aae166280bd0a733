//! Pulses of one length that tile a ring.

use super::{ClosedForm, Exact, SiteLaw, Wrong, control, read, small_enough};
use fovea_core::Value;
use fovea_core::params::{Assignments, ParamType};
use fovea_sim::stimulus::{self, block_pulse::BlockPulse};
use fovea_theory::pulse::{Levels, block::block};
use std::sync::Arc;

fn moments(values: &Assignments) -> Result<Exact, String> {
    let BlockPulse { n, length, low, high } = read(values)?;
    small_enough(n)?;
    let pulse = block(n, length, Levels { complement: 0.0, low, high });
    let given = vec![
        ("n".to_owned(), Value::Int(n as i64)),
        ("length".to_owned(), Value::Int(length as i64)),
        ("low".to_owned(), Value::Real(low)),
        ("high".to_owned(), Value::Real(high)),
    ];
    // Only where sites are left over does the form's own wrong form differ.
    let uneven = n % length > 0;
    let filled = control("pulse.block", &given).filter(|_| uneven).and_then(|(what, value)| {
        let mean = Vec::<f64>::read(value.get("mean")?)?;
        let second = Vec::<Vec<f64>>::read(value.get("second")?)?;
        Some(Wrong::new(what, move |i, j| second[i][j] - mean[i] * mean[j]))
    });
    let (mean, second) = (Arc::new(pulse.mean), Arc::new(pulse.second));
    let raw = Wrong::new("the second moment, with the mean not subtracted", {
        let second = Arc::clone(&second);
        move |i, j| second[i][j]
    });
    let (means, at) = (mean.to_vec(), Arc::clone(&mean));
    Ok(Exact {
        shape: vec![n],
        cov: Arc::new(move |i, j| second[i][j] - mean[i] * mean[j]),
        mean: means,
        site: Arc::new(move |i| SiteLaw::two_levels(at[i], low, high)),
        stationary: false,
        gaussian: false,
        given_positive: None,
        wrong: filled.into_iter().chain([raw]).collect(),
    })
}

/// The registry row.
pub const ENTRY: ClosedForm = ClosedForm { name: stimulus::block_pulse::ENTRY.name, moments };
