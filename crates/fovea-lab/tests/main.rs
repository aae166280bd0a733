//! Theory against simulation, and every experiment's quick run against its golden record.

#[cfg(test)]
mod agree;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod quick;
#[cfg(test)]
mod verify;
