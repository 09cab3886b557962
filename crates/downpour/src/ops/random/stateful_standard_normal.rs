//! `StatefulStandardNormal`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatefulStandardNormal(resource, shape) -> (output)`.
///
/// * `resource`: resource
/// * `shape`: `shape_dtype` (any type)
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stateful_standard_normal(resource: &Output, shape: &Output) -> StatefulStandardNormal {
    let node = NodeBuilder::new("StatefulStandardNormal").input(resource).input(shape);
    StatefulStandardNormal(node)
}

/// A `StatefulStandardNormal` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatefulStandardNormal(NodeBuilder);

impl StatefulStandardNormal {
    /// The attribute `dtype`; float unless set.
    pub fn dtype(mut self, value: DataType) -> StatefulStandardNormal {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatefulStandardNormal {
        StatefulStandardNormal(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
