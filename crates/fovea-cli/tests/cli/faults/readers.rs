//! What is no file, has no end, or is much more than it looks: refused by its name, soon.

use super::super::resume::{train_to, with_file};
use super::super::{FOVEA, Scratch, Told};
use super::tried;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;
use std::time::Duration;

/// Runs the program and gives it ten seconds.
#[track_caller]
fn soon(scratch: &Scratch, args: &[&str]) -> Told {
    let mut command = scratch.command(FOVEA);
    let child = command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    for _ in 0..1000 {
        if child.try_wait().unwrap().is_some() {
            return Told::of(&child.wait_with_output().unwrap());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    panic!("{args:?} still ran after ten seconds");
}

#[test]
fn devices_and_pipes_are_no_files() {
    let scratch = with_file();
    scratch.tiny("o", &["--keep-runs"]).fine();
    scratch.fovea(&train_to("t", &["steps=300"])).fine();
    let pipe = scratch.sh("mkfifo pipe pipe.npy");
    assert_eq!(pipe.code, Some(0), "{}", pipe.err);
    let mut times = 0;
    let mut refused = |args: &[&str], name: &str| {
        let told = soon(&scratch, args);
        assert!(told.code == Some(2) && told.err.contains(name), "{args:?}: {told:?}");
        assert!(told.err.contains("is not a file: it is a device, a pipe"), "{args:?}: {told:?}");
        times += 1;
    };
    for name in ["/dev/zero", "pipe"] {
        refused(&["train", name], name);
        refused(&["measure", name], name);
        refused(&["run", "localize", "--config", name], name);
    }
    let array = "class.pos.stimulus=array(samples=pipe.npy)";
    refused(&["train", "t.toml", "--set", array], "pipe.npy");
    for end in ["/dev/zero", "../pipe"] {
        for file in [
            "run.toml",
            "report.json",
            "claims.json",
            "series.parquet",
            "arrays/start.npy",
            "runs/jobs.parquet",
        ] {
            let path = scratch.path("o").join(file);
            let whole = fs::read(&path).unwrap();
            fs::remove_file(&path).unwrap();
            let end = if file.contains('/') && end != "/dev/zero" {
                format!("../{end}")
            } else {
                end.to_owned()
            };
            symlink(&end, &path).unwrap();
            let named = format!("o/{file}");
            refused(&["compare", "o", "t"], &named);
            refused(&["report", "o"], &named);
            refused(&["report", "o", "--recompute", "--out", "n"], &named);
            fs::remove_file(&path).unwrap();
            fs::write(&path, whole).unwrap();
        }
    }
    scratch.fovea(&["report", "o"]).fine();
    fs::rename(scratch.path("t"), scratch.path("t.partial")).unwrap();
    for file in ["state.toml", "weights.npy"] {
        let path = super::super::resume::checkpoint(&scratch.path("t.partial"), 200).join(file);
        let whole = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        symlink("/dev/zero", &path).unwrap();
        refused(&["train", "--resume", "t.partial"], file);
        fs::remove_file(&path).unwrap();
        fs::write(&path, whole).unwrap();
    }
    tried("devices and pipes in the place of files", times, "all refused by name");
}

#[test]
fn a_small_file_that_is_huge_is_refused() {
    let scratch = Scratch::new();
    // Nothing is on the disk: a hole as long as a file may be there.
    let file = fs::File::create(scratch.path("c.toml")).unwrap();
    file.set_len(1 << 40).unwrap();
    let told = soon(&scratch, &["train", "c.toml"]);
    let message = "error: c.toml holds more than 16 MiB, the limit for such a file\n";
    assert!(told.code == Some(2) && told.err.starts_with(message), "{told:?}");
    fs::rename(scratch.path("c.toml"), scratch.path("w.npy")).unwrap();
    let told = soon(&scratch, &["measure", "w.npy"]);
    assert!(
        told.code == Some(2) && told.err.starts_with("error: w.npy holds more than "),
        "{told:?}"
    );
    tried("files of a terabyte", 2, "both refused by name");
}

/// The library that reads tables panics at some of what is spoilt; nobody need see that.
#[test]
fn a_damaged_table_is_reported_in_our_words_alone() {
    let scratch = Scratch::new();
    scratch.tiny("o", &[]).fine();
    super::super::record::forget_sums(&scratch.path("o"));
    let path = scratch.path("o/series.parquet");
    let whole = fs::read(&path).unwrap();
    let times = fovea_core::agree::trials(10, 300);
    let mut refused = 0;
    for trial in 0..times {
        let mut bytes = whole.clone();
        let seed = fovea_core::agree::test_seed(module_path!(), trial as u64) as usize;
        let at = seed % whole.len();
        bytes[at] = bytes[at].wrapping_add(1 + (seed / whole.len() % 255) as u8);
        fs::write(&path, bytes).unwrap();
        let told = soon(&scratch, &["compare", "o", "o"]);
        let line = "o has no checksums: whether its files were changed cannot be checked\n";
        if told.code == Some(0) {
            // Nobody can tell from an older record; that is what the line says.
            assert_eq!(told.err, line.repeat(2));
            continue;
        }
        refused += 1;
        let lines: Vec<&str> = told.err.lines().collect();
        assert!(told.code == Some(2) && lines.len() == 3, "{told:?}");
        assert!(lines[0].starts_with("error: o/series.parquet is damaged: "), "{told:?}");
    }
    tried(
        "damaged tables in a record without sums",
        times,
        &format!("{refused} refused in one line, no panic"),
    );
}
