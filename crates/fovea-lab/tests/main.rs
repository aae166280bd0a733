//! Theory against simulation, configurations right and wrong, and the names that forms give; `frozen` beside this holds what is recorded.

#[cfg(test)]
mod agree;
#[cfg(test)]
mod edges;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod names;
