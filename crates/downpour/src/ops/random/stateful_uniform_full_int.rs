//! `StatefulUniformFullInt`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatefulUniformFullInt(resource, algorithm, shape) -> (output)`.
///
/// * `resource`: resource
/// * `algorithm`: int64
/// * `shape`: `shape_dtype` (any type)
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stateful_uniform_full_int(
    resource: &Output,
    algorithm: &Output,
    shape: &Output,
) -> StatefulUniformFullInt {
    let node =
        NodeBuilder::new("StatefulUniformFullInt").input(resource).input(algorithm).input(shape);
    StatefulUniformFullInt(node)
}

/// A `StatefulUniformFullInt` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatefulUniformFullInt(NodeBuilder);

impl StatefulUniformFullInt {
    /// The attribute `dtype`; uint64 unless set.
    pub fn dtype(mut self, value: DataType) -> StatefulUniformFullInt {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatefulUniformFullInt {
        StatefulUniformFullInt(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
