//! Ctrl-C: the run ends soon, keeps what it has under its partial name, and says so.

use super::record::{arrays, manifest, readings};
use super::{FOVEA, Scratch, Told};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Far more steps than anyone waits for.
const LONG: [&str; 5] =
    ["--steps=1e8", "--record-every=1e4", "--batch=64", "--n=12", "--replicas=2"];

/// Asks until the answer is yes; gives up after half a minute.
#[track_caller]
fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    for _ in 0..3000 {
        if done() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("waited in vain until {what}");
}

/// Starts a long run that writes to `o`, and waits until it has begun.
fn start(scratch: &Scratch, args: &[&str]) -> Child {
    let mut command = scratch.command(FOVEA);
    command.args(["run", "localize", "--out", "o"]).args(LONG).args(args);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("the run has begun", || scratch.path("o.partial/run.toml").exists());
    // Its first records are there a moment later; a stop would be heard before they are.
    std::thread::sleep(Duration::from_millis(500));
    child
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Sends a signal and waits for the end, by force if the program does not find one itself.
#[track_caller]
fn end(mut child: Child, name: &str) -> Told {
    signal(&child, name);
    for _ in 0..1000 {
        if child.try_wait().unwrap().is_some() {
            return Told::of(&child.wait_with_output().unwrap());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    panic!("the program still ran ten seconds after {name}");
}

#[track_caller]
fn assert_kept(run: &Path) {
    let manifest = manifest(run);
    assert_eq!(manifest["status"].as_str(), Some("interrupted"));
    assert!(manifest["stamp"]["seconds"].as_float().unwrap() > 0.0);
    assert!(!readings(run).is_empty());
    let arrays = arrays(run);
    assert!(arrays.iter().any(|(name, _)| name.contains("weights_gain=")));
    assert!(arrays.iter().all(|(_, numbers)| !numbers.is_empty()));
    for name in ["claims.json", "report.html"] {
        assert!(run.join(name).metadata().unwrap().len() > 0, "{name}");
    }
}

#[test]
fn an_interrupted_run_keeps_its_record_under_its_partial_name() {
    for name in ["-INT", "-TERM"] {
        let scratch = Scratch::new();
        let told = end(start(&scratch, &["--gain=3,inf"]), name);
        assert_eq!((told.code, told.err.as_str()), (Some(130), ""), "{told:?}");
        assert!(told.out.contains("interrupted: the record holds what was done so far\n"));
        assert!(told.out.contains("record: o.partial ("), "{}", told.out);
        assert!(!scratch.path("o").exists());
        assert_kept(&scratch.path("o.partial"));
    }
}

#[test]
fn an_interrupted_run_beside_its_flow_ends_as_soon() {
    let scratch = Scratch::new();
    let told = end(start(&scratch, &["--gain=0.01"]), "-INT");
    assert_eq!(told.code, Some(130), "{told:?}");
    assert_kept(&scratch.path("o.partial"));
    // What is not whole is not analysed: no flow is followed after training was stopped.
    let arrays = arrays(&scratch.path("o.partial"));
    assert!(!arrays.iter().any(|(name, _)| name.contains("flow_gain=0.01")));
}

#[test]
fn an_interruption_is_in_the_json_too() {
    let scratch = Scratch::new();
    let told = end(start(&scratch, &["--gain=3", "--json"]), "-INT");
    let lines = told.json();
    assert_eq!(lines[0]["type"], "begin");
    let last = lines.last().unwrap();
    assert_eq!((&last["type"], &last["status"]), (&"end".into(), &"interrupted".into()));
    assert_eq!(last["record"], "o.partial");
    assert_eq!(told.code, Some(130));
}
