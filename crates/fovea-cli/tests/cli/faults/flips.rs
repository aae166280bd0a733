//! A bit turned around on the disk: no change of a record or a checkpoint goes unseen, and none is made something of.

use super::super::files_and_folders;
use super::super::resume::{checkpoint, killed_run, latest, train_to, with_file};
use super::tried;
use fovea_core::agree::{test_seed, trials};
use std::fs;
use std::path::{Path, PathBuf};

/// Turns a bit of a file around while `look` looks, and turns it back.
fn flipped(files: &[PathBuf], trial: usize, look: impl FnOnce(&Path)) {
    let pick = |index: u64, count: usize| {
        (test_seed(module_path!(), 8 * trial as u64 + index) % count as u64) as usize
    };
    let path = &files[pick(0, files.len())];
    let whole = fs::read(path).unwrap();
    let mut bytes = whole.clone();
    bytes[pick(1, whole.len())] ^= 1 << pick(2, 8);
    fs::write(path, bytes).unwrap();
    look(path);
    fs::write(path, whole).unwrap();
}

/// The files of a directory that hold anything.
fn files_of(dir: &Path) -> Vec<PathBuf> {
    let files = files_and_folders(dir).into_iter();
    files.filter(|path| fs::metadata(path).is_ok_and(|m| m.is_file() && m.len() > 0)).collect()
}

#[test]
fn a_changed_bit_of_a_record_is_noticed() {
    let scratch = with_file();
    scratch.tiny("run", &["--keep-runs"]).fine();
    scratch.fovea(&train_to("train", &["steps=300", "checkpoint_every=200"])).fine();
    let mut files = files_of(&scratch.path("run"));
    files.extend(files_of(&scratch.path("train")));
    let said = scratch.fovea(&["compare", "run", "train"]).fine();
    let (times, mut refused) = (trials(40, 500), 0);
    for trial in 0..times {
        flipped(&files, trial, |path| {
            let name = path.strip_prefix(&scratch.0).unwrap().to_str().unwrap();
            let own = name.split('/').next().unwrap();
            let compare = ["compare", "run", "train"].map(str::to_owned).to_vec();
            let report = ["report", own, "--out", "again"].map(str::to_owned).to_vec();
            let told = scratch.fovea(if trial % 2 == 0 { &compare } else { &report });
            assert!(told.err.contains(name), "{name} was changed unseen: {told:?}");
            let drawn = name.contains("/figures/") || name.ends_with("report.html");
            if drawn || name.contains("/checkpoints/") {
                // No number of the record is in there.
                assert_eq!(told.code, Some(0), "{told:?}");
                assert!(trial % 2 == 1 || told.out == said, "{}", told.out);
            } else {
                refused += 1;
                assert!(told.code == Some(2) && told.out.is_empty(), "{told:?}");
                assert!(!scratch.path("again").exists(), "{name}");
            }
            let _ = fs::remove_dir_all(scratch.path("again"));
        });
    }
    assert!(refused > 0);
    assert_eq!(scratch.fovea(&["compare", "run", "train"]).fine(), said);
    let what = format!(
        "{refused} refused by name, {} in pictures and checkpoints said, none silent",
        times - refused
    );
    tried("bits flipped in records, then compare or report", times, &what);
}

#[test]
fn a_changed_bit_of_what_is_resumed_is_refused() {
    let scratch = with_file();
    let sets = ["dynamics.name=adam", "probes=loss,ipr,gates"];
    killed_run(&scratch, &sets);
    let partial = scratch.path("cut.partial");
    let mut files = files_of(&checkpoint(&partial, latest(&partial).unwrap()));
    files.push(partial.join("run.toml"));
    let names: Vec<_> = files.iter().map(|path| path.file_name().unwrap()).collect();
    for file in ["memory_0.npy", "memory_1.npy", "trail.npy", "state.toml"] {
        assert!(names.contains(&file.as_ref()), "{names:?}");
    }
    let times = trials(40, 500);
    for trial in 0..times {
        flipped(&files, trial, |path| {
            let name = path.strip_prefix(&scratch.0).unwrap().to_str().unwrap();
            let before = scratch.tree();
            let told = scratch.fovea(&["train", "--resume", "cut.partial"]);
            assert!(told.code == Some(2) && told.out.is_empty(), "{name}: {told:?}");
            assert!(told.err.contains(name), "{name} is not named: {told:?}");
            assert_eq!(scratch.tree(), before, "{name}");
        });
    }
    tried("bits flipped in checkpoints and manifests, then --resume", times, "all refused by name");
}

/// What a flip does not show: files that go missing, and those of another step.
#[test]
fn a_checkpoint_of_parts_is_refused() {
    let scratch = with_file();
    let resume = ["train", "--resume", "cut.partial"];
    killed_run(&scratch, &["dynamics.name=adam"]);
    let partial = scratch.path("cut.partial");
    let reached = latest(&partial).unwrap();
    let newest = checkpoint(&partial, reached);
    for name in ["memory_0.npy", "memory_1.npy", "biases.npy", "probe_ipr.npy"] {
        let (path, aside) = (newest.join(name), scratch.path("aside"));
        fs::rename(&path, &aside).unwrap();
        let told = scratch.fovea(&resume);
        assert!(told.code == Some(2) && told.err.contains(name), "{told:?}");
        fs::rename(&aside, &path).unwrap();
    }
    for step in [reached + 90, 10_u64.pow(10)] {
        let other = checkpoint(&partial, step);
        fs::rename(&newest, &other).unwrap();
        let told = scratch.fovea(&resume);
        let why = "its step is not the one its folder is named after";
        assert!(told.code == Some(2) && told.err.contains(why), "{told:?}");
        fs::rename(&other, &newest).unwrap();
    }
    tried("files of a checkpoint taken away, its folder renamed", 6, "all refused by name");
}
