//! `ResourceGather`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceGather(resource, indices) -> (output)`.
///
/// * `resource`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `dtype`: attribute, type
/// * gives `output`: `dtype` (any type)
///
/// Differentiable. Has state or effects.
pub fn resource_gather(resource: &Output, indices: &Output, dtype: DataType) -> ResourceGather {
    let mut node = NodeBuilder::new("ResourceGather").input(resource).input(indices);
    node.set("dtype", dtype.into());
    ResourceGather(node)
}

/// A `ResourceGather` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceGather(NodeBuilder);

impl ResourceGather {
    /// The attribute `batch_dims`; `0` unless set.
    pub fn batch_dims(mut self, value: i64) -> ResourceGather {
        self.0.set("batch_dims", value.into());
        self
    }

    /// The attribute `validate_indices`; `true` unless set.
    pub fn validate_indices(mut self, value: bool) -> ResourceGather {
        self.0.set("validate_indices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceGather {
        ResourceGather(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
