//! Two programs at one directory: one of them is refused and told why, and the other notices nothing.

use super::super::bits::assert_same_record;
use super::super::resume::{killed_run, latest, start, train_to, with_file};
use super::super::{Scratch, TINY, Told, files_and_folders};
use super::tried;
use fovea_core::agree::trials;
use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

fn wait_for_a_checkpoint(partial: &Path, child: &mut Child) {
    while latest(partial).is_none() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What all of them said, once they have come to an end.
fn ends(children: Vec<Child>) -> Vec<Told> {
    let end = |child: Child| Told::of(&child.wait_with_output().unwrap());
    children.into_iter().map(end).collect()
}

#[test]
fn a_run_that_is_going_on_is_nobody_elses() {
    let scratch = with_file();
    let partial = scratch.path("o.partial");
    let mut child = start(&scratch, &train_to("o", &["steps=1e9", "record_every=1e7"]));
    wait_for_a_checkpoint(&partial, &mut child);
    let owner = child.id();
    let message = "error: o.partial is being written by another program";
    let resume = ["train", "--resume", "o.partial"];
    let mut others: Vec<Vec<&str>> =
        vec![resume.to_vec(), train_to("o", &[]), vec!["report", "o.partial"]];
    others[1].extend(["--set", "steps=5"]);
    for args in &others {
        let told = scratch.fovea(args);
        // A run that never drew anything has no report to draw.
        let expected =
            if args[0] == "report" { "error: o.partial holds no report.json" } else { message };
        assert!(told.code == Some(2) && told.err.starts_with(expected), "{args:?}: {told:?}");
        assert!(told.err.contains("hint: "), "{told:?}");
        // By its number, where the system says who holds a lock.
        let named = told.err.split_once(", process ").map(|(_, rest)| rest.split('\n').next());
        assert!(named.is_none_or(|pid| pid == Some(owner.to_string().as_str())), "{told:?}");
    }
    assert!(child.try_wait().unwrap().is_none(), "the first one was disturbed");
    child.kill().unwrap();
    child.wait().unwrap();
    // A kill frees the directory.
    let mut child = start(&scratch, &resume);
    let reached = latest(&partial);
    while latest(&partial) <= reached && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(latest(&partial) > reached);
    child.kill().unwrap();
    child.wait().unwrap();
    tried(
        "a live run resumed, begun again, drawn",
        others.len(),
        "all refused, the run undisturbed",
    );
}

#[test]
fn of_two_resumes_one_goes_on() {
    let scratch = with_file();
    scratch.fovea(&train_to("whole", &[])).fine();
    let times = trials(3, 25);
    for trial in 0..times {
        let mut child = start(&scratch, &train_to("cut", &[]));
        wait_for_a_checkpoint(&scratch.path("cut.partial"), &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!scratch.path("cut").exists(), "trial {trial} was over before it was killed");
        let resume = ["train", "--resume", "cut.partial"];
        let told = ends((0..3).map(|_| start(&scratch, &resume)).collect());
        let fine = told.iter().filter(|told| told.code == Some(0)).count();
        let refused = |told: &&Told| {
            // Whoever comes when all is over finds no unfinished run.
            let why = ["is being written by another program", "is not an unfinished run"];
            told.code == Some(2) && why.iter().any(|why| told.err.contains(why))
        };
        assert_eq!((fine, told.iter().filter(refused).count()), (1, 2), "{told:?}");
        assert_same_record(&scratch.path("whole"), &scratch.path("cut"));
        fs::remove_dir_all(scratch.path("cut")).unwrap();
    }
    tried(
        "three resumes of one run at once",
        times,
        "one went on, two were refused, the record the same",
    );
}

#[test]
fn of_two_runs_of_one_name_one_has_it() {
    let scratch = Scratch::new();
    let args = [&["run", "localize", "--out", "o"], &TINY[..]].concat();
    let times = trials(3, 25);
    for _ in 0..times {
        let told = ends((0..4).map(|_| start(&scratch, &args)).collect());
        let fine = told.iter().filter(|told| told.code == Some(0)).count();
        let refused = told.iter().filter(|told| told.code == Some(2)).count();
        assert_eq!((fine, refused), (1, 3), "{told:?}");
        assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 1, "{:?}", scratch.tree());
        fs::remove_dir_all(scratch.path("o")).unwrap();
    }
    // Without a name of its own each finds one.
    let told = ends(
        (0..4).map(|_| start(&scratch, &[&["run", "localize"], &TINY[..]].concat())).collect(),
    );
    assert!(told.iter().all(|told| told.code == Some(0)), "{told:?}");
    assert_eq!(fs::read_dir(scratch.path("runs")).unwrap().count(), 4);
    tried("four runs of one name at once", times, "one had it, three were refused");
}

