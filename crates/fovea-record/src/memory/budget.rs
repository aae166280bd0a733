//! Available bytes: the least of all limits.
//!
//! The machine is one of several limits: a container or a batch job is a control group, a cluster gives the requested
//! memory in the environment, and a shell may limit the addresses of its programs.

use super::in_bytes;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The tightest limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// What programs can still use of the machine without swapping, in bytes.
    Machine(u64),
    /// What the control group allows in all.
    ControlGroup(u64),
    /// What was requested from the batch system: its variable, and its bytes on this machine.
    Slurm(&'static str, u64),
    /// The limit on the addresses of the program.
    Addresses(u64),
    /// No limit is known.
    Unknown,
}

impl fmt::Display for Limit {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = |bytes: &u64| in_bytes(*bytes as f64);
        match self {
            Self::Machine(bytes) => write!(to, "the machine has {} available", size(bytes)),
            Self::ControlGroup(bytes) => write!(to, "the control group allows {}", size(bytes)),
            Self::Slurm(name, bytes) => write!(to, "{name} allows {}", size(bytes)),
            Self::Addresses(bytes) => {
                write!(to, "the limit on addresses (ulimit -v) allows {}", size(bytes))
            }
            Self::Unknown => write!(to, "the system does not say how much there is"),
        }
    }
}

/// The bytes that are still available, and the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes that are free, besides those in use by this program.
    pub bytes: u64,
    /// The limit.
    pub limit: Limit,
}

/// What is available now.
pub fn budget() -> Budget {
    budget_of(Path::new("/"), &|name| std::env::var(name).ok())
}

/// The same, from the files under `root` and the variables of an environment.
fn budget_of(root: &Path, variable: &dyn Fn(&str) -> Option<String>) -> Budget {
    let found = [machine(root), control_group(root), slurm(root, variable), addresses(root)];
    // Without any limit, half of a 64-bit machine's addresses are one.
    let unknown = Budget { bytes: 1 << 46, limit: Limit::Unknown };
    found.into_iter().flatten().min_by_key(|budget| budget.bytes).unwrap_or(unknown)
}

fn machine(root: &Path) -> Option<Budget> {
    let bytes = 1024 * labelled(&root.join("proc/meminfo"), "MemAvailable:")?;
    Some(Budget { bytes, limit: Limit::Machine(bytes) })
}

/// The tightest limit of our control group and of those above it.
fn control_group(root: &Path) -> Option<Budget> {
    let text = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let one = |line: &str| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        if controllers.is_empty() {
            let mounts = ["sys/fs/cgroup", "sys/fs/cgroup/unified"];
            let all = mounts.map(|mount| tightest(&root.join(mount), path, &unified));
            return all.into_iter().flatten().min_by_key(|budget| budget.bytes);
        }
        let ours = controllers.split(',').any(|name| name == "memory");
        ours.then(|| tightest(&root.join("sys/fs/cgroup/memory"), path, &divided)).flatten()
    };
    text.lines().filter_map(one).min_by_key(|budget| budget.bytes)
}

/// The least that a group and those above it have left; a group that is not there, as within a container that sees only its
/// own part of the tree, sets no limit.
fn tightest(mount: &Path, path: &str, left: &dyn Fn(&Path) -> Option<Budget>) -> Option<Budget> {
    let own = mount.join(path.trim_start_matches('/'));
    let groups = own.ancestors().take_while(|group| group.starts_with(mount));
    groups.filter_map(left).min_by_key(|budget| budget.bytes)
}

/// What a group of the second kind has left.
fn unified(group: &Path) -> Option<Budget> {
    let max = number(&group.join("memory.max"))?;
    let used = number(&group.join("memory.current"))?;
    Some(left(max, used, labelled(&group.join("memory.stat"), "inactive_file ")))
}

/// What a group of the first kind has left.
fn divided(group: &Path) -> Option<Budget> {
    // A group without a limit has a number larger than any memory.
    let max = number(&group.join("memory.limit_in_bytes")).filter(|max| *max < 1 << 60)?;
    let used = number(&group.join("memory.usage_in_bytes"))?;
    Some(left(max, used, labelled(&group.join("memory.stat"), "total_inactive_file ")))
}

/// What is in use, without cached files, which the system frees first.
fn left(max: u64, used: u64, cached: Option<u64>) -> Budget {
    let bytes = max.saturating_sub(used.saturating_sub(cached.unwrap_or(0)));
    Budget { bytes, limit: Limit::ControlGroup(max) }
}

/// What a batch job was given, less what this program uses of it; megabytes as Slurm counts them.
fn slurm(root: &Path, variable: &dyn Fn(&str) -> Option<String>) -> Option<Budget> {
    let ask = |name: &str| variable(name)?.trim().parse::<u64>().ok().filter(|n| *n > 0);
    let a_node = ask("SLURM_MEM_PER_NODE").map(|m| ("SLURM_MEM_PER_NODE", m));
    let cpus = ask("SLURM_CPUS_ON_NODE").or_else(|| ask("SLURM_CPUS_PER_TASK")).unwrap_or(1);
    let a_cpu = ask("SLURM_MEM_PER_CPU").map(|m| ("SLURM_MEM_PER_CPU", m.saturating_mul(cpus)));
    let (name, megabytes) = a_node.or(a_cpu)?;
    let given = megabytes.saturating_mul(1 << 20);
    let used = labelled(&root.join("proc/self/status"), "VmRSS:").unwrap_or(0);
    Some(Budget { bytes: given.saturating_sub(1024 * used), limit: Limit::Slurm(name, given) })
}

