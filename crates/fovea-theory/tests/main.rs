//! One test binary: the forms against the oracle, and against each other.

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod relu_flow;
