//! The time of a step on paper: a way to train a file, a formula a function.

pub mod all_reduce;
pub mod bounded;
pub mod downpour;
pub mod order;
pub mod queue;
pub mod synchronous;
pub mod units;
