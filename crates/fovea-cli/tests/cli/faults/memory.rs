//! Limits on memory: what does not fit is refused before anything is written, by its size, the limit and the fix.

use super::super::{Scratch, Told};
use super::tried;
use std::fs;
use std::path::PathBuf;

/// Runs a script under a limit on addresses, in kilobytes.
fn limited(scratch: &Scratch, kilobytes: u64, command: &str) -> Told {
    scratch.sh(&format!("ulimit -v {kilobytes}; {command}"))
}

#[track_caller]
fn assert_refused(told: &Told, parts: &[&str]) {
    assert_eq!((told.code, told.out.as_str()), (Some(2), ""), "{told:?}");
    for part in parts {
        assert!(told.err.contains(part), "{part}: {}", told.err);
    }
}

/// A training whose weights take 256 MB and more.
const WIDE: &str = "steps = 1\nprobes = [\"norm\"]\n[class.pos]\nstimulus = { name = \"nlgp\", n = 400, xi = 2 }\n\
                    [class.neg]\nstimulus = { name = \"nlgp\", n = 400, xi = 1 }\n[network]\nwidth = 20000\n";

#[test]
fn what_does_not_fit_under_a_limit_on_addresses_is_refused() {
    let scratch = Scratch::new();
    scratch.write("wide.toml", WIDE);
    let needs = "error: a network of 20000 units on 400 inputs would take ";
    let limit = " are free: the limit on addresses (ulimit -v) allows 409.6 MB";
    let mut count = 0;
    for verb in ["train wide.toml --out o", "train wide.toml --out o --dry-run"] {
        let told = limited(&scratch, 400_000, &format!("$FOVEA {verb} --threads 1"));
        assert_refused(&told, &[needs, limit, "hint: choose a smaller width or n"]);
        count += 1;
    }
    assert!(!scratch.path("o.partial").exists() && !scratch.path("o").exists());
    // Pictures of twenty thousand pixels, of a record that is as it was afterwards.
    scratch.tiny("small", &[]).fine();
    let before = scratch.tree();
    let told = limited(&scratch, 1_000_000, "$FOVEA report small --width 10000");
    assert_refused(&told, &["error: a picture of 20000 by ", "hint: choose a smaller --width"]);
    assert_eq!(scratch.tree(), before);
    tried("more memory than `ulimit -v` allows", count + 1, "refused, nothing written");
}

#[test]
fn a_batch_job_is_held_to_what_it_asked_for() {
    let scratch = Scratch::new();
    scratch.write("wide.toml", WIDE);
    for (variables, said) in [
        ("SLURM_MEM_PER_NODE=200", "SLURM_MEM_PER_NODE allows 209.7 MB"),
        ("SLURM_MEM_PER_CPU=100 SLURM_CPUS_ON_NODE=2", "SLURM_MEM_PER_CPU allows 209.7 MB"),
    ] {
        let told = scratch.sh(&format!("{variables} $FOVEA train wide.toml --out o"));
        assert_refused(&told, &["a network of 20000 units", said]);
    }
    tried("more memory than a batch job asked for", 2, "refused, nothing written");
}

/// A control group of our own with a limit, where we may make one.
struct Group(PathBuf);

impl Group {
    fn with(bytes: u64) -> Option<Self> {
        let text = fs::read_to_string("/proc/self/cgroup").ok()?;
        let name = format!("fovea-{}", std::process::id());
        let old = text.lines().find_map(|line| line.split_once(":memory:"));
        let (folder, limit) = match old {
            Some((_, path)) => (format!("/sys/fs/cgroup/memory{path}"), "memory.limit_in_bytes"),
            None => (format!("/sys/fs/cgroup{}", text.trim().strip_prefix("0::")?), "memory.max"),
        };
        let group = PathBuf::from(folder).join(name);
        fs::create_dir(&group).ok()?;
        let group = Self(group);
        fs::write(group.0.join(limit), bytes.to_string()).ok()?;
        Some(group)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

#[test]
fn what_does_not_fit_into_a_control_group_is_refused_and_not_killed() {
    let Some(group) = Group::with(64_000_000) else {
        return tried("more memory than a control group allows", 0, "no group may be made here");
    };
    let scratch = Scratch::new();
    scratch.write("wide.toml", WIDE);
    let join = format!("echo $$ > {}/cgroup.procs", group.0.display());
    let told = scratch.sh(&format!("{join} && exec $FOVEA train wide.toml --out o --threads 1"));
    // The system rounds a limit down to whole pages.
    let said = "the control group allows 64.0 MB";
    assert_refused(&told, &["a network of 20000 units", said, "choose a smaller width or n"]);
    tried("more memory than a control group allows", 1, "refused, nothing written");
}

/// Records of one number each: 33 million of them take some 15 GB, a hundred times what the number alone does.
const MANY: &str = "steps = 33000000\nrecord_every = 1\nprobes = [\"norm\"]\n[class.pos]\nstimulus = { name = \"nlgp\", n = 2, xi = 0.3 }\n\
                    [class.neg]\nstimulus = { name = \"nlgp\", n = 2, xi = 0.2 }\n[network]\nwidth = 1\n[dynamics]\nbatch = 1\n";

#[test]
fn small_records_count_with_what_they_are_kept_in() {
    let scratch = Scratch::new();
    scratch.write("many.toml", MANY);
    for verb in ["train many.toml --out o", "train many.toml --out o --dry-run"] {
        let told = scratch.sh(&format!("SLURM_MEM_PER_NODE=4000 $FOVEA {verb}"));
        assert_refused(
            &told,
            &["33000001 records of 1 probes would take 15.", "hint: choose `record_every` >= "],
        );
    }
}

/// Where they fit, a dry run says what they take and holds a part of them.
#[test]
fn a_dry_run_of_many_records_is_bounded() {
    let scratch = Scratch::new();
    scratch.write("some.toml", MANY.replace("33000000", "3000000"));
    let told =
        limited(&scratch, 3_000_000, "$FOVEA train some.toml --out o --dry-run --json --threads 1");
    let object = told.json().remove(0);
    let memory = object["memory_bytes"].as_f64().unwrap();
    // 466 bytes per record were measured.
    assert!((0.7..1.3).contains(&(memory / (466.0 * 3e6))), "{memory}");
    let bytes = object["record_bytes"].as_f64().unwrap();
    assert!(bytes > 1e7, "{bytes}");
}
