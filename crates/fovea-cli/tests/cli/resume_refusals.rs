//! What cannot be resumed is refused with a reason, and is left as it was.

use super::Scratch;
use super::record::rewrite;
use super::resume::{checkpoint, killed_run, latest, train_to, with_file};
use fovea_lab::Array;
use fovea_lab::record::npy_bytes;
use std::fs;

const RESUME: [&str; 3] = ["train", "--resume", "cut.partial"];

/// What is said to a resume that is refused and leaves everything as it was.
#[track_caller]
fn refused(scratch: &Scratch, args: &[&str]) -> (String, String) {
    let before = scratch.tree();
    let told = scratch.fovea(args);
    assert_eq!((told.code, told.out.as_str()), (Some(2), ""), "{told:?}");
    assert_eq!(scratch.tree(), before, "{args:?} changed something: {}", told.err);
    let (message, hint) = told.err.split_once("\n\nhint: ").unwrap();
    (message.to_owned(), hint.trim().to_owned())
}

/// Resumes the run until it has made another checkpoint.
#[track_caller]
fn goes_on(scratch: &Scratch) {
    let mut child = scratch.command(super::FOVEA).args(RESUME).spawn().unwrap();
    let (partial, reached) = (scratch.path("cut.partial"), latest(&scratch.path("cut.partial")));
    while latest(&partial) <= reached && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let going = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(going && latest(&partial) > reached, "it did not go on from {reached:?}");
}

#[test]
fn what_is_no_unfinished_run_is_refused() {
    let scratch = with_file();
    scratch.fovea(&train_to("whole", &["steps=20"])).fine();
    fs::create_dir(scratch.path("empty.partial")).unwrap();
    let hint = "name the directory of an interrupted run, which ends in .partial";
    for path in ["whole", "whole/", "gone.partial", "empty.partial", "t.toml", "."] {
        let plain = path.trim_end_matches('/');
        let message = format!("{plain} is not an unfinished run");
        scratch.refuses(&["train", "--resume", path], &message, hint);
    }
}

#[test]
fn the_run_of_an_experiment_is_refused() {
    let scratch = Scratch::new();
    assert_eq!(scratch.tiny("o", &[]).code, Some(0));
    fs::rename(scratch.path("o"), scratch.path("o.partial")).unwrap();
    let (message, hint) = refused(&scratch, &["train", "--resume", "o.partial"]);
    assert_eq!(message, "error: o.partial is an unfinished run of `localize`");
    assert_eq!(hint, "write fovea run --resume o.partial");
}

#[test]
fn a_changed_input_file_is_refused_and_the_old_one_goes_on() {
    let scratch = with_file();
    let numbers = |x: f64| {
        let data = (0..48).map(|i| if i == 7 { x } else { f64::from(i) / 48.0 }).collect();
        npy_bytes(&Array { name: "x".into(), shape: vec![4, 12], data })
    };
    scratch.write("x.npy", numbers(0.25));
    let sets = ["class.pos.stimulus=array", "class.pos.stimulus.samples=x.npy"];
    killed_run(&scratch, &sets);
    scratch.write("x.npy", numbers(0.26));
    let (message, hint) = refused(&scratch, &RESUME);
    let changed = "it belongs to another configuration, or an input file has changed";
    assert!(message.contains(changed) && hint.contains("start again"), "{message} {hint}");
    fs::remove_file(scratch.path("x.npy")).unwrap();
    let (message, hint) = refused(&scratch, &RESUME);
    assert!(message.contains("cannot be read") && message.contains("x.npy"), "{message}");
    assert!(hint.starts_with("check the name"), "{hint}");
    scratch.write("x.npy", numbers(0.25));
    goes_on(&scratch);
}

#[test]
fn other_settings_than_those_of_the_checkpoint_are_refused() {
    let scratch = with_file();
    killed_run(&scratch, &[]);
    let manifest = scratch.path("cut.partial/run.toml");
    rewrite(&manifest, |text| text.replace("lr = 0.1", "lr = 0.2"));
    assert!(refused(&scratch, &RESUME).0.contains("it belongs to another configuration"));
}

#[test]
fn half_a_checkpoint_is_passed_over() {
    let scratch = with_file();
    killed_run(&scratch, &[]);
    let partial = scratch.path("cut.partial");
    let draft = checkpoint(&partial, latest(&partial).unwrap() + 100).with_extension("draft");
    let _ = fs::remove_dir_all(&draft);
    fs::create_dir(&draft).unwrap();
    fs::write(draft.join("weights.npy.draft"), b"\x93NUM").unwrap();
    goes_on(&scratch);
}

#[test]
fn a_spoilt_checkpoint_is_refused_by_its_name_and_the_one_before_goes_on() {
    let spoil: [(&str, &[u8]); 7] = [
        ("state.toml", b"format = = 1"),
        ("state.toml", b"\xff\xfe"),
        ("state.toml", b""),
        ("state.toml", b"format = 99\n"),
        ("weights.npy", b"\x93NUMPY\x01\x00"),
        ("weights.npy", b""),
        ("record_steps.npy", b"no array"),
    ];
    let scratch = with_file();
    killed_run(&scratch, &[]);
    goes_on(&scratch);
    let partial = scratch.path("cut.partial");
    let last = checkpoint(&partial, latest(&partial).unwrap());
    for (name, bytes) in spoil {
        let whole = fs::read(last.join(name)).unwrap();
        fs::write(last.join(name), bytes).unwrap();
        let (message, hint) = refused(&scratch, &RESUME);
        assert!(message.contains(name) && message.contains("checkpoints/"), "{message}");
        assert!(!hint.is_empty());
        fs::write(last.join(name), whole).unwrap();
    }
    for name in ["weights.npy", "state.toml"] {
        fs::remove_file(last.join(name)).unwrap();
        let (message, _) = refused(&scratch, &RESUME);
        assert!(message.contains(&format!("/{name}")), "{message}");
    }
    fs::remove_dir_all(&last).unwrap();
    goes_on(&scratch);
}

#[test]
fn resuming_does_not_depend_on_how_the_settings_were_written() {
    let writings: [&[&str]; 4] = [
        &["network=committee(init=glorot(init_scale=0.2), width=2)"],
        &["class.pos.stimulus=nlgp(n=12, xi=1, gain=2, gain=3)"],
        &["network=committee(bias-value=0.5, bias=frozen, width=3.0)"],
        &["class.pos.stimulus=filtered(base=scaled(base=sign(n=12), factor=normal), site=3)"],
    ];
    for sets in writings {
        let scratch = with_file();
        killed_run(&scratch, sets);
        goes_on(&scratch);
    }
}

#[test]
fn a_checkpoint_that_cannot_be_written_ends_the_run_and_the_one_before_goes_on() {
    let scratch = with_file();
    // The weights recorded so far outgrow 32 KiB after some checkpoints.
    let args = train_to("cut", &["probes=weights", "record_every=5", "steps=1e6"]).join(" ");
    let told = scratch.sh(&format!("ulimit -f 64; exec \"$FOVEA\" {args}"));
    assert!(told.err.contains("checkpoints/") && told.err.contains("File too large"), "{told:?}");
    assert_eq!(told.code, Some(2));
    assert!(latest(&scratch.path("cut.partial")).is_some());
    goes_on(&scratch);
}
