//! `KMC2ChainInitialization`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `KMC2ChainInitialization(distances, seed) -> (index)`.
///
/// * `distances`: float
/// * `seed`: int64
/// * gives `index`: int64
///
/// Has no gradient.
pub fn kmc2_chain_initialization(distances: &Output, seed: &Output) -> ForOutput {
    let node = NodeBuilder::new("KMC2ChainInitialization").input(distances).input(seed);
    ForOutput(node)
}
