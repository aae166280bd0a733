//! One test binary: the program as a user meets it, run as a process and judged by what it prints, writes and returns.

#[cfg(test)]
mod cli;
#[cfg(test)]
#[path = "../../fovea-lab/tests/plain/mod.rs"]
mod plain;
