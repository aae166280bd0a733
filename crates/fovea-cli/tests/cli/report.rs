//! `fovea report DIR`: the same picture from the record alone.

use super::record::{forget_sums, rewrite};
use super::{Scratch, files_and_folders};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every file of a directory by its path from there.
fn contents(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = files_and_folders(dir).into_iter().filter(|path| path.is_file());
    files
        .map(|path| (path.strip_prefix(dir).unwrap().to_owned(), fs::read(&path).unwrap()))
        .collect()
}

/// Removes what is drawn.
fn undraw(run: &Path) {
    let _ = fs::remove_dir_all(run.join("figures"));
    fs::remove_file(run.join("report.html")).unwrap();
}

/// Draws a record again, over what is there, from nothing and elsewhere: every file is the same to the byte.
#[track_caller]
fn assert_redrawn(scratch: &Scratch, name: &str) {
    let run = scratch.path(name);
    let before = contents(&run);
    scratch.fovea(&["report", name]).fine();
    assert_eq!(contents(&run), before, "drawn over");
    undraw(&run);
    scratch.fovea(&["report", name]).fine();
    assert_eq!(contents(&run), before, "drawn from nothing");
    scratch.fovea(&["report", name, "--out", "elsewhere"]).fine();
    let elsewhere = contents(&scratch.path("elsewhere"));
    for (file, bytes) in &elsewhere {
        assert_eq!(bytes, &before[file], "{}", file.display());
    }
    let drawn = |file: &&PathBuf| {
        file.starts_with("figures")
            || file.starts_with("report.html")
            || file.starts_with("report.json")
    };
    assert_eq!(elsewhere.len(), before.keys().filter(drawn).count());
}

#[test]
fn a_run_is_drawn_again_to_the_byte() {
    let scratch = Scratch::new();
    scratch.tiny("o", &["--gain=0.01,3"]).fine();
    assert_redrawn(&scratch, "o");
}

#[test]
fn a_quick_run_is_drawn_again_to_the_byte() {
    let scratch = Scratch::new();
    // A busy machine may report progress.
    assert_eq!(scratch.fovea(&["run", "gaussian-flow", "--quick", "--out", "o"]).code, Some(0));
    assert_redrawn(&scratch, "o");
}

#[test]
fn training_and_verify_are_drawn_again_to_the_byte() {
    let scratch = Scratch::new();
    scratch.write("t.toml", "steps = 30\nprobes = [\"loss\", \"ipr\"]\n");
    scratch.fovea(&["train", "t.toml", "--out", "o"]).fine();
    assert_redrawn(&scratch, "o");
    fs::remove_dir_all(scratch.path("elsewhere")).unwrap();
    scratch.fovea(&["verify", "L000.3", "--out", "v"]).fine();
    assert_redrawn(&scratch, "v");
}

#[test]
fn what_was_drawn_is_named_in_words_and_in_json() {
    let scratch = Scratch::new();
    scratch.tiny("o", &[]).fine();
    let told = scratch.fovea(&["report", "o/"]).fine();
    assert_eq!(told, "figure: o/figures/localize.png\nreport: o/report.html\n");
    let objects = scratch.fovea(&["report", "o", "--out", "a/b", "--json"]).json();
    assert_eq!(objects.len(), 1);
    let object = &objects[0];
    assert_eq!((&object["type"], &object["record"]), (&"report".into(), &"a/b".into()));
    let figures = ["a/b/figures/localize.svg", "a/b/figures/localize.png"];
    assert_eq!(object["figures"], serde_json::json!(figures));
    assert_eq!(object["report"], "a/b/report.html");
    for file in figures.iter().chain(&["a/b/report.html"]) {
        assert!(scratch.path(file).is_file(), "{file}");
    }
}

#[test]
fn a_width_changes_the_figures_and_taking_it_back_restores_them() {
    let scratch = Scratch::new();
    scratch.tiny("o", &[]).fine();
    let before = contents(&scratch.path("o"));
    scratch.fovea(&["report", "o", "--width", "1000"]).fine();
    let svg = fs::read_to_string(scratch.path("o/figures/localize.svg")).unwrap();
    assert!(svg.contains("width=\"1000\""), "{}", &svg[..300]);
    let png = fs::read(scratch.path("o/figures/localize.png")).unwrap();
    assert_eq!(png[16..20], 2000_u32.to_be_bytes());
    scratch.fovea(&["report", "o"]).fine();
    assert_eq!(contents(&scratch.path("o")), before);
    for width in ["3", "-100", "wide", "nan", "1e9"] {
        let message =
            format!("`width` is {width}; it must be a number of pixels from 160 to 10000");
        let hint = "write --width 720, for example, or leave it out";
        scratch.refuses(&["report", "o", "--width", width], &message, hint);
    }
}

