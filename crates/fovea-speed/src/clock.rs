//! The core a measurement is pinned to, and what other programs take of the machine meanwhile.
//!
//! The CPU time of a thread stands still while another program has its core, so a rate by it holds on a shared machine;
//! wall time does not, and a row that needs several cores says how busy the others were. Where a system has neither clock
//! nor pinning, wall time is used instead.

use fovea_desk::clock::{now, process_seconds};
use std::time::Instant;

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// The cores this process may use.
    pub(super) fn allowed() -> Vec<usize> {
        let may = |set: &CpuSet| (0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).collect();
        sched_getaffinity(None).as_ref().map(may).unwrap_or_default()
    }

    /// Keeps this thread on one core; says whether the system agreed.
    pub fn pin(core: usize) -> bool {
        let mut set = CpuSet::new();
        if core >= CpuSet::MAX_CPU {
            return false;
        }
        set.set(core);
        sched_setaffinity(None, &set).is_ok()
    }

    /// Busy seconds of the machine (`cpu`) and of each core (`cpu0`, ...) so far: all but idle and waiting for disks.
    pub(super) fn busy() -> Vec<(String, f64)> {
        let text = std::fs::read_to_string("/proc/stat").unwrap_or_default();
        super::busy_of(&text, rustix::param::clock_ticks_per_second() as f64)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn allowed() -> Vec<usize> {
        Vec::new()
    }
    /// Keeps this thread on one core; never here.
    pub fn pin(_: usize) -> bool {
        false
    }
    pub(super) fn busy() -> Vec<(String, f64)> {
        Vec::new()
    }
}

pub use system::pin;

/// Busy seconds by line of `/proc/stat`: user, nice, system, then idle and iowait, which are none, irq, softirq, steal.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux has the file"))]
pub fn busy_of(text: &str, ticks: f64) -> Vec<(String, f64)> {
    let line = |line: &str| {
        let (name, rest) = line.split_once(' ')?;
        let counts: Vec<f64> =
            rest.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let busy = |i: &usize| counts.get(*i).copied().unwrap_or(0.0);
        name.starts_with("cpu")
            .then(|| (name.to_owned(), [0, 1, 2, 5, 6, 7].iter().map(busy).sum::<f64>() / ticks))
    };
    text.lines().filter_map(line).collect()
}

/// The core of this process that was least busy over a tenth of a second, where cores can be told apart.
pub(super) fn quietest_core() -> Option<usize> {
    let busy = |core: usize, at: &[(String, f64)]| {
        let name = format!("cpu{core}");
        at.iter().find(|(line, _)| *line == name).map(|(_, seconds)| *seconds)
    };
    let before = system::busy();
    std::thread::sleep(std::time::Duration::from_millis(100));
    let after = system::busy();
    let grown = |core: &usize| Some(busy(*core, &after)? - busy(*core, &before)?);
    let cores = system::allowed();
    let by_load = cores.iter().filter_map(|core| Some((*core, grown(core)?)));
    by_load.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(core, _)| core)
}

/// How much of the machine other programs take, from now on.
pub struct Load {
    began: Instant,
    busy: Option<f64>,
    own: f64,
}

impl Load {
    /// Starts now.
    pub fn start() -> Self {
        Self { began: now(), busy: Self::machine(), own: process_seconds().unwrap_or(0.0) }
    }

    fn machine() -> Option<f64> {
        system::busy().into_iter().find(|(line, _)| line == "cpu").map(|(_, seconds)| seconds)
    }

    /// Foreign busy time as a share of all cores' time since the start, where it is known. `helpers` are CPU seconds of
    /// processes that worked for the measurement.
    pub fn foreign(&self, helpers: f64) -> Option<f64> {
        let cores = Self::cores() as f64;
        let busy = Self::machine()? - self.busy?;
        let own = process_seconds().unwrap_or(0.0) - self.own + helpers;
        // Busy time is counted in ticks and may be less than what was used since.
        Some(((busy - own) / (self.began.elapsed().as_secs_f64() * cores)).clamp(0.0, 1.0))
    }

    fn cores() -> usize {
        system::busy().len().saturating_sub(1).max(1)
    }
}
