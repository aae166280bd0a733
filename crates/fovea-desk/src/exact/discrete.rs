//! Stimuli whose sites take a few values: spins, pulses, the rows of an array.

use super::{Exact, SiteLaw, Wrong, control, read, small_enough};
use fovea_core::Value;
use fovea_core::params::{Assignments, ParamType, Schema};
use fovea_core::ring::distance;
use fovea_sim::stimulus::array::Array;
use fovea_sim::stimulus::block_pulse::BlockPulse;
use fovea_sim::stimulus::ising::Ising;
use fovea_sim::stimulus::single_pulse::SinglePulse;
use fovea_theory::ising::cov::cov as ising_cov;
use fovea_theory::pulse::{Levels, block::block, single::single};
use std::sync::Arc;

pub(super) fn ising(values: &Assignments) -> Result<Exact, String> {
    let params: Ising = read(values)?;
    let Ising { n, coupling } = params;
    let by_distance = |row: Vec<f64>| move |i, j| row[distance(i, j, n)];
    let open = control("ising.cov", &params.values())
        .and_then(|(what, row)| Some(Wrong::new(what, by_distance(Vec::<f64>::read(&row)?))));
    let twice =
        Wrong::new("every bond counted twice, tanh 2J", by_distance(ising_cov(n, 2.0 * coupling)));
    Ok(Exact {
        shape: vec![n],
        mean: vec![0.0; n],
        cov: Arc::new(by_distance(ising_cov(n, coupling))),
        site: Arc::new(|_| SiteLaw::Atoms(vec![(-1.0, 0.5), (1.0, 0.5)])),
        stationary: true,
        gaussian: false,
        wrong: open.into_iter().chain([twice]).collect(),
    })
}

/// The law of a site that is `high` with the probability its mean asks for.
fn two_levels(mean: f64, low: f64, high: f64) -> SiteLaw {
    let on = (mean - low) / (high - low);
    SiteLaw::Atoms(vec![(low, 1.0 - on), (high, on)])
}

pub(super) fn single_pulse(values: &Assignments) -> Result<Exact, String> {
    let params: SinglePulse = read(values)?;
    let SinglePulse { n, min_length, max_length, complement, low, high } = params;
    let pulse = single(n, [min_length, max_length], Levels { complement, low, high });
    let mean = pulse.mean;
    let by_offset = |second: Vec<f64>, mean: f64| {
        move |i: usize, j: usize| second[(j + n - i) % n] - mean * mean
    };
    // The defaults of the form are not those of the stimulus: every argument is handed over.
    let open = control("pulse.single", &params.values()).and_then(|(what, value)| {
        let second = Vec::<f64>::read(value.get("second")?)?;
        Some(Wrong::new(what, by_offset(second, mean)))
    });
    let raw = (mean.abs() > 0.0).then(|| {
        let cov = by_offset(pulse.second.clone(), 0.0);
        Wrong::new("the second moment, the mean left in", cov)
    });
    Ok(Exact {
        shape: vec![n],
        mean: vec![mean; n],
        cov: Arc::new(by_offset(pulse.second, mean)),
        site: Arc::new(move |_| two_levels(mean, low, high)),
        stationary: true,
        gaussian: false,
        wrong: open.into_iter().chain(raw).collect(),
    })
}

pub(super) fn block_pulse(values: &Assignments) -> Result<Exact, String> {
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
    let raw = Wrong::new("the second moment, the mean left in", {
        let second = Arc::clone(&second);
        move |i, j| second[i][j]
    });
    let (means, at) = (mean.to_vec(), Arc::clone(&mean));
    Ok(Exact {
        shape: vec![n],
        cov: Arc::new(move |i, j| second[i][j] - mean[i] * mean[j]),
        mean: means,
        site: Arc::new(move |i| two_levels(at[i], low, high)),
        stationary: false,
        gaussian: false,
        wrong: filled.into_iter().chain([raw]).collect(),
    })
}

/// The array's own moments, column by column: the rows are the whole law.
pub(super) fn array(values: &Assignments) -> Result<Exact, String> {
    let Array { samples } = read(values)?;
    let (rows, n) = (samples.rows(), samples.cols());
    small_enough(n)?;
    let average = move |f: &dyn Fn(usize) -> f64| (0..rows).map(f).sum::<f64>() / rows as f64;
    let mean: Vec<f64> = (0..n).map(|j| average(&|r| samples.row(r)[j])).collect();
    let cov = {
        let (samples, mean) = (samples.clone(), mean.clone());
        move |i: usize, j: usize| {
            average(&|r| (samples.row(r)[i] - mean[i]) * (samples.row(r)[j] - mean[j]))
        }
    };
    let cov = Arc::new(cov);
    let estimated = {
        let (cov, factor) = (Arc::clone(&cov), rows as f64 / (rows as f64 - 1.0));
        Wrong::new("the estimate from a sample, over one row less", move |i, j| factor * cov(i, j))
    };
    let column = move |j: usize| {
        let mut entries: Vec<f64> = (0..rows).map(|r| samples.row(r)[j]).collect();
        entries.sort_by(f64::total_cmp);
        let share = |level: &[f64]| (level[0], level.len() as f64 / rows as f64);
        SiteLaw::Atoms(entries.chunk_by(|a, b| a.total_cmp(b).is_eq()).map(share).collect())
    };
    Ok(Exact {
        shape: vec![n],
        mean,
        cov,
        site: Arc::new(column),
        stationary: false,
        gaussian: false,
        wrong: if rows > 1 { vec![estimated] } else { Vec::new() },
    })
}
