//! One test binary: the modules of every crate are read top to bottom, with no way back.

#[cfg(test)]
mod arrows;
