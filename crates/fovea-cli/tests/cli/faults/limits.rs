//! Limits of the system and of what can be asked for: threads, levels within each other, names, instruction sets.

use super::super::bits::assert_same_record;
use super::super::{FOVEA, SEEDLESS, Scratch, TINY, Told, record::manifest};
use super::tried;
use fovea_core::agree::trials;
use fovea_core::simd::Level;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;

/// Runs the program where no further thread can be started.
fn without_threads(scratch: &Scratch, args: &[&str]) -> Told {
    // The limit does not bind the superuser, who lets nobody do it, in a place where nobody may write.
    let root = fs::read_to_string("/proc/self/status").unwrap().contains("\nUid:\t0\t");
    let program = scratch.path("fovea");
    if !program.exists() {
        fs::copy(FOVEA, &program).unwrap();
    }
    let mut command = scratch.command("bash");
    command.args(["-c", "ulimit -u 1; exec ./fovea \"$@\"", "bash"]).args(args);
    if root {
        fs::set_permissions(&scratch.0, fs::Permissions::from_mode(0o777)).unwrap();
        command.uid(65534).gid(65534);
    }
    Told::of(&command.output().unwrap())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn threads_of(scratch: &Scratch, out: &str) -> usize {
    manifest(&scratch.path(out))["stamp"]["threads"].as_integer().unwrap() as usize
}

#[test]
fn where_no_thread_can_be_started_the_record_is_the_same() {
    let scratch = Scratch::new();
    scratch.write("t.toml", "steps = 20\nrecord_every = 5\n");
    let check = if trials(0, 1) == 1 { "L000" } else { "L000.3" };
    let verbs: [&[&str]; 3] = [
        &[&["run", "localize"], &TINY[..]].concat(),
        &["train", "t.toml", "--set", "network.width=4"],
        &["verify", check, "--quick"],
    ];
    for (i, args) in verbs.iter().enumerate() {
        let (free, bound) = (format!("free-{i}"), format!("bound-{i}"));
        assert_eq!(scratch.fovea(&[*args, &["--out", &free]].concat()).code, Some(0));
        let told = without_threads(&scratch, &[*args, &["--out", &bound]].concat());
        assert_eq!(told.code, Some(0), "{args:?}: {}", told.err);
        let said = told.err.starts_with("threads: the system starts no more threads (");
        // A busy machine is slow enough for progress to be shown.
        let lines = told.err.lines().filter(|line| !line.contains(" % of ")).count();
        assert!(said == (cores() > 1) && lines <= 1, "{args:?}: {}", told.err);
        assert_same_record(&scratch.path(&free), &scratch.path(&bound));
        assert_eq!(threads_of(&scratch, &bound), 1);
    }
    for args in &verbs {
        let before = scratch.tree();
        let told = without_threads(&scratch, &[*args, &["--threads", "3", "--out", "o"]].concat());
        assert!(told.err.starts_with("error: 3 threads could not be started: "), "{}", told.err);
        assert!(told.err.ends_with("\n\nhint: choose fewer threads, or raise the limit on them\n"));
        assert_eq!((told.code, scratch.tree()), (Some(2), before));
        let told = without_threads(&scratch, &[*args, &["--threads", "1", "--out", "o"]].concat());
        assert_eq!(told.code, Some(0), "{args:?}: {}", told.err);
        fs::remove_dir_all(scratch.path("o")).unwrap();
    }
    let told = without_threads(&scratch, &["run", "localize", "--quick", "--dry-run"]);
    assert!(told.code == Some(2) && told.err.contains("needs a thread of its own"), "{}", told.err);
    tried(
        "no thread to be had",
        10,
        "the same records on one, or refused where more were asked for",
    );
}

#[test]
fn the_environment_asks_for_threads_and_gets_no_more_than_there_are_cores() {
    let scratch = Scratch::new();
    let run = |out: &str, said: &[(&str, &str)], more: &[&str]| {
        let args = [&["run", "localize", "--out", out], &TINY[..], more].concat();
        let said = said.iter().copied();
        let told = Told::of(&scratch.command(FOVEA).args(args).envs(said).output().unwrap());
        assert_eq!(told.code, Some(0), "{}", told.err);
        (threads_of(&scratch, out), told.err)
    };
    for (i, name) in ["SLURM_CPUS_PER_TASK", "RAYON_NUM_THREADS"].into_iter().enumerate() {
        let (threads, said) = run(&format!("many-{i}"), &[(name, "100000")], &[]);
        assert_eq!(threads, cores());
        assert!(said.starts_with(&format!("threads: {name} asks for 100000 threads")), "{said}");
        assert_eq!(run(&format!("one-{i}"), &[(name, "1")], &[]), (1, String::new()));
        let asked = run(&format!("three-{i}"), &[(name, "1")], &["--threads", "3"]);
        assert_eq!(asked, (3, String::new()));
        let (threads, said) = run(&format!("word-{i}"), &[(name, "all")], &[]);
        assert_eq!(threads, cores());
        assert!(said.contains("which is not a number of threads"), "{said}");
    }
    let both = [("RAYON_NUM_THREADS", "2"), ("SLURM_CPUS_PER_TASK", "1")];
    assert_eq!(run("both", &both, &[]).0, 1);
    tried("threads by the environment", 9, "no more than cores, and said where more were wanted");
}

/// `scaled(base=scaled(...))`, nested this deep.
fn nested(levels: usize) -> String {
    format!("{}nlgp{}", "scaled(base=".repeat(levels), ")".repeat(levels))
}

#[test]
fn what_is_nested_too_deep_is_refused_with_the_limit() {
    let scratch = Scratch::new();
    scratch.write("t.toml", "steps = 5\n");
    let lists = |n: usize| format!("gain={}", "[".repeat(n));
    let closed = |n: usize| format!("gain={}1{}", "[".repeat(n), "]".repeat(n));
    let path = |n: usize| format!("class{}=3", ".a".repeat(n));
    let items = |n: usize| format!("gain={}1{}", "a(b=".repeat(n), ")".repeat(n));
    let stimuli = |n: usize| format!("class.pos.stimulus={}", nested(n));
    let verbs: [&[&str]; 3] = [
        &["run", "localize", "--out", "o"],
        &["train", "t.toml", "--out", "o"],
        &["eval", "nlgp.cov"],
    ];
    let mut times = 0;
    let mut refused = |verb: &[&str], pair: &str, told_why: bool| {
        let before = scratch.tree();
        let told = scratch.fovea(&[verb, &["--set", pair]].concat());
        let short: String = pair.chars().take(40).collect();
        assert_eq!((told.code, scratch.tree()), (Some(2), before), "{verb:?} {short}");
        let why = told.err.contains("more than 32 levels of lists and items within each other");
        assert!(why || !told_why, "{verb:?} {short}: {:.300}", told.err);
        times += 1;
    };
    for depth in [33, 1000, 25_000] {
        for verb in verbs {
            refused(verb, &closed(depth), true);
            refused(verb, &items(depth), true);
        }
    }
    for verb in verbs {
        refused(verb, &lists(60_000), false);
        refused(verb, &path(60_000), verb[0] == "train");
    }
    for depth in [33, 100, 1000, 9_000] {
        refused(verbs[1], &stimuli(depth), true);
    }
    // Typed as a word in a file it is the same.
    for depth in [33, 9_000] {
        let text = format!("steps = 5\n[class.pos]\nstimulus = \"{}\"\n", nested(depth));
        scratch.write("deep.toml", text);
        refused(&["train", "deep.toml", "--out", "o"], "steps=4", true);
    }
    tried("settings nested too deep", times, "refused, with the limit");
}

#[test]
fn what_is_nested_as_deep_as_may_be_is_recorded_and_can_be_read_again() {
    let scratch = Scratch::new();
    scratch.write("t.toml", "steps = 3\nrecord_every = 1\neval_samples = 64\n");
    let set = |levels: usize| format!("class.pos.stimulus={}", nested(levels));
    let train =
        |levels: usize| scratch.fovea(&["train", "t.toml", "--set", &set(levels), "--out", "a"]);
    let deepest = (20..33).rev().find(|levels| train(*levels).code == Some(0)).unwrap();
    assert!(deepest > 24, "only {deepest} levels of stimuli");
    scratch.fovea(&["train", "a/run.toml", "--out", "b"]).fine();
    assert_same_record(&scratch.path("a"), &scratch.path("b"));
    scratch.fovea(&["compare", "a", "b"]).fine();
    scratch.fovea(&["report", "a"]).fine();
    tried("settings nested as deep as may be", 1, "recorded, and read again as they were");
}

#[test]
fn more_probes_than_there_are_is_refused_at_once() {
    let scratch = Scratch::new();
    let names = "\"ipr\",".repeat(100_000);
    scratch.write("t.toml", format!("steps = 5\nprobes = [{names}]\n"));
    let before = scratch.tree();
    let told = scratch.fovea(&["train", "t.toml", "--out", "o"]);
    assert!(
        told.err.starts_with("error: `probes` names 100000 probes, and there are "),
        "{}",
        told.err
    );
    assert_eq!((told.code, scratch.tree()), (Some(2), before));
    tried("a list of 100000 probes", 1, "refused");
}

#[test]
fn every_instruction_set_gives_the_same_record_and_a_wrong_one_is_refused() {
    let scratch = Scratch::new();
    scratch.write("t.toml", "steps = 40\nrecord_every = 10\n[network]\nwidth = 12\n");
    let many = trials(1, 6);
    let seeds: Vec<String> = (0..many).map(|seed| seed.to_string()).collect();
    let levels = Level::available();
    for seed in &seeds {
        let runs: [&[&str]; 3] = [
            &[&["run", "localize"], SEEDLESS].concat(),
            &["run", "finite-width-kurtosis", "--quick", "--nets=100"],
            &["train", "t.toml"],
        ];
        for (i, args) in runs.iter().enumerate() {
            let out = |word: &str| format!("{i}-{seed}-{word}");
            for level in &levels {
                let (word, out) = (level.word(), out(level.word()));
                let more = ["--simd", word, "--seed", seed.as_str(), "--out", &out];
                let told = scratch.fovea(&[*args, &more].concat());
                assert!(told.code.is_some_and(|code| code < 2), "{args:?} {}", told.err);
                let stamp = &manifest(&scratch.path(&out))["stamp"];
                assert_eq!(stamp["features"].as_str(), Some(level.name()));
                assert_same_record(
                    &scratch.path(&self::first(&levels, &out, word)),
                    &scratch.path(&out),
                );
            }
        }
    }
    let there = levels.iter().map(|level| level.word()).collect::<Vec<_>>().join(", ");
    scratch.refuses(
        &["run", "localize", "--quick", "--out", "o", "--simd", "sse"],
        "`simd` is sse; it must be portable, avx2 or avx512",
        &format!("this machine has {there}; without --simd the best is used"),
    );
    for level in [Level::Avx2, Level::Avx512].into_iter().filter(|level| !levels.contains(level)) {
        let word = level.word();
        scratch.refuses(
            &["run", "localize", "--quick", "--out", "o", "--simd", word],
            &format!("this machine has no {word} instructions; it has {there}"),
            &format!("choose one of {there}, or leave --simd out for the best"),
        );
    }
    let times = 3 * many * levels.len();
    tried("instruction sets", times, "the same bytes from each");
}

/// The record at the first level, and the one at this level.
fn first(levels: &[Level], out: &str, word: &str) -> String {
    out.strip_suffix(word).unwrap().to_owned() + levels[0].word()
}

/// A reader that asserts is answered with one error; its own words are not shown.
#[test]
fn damaged_tables_are_refused_without_a_word_of_the_library() {
    let scratch = Scratch::new();
    scratch.tiny("a", &[]).fine();
    scratch.tiny("b", &[]).fine();
    let whole = fs::read(scratch.path("b/series.parquet")).unwrap();
    // What the library asserts about lies in the last pages and in the footer.
    let places: Vec<usize> = (0..trials(160, whole.len())).map(|i| whole.len() - 1 - i).collect();
    let masks: &[u8] = if trials(0, 1) == 1 { &[0x01, 0x10, 0xff] } else { &[0x10] };
    let mut refused = 0;
    for (place, mask) in
        places.iter().flat_map(|place| masks.iter().map(move |mask| (*place, mask)))
    {
        let mut damaged = whole.clone();
        damaged[place] ^= mask;
        scratch.write("b/series.parquet", &damaged);
        let told = scratch.fovea(&["compare", "a", "b"]);
        assert!(matches!(told.code, Some(0..=2)), "byte {place}: {:?} {}", told.code, told.err);
        let own = ["panicked", "itself failed", "stack backtrace", "assertion"];
        assert!(own.iter().all(|word| !told.err.contains(word)), "byte {place}: {}", told.err);
        refused += usize::from(told.code == Some(2));
    }
    let times = places.len() * masks.len();
    assert!(refused > 0);
    tried("damaged bytes of a table", times, "no word of the library that reads it");
}
