//! Every experiment's quick run: its claims hold, its record is whole, and its numbers are those of the golden record.
//!
//! `FOVEA_BLESS=1` rewrites the golden records (`FOVEA_ONLY=NAME`: of one experiment alone); the change is reviewed like code and noted under *Numbers moved*.

use fovea_lab::record::{Manifest, Record, RunDir};
use fovea_lab::{Bench, Outcome, Silent, Verdict, experiments};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// What is kept: every claim, and the last reading of every curve and probe.
fn golden(outcome: &Outcome) -> Value {
    let claims: Vec<Value> = outcome.claims.iter().map(fovea_lab::Claim::to_json).collect();
    let series = &outcome.series;
    let last = series.step.iter().max().copied().unwrap_or(0);
    let readings: Vec<Value> = (0..series.step.len())
        .filter(|i| series.step[*i] == last)
        .map(|i| json!({ "curve": series.curve[i], "probe": series.probe[i], "value": series.value[i] }))
        .collect();
    json!({ "claims": claims, "last_step": last, "readings": readings })
}

/// The first place where two documents differ by more than `1e-12` relative.
fn difference(got: &Value, kept: &Value, path: &str) -> Option<String> {
    match (got, kept) {
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
            a.iter().find_map(|(key, value)| match b.get(key) {
                Some(kept) => difference(value, kept, &format!("{path}.{key}")),
                None => Some(format!("{path}.{key}: {value} against nothing")),
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .find_map(|(i, (a, b))| difference(a, b, &format!("{path}[{i}]"))),
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64()?, b.as_f64()?);
            ((a - b).abs() > 1e-12 * b.abs()).then(|| format!("{path}: {a} against {b}"))
        }
        (a, b) => (a != b).then(|| format!("{path}: {a} against {b}")),
    }
}

fn golden_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(format!("{name}.json"))
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

#[test]
fn a_moved_number_is_noticed() {
    let kept = json!({ "a": [1.0, 2.0], "b": "x" });
    assert_eq!(difference(&kept, &kept, ""), None);
    assert!(difference(&json!({ "a": [1.0, 2.0 + 1e-9], "b": "x" }), &kept, "").is_some());
    assert!(difference(&json!({ "a": [1.0], "b": "x" }), &kept, "").is_some());
    let renamed = difference(&json!({ "a": [1.0, 2.0], "c": "x" }), &kept, "");
    assert_eq!(renamed.as_deref(), Some(".c: \"x\" against nothing"));
}

#[test]
fn every_experiment_has_its_golden_record_and_holds_its_claims() {
    // One experiment alone, for whoever is working on it.
    let only = std::env::var("FOVEA_ONLY").unwrap_or_default();
    for row in experiments::ALL.iter().filter(|row| only.is_empty() || row.name == only) {
        let prepared = (row.prepare)(experiments::Size::Quick, &Vec::new()).unwrap();
        let outcome = prepared.run(&Bench::new(0, &Silent, &AtomicBool::new(false))).unwrap();
        assert!(!outcome.claims.is_empty(), "{} claims nothing", row.name);
        // A quick run may leave a claim undecided, which the golden record keeps, but not all of them.
        assert!(
            outcome.claims.iter().any(|claim| claim.verdict() == Verdict::Pass),
            "{} decides nothing",
            row.name
        );
        for claim in &outcome.claims {
            assert_ne!(claim.verdict(), Verdict::Fail, "{}: {claim:?}", row.name);
        }
        assert!(outcome.report.faults().is_empty(), "{}: {:?}", row.name, outcome.report.faults());

        let (got, path) = (golden(&outcome), golden_path(row.name));
        if std::env::var_os("FOVEA_BLESS").is_some_and(|bless| bless == "1") {
            std::fs::write(&path, format!("{got:#}\n")).unwrap();
        }
        let kept: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        if let Some(place) = difference(&got, &kept, row.name) {
            panic!(
                "numbers moved at {place}\nif that is meant, rerun with FOVEA_BLESS=1 and note it in the changelog"
            );
        }

        let target =
            std::env::temp_dir().join(format!("fovea-quick-{}-{}", row.name, std::process::id()));
        let manifest = Manifest { experiment: row.name, settings: &prepared.settings(), seed: 0 };
        let dir = RunDir::create(&target).unwrap();
        dir.begin(&manifest).unwrap();
        assert_eq!(dir.finish(&manifest, &outcome, 0.0).unwrap(), target);
        for file in ["run.toml", "series.parquet", "claims.json", "report.json", "report.html"] {
            assert!(target.join(file).metadata().unwrap().len() > 0, "{}: {file}", row.name);
        }
        for (name, _) in &outcome.figures {
            assert!(target.join(format!("figures/{name}.png")).is_file(), "{name} is not drawn");
        }
        assert_reads_back(&target, &outcome);
        std::fs::remove_dir_all(target).unwrap();
    }
}

#[test]
fn every_golden_record_belongs_to_an_experiment() {
    let folder = golden_path("x").parent().unwrap().to_owned();
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
        assert!(experiments::find(&name).is_ok(), "no experiment is called {name}");
    }
}
