//! `PopulationCount`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `PopulationCount(x) -> (y)`.
///
/// * `x`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * gives `y`: uint8
///
/// Gradients do not flow through it.
pub fn population_count(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("PopulationCount").input(x);
    ForOutput(node)
}
