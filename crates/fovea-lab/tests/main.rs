//! Theory against simulation, configurations right and wrong, the names that forms give, and the words of all texts; `frozen`
//! next to this holds what is recorded.

#[cfg(test)]
mod agree;
#[cfg(test)]
mod edges;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod names;
#[cfg(test)]
mod plain;
#[cfg(test)]
mod words;
