//! Signals: whichever asks a run to end is heard within two seconds, inside of long steps, records and closed forms, and what
//! was done is kept.

use super::super::record::manifest;
use super::super::{FOVEA, Scratch, Told};
use super::tried;
use fovea_core::agree::{test_seed, trials};
use fovea_lab::experiments;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Signals that ask a run to end.
const SIGNALS: [&str; 4] = ["-INT", "-TERM", "-HUP", "-USR1"];
/// The time in which one is heard.
const HEARD: f64 = 2.0;

fn start(scratch: &Scratch, args: &[&str]) -> Child {
    let mut command = scratch.command(FOVEA);
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn send(child: &Child, signal: &str) {
    // One that has ended by itself a moment ago is no fault.
    let _ = Command::new("kill").args([signal, &child.id().to_string()]).output().unwrap();
}

#[expect(clippy::disallowed_methods, reason = "how long a signal waits is what is measured")]
fn now() -> Instant {
    Instant::now()
}

/// Seconds that a process has run until now on all its threads, while it lives.
fn worked(child: &Child) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // After the name, which may hold anything, in hundredths.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// Waits for the end; how long it took and what was said, or nothing where it takes a minute. On a machine that does other work
/// a process waits through no fault of its own: what it worked counts, if that is less.
fn end(mut child: Child) -> Option<(f64, Told)> {
    let (began, before) = (now(), worked(&child));
    let mut after = before;
    while began.elapsed() < Duration::from_mins(1) {
        if child.try_wait().unwrap().is_some() {
            let waited = began.elapsed().as_secs_f64();
            let work = after.zip(before).map_or(waited, |(after, before)| after - before);
            return Some((waited.min(work), Told::of(&child.wait_with_output().unwrap())));
        }
        after = worked(&child).or(after);
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// Waits until the run at `o` has begun, and a while longer.
fn begun(scratch: &Scratch, child: &mut Child, then: f64) {
    let manifest = scratch.path("o.partial/run.toml");
    while !manifest.exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(Duration::from_secs_f64(then));
}

/// Long work of every kind: what is trained is never over in the time of a test.
const LONG: [(&str, &str); 5] = [
    (
        "a long step",
        "[class.pos]\nstimulus = { name = \"nlgp\", n = 2000, xi = 2 }\n[class.neg]\nstimulus = { name = \"nlgp\", n = 2000, xi = 1 }\n[dynamics]\nbatch = 100000000\n",
    ),
    (
        "a long record of pairs",
        "probes = [\"pairing\"]\n[network]\nwidth = 65536\n[dynamics]\nbatch = 8\n",
    ),
    (
        "a long record of fits",
        "probes = [\"gabor\"]\n[network]\nwidth = 65536\n[dynamics]\nbatch = 8\n",
    ),
    (
        "a large held-out set",
        "eval_samples = 1000000000\nprobes = [\"accuracy\"]\n[dynamics]\nbatch = 8\n",
    ),
    ("images of every sample", "[dynamics]\nbatch = 100000000\nestimator = \"orbit\"\n"),
];

/// Seconds until a training of this kind ended after a signal, and what it left.
fn stop(file: &str, signal: &str, after: f64) -> Result<f64, String> {
    let scratch = Scratch::new();
    scratch.write("t.toml", format!("steps = 1000000000000\nrecord_every = 1000000000000\n{file}"));
    let mut child = start(&scratch, &["train", "t.toml", "--out", "o"]);
    begun(&scratch, &mut child, after);
    send(&child, signal);
    let (seconds, told) = end(child).ok_or("it was not heard in a minute")?;
    if told.code != Some(130) {
        return Err(format!("it ended with {:?}: {}", told.code, told.err));
    }
    let partial = scratch.path("o.partial");
    // A signal that comes while the data are still prepared finds nothing to keep.
    let kept = partial.join("checkpoints").is_dir();
    if kept && !told.out.contains("to resume: fovea train --resume o.partial") {
        return Err(format!("it does not say how to resume: {}", told.out));
    }
    if !kept && !told.err.contains("interrupted before there was anything to record") {
        return Err(format!("nothing is kept: {} {}", told.out, told.err));
    }
    Ok(seconds)
}

#[test]
fn every_signal_is_heard_inside_of_long_steps_and_records() {
    let cases: Vec<(usize, usize)> =
        (0..LONG.len()).flat_map(|kind| (0..SIGNALS.len()).map(move |s| (kind, s))).collect();
    let count = trials(LONG.len(), cases.len());
    let mut worst = 0.0_f64;
    for trial in 0..count {
        // In a sample every kind of work once, each with another signal.
        let (kind, signal) =
            if count < cases.len() { (trial, trial % SIGNALS.len()) } else { cases[trial] };
        let moment = test_seed(module_path!(), trial as u64) % 1000;
        let seconds = stop(LONG[kind].1, SIGNALS[signal], 0.5 + moment as f64 / 1000.0);
        let seconds =
            seconds.unwrap_or_else(|why| panic!("{} {}: {why}", LONG[kind].0, SIGNALS[signal]));
        assert!(seconds < HEARD, "{} {}: {seconds} s", LONG[kind].0, SIGNALS[signal]);
        worst = worst.max(seconds);
    }
    tried(
        "a signal inside of long steps and records",
        count,
        &format!("the last was heard after {worst:.2} s, a checkpoint kept"),
    );
}

/// Stops an experiment at a random moment: seconds until it ended, none where it was over before.
fn stop_run(args: &[&str], signal: &str, after: f64) -> Option<f64> {
    let scratch = Scratch::new();
    let mut child = start(&scratch, &[&["run"], args, &["--out", "o"]].concat());
    begun(&scratch, &mut child, after);
    send(&child, signal);
    let (seconds, told) = end(child).unwrap_or_else(|| panic!("{args:?} {signal} was not heard"));
    if told.code == Some(0) && scratch.path("o").is_dir() {
        return None;
    }
    assert_eq!(told.code, Some(130), "{args:?} {signal}: {told:?}");
    if told.out.contains("to resume: fovea run --resume o.partial") {
        let manifest = manifest(&scratch.path("o.partial"));
        assert_eq!(manifest["status"].as_str(), Some("interrupted"));
        let claims = std::fs::read_to_string(scratch.path("o.partial/claims.json")).unwrap();
        assert!(!claims.contains("\"id\""), "{args:?}: a claim of half a run: {claims}");
    } else {
        assert!(told.err.contains("interrupted before"), "{args:?} {told:?}");
    }
    Some(seconds)
}

#[test]
fn every_signal_is_heard_in_every_experiment_theory_included() {
    // Those that were deaf in their theory come first; in full all of them at their default size, at several moments.
    let first = ["amplifier", "ising-transition", "two-populations"];
    let rest = experiments::ALL.iter().map(|row| row.name).filter(|name| !first.contains(name));
    let names: Vec<&str> = first.into_iter().chain(rest).collect();
    let count = trials(first.len(), 6 * names.len());
    let (mut worst, mut heard) = ((0.0_f64, ""), 0);
    for trial in 0..count {
        let turn = if count < names.len() { trial % first.len() } else { trial % names.len() };
        let name = names[turn];
        let seed = test_seed(module_path!(), 1000 + trial as u64);
        let after = 5.0 * (seed % 1000) as f64 / 1000.0;
        let Some(seconds) = stop_run(&[name], SIGNALS[trial % SIGNALS.len()], after) else {
            continue;
        };
        assert!(seconds < HEARD, "{name} after {after} s: {seconds} s");
        heard += 1;
        worst = if seconds > worst.0 { (seconds, name) } else { worst };
    }
    assert!(heard > count / 4, "{heard} of {count} runs were stopped");
    let last = format!("{heard} stopped, the last after {:.2} s ({})", worst.0, worst.1);
    tried("a signal at a random moment of an experiment", count, &last);
}

#[test]
fn a_second_ctrl_c_ends_at_once_and_a_second_end_of_the_terminal_does_not() {
    for (signal, insists) in [("-INT", true), ("-TERM", true), ("-HUP", false), ("-USR1", false)] {
        let scratch = Scratch::new();
        // The first step draws for longer than a signal is heard between two polls.
        scratch.write(
            "t.toml",
            "steps = 1000000000\nrecord_every = 1000000000\n[dynamics]\nbatch = 100\n",
        );
        let mut child = start(&scratch, &["train", "t.toml", "--out", "o"]);
        begun(&scratch, &mut child, 0.3);
        send(&child, signal);
        send(&child, signal);
        let (_, told) = end(child).unwrap();
        assert_eq!(told.code, Some(130), "{signal} {told:?}");
        if !insists {
            assert!(told.out.contains("to resume: "), "{signal} {told:?}");
        }
    }
}

#[test]
fn what_nohup_ignores_stays_ignored() {
    let scratch = Scratch::new();
    let script = "trap '' HUP; $FOVEA run localize --steps=20000 --batch=64 --gain=3 --n=12 --replicas=1 --out o & \
                  sleep 0.3; kill -HUP $!; wait $!";
    let told = scratch.sh(script);
    assert_eq!(told.code, Some(0), "{told:?}");
    assert!(scratch.path("o").is_dir());
}
