//! Whether the requested records fit into memory: the budget of `fovea_record::memory`, in terms of experiments.

use fovea_core::ParamError;
use fovea_sim::Network;
use fovea_sim::probe::{Columns, Of, Probe};

pub use fovea_record::memory::{Readings, allowance, fits, holds, in_bytes};

/// Bytes of a number of a field at a record: as it was read, and as it is written together with the theory. Peaks of runs of
/// `localize` and `fields-2d` grow by 12 to 15 for each.
const NUMBER: f64 = 16.0;

/// Refuses settings whose records would not fit in memory.
///
/// # Errors
/// They do not fit.
pub fn check_records(
    steps: usize,
    record_every: usize,
    numbers_a_record: usize,
) -> Result<(), ParamError> {
    let (steps, record) = (steps as f64, NUMBER * numbers_a_record as f64);
    let records = steps / record_every as f64 + 2.0;
    let what = format!(
        "recording every {record_every} of {steps} steps, {:.1e} numbers in all,",
        records * numbers_a_record as f64
    );
    holds(records * record, &what, || {
        let spare = allowance() - 2.0 * record;
        if spare <= 0.0 {
            "choose a smaller n, or fewer gains or seeds: even two records do not fit".to_owned()
        } else {
            format!("choose `record_every` >= {:.0}", (steps * record / spare).ceil())
        }
    })
}

/// The readings that probes take of a network at a record; `classes` are those of its task.
pub fn readings(probes: &[&Probe], network: &Network, classes: usize) -> Vec<Readings> {
    let one = |probe: &&Probe| {
        let rows = match probe.of {
            Of::Unit => network.width(),
            Of::Output => network.outputs(),
            Of::Network => 1,
        };
        let (numbers, named) = match probe.columns {
            Columns::One => (1, 1),
            Columns::Named(names) => (names.len(), names.len()),
            Columns::Per("class") => (classes, 0),
            Columns::Per("output") => (network.outputs(), 0),
            Columns::Per("frequency") if network.shape().len() == 1 => {
                (network.inputs() / 2 + 1, 0)
            }
            Columns::Per(_) => (network.inputs(), 0),
        };
        Readings { rows, numbers, named }
    };
    probes.iter().map(one).collect()
}
