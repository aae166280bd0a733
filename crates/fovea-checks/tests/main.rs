//! Claims as data, and the parts of checks.

#[cfg(test)]
mod units;