#[test]
fn a_page_changed_by_hand_is_said_to_be_and_drawn_again_and_the_list_follows() {
    let scratch = Scratch::new();
    scratch.tiny("o", &[]).fine();
    let before = contents(&scratch.path("o"));
    let page = fs::read_to_string(scratch.path("o/report.html")).unwrap();
    scratch.write("o/report.html", page.replace("<main>", "<main>my words"));
    let told = scratch.fovea(&["report", "o"]);
    let remark = "o/report.html has been changed since it was written: its SHA-256 differs; \
                  it can be drawn again from report.json, which is unchanged\n";
    assert_eq!((told.code, told.err.as_str()), (Some(0), remark));
    assert!(contents(&scratch.path("o")) == before);
    // Other pictures of the same numbers are what was written last.
    scratch.fovea(&["report", "o", "--width", "900"]).fine();
    scratch.fovea(&["compare", "o", "o"]).fine();
    let listed = fs::read_to_string(scratch.path("o/run.toml")).unwrap();
    assert!(listed.into_bytes() != before[Path::new("run.toml")]);
    // A number is another matter, whichever way it was changed.
    let path = scratch.path("o/arrays/start.npy");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(path, bytes).unwrap();
    let message = "o/arrays/start.npy has been changed since it was written: its SHA-256 differs";
    let mend = "restore the file that the run wrote, or run it again";
    scratch.refuses(&["report", "o"], message, mend);
    scratch.refuses(&["compare", "o", "o"], message, mend);
    scratch.refuses(&["report", "o", "--recompute", "--out", "n"], message, mend);
}

#[test]
fn a_failure_in_drawing_keeps_every_number_and_can_be_mended() {
    let scratch = Scratch::new();
    let run = format!("\"$FOVEA\" run localize --out o {}", super::TINY.join(" "));
    // No file may be larger than a figure with its font.
    let told = scratch.sh(&format!("ulimit -f 128; exec {run}"));
    assert_eq!(told.code, Some(2), "{told:?}");
    for file in ["series.parquet", "claims.json", "report.json", "arrays/start.npy"] {
        assert!(scratch.path("o.partial").join(file).is_file(), "{file}");
    }
    let told = scratch.fovea(&["report", "o.partial"]);
    let remark = "the run of o.partial did not end: not all of its files can be checked\n";
    assert_eq!((told.code, told.err.as_str()), (Some(0), remark));
    assert_eq!(told.out, "figure: o.partial/figures/localize.png\nreport: o.partial/report.html\n");
    // The same refusal, met while drawing again, leaves what was there as it was.
    let before = contents(&scratch.path("o.partial"));
    let told = scratch.sh("ulimit -f 128; exec \"$FOVEA\" report o.partial --width 900");
    assert!(told.code == Some(2) && told.err.contains("localize.svg: File too large"), "{told:?}");
    assert_eq!(contents(&scratch.path("o.partial")), before);
}

const WANTED: &str = "give the directory of a run, such as one under runs/";

#[test]
fn what_is_no_record_is_refused() {
    let scratch = Scratch::new();
    let missing = format!("check the path; {WANTED}");
    scratch.refuses(&["report", "nowhere"], "nowhere does not exist", &missing);
    scratch.write("file", "keep");
    scratch.refuses(&["report", "file"], "file is a file, not the directory of a run", WANTED);
    fs::create_dir(scratch.path("empty")).unwrap();
    let message = "empty is not a record: it holds no report.json";
    scratch.refuses(&["report", "empty"], message, WANTED);
    scratch.tiny("o", &[]).fine();
    let message = "o/run.toml is a file, not the directory of a run";
    scratch.refuses(&["report", "o/run.toml"], message, "give its directory, o");
    fs::rename(scratch.path("o"), scratch.path("p.partial")).unwrap();
    let hint = "its run did not end: give p.partial";
    scratch.refuses(&["report", "p"], "p does not exist", hint);
    let told = scratch.fovea(&["report"]);
    assert!(told.code == Some(2) && told.err.contains("DIR"), "{}", told.err);
}

#[test]
fn a_record_without_a_report_says_how_to_get_one() {
    let scratch = Scratch::new();
    scratch.tiny("o", &[]).fine();
    fs::remove_file(scratch.path("o/report.json")).unwrap();
    let message = "o holds no report.json: it was made before reports were kept";
    let hint = "run it again: fovea run localize --config o/run.toml --out DIR";
    scratch.refuses(&["report", "o"], message, hint);
    rewrite(&scratch.path("o/run.toml"), |text| text.replace("\"completed\"", "\"running\""));
    let message = "o holds no report.json: its run did not end";
    scratch.refuses(&["report", "o"], message, hint);
}

#[test]
fn damaged_and_newer_reports_are_refused_and_nothing_is_touched() {
    let scratch = Scratch::new();
    scratch.tiny("o", &[]).fine();
    forget_sums(&scratch.path("o"));
    let whole = fs::read_to_string(scratch.path("o/report.json")).unwrap();
    let mend = "restore the file that the run wrote, or run it again";
    let message = "o/report.json has format 3; this program reads formats up to 2";
    scratch.write("o/report.json", whole.replacen("\"format\":2", "\"format\":3", 1));
    scratch.refuses(&["report", "o"], message, "use the program that wrote it, or a newer one");
    scratch.write("o/report.json", whole.replacen("\"format\":2", "\"formal\":2", 1));
    scratch.refuses(&["report", "o"], "o/report.json is damaged: it names no format", mend);
    scratch.write("o/report.json", &whole[..whole.len() / 2]);
    let told = scratch.fovea(&["report", "o"]);
    assert!(told.err.starts_with("error: o/report.json is damaged: EOF while parsing"), "{told:?}");
    assert!(told.err.ends_with(&format!("\n\nhint: {mend}\n")) && told.code == Some(2), "{told:?}");
    scratch.write("o/report.json", b"\xff\xfe");
    assert_eq!(scratch.fovea(&["report", "o"]).code, Some(2));
    scratch.write("o/report.json", whole);
    scratch.tiny("p", &[]).fine();
    scratch.refuses(
        &["report", "p", "--out", "p"],
        "p exists already, and a run never overwrites another",
        "choose another --out, or move the old run away",
    );
}
