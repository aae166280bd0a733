//! Every form over its whole declared range: a number, an infinity that its head announces, or a refusal with its reason; no panic, no
//! NaN, no endless evaluation. The number is compared with a second way of computing it.

mod draw;
mod forms;
mod found;
mod judge;
mod numbers;
mod ranges;
mod second_way;
mod values;
