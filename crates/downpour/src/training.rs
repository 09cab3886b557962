//! Training: what a model is, and what is measured of it.

// What gathers measures over batches is the trainer's.
#[allow(dead_code)]
mod evaluation;
mod model;

pub use evaluation::Metric;
pub use model::{Built, Inputs, Mode, Model, VariableGroup};
