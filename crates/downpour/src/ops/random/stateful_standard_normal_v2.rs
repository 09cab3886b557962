//! `StatefulStandardNormalV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatefulStandardNormalV2(resource, algorithm, shape) -> (output)`.
///
/// * `resource`: resource
/// * `algorithm`: int64
/// * `shape`: `shape_dtype` (any type)
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stateful_standard_normal_v2(
    resource: &Output,
    algorithm: &Output,
    shape: &Output,
) -> StatefulStandardNormalV2 {
    let node =
        NodeBuilder::new("StatefulStandardNormalV2").input(resource).input(algorithm).input(shape);
    StatefulStandardNormalV2(node)
}

/// A `StatefulStandardNormalV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatefulStandardNormalV2(NodeBuilder);

impl StatefulStandardNormalV2 {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatefulStandardNormalV2 {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatefulStandardNormalV2 {
        StatefulStandardNormalV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
