//! What was measured as a table for readers and as JSON.

use super::measure::{Machine, Measurements};
use super::row::{Cores, Measured};
use fovea_desk::prelude::Table;
use serde_json::{Map, Value, json};

/// Above this share of the machine other programs are named: wall times no longer hold.
pub(super) const BUSY: f64 = 0.05;

/// Significant digits of a rate.
pub(super) const DIGITS: usize = 4;

/// Significant digits of a share in percent.
pub(super) const SHARE: usize = 2;

/// What a reader is shown.
pub struct Told {
    /// What was measured on, and how.
    pub head: Vec<String>,
    /// The numbers.
    pub tables: Vec<Table>,
    /// What to know of them.
    pub remarks: Vec<String>,
}

/// A share in percent; NaN where it is not known.
pub(super) fn percent(share: Option<f64>) -> f64 {
    share.map_or(f64::NAN, |share| 100.0 * share)
}

/// What was measured on, in a line.
pub(super) fn machine_line(machine: &Machine) -> String {
    let Machine { cpu, cores, level, .. } = machine;
    let clock = match (machine.cpu_time, machine.core) {
        (true, Some(core)) => format!("CPU time on core {core}"),
        (true, None) => "CPU time, not pinned".to_owned(),
        (false, _) => "wall time, not pinned".to_owned(),
    };
    let debug =
        if cfg!(debug_assertions) { "; a debug build, far slower than --release" } else { "" };
    format!(
        "{cpu}, {cores} cores, {level}; one-core rows by {clock}, the others by wall time{debug}"
    )
}

/// The machine, a table with one row per piece of work, and what disturbed it.
pub fn told(measured: &Measurements) -> Told {
    let load =
        |row: &Measured| row.load.filter(|load| *load > BUSY).map(|load| (row.name.clone(), load));
    Told {
        head: vec![machine_line(&measured.machine)],
        tables: vec![speeds(measured)],
        remarks: disturbed(measured.rows.iter().filter_map(load)).into_iter().collect(),
    }
}

fn speeds(measured: &Measurements) -> Table {
    let machine = &measured.machine;
    let clock = |row: &Measured| match row.cores {
        Cores::One if machine.cpu_time => "cpu",
        Cores::One | Cores::All => "wall",
    };
    let cores = |row: &Measured| if row.cores == Cores::One { 1 } else { machine.cores };
    let what = |row: &Measured| {
        let path = row.path.map(|path| format!("{} code", path.word()));
        let relations = row.relations.iter().map(|relation| relation.text.clone());
        let parts = std::iter::once(row.about.clone()).chain(path).chain(relations);
        parts.collect::<Vec<_>>().join("; ")
    };
    Table::of("speeds", &measured.rows)
        .words("row", |row| row.name.clone())
        .digits("best", DIGITS, |row| row.rate.best)
        .digits("median", DIGITS, |row| row.rate.median)
        .digits("spread", SHARE, |row| percent(Some(row.rate.relative_spread())))
        .unit("%")
        .words("unit", |row| row.unit)
        .words("clock", clock)
        .whole("cores", cores)
        .digits("load", SHARE, |row| percent(row.load))
        .unit("%")
        .words("what", what)
        .caption(
            "Rates over repeats: the best, the median, and the spread between the quartiles as a share of the median; load is \
             the share of all cores that other programs used meanwhile.",
        )
}

/// A warning that names what was measured while other programs were busy.
pub fn disturbed(busy: impl Iterator<Item = (String, f64)>) -> Option<String> {
    /// More names than these are counted.
    const NAMED: usize = 6;
    let busy: Vec<(String, f64)> = busy.collect();
    let percent = |load: f64| format!("{:.0} %", 100.0 * load);
    let when = match &busy[..] {
        [] => return None,
        few if few.len() <= NAMED => {
            let each = few.iter().map(|(name, load)| format!("{name} ({})", percent(*load)));
            each.collect::<Vec<_>>().join(", ")
        }
        many => {
            let most = many.iter().map(|(_, load)| *load).fold(0.0, f64::max);
            format!("{} rows (up to {})", many.len(), percent(most))
        }
    };
    Some(format!(
        "other programs used more than {} of the machine during {when}: CPU time is still right, but caches and clock speed \
         are shared, and wall time is too long",
        percent(BUSY)
    ))
}

/// What the machine is, for JSON.
pub(super) fn machine_json(machine: &Machine) -> Value {
    json!({
        "cpu": machine.cpu,
        "cores": machine.cores,
        "pinned_to": machine.core,
        "instructions": machine.level,
        "one_core_clock": if machine.cpu_time { "cpu" } else { "wall" },
        "version": env!("CARGO_PKG_VERSION"),
        "build": if cfg!(debug_assertions) { "debug" } else { "release" },
    })
}

/// All that was measured as one document.
pub fn to_json(measured: &Measurements) -> Value {
    let row = |row: &Measured| {
        let relations: Map<String, Value> = row
            .relations
            .iter()
            .map(|relation| (relation.key.to_owned(), relation.value.into()))
            .collect();
        let one = row.cores == Cores::One;
        json!({
            "name": row.name,
            "about": row.about,
            "unit": row.unit,
            "best": row.rate.best,
            "median": row.rate.median,
            "spread": row.rate.spread,
            "repeats": row.rate.repeats,
            "cores": if one { 1 } else { measured.machine.cores },
            "clock": if one && measured.machine.cpu_time { "cpu" } else { "wall" },
            "path": row.path.map(super::Path::word),
            "foreign_load": row.load,
            "relations": relations,
        })
    };
    json!({ "machine": machine_json(&measured.machine), "rows": measured.rows.iter().map(row).collect::<Vec<_>>() })
}
