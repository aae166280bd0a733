//! One test binary: the modules of a crate have no import cycles.

#[cfg(test)]
mod arrows;
