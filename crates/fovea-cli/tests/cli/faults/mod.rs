//! Faults on purpose: kills, signals, damaged files, two owners, full disks, limits. Nothing is lost, nothing changes in silence, nothing panics.
//!
//! Each file tries one kind of fault `trials(sample, all)` times and ends with a line of [`tried`].

mod disks;
mod flips;
mod kills;
mod limits;
mod memory;
mod owners;
mod readers;
mod resume;
mod round_trip;
mod signals;

/// Prints a row of the table that `tests/edges/run` shows: what was done how often, and what happened.
fn tried(what: &str, times: usize, happened: &str) {
    println!("tried | {what} | {times} | {happened}");
}
