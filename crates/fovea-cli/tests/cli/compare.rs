//! `fovea compare A B ...`: what differs, what is shared, and what stands out.

use super::record::{amend, forget_sums, rewrite};
use super::snapshots::assert_stored_in;
use super::{Scratch, files_and_folders};
use std::fs;

/// Two runs of one experiment that differ in a setting and the seed.
fn two(scratch: &Scratch) {
    scratch.tiny("a", &["--gain=3,inf"]).fine();
    scratch.tiny("b", &["--gain=3,inf", "--lr=0.03", "--seed=2"]).fine();
}

/// Turns every claim of a record around.
fn spoil_claims(scratch: &Scratch, run: &str) {
    amend(&scratch.path(run).join("run.toml"), "claims.json", |bytes| {
        let mut file: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        for claim in file["claims"].as_array_mut().unwrap() {
            claim["status"] = "fail".into();
        }
        file.to_string().into_bytes()
    });
}

#[test]
fn a_comparison_is_as_stored() {
    let scratch = Scratch::new();
    two(&scratch);
    spoil_claims(&scratch, "b");
    assert_stored_in(&scratch, "compare.txt", &["compare", "a", "b"]);
}

#[test]
fn nothing_is_written_without_out_and_a_report_with_it() {
    let scratch = Scratch::new();
    two(&scratch);
    let before = scratch.tree();
    scratch.fovea(&["compare", "a", "b"]).fine();
    assert_eq!(scratch.tree(), before);
    let told = scratch.fovea(&["compare", "a", "b", "--out", "c"]).fine();
    assert!(told.ends_with("\nfigure: c/figures/compare.png\nreport: c/report.html\n"), "{told}");
    let files = [
        "c/figures",
        "c/figures/compare.png",
        "c/figures/compare.svg",
        "c/report.html",
        "c/report.json",
    ];
    assert_eq!(files_and_folders(&scratch.path("c")), files.map(|name| scratch.path(name)));
    // What was written is drawn again to the byte.
    let read =
        || files[1..].iter().map(|name| fs::read(scratch.path(name)).unwrap()).collect::<Vec<_>>();
    let before = read();
    scratch.fovea(&["report", "c"]).fine();
    assert_eq!(read(), before);
    let page = fs::read_to_string(scratch.path("c/report.html")).unwrap();
    assert!(page.contains("Settings that differ") && page.contains("<td>lr</td>"));
}

#[test]
fn a_record_beside_itself_differs_in_nothing() {
    let scratch = Scratch::new();
    scratch.tiny("a", &[]).fine();
    let told = scratch.fovea(&["compare", "a", "a"]).fine();
    assert!(told.contains("all settings are the same, the seed included"), "{told}");
    assert!(
        told.contains("a (1)") && told.contains("a (2)") && !told.contains('\u{2260}'),
        "{told}"
    );
}

#[test]
fn different_experiments_and_interrupted_runs_are_compared_and_said_to_be_so() {
    let scratch = Scratch::new();
    scratch.tiny("a", &[]).fine();
    scratch.write("t.toml", "steps = 30\nprobes = [\"loss\", \"ipr\"]\n");
    scratch.fovea(&["train", "t.toml", "--out", "t"]).fine();
    fs::rename(scratch.path("t"), scratch.path("t.partial")).unwrap();
    rewrite(&scratch.path("t.partial/run.toml"), |text| {
        text.replace("\"completed\"", "\"interrupted\"")
    });
    let told = scratch.fovea(&["compare", "a", "t.partial", "--out", "c"]).fine();
    for part in [
        "\nthe records are of different experiments: localize, train\n",
        "\nt.partial is not whole: its run is interrupted\n",
        "norm is measured in a alone",
        "\n  network.width ",
    ] {
        assert!(told.contains(part), "{part:?} is not in {told}");
    }
}

#[test]
fn three_records_are_compared_over_steps_too() {
    let scratch = Scratch::new();
    two(&scratch);
    scratch.tiny("d", &["--gain=3"]).fine();
    let lines = scratch.fovea(&["compare", "a", "b", "d", "--over", "step", "--json"]).json();
    let of = |kind: &str| lines.iter().filter(|line| line["type"] == kind).collect::<Vec<_>>();
    assert_eq!(of("record").len(), 3);
    let lr = of("setting").into_iter().find(|line| line["setting"] == "lr").unwrap();
    assert_eq!((&lr["values"]["b"], &lr["values"]["d"]), (&0.03.into(), &lr["values"]["a"]));
    let readings = of("reading");
    assert!(
        readings.iter().all(|line| line["over"] == "step" && line["at"] == 40.0),
        "{readings:?}"
    );
    assert!(readings.iter().any(|line| line["record"] == "d" && line["curve"] == "gain=3"));
    assert!(readings.iter().all(|line| line["mean"].is_number()));
    let end = lines.last().unwrap();
    assert_eq!((&end["type"], &end["records"]), (&"end".into(), &3.into()));
    assert_eq!((&end["differing"], &end["report"]), (&0.into(), &serde_json::Value::Null));
}

