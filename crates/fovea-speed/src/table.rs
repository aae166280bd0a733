//! The table as lines of text and as JSON.

use super::measure::{Machine, Table};
use super::row::{Cores, Measured};
use fovea_record::present::aligned;
use serde_json::{Map, Value, json};

/// Above this share of the machine other programs are named: wall times no longer hold.
pub(super) const BUSY: f64 = 0.05;

/// Four digits, no exponent.
pub fn digits(x: f64) -> String {
    let places = match x.abs() {
        x if x >= 1000.0 => 0,
        x if x >= 100.0 => 1,
        x if x >= 10.0 => 2,
        _ => 3,
    };
    format!("{x:.places$}")
}

/// A share in percent, with a dash where it is not known.
pub fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1}", 100.0 * share))
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

/// The table in lines: the machine, a row each, and what disturbed it.
pub fn lines(table: &Table) -> Vec<String> {
    let head = ["row", "best", "median", "spread %", "unit", "clock", "path", "load %", "what"];
    let mut cells = vec![head.map(str::to_owned).to_vec()];
    cells.extend(table.rows.iter().map(|row| cells_of(row, &table.machine)));
    let mut lines = vec![machine_line(&table.machine), String::new()];
    lines.extend(aligned(&cells));
    let load =
        |row: &Measured| row.load.filter(|load| *load > BUSY).map(|load| (row.name.clone(), load));
    lines.extend(disturbed(table.rows.iter().filter_map(load)));
    lines
}

/// A warning that names what was measured while other programs were busy.
pub fn disturbed(busy: impl Iterator<Item = (String, f64)>) -> Vec<String> {
    /// More names than these are counted.
    const NAMED: usize = 6;
    let busy: Vec<(String, f64)> = busy.collect();
    let percent = |load: f64| format!("{:.0} %", 100.0 * load);
    let when = match &busy[..] {
        [] => return Vec::new(),
        few if few.len() <= NAMED => {
            let each = few.iter().map(|(name, load)| format!("{name} ({})", percent(*load)));
            each.collect::<Vec<_>>().join(", ")
        }
        many => {
            let most = many.iter().map(|(_, load)| *load).fold(0.0, f64::max);
            format!("{} rows (up to {})", many.len(), percent(most))
        }
    };
    let text = format!(
        "other programs took more than {} of the machine during {when}: CPU time holds, but caches and clock speed are \
         shared, and wall time is too long",
        percent(BUSY)
    );
    vec![String::new(), text]
}

fn cells_of(row: &Measured, machine: &Machine) -> Vec<String> {
    let clock = match row.cores {
        Cores::One if machine.cpu_time => "cpu, 1 core".to_owned(),
        Cores::One => "wall, 1 core".to_owned(),
        Cores::All => format!("wall, {} cores", machine.cores),
    };
    let relations = row.relations.iter().map(|relation| relation.text.clone());
    let what: Vec<String> = std::iter::once(row.about.clone()).chain(relations).collect();
    vec![
        row.name.clone(),
        digits(row.rate.best),
        digits(row.rate.median),
        percent(Some(row.rate.relative_spread())),
        row.unit.to_owned(),
        clock,
        row.path.map_or("", super::Path::word).to_owned(),
        percent(row.load),
        what.join("; "),
    ]
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

/// The whole table as one document.
pub fn to_json(table: &Table) -> Value {
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
            "cores": if one { 1 } else { table.machine.cores },
            "clock": if one && table.machine.cpu_time { "cpu" } else { "wall" },
            "path": row.path.map(super::Path::word),
            "foreign_load": row.load,
            "relations": relations,
        })
    };
    json!({ "machine": machine_json(&table.machine), "rows": table.rows.iter().map(row).collect::<Vec<_>>() })
}
