//! Records that an earlier program wrote, from before the hash of a configuration sorted its keys: they are read, redrawn
//! and resumed.

use super::{Scratch, files_and_folders};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of what was kept.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/before").join(name)
}

/// Puts a copy of what was kept into the scratch directory.
fn copy(scratch: &Scratch, name: &str, to: &str) {
    let from = kept(name);
    for path in files_and_folders(&from) {
        let target = scratch.path(to).join(path.strip_prefix(&from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        if path.is_file() {
            fs::copy(&path, target).unwrap();
        }
    }
}

#[test]
fn an_older_record_is_drawn_again_and_compared() {
    let scratch = Scratch::new();
    copy(&scratch, "localize", "old");
    let unlisted = |name: &str| {
        format!("{name} has no checksums: whether its files were changed cannot be checked\n")
    };
    let manifest = fs::read(scratch.path("old/run.toml")).unwrap();
    let told = scratch.fovea(&["report", "old"]);
    assert_eq!((told.code, told.err), (Some(0), unlisted("old")));
    assert!(fs::read(scratch.path("old/run.toml")).unwrap() == manifest, "nothing is lost");
    let page = fs::read_to_string(scratch.path("old/report.html")).unwrap();
    assert!(page.contains("One neuron, from Gaussian to binary data"));
    assert!(fs::metadata(scratch.path("old/figures/localize.png")).unwrap().len() > 1000);
    // Its run.toml is a configuration, whose numbers come out again.
    let args = ["run", "localize", "--config", "old/run.toml", "--out", "new"];
    assert_eq!(scratch.fovea(&args).code, Some(0));
    for file in ["series.parquet", "claims.json", "arrays/start.npy", "arrays/weights_gain=3.npy"] {
        let read = |run: &str| fs::read(scratch.path(run).join(file)).unwrap();
        assert!(read("old") == read("new"), "{file}");
    }
    let told = scratch.fovea(&["compare", "old", "new"]);
    assert_eq!((told.code, told.err), (Some(0), unlisted("old")));
    let hash = |run: &str| {
        let text = fs::read_to_string(scratch.path(run).join("run.toml")).unwrap();
        text.lines().find(|line| line.starts_with("hash")).unwrap().to_owned()
    };
    assert_ne!(hash("old"), hash("new"), "the keys were sorted in between");
}

#[test]
fn an_older_unfinished_run_goes_on_from_its_checkpoint() {
    let scratch = Scratch::new();
    copy(&scratch, "train", "old.partial");
    let told = scratch.fovea(&["train", "--resume", "old.partial"]);
    assert_eq!(told.code, Some(0), "{}", told.err);
    let checkpoint = "old.partial/checkpoints/000000000019";
    let remarks = format!(
        "{checkpoint} has no checksums: whether its files were changed cannot be checked\n\
         {checkpoint} is of an earlier numeric version: some numbers have changed since, see CHANGELOG.md\n"
    );
    assert_eq!(told.err, format!("{remarks}resuming from step 19\n"));
    for file in ["series.parquet", "arrays/weights.npy", "arrays/weights_over_time.npy"] {
        let whole = fs::read(kept("whole").join(file)).unwrap();
        assert!(fs::read(scratch.path("old").join(file)).unwrap() == whole, "{file}");
    }
}

/// What sums would notice at once must not pass for something else without them.
#[test]
fn an_older_checkpoint_that_lost_a_file_or_its_name_is_refused() {
    type Spoil = fn(&Path);
    let cases: [(Spoil, &str); 3] = [
        (|folder| fs::remove_file(folder.join("memory_0.npy")).unwrap(), "memory_0.npy"),
        (
            |folder| fs::rename(folder, folder.with_file_name("000000000025")).unwrap(),
            "its step is not the one its folder is named after",
        ),
        (
            |folder| {
                let path = folder.join("record_steps.npy");
                let mut bytes = fs::read(&path).unwrap();
                // The top byte of the last step.
                *bytes.last_mut().unwrap() ^= 0x40;
                fs::write(path, bytes).unwrap();
            },
            "record_steps.npy holds no steps in order",
        ),
    ];
    for (spoil, why) in cases {
        let scratch = Scratch::new();
        copy(&scratch, "train", "old.partial");
        spoil(&scratch.path("old.partial/checkpoints/000000000019"));
        let told = scratch.fovea(&["train", "--resume", "old.partial"]);
        assert!(told.code == Some(2) && told.err.contains(why), "{told:?}");
        assert!(scratch.path("old.partial/checkpoints").exists() && !scratch.path("old").exists());
    }
}
