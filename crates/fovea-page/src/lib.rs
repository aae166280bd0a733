//! COMPARE, numbers to pictures: figures, tables and reports, without any science.

pub mod figure;
pub mod panel;
pub mod report;
pub mod table;
pub mod tiles;