#[test]
fn a_name_that_is_taken_meanwhile_is_left_alone() {
    let scratch = with_file();
    let partial = scratch.path("o.partial");
    let mut child = start(&scratch, &train_to("o", &[]));
    wait_for_a_checkpoint(&partial, &mut child);
    fs::create_dir(scratch.path("o")).unwrap();
    let told = Told::of(&child.wait_with_output().unwrap());
    assert!(told.code == Some(0) && told.out.contains("record: o-2 ("), "{told:?}");
    assert_eq!(fs::read_dir(scratch.path("o")).unwrap().count(), 0);
    assert!(scratch.path("o-2/run.toml").exists() && !partial.exists());
    tried("a name taken while the run goes on", 1, "the next free one, and said so");
}

#[test]
fn many_reports_at_once_are_all_drawn() {
    let scratch = Scratch::new();
    scratch.tiny("o", &[]).fine();
    let read = || {
        let files = files_and_folders(&scratch.path("o")).into_iter().filter(|p| p.is_file());
        files.map(|path| (fs::read(&path).unwrap(), path)).collect::<Vec<_>>()
    };
    let (before, times) = (read(), trials(8, 20));
    let told = ends((0..times).map(|_| start(&scratch, &["report", "o"])).collect());
    assert!(told.iter().all(|told| (told.code, told.err.as_str()) == (Some(0), "")), "{told:?}");
    assert!(read() == before);
    tried("reports of one record at once", times, "all drawn, the record the same");
}

#[test]
fn links_in_a_record_are_not_followed() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new();
    scratch.tiny("o", &[]).fine();
    let page = fs::read(scratch.path("o/report.html")).unwrap();
    scratch.write("victim", "mine");
    // Names that drafts had, and the files themselves.
    for name in
        ["report.html.draft", "figures/localize.svg.draft", "report.html", "figures/localize.svg"]
    {
        let path = scratch.path("o").join(name);
        let _ = fs::remove_file(&path);
        symlink(scratch.path("victim"), &path).unwrap();
    }
    assert_eq!(scratch.fovea(&["report", "o"]).code, Some(0));
    assert_eq!(fs::read(scratch.path("victim")).unwrap(), b"mine");
    assert!(fs::read(scratch.path("o/report.html")).unwrap() == page);
    fs::create_dir(scratch.path("elsewhere")).unwrap();
    fs::remove_dir_all(scratch.path("o/figures")).unwrap();
    symlink("../elsewhere", scratch.path("o/figures")).unwrap();
    let told = scratch.fovea(&["report", "o"]);
    assert!(told.code == Some(2) && told.err.contains("could not create o/figures"), "{told:?}");
    assert_eq!(fs::read_dir(scratch.path("elsewhere")).unwrap().count(), 0);
    tried("links in the place of files and folders", 5, "replaced or refused, none followed");
}

/// A run that was killed leaves its mark; the program that resumes it leaves none.
#[test]
fn a_killed_run_is_gone_on_with_and_leaves_no_trace_of_it() {
    let scratch = with_file();
    killed_run(&scratch, &[]);
    super::super::record::rewrite(&scratch.path("cut.partial/run.toml"), |text| {
        text.replace("steps = 1000000000", "steps = 1100")
    });
    fs::remove_dir_all(scratch.path("cut.partial/checkpoints")).unwrap();
    // As a kill within a checkpoint leaves it.
    let draft = scratch.path("cut.partial/checkpoints/000000000777.draft");
    fs::create_dir_all(&draft).unwrap();
    fs::write(draft.join("weights.npy"), b"half").unwrap();
    assert_eq!(scratch.fovea(&["train", "--resume", "cut.partial"]).code, Some(0));
    let left = files_and_folders(&scratch.path("cut"));
    let stray = left.iter().find(|path| path.extension() == Some("draft".as_ref()));
    assert_eq!(stray, None);
    assert!(!scratch.path("cut/.lock").exists());
}
