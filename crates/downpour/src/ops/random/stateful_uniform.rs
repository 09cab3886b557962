//! `StatefulUniform`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatefulUniform(resource, algorithm, shape) -> (output)`.
///
/// * `resource`: resource
/// * `algorithm`: int64
/// * `shape`: `shape_dtype` (any type)
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stateful_uniform(resource: &Output, algorithm: &Output, shape: &Output) -> StatefulUniform {
    let node = NodeBuilder::new("StatefulUniform").input(resource).input(algorithm).input(shape);
    StatefulUniform(node)
}

/// A `StatefulUniform` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatefulUniform(NodeBuilder);

impl StatefulUniform {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatefulUniform {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatefulUniform {
        StatefulUniform(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
