//! `StatelessRandomPoisson`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessRandomPoisson(shape, seed, lam) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * `lam`: `Rtype` (half, float, double, int32, int64)
/// * `dtype`: attribute, type, one of half, float, double, int32, int64
/// * gives `output`: `dtype` (half, float, double, int32, int64)
///
/// Gradients do not flow through it.
pub fn stateless_random_poisson(
    shape: &Output,
    seed: &Output,
    lam: &Output,
    dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("StatelessRandomPoisson").input(shape).input(seed).input(lam);
    node.set("dtype", dtype.into());
    ForOutput(node)
}
