//! One test binary: the forms compared with the oracle and with each other.

#[cfg(test)]
mod averages;
#[cfg(test)]
mod cells;
#[cfg(test)]
mod committee;
#[cfg(test)]
mod conditional;
#[cfg(test)]
mod edges;
#[cfg(test)]
mod nlgp_fourth;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod relu_flow;
#[cfg(test)]
mod spins;
