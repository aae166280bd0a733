//! Every form over all that it says it takes: a number, an infinity that its row announces, or a refusal with its reason; no panic, no NaN,
//! nothing that does not end. The number is the one that a second way comes to.

mod draw;
mod forms;
mod found;
mod judge;
mod numbers;
mod ranges;
mod second_way;
mod values;
