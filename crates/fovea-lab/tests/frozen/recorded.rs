//! A run directory is whole, and gives back what was recorded.

use fovea_lab::Outcome;
use fovea_lab::record::{Manifest, Record, RunDir};
use std::path::Path;

/// Writes the record of an outcome and reads it back.
pub(crate) fn assert_whole(manifest: &Manifest<'_>, outcome: &Outcome) {
    let name = manifest.experiment;
    let target = std::env::temp_dir().join(format!("fovea-quick-{name}-{}", std::process::id()));
    let dir = RunDir::create(&target).unwrap();
    dir.begin(manifest).unwrap();
    assert_eq!(dir.finish(manifest, outcome, 0.0).unwrap(), target);
    for file in ["run.toml", "series.parquet", "claims.json", "report.json", "report.html"] {
        assert!(target.join(file).metadata().unwrap().len() > 0, "{name}: {file}");
    }
    for (figure, _) in &outcome.figures {
        assert!(target.join(format!("figures/{figure}.png")).is_file(), "{figure} is not drawn");
    }
    assert_reads_back(&target, outcome);
    std::fs::remove_dir_all(target).unwrap();
}

/// Everything that was recorded is read back, and the page is drawn again to the byte.
fn assert_reads_back(target: &Path, outcome: &Outcome) {
    let record = Record::open(target).unwrap();
    let page = std::fs::read_to_string(target.join("report.html")).unwrap();
    assert!(record.report().unwrap().html() == page, "{}", target.display());
    let series = record.series().unwrap();
    assert_eq!((&series.curve, &series.step), (&outcome.series.curve, &outcome.series.step));
    fovea_core::agree::same_bits(&series.value, &outcome.series.value).unwrap();
    let claims = record.claims().unwrap();
    let told = |i: usize| (claims[i].id.as_str(), claims[i].status.as_str());
    let expected: Vec<_> = outcome.claims.iter().map(|c| (c.id, c.status())).collect();
    assert_eq!((0..claims.len()).map(told).collect::<Vec<_>>(), expected);
    let arrays: Vec<String> = record.array_names().unwrap();
    for array in &outcome.arrays {
        assert!(arrays.contains(&array.name), "{}", array.name);
        fovea_core::agree::same_bits(&record.array(&array.name).unwrap().data, &array.data)
            .unwrap();
    }
}
