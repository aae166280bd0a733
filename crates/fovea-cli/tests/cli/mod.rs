//! Running the program in a scratch directory, and reading what it leaves behind.

mod bad_input;
mod before;
mod bench;
mod bits;
mod compare;
mod config;
mod disk;
mod diverge;
mod dry_run;
mod eval;
mod examples;
mod faults;
mod help;
mod interrupt;
mod manners;
mod measure;
mod names;
mod out;
mod plain_words;
mod recompute;
mod record;
mod report;
mod resume;
mod resume_refusals;
mod snapshots;
mod train;
mod values;
mod verify;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The program under test.
const FOVEA: &str = env!("CARGO_BIN_EXE_fovea");

/// Flags of a run that takes a fraction of a second and checks no claim.
const TINY: [&str; 7] =
    ["--steps=40", "--batch=64", "--gain=3", "--n=12", "--xi-pos=1.5", "--replicas=2", "--seed=1"];

/// The same without its seed.
const SEEDLESS: &[&str] = TINY.split_at(6).0;

/// A directory of its own for every test, gone at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("fovea-cli-{}-{number}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Every path under the directory, in order.
    fn tree(&self) -> Vec<PathBuf> {
        files_and_folders(&self.0)
    }

    /// The program with this directory as its working directory and a plain environment.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.0).stdin(Stdio::null());
        for variable in [
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "COLUMNS",
            "RAYON_NUM_THREADS",
            "SLURM_CPUS_PER_TASK",
        ] {
            command.env_remove(variable);
        }
        command
    }

    fn fovea<S: AsRef<std::ffi::OsStr>>(&self, args: &[S]) -> Told {
        Told::of(&self.command(FOVEA).args(args).output().unwrap())
    }

    /// Runs `localize` with the tiny settings, then `more`; the record goes to `out`.
    fn tiny(&self, out: &str, more: &[&str]) -> Told {
        self.fovea(&[&["run", "localize", "--out", out], &TINY[..], more].concat())
    }

    /// A script of `sh`, with the program's path in `$FOVEA`.
    fn sh(&self, script: &str) -> Told {
        Told::of(&self.command("sh").args(["-c", script]).env("FOVEA", FOVEA).output().unwrap())
    }

    /// Checks that the arguments are refused with exactly this message and hint, and that nothing was written.
    #[track_caller]
    fn refuses<S: AsRef<std::ffi::OsStr> + std::fmt::Debug>(
        &self,
        args: &[S],
        message: &str,
        hint: &str,
    ) {
        let before = self.tree();
        let told = self.fovea(args);
        assert_eq!(told.err, format!("error: {message}\n\nhint: {hint}\n"), "{args:?}");
        assert_eq!((told.code, told.out.as_str()), (Some(2), ""), "{args:?}");
        assert_eq!(self.tree(), before, "{args:?} left something behind");
    }

    /// The same for a setting of `localize`, given by `--set` to a run that would write `o`.
    #[track_caller]
    fn refuses_setting(&self, pair: &str, message: &str, hint: &str) {
        let args = [&["run", "localize", "--out", "o"], &TINY[..], &["--set", pair]].concat();
        self.refuses(&args, message, hint);
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What the program said, and its exit status; none where a signal ended it.
#[derive(Debug)]
struct Told {
    out: String,
    err: String,
    code: Option<i32>,
}

impl Told {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self { out: text(&output.stdout), err: text(&output.stderr), code: output.status.code() }
    }

    /// What it printed, where it went well and had nothing to complain about.
    #[track_caller]
    fn fine(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{}", self.out);
        self.out
    }

    /// It went well and only said from where it resumed.
    #[track_caller]
    fn resumed(self, from: &str) {
        let told = self.err.lines().count() == 1 && self.err.starts_with(from);
        assert!(self.code == Some(0) && told, "{} {}", self.err, self.out);
    }

    /// One JSON object per line, each with its version and type.
    #[track_caller]
    fn json(&self) -> Vec<serde_json::Value> {
        let object = |line: &str| {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(value["v"], 1, "{line}");
            assert!(value["type"].is_string(), "{line}");
            value
        };
        self.out.lines().map(object).collect()
    }
}

/// Every path under `root`, in order; symbolic links are not followed.
fn files_and_folders(root: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(root).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            paths.extend(files_and_folders(&entry.path()));
        }
        paths.push(entry.path());
    }
    paths.sort();
    paths
}
