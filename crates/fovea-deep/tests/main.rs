//! The parts of experiments, each by itself.

#[cfg(test)]
mod units;
