//! The results of a training run: arrays, times and a few lines of summary.

use fovea_page::table::Table;
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

/// A reading of all units together or of one of them, at the start and at the end.
struct Ends {
    reading: String,
    of: &'static str,
    rows: &'static str,
    values: [f64; 2],
}

/// First and last value of every reading that has a name of its own: of the lowest and the highest unit, where it is one per unit.
pub(super) fn table(task: &Task, plan: &Plan<'_>, run: &Run) -> Option<Table> {
    let (first, last) = (run.records.first()?, run.records.last()?);
    let mut all = Vec::new();
    for (index, probe) in plan.probes.iter().enumerate() {
        let both = [&first.readings[index], &last.readings[index]];
        let rows = probe.needs.word(task).unwrap_or_default();
        let names = both[0].first().map(|row| probe.named(row).map(|(name, _)| name).collect());
        for (column, name) in names.unwrap_or_else(Vec::new).into_iter().enumerate() {
            let ends = |least: f64, better: fn(f64, f64) -> f64| {
                both.map(|units| units.iter().map(|row| row[column]).fold(least, better))
            };
            let (low, high) = (ends(f64::INFINITY, f64::min), ends(f64::NEG_INFINITY, f64::max));
            if both[0].len() == 1 {
                all.push(Ends { reading: name, of: "", rows, values: low });
            } else {
                all.push(Ends { reading: name.clone(), of: "lowest", rows, values: low });
                all.push(Ends { reading: name, of: "highest", rows, values: high });
            }
        }
    }
    let mut table = Table::of("readings", &all).words("reading", |row| row.reading.clone());
    if all.iter().any(|row| !row.of.is_empty()) {
        table = table.words("unit", |row| row.of);
    }
    if all.iter().any(|row| !row.rows.is_empty()) {
        table = table.words("measured_on", |row| row.rows);
    }
    let table = table.digits("start", 5, |row| row.values[0]).digits("end", 5, |row| row.values[1]);
    Some(table.caption(format!(
        "Readings at step 0 and at step {}; where there is one per unit, those of the lowest and of the highest unit.",
        last.step
    )))
}

/// A warning about the loss, where it ends above its start.
pub(super) fn summary(plan: &Plan<'_>, run: &Run) -> Option<String> {
    let (first, last) = (run.records.first()?, run.records.last()?);
    let index = plan.probes.iter().position(|probe| probe.name == probe::loss::ENTRY.name)?;
    let [before, after] = [first, last].map(|record| record.readings[index][0][0]);
    (after > before).then(|| "the loss grew: it ends above its start".to_owned())
}
