//! What the benchmark times, and how it is summed up.

#[cfg(test)]
mod units;
