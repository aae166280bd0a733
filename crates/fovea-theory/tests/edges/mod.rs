//! The forms where their arguments are anything in range.

mod second_way;
