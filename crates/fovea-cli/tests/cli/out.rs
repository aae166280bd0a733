//! Where a record goes: a new directory, whole under its name or plainly not, and never over another.

use super::{Scratch, files_and_folders};
use std::fs;

/// What stands in the way of a run, and must stand there unchanged afterwards.
#[track_caller]
fn stays(scratch: &Scratch, name: &str) {
    let told = scratch.tiny("o", &[]);
    let message = format!("error: {name} exists already, and a run never overwrites another\n\n");
    let hint = "hint: choose another --out, or move the old run away\n";
    assert_eq!(told.err, message + hint);
    assert_eq!((told.code, told.out.as_str()), (Some(2), ""));
}

#[test]
fn a_directory_in_the_way_is_left_alone() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("o")).unwrap();
    stays(&scratch, "o");
    scratch.write("o/mine", "keep");
    let before = scratch.tree();
    stays(&scratch, "o");
    assert_eq!(scratch.tree(), before);
}

#[test]
fn a_file_in_the_way_is_left_alone() {
    let scratch = Scratch::new();
    scratch.write("o", "keep");
    stays(&scratch, "o");
    assert_eq!(fs::read(scratch.path("o")).unwrap(), b"keep");
    assert_eq!(scratch.tree().len(), 1);
}

#[test]
fn a_dangling_link_in_the_way_is_left_alone() {
    let scratch = Scratch::new();
    std::os::unix::fs::symlink("nowhere", scratch.path("o")).unwrap();
    stays(&scratch, "o");
    assert_eq!(fs::read_link(scratch.path("o")).unwrap().to_str(), Some("nowhere"));
    assert_eq!(scratch.tree().len(), 1);
}

#[test]
fn an_unfinished_run_in_the_way_is_left_alone() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("o.partial")).unwrap();
    scratch.write("o.partial/mine", "keep");
    stays(&scratch, "o.partial");
    assert_eq!(scratch.tree().len(), 2);
    // Nor is what only looks like one.
    fs::remove_dir_all(scratch.path("o.partial")).unwrap();
    fs::create_dir(scratch.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink("elsewhere", scratch.path("o.partial")).unwrap();
    stays(&scratch, "o.partial");
    assert_eq!(scratch.tree().len(), 2);
}

#[test]
fn what_a_run_left_that_was_killed_before_it_had_begun_is_taken_over() {
    let scratch = Scratch::new();
    for name in ["o.partial/inputs/x.npy", "o.partial/.lock", "o.partial/.7-0.draft"] {
        fs::create_dir_all(scratch.path(name).parent().unwrap()).unwrap();
        scratch.write(name, "half");
    }
    scratch.tiny("o", &[]).fine();
    let names = files_and_folders(&scratch.path("o"));
    let stray = |path: &&std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with('.') || name == "inputs"
    };
    assert_eq!(names.iter().find(stray), None);
    assert!(!scratch.path("o.partial").exists());
}

#[test]
fn a_name_that_says_unfinished_is_refused() {
    let hint = "leave .partial out of --out: it is added while the run lasts";
    let message = "o.partial ends in .partial, the name of an unfinished run";
    Scratch::new().refuses(&["run", "localize", "--out", "o.partial"], message, hint);
}

#[test]
#[cfg(unix)]
fn a_name_of_any_bytes_is_kept_and_found_again() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let scratch = Scratch::new();
    scratch.write("t.toml", "steps = 30\n");
    let args = |out: &[u8]| {
        ["train", "t.toml", "--out"]
            .map(OsStr::new)
            .into_iter()
            .chain([OsStr::from_bytes(out)])
            .map(OsStr::to_owned)
            .collect::<Vec<_>>()
    };
    let told = scratch.fovea(&args(b"o\xff"));
    assert_eq!(told.code, Some(0), "{}", told.err);
    let own = |name: &[u8]| scratch.0.join(OsStr::from_bytes(name));
    // As a kill at the very end leaves it.
    fs::rename(own(b"o\xff"), own(b"o\xff.partial")).unwrap();
    let resume = ["train", "--resume"].map(OsStr::new);
    let told = scratch.fovea(&[&resume[..], &[OsStr::from_bytes(b"o\xff.partial")]].concat());
    assert_eq!(told.code, Some(0), "{}", told.err);
    assert!(own(b"o\xff/run.toml").exists() && !own(b"o\xff.partial").exists());
    // What would move the cursor or ring the bell is shown as what it is.
    let told = scratch.fovea(&args(b"a\x1b[31m\x07b")).fine();
    assert!(told.contains("record: a\\u{1b}[31m\\u{7}b ("), "{told}");
}

#[test]
fn a_finished_run_is_whole_and_has_no_partial_name() {
    let scratch = Scratch::new();
    let told = scratch.tiny("deep/er/o/", &[]).fine();
    assert!(told.contains("record: deep/er/o ("), "{told}");
    let files = files_and_folders(&scratch.path("deep/er"));
    let expected = [
        "o",
        "o/arrays",
        "o/arrays/start.npy",
        "o/arrays/weights_gain=3.npy",
        "o/claims.json",
        "o/figures",
        "o/figures/localize.png",
        "o/figures/localize.svg",
        "o/report.html",
        "o/report.json",
        "o/run.toml",
        "o/series.parquet",
        "o/tables",
        "o/tables/dictator.parquet",
        "o/tables/fields.parquet",
    ];
    assert_eq!(files, expected.map(|name| scratch.path("deep/er").join(name)));
    for line in told.lines().filter_map(|line| line.split_once(": deep")) {
        let path = format!("deep{}", line.1.split(" (").next().unwrap());
        assert!(scratch.path(&path).exists(), "{path} is named and not there");
    }
}

#[test]
fn runs_without_a_name_get_one_each() {
    let scratch = Scratch::new();
    for _ in 0..3 {
        let args = ["run", "localize", "--steps=10", "--batch=8", "--gain=3"];
        assert_eq!(scratch.fovea(&args).code, Some(0));
    }
    let runs = scratch.path("runs");
    let mut names: Vec<String> = fs::read_dir(&runs)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let hash = super::record::manifest(&runs.join(&names[0]))["hash"].as_str().unwrap().to_owned();
    let first = format!("localize-{}", &hash[..8]);
    assert_eq!(names, [first.clone(), format!("{first}-2"), format!("{first}-3")]);
}

#[test]
fn a_path_without_a_name_of_its_own_is_refused() {
    let scratch = Scratch::new();
    let args = ["run", "localize", "--out", "a/.."];
    let message = "a/.. has no name of its own for a run to be kept under";
    scratch.refuses(&args, message, "end --out in the name of a new directory");
}

#[test]
fn a_run_too_short_for_its_claims_keeps_its_record() {
    // No replica comes to rest in forty steps.
    let scratch = Scratch::new();
    let told = scratch.tiny("o", &["--set", "gain=inf"]).fine();
    assert!(told.contains("\nunchecked localize: "), "{told}");
    assert!(scratch.path("o/run.toml").exists() && !scratch.path("o.partial").exists());
}