#[test]
fn a_claim_that_comes_out_differently_stands_out() {
    let scratch = Scratch::new();
    two(&scratch);
    spoil_claims(&scratch, "b");
    let lines = scratch.fovea(&["compare", "a", "b", "--json"]).json();
    let claims: Vec<_> = lines.iter().filter(|line| line["type"] == "claim").collect();
    assert!(!claims.is_empty());
    for claim in &claims {
        assert!(claim["differs"] == true && claim["records"]["b"]["status"] == "fail", "{claim}");
    }
    assert_eq!(lines.last().unwrap()["differing"], claims.len());
    scratch.fovea(&["compare", "a", "b", "--out", "c"]).fine();
    let page = fs::read_to_string(scratch.path("c/report.html")).unwrap();
    assert!(page.contains("comes out differently") && page.contains("class=\"warning\""));
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let scratch = Scratch::new();
    let wanted = "give the directory of a run, such as one under runs/";
    scratch.tiny("a", &[]).fine();
    let hint = "give the directories of two runs or more";
    scratch.refuses(&["compare", "a"], "1 record is no comparison", hint);
    let hint = format!("check the path; {wanted}");
    scratch.refuses(&["compare", "a", "nowhere"], "nowhere does not exist", &hint);
    let hint = "give its directory, a";
    let message = "a/claims.json is a file, not the directory of a run";
    scratch.refuses(&["compare", "a", "a/claims.json"], message, hint);
    fs::create_dir(scratch.path("e")).unwrap();
    let message = "e is not a record: it holds no run.toml";
    scratch.refuses(&["compare", "a", "e"], message, wanted);
    scratch.refuses(
        &["compare", "a", "a", "--out", "e"],
        "e exists already, and a run never overwrites another",
        "choose another --out, or move the old run away",
    );
    let told = scratch.fovea(&["compare", "a", "a", "--over", "epochs"]);
    assert!(told.code == Some(2) && told.err.contains("epochs"), "{}", told.err);
}

#[test]
fn spoilt_and_newer_files_are_refused_by_name() {
    let scratch = Scratch::new();
    scratch.tiny("a", &[]).fine();
    // Of a record whose files are listed every change is noticed before anything is made of it.
    forget_sums(&scratch.path("a"));
    let mend = "restore the file that the run wrote, or run it again";
    let newer = "use the program that wrote it, or a newer one";
    let spoil = |file: &str, bytes: &[u8], message: &str, hint: &str| {
        let path = scratch.path("a").join(file);
        let whole = fs::read(&path).unwrap();
        fs::write(&path, bytes).unwrap();
        scratch.refuses(&["compare", "a", "a"], &format!("a/{file} {message}"), hint);
        fs::write(&path, whole).unwrap();
    };
    let read = |file: &str| fs::read_to_string(scratch.path("a").join(file)).unwrap();
    let manifest = read("run.toml");
    let claims = read("claims.json");
    let format = |n: u32| format!("has format {n}; this program reads formats up to 2");
    spoil(
        "run.toml",
        manifest.replacen("format = 2", "format = 7", 1).as_bytes(),
        &format(7),
        newer,
    );
    let text = manifest.replacen("seed = 1", "seed = -3", 1);
    let message =
        "is damaged: `seed` is -3; it must be a whole number from 0 to 18446744073709551615";
    spoil("run.toml", text.as_bytes(), message, mend);
    let text = manifest.replacen("experiment", "experiments", 1);
    spoil("run.toml", text.as_bytes(), "is damaged: it holds no `experiment`", mend);
    spoil(
        "claims.json",
        claims.replacen("\"format\": 1", "\"format\": 3", 1).as_bytes(),
        &format(3),
        newer,
    );
    spoil(
        "claims.json",
        b"{\"format\":1}",
        "is damaged: invalid type: null, expected a sequence",
        mend,
    );
    let parquet = fs::read(scratch.path("a/series.parquet")).unwrap();
    fs::write(scratch.path("a/run.toml"), "format = 1\nexperiment = \n").unwrap();
    let told = scratch.fovea(&["compare", "a", "a"]);
    assert!(told.err.starts_with("error: a/run.toml is damaged: line 2: "), "{}", told.err);
    fs::write(scratch.path("a/run.toml"), &manifest).unwrap();
    for bytes in [&parquet[..parquet.len() / 2], b"", b"PAR1"] {
        fs::write(scratch.path("a/series.parquet"), bytes).unwrap();
        let told = scratch.fovea(&["compare", "a", "a"]);
        assert!(told.err.starts_with("error: a/series.parquet is damaged: "), "{}", told.err);
        assert!(told.code == Some(2) && told.err.ends_with(&format!("hint: {mend}\n")));
    }
    fs::remove_file(scratch.path("a/series.parquet")).unwrap();
    scratch.refuses(&["compare", "a", "a"], "a/series.parquet is missing", mend);
}
