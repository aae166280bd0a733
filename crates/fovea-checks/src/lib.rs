//! COMPARE, claims: every claim of the notes and the lectures as data, and the checks that decide them.

pub mod check;
pub mod claims;
