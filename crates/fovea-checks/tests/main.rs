//! Claims as data, and what checks are made of.

#[cfg(test)]
mod units;
