//! The files of an outcome.

use super::sums::{Sums, sum};
use super::{MANIFEST, Manifest, config_hash, inputs, npy, report, table};
use crate::error::RecordError;
use crate::outcome::Outcome;
use fovea_page::report::Report;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Version of the layout of `claims.json`.
const CLAIMS_FORMAT: i64 = 1;

/// The folder of its tables.
pub(super) const TABLES: &str = "tables/";

/// Receives the name and the bytes of one file after the other.
pub(super) type Put<'a> = dyn FnMut(&str, &[u8]) -> Result<(), RecordError> + 'a;

/// Passes on every file of a finished record, in the order of writing: numbers, figures and page, the list of all.
pub(super) fn files(
    manifest: &Manifest<'_>,
    outcome: &Outcome,
    seconds: f64,
    mut sums: Sums,
    put: &mut Put<'_>,
) -> Result<(), RecordError> {
    let mut listed = |name: &str, bytes: &[u8]| {
        sums.insert(name.to_owned(), sum(bytes));
        put(name, bytes)
    };
    // Before anything is drawn: from there on every number is kept, and the rest can be drawn again.
    let report = numbers(manifest, outcome, &mut listed)?;
    put(MANIFEST, manifest.to_toml("running", (None, None), &sums).as_bytes())?;
    for (name, bytes) in report::files(&report)? {
        sums.insert(name.clone(), sum(&bytes));
        put(&name, &bytes)?;
    }
    let word = outcome.status.word();
    put(MANIFEST, manifest.to_toml(word, (Some(outcome), Some(seconds)), &sums).as_bytes())
}

/// Passes on every file of numbers except the manifest; returns the report from which the rest is drawn.
pub(super) fn numbers(
    manifest: &Manifest<'_>,
    outcome: &Outcome,
    put: &mut Put<'_>,
) -> Result<Report, RecordError> {
    put("series.parquet", &table::parquet(&outcome.series))?;
    for array in &outcome.arrays {
        put(&format!("arrays/{}.npy", array.name), &npy::bytes(array))?;
    }
    for table in outcome.report.tables() {
        put(&format!("{TABLES}{}.parquet", table.name), &table::of_cells(table))?;
    }
    for (name, array) in inputs::arrays(manifest.settings) {
        put(&name, &npy::bytes(&array))?;
    }
    let claims: Vec<_> = outcome.claims.iter().map(crate::claim::Claim::to_json).collect();
    let claims = serde_json::json!({ "format": CLAIMS_FORMAT, "claims": claims });
    put("claims.json", format!("{claims:#}\n").as_bytes())?;
    let footer = format!(
        "fovea {}: {}, seed {}, configuration {}",
        env!("CARGO_PKG_VERSION"),
        manifest.experiment,
        manifest.seed,
        &config_hash(manifest)[..12]
    );
    let report = outcome.report.clone().footer(footer);
    put(report::FILE, &report::bytes(&report))?;
    Ok(report)
}

/// The directory of a record without a given name.
pub fn usual_directory(manifest: &Manifest<'_>) -> PathBuf {
    let name = format!("{}-{}", manifest.experiment, &config_hash(manifest)[..8]);
    Path::new("runs").join(name)
}

/// How many files a record of this outcome has and how many bytes they hold; nothing is written.
///
/// # Errors
/// A figure cannot be drawn.
pub fn size(manifest: &Manifest<'_>, outcome: &Outcome) -> Result<(u64, u64), RecordError> {
    let mut sizes = BTreeMap::new();
    files(manifest, outcome, 0.0, Sums::new(), &mut |name, content| {
        sizes.insert(name.to_owned(), content.len() as u64);
        Ok(())
    })?;
    Ok((sizes.len() as u64, sizes.values().sum()))
}