/// What is left of the addresses that the program may use.
fn addresses(root: &Path) -> Option<Budget> {
    let most = labelled(&root.join("proc/self/limits"), "Max address space")?;
    let used = 1024 * labelled(&root.join("proc/self/status"), "VmSize:")?;
    Some(Budget { bytes: most.saturating_sub(used), limit: Limit::Addresses(most) })
}

/// The number that is the content of a file.
fn number(path: &PathBuf) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// The number that follows a label at the beginning of a line; none where there is a word instead, such as `unlimited`.
fn labelled(path: &Path, label: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(label))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of files like those of the system, gone at the end.
    struct System(PathBuf);

    impl System {
        fn with(name: &str, files: &[(&str, &str)]) -> Self {
            let root = std::env::temp_dir().join(format!("fovea-{}-{name}", std::process::id()));
            for (path, text) in files {
                let path = root.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Self(root)
        }

        fn budget(&self, variables: &[(&str, &str)]) -> Budget {
            let ask = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            budget_of(&self.0, &ask)
        }
    }

    impl Drop for System {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const MACHINE: (&str, &str) =
        ("proc/meminfo", "MemTotal: 24000000 kB\nMemAvailable: 20000 kB\n");
    const UNLIMITED: (&str, &str) = (
        "proc/self/limits",
        "Limit                     Soft Limit           Hard Limit           Units     \n\
         Max address space         unlimited            unlimited            bytes     \n",
    );
    const STATUS: (&str, &str) = ("proc/self/status", "VmSize:\t   3000 kB\nVmRSS:\t   1000 kB\n");

    #[test]
    fn the_machine_is_the_limit_where_nobody_else_is() {
        let system = System::with("machine", &[MACHINE, UNLIMITED, STATUS]);
        let bytes = 20_000 * 1024;
        assert_eq!(system.budget(&[]), Budget { bytes, limit: Limit::Machine(bytes) });
        let nothing = System::with("nothing", &[]);
        assert_eq!(nothing.budget(&[]).limit, Limit::Unknown);
    }

    #[test]
    fn the_tightest_control_group_counts_but_for_files_it_could_give_up() {
        let group = "sys/fs/cgroup/job/task";
        let system = System::with(
            "unified",
            &[
                MACHINE,
                ("proc/self/cgroup", "0::/job/task\n"),
                (&format!("{group}/memory.max"), "max\n"),
                ("sys/fs/cgroup/job/memory.max", "10000000\n"),
                ("sys/fs/cgroup/job/memory.current", "6000000\n"),
                ("sys/fs/cgroup/job/memory.stat", "anon 1\ninactive_file 1000000\n"),
            ],
        );
        let limit = Limit::ControlGroup(10_000_000);
        assert_eq!(system.budget(&[]), Budget { bytes: 5_000_000, limit: limit.clone() });
        assert_eq!(limit.to_string(), "the control group allows 10.0 MB");
        let divided = System::with(
            "divided",
            &[
                MACHINE,
                ("proc/self/cgroup", "5:cpu:/\n4:memory,hugetlb:/not/seen/from/here\n0::/\n"),
                ("sys/fs/cgroup/memory/memory.limit_in_bytes", "64000000\n"),
                ("sys/fs/cgroup/memory/memory.usage_in_bytes", "60000000\n"),
            ],
        );
        let limit = Limit::ControlGroup(64_000_000);
        assert_eq!(divided.budget(&[]), Budget { bytes: 4_000_000, limit });
    }

    #[test]
    fn a_batch_job_has_what_it_asked_for() {
        let system = System::with("slurm", &[MACHINE, STATUS]);
        let of = |name, megabytes: u64| Budget {
            bytes: (megabytes << 20) - 1000 * 1024,
            limit: Limit::Slurm(name, megabytes << 20),
        };
        let a_node = system.budget(&[("SLURM_MEM_PER_NODE", "7")]);
        assert_eq!(a_node, of("SLURM_MEM_PER_NODE", 7));
        let a_cpu = [("SLURM_MEM_PER_CPU", "3"), ("SLURM_CPUS_ON_NODE", "4")];
        assert_eq!(system.budget(&a_cpu), of("SLURM_MEM_PER_CPU", 12));
        // A word, or no request, is no limit.
        for other in [("SLURM_MEM_PER_NODE", "0"), ("SLURM_MEM_PER_CPU", "all")] {
            assert!(matches!(system.budget(&[other]).limit, Limit::Machine(_)), "{other:?}");
        }
    }

    #[test]
    fn a_limit_on_addresses_counts_those_in_use() {
        let limits = "Max address space         8192000              unlimited            bytes\n";
        let system = System::with("addresses", &[MACHINE, STATUS, ("proc/self/limits", limits)]);
        let bytes = 8_192_000 - 3000 * 1024;
        assert_eq!(system.budget(&[]), Budget { bytes, limit: Limit::Addresses(8_192_000) });
    }

    #[test]
    fn this_program_is_told_of_some_limit() {
        let budget = budget();
        assert!(budget.bytes > 0, "{budget:?}");
    }
}
