//! What a training run leaves behind: arrays, times and a few lines for a person.

use fovea_record::outcome::Array;
use fovea_sim::network::Part;
use fovea_sim::probe;
use fovea_sim::train::Record;
use fovea_sim::{Dynamics, Network, Plan, Run, Task};

/// The readings of one probe over time, `[record][unit][number]`.
pub(super) fn over_time(name: String, probe: usize, records: &[Record]) -> Array {
    let of = |record: &Record| record.readings[probe].clone();
    let first = records.first().map(of).unwrap_or_default();
    let shape = vec![records.len(), first.len(), first.first().map_or(0, Vec::len)];
    Array { name, shape, data: records.iter().flat_map(|record| of(record).concat()).collect() }
}

/// Every block of a network's parameters.
pub(super) fn parameters(network: &Network) -> Vec<Array> {
    let part = |part: &Part| Array {
        name: part.role.name().to_owned(),
        shape: vec![part.rows, part.cols],
        data: network.theta()[part.at.clone()].to_vec(),
    };
    network.parts().iter().map(part).collect()
}

/// Final parameters, the steps of the records, and every reading of more than one number over time.
pub(super) fn arrays(plan: &Plan<'_>, run: &Run) -> Vec<Array> {
    let mut arrays = parameters(&run.network);
    let steps: Vec<f64> = run.records.iter().map(|record| record.step as f64).collect();
    arrays.push(Array::of_entries("record_steps", &steps));
    for (index, probe) in plan.probes.iter().enumerate() {
        let array =
            over_time(format!("{}_over_time", probe.name.replace('-', "_")), index, &run.records);
        if array.shape[2] > 1 {
            arrays.push(array);
        }
    }
    arrays
}

/// The time of every record: the learning rates of all steps before it, added up.
pub(super) fn times(dynamics: &dyn Dynamics, plan: &Plan<'_>, run: &Run) -> Vec<f64> {
    let rate = dynamics.pace().rate();
    let (mut time, mut step) = (0.0, 0);
    let mut at = |record: &Record| {
        while step < record.step {
            time += rate.at(step, plan.steps);
            step += 1;
        }
        time
    };
    run.records.iter().map(&mut at).collect()
}

/// First and last value of every reading that has a name of its own, over the units.
pub(super) fn summary(task: &Task, plan: &Plan<'_>, run: &Run) -> Vec<String> {
    let (Some(first), Some(last)) = (run.records.first(), run.records.last()) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for (index, probe) in plan.probes.iter().enumerate() {
        let (before, after) = (&first.readings[index], &last.readings[index]);
        let of = probe.needs.word(task).map_or(String::new(), |word| format!(" ({word})"));
        let names = before.first().map(|row| probe.named(row).map(|(name, _)| name).collect());
        for (column, name) in names.unwrap_or_else(Vec::new).iter().enumerate() {
            let [before, after] = [before, after].map(|rows| in_words(rows, column));
            lines.push(format!("{name:<18} {before} at step 0, {after} at step {}{of}", last.step));
        }
        if probe.name == probe::loss::ENTRY.name {
            lines.extend(grown(before[0][0], after[0][0]).map(|line| line + &of));
        }
    }
    lines
}

/// A loss that ends above where it began, in words: a run may take all its steps and lead nowhere.
fn grown(first: f64, last: f64) -> Option<String> {
    let times = if first > 0.0 {
        format!("{} times as large as at step 0", number(last / first))
    } else {
        "and was 0 at step 0".to_owned()
    };
    (last > first).then(|| format!("the loss grew: it is {} at the end, {times}", number(last)))
}

/// One number, or the range over the units.
fn in_words(units: &[Vec<f64>], column: usize) -> String {
    let numbers = || units.iter().map(|row| row[column]);
    let low = numbers().fold(f64::INFINITY, f64::min);
    let high = numbers().fold(f64::NEG_INFINITY, f64::max);
    if units.len() == 1 { number(low) } else { format!("{} to {}", number(low), number(high)) }
}

/// A number with five digits, whatever its size.
fn number(x: f64) -> String {
    let plain = x == 0.0 || (1e-3..1e5).contains(&x.abs());
    if plain { format!("{x:.5}") } else { format!("{x:.4e}") }
}
