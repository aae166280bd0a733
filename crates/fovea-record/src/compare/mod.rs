//! Two records or more, side by side: settings that differ, readings over one another, claims next to each other.

mod claims;
mod figure;
mod report;
mod series;
mod settings;
mod tables;
mod text;

pub use claims::ClaimRow;
pub use report::report;
pub use series::{Lane, Line, Over};
pub use settings::Setting;
pub use text::text;

use crate::directory::Record;
use crate::error::RecordError;
use crate::outcome::Status;
use fovea_core::ParamError;
use std::path::Path;

/// Records side by side; every list of values has one place per record.
#[derive(Debug)]
pub struct Comparison {
    /// What each record is called: the end of its path that tells it from the others.
    pub names: Vec<String>,
    /// The records.
    pub records: Vec<Record>,
    /// The settings that are not the same in all of them.
    pub settings: Vec<Setting>,
    /// The readings that two of them share, or more.
    pub lanes: Vec<Lane>,
    /// Probes that one record alone has, and its place.
    pub alone: Vec<(String, usize)>,
    /// Every claim of any of them.
    pub claims: Vec<ClaimRow>,
    /// What runs along the horizontal axis.
    pub over: Over,
    /// What could not be compared with what was written, and what was changed without moving a number.
    pub remarks: Vec<String>,
}

/// Puts records side by side.
///
/// # Errors
/// There are fewer than two, or one cannot be read or is not what was written.
pub fn compare(dirs: &[&Path], over: Over) -> Result<Comparison, RecordError> {
    if dirs.len() < 2 {
        return Err(RecordError::Param(ParamError::Inconsistent {
            what: format!("{} record is no comparison", dirs.len()),
            hint: "give the directories of two runs or more".to_owned(),
        }));
    }
    let records: Vec<Record> =
        dirs.iter().map(|dir| Record::open(dir)).collect::<Result<_, _>>()?;
    let remarks: Vec<_> = records.iter().map(Record::check).collect::<Result<_, _>>()?;
    let series: Vec<_> = records.iter().map(Record::series).collect::<Result<_, _>>()?;
    let claims: Vec<_> = records.iter().map(Record::claims).collect::<Result<_, _>>()?;
    let (lanes, alone) = series::lanes(&series, over);
    Ok(Comparison {
        names: names(dirs),
        settings: settings::differences(&records),
        lanes,
        alone,
        claims: claims::rows(&claims),
        remarks: remarks.concat(),
        records,
        over,
    })
}

impl Comparison {
    /// The experiments there are, each once.
    pub fn experiments(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for record in &self.records {
            if !found.contains(&record.experiment.as_str()) {
                found.push(&record.experiment);
            }
        }
        found
    }

    /// What a reader must know before the numbers.
    pub fn warnings(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let experiments = self.experiments();
        if experiments.len() > 1 {
            lines.push(format!(
                "the records are of different experiments: {}",
                experiments.join(", ")
            ));
        }
        for (name, record) in self.names.iter().zip(&self.records) {
            if record.status != Status::Completed.word() {
                lines.push(format!("{name} is not whole: its run is {}", record.status));
            }
        }
        lines
    }
}

/// The shortest ends of the paths that differ; a path given twice is numbered.
fn names(dirs: &[&Path]) -> Vec<String> {
    let parts: Vec<Vec<String>> = dirs
        .iter()
        .map(|dir| dir.components().map(|c| c.as_os_str().to_string_lossy().into()).collect())
        .collect();
    let most = parts.iter().map(Vec::len).max().unwrap_or(1);
    let end =
        |parts: &Vec<String>, length: usize| parts[parts.len().saturating_sub(length)..].join("/");
    let unique = |names: &Vec<String>| (1..names.len()).all(|i| !names[..i].contains(&names[i]));
    let ends = |length: usize| parts.iter().map(|parts| end(parts, length)).collect();
    let found = (1..=most).map(ends).find(unique);
    found.unwrap_or_else(|| {
        let all: Vec<String> = ends(1);
        let number = |i: usize| all[..i].iter().filter(|name| **name == all[i]).count() + 1;
        (0..all.len()).map(|i| format!("{} ({})", all[i], number(i))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_called_by_the_ends_of_their_paths_that_differ() {
        let called = |dirs: &[&str]| names(&dirs.iter().map(Path::new).collect::<Vec<_>>());
        assert_eq!(called(&["runs/a", "runs/b/"]), ["a", "b"]);
        assert_eq!(called(&["x/a", "y/a"]), ["x/a", "y/a"]);
        assert_eq!(called(&["a", "z/a", "y/z/a"]), ["a", "z/a", "y/z/a"]);
        assert_eq!(called(&["a", "./a/"]), ["a", "./a"]);
        assert_eq!(called(&["a", "a"]), ["a (1)", "a (2)"]);
    }

    #[test]
    fn one_record_is_no_comparison() {
        let error = compare(&[Path::new("a")], Over::Time).unwrap_err();
        assert_eq!(error.to_string(), "1 record is no comparison");
    }
}
