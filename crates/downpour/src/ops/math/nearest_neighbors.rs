//! `NearestNeighbors`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `NearestNeighbors(points, centers, k) -> (nearest_center_indices, nearest_center_distances)`.
///
/// * `points`: float
/// * `centers`: float
/// * `k`: int64
/// * gives `nearest_center_indices`: int64
/// * gives `nearest_center_distances`: float
///
/// Has no gradient.
pub fn nearest_neighbors(points: &Output, centers: &Output, k: &Output) -> NearestNeighbors {
    let node = NodeBuilder::new("NearestNeighbors").input(points).input(centers).input(k);
    NearestNeighbors(node)
}

/// A `NearestNeighbors` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct NearestNeighbors(NodeBuilder);

impl NearestNeighbors {
    /// Names the node.
    pub fn name(self, name: &str) -> NearestNeighbors {
        NearestNeighbors(self.0.name(name))
    }

    /// Adds the node and gives (`nearest_center_indices`, `nearest_center_distances`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
