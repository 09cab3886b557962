//! `ReduceJoin`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReduceJoin(inputs, reduction_indices) -> (output)`.
///
/// * `inputs`: string
/// * `reduction_indices`: int32
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn reduce_join(inputs: &Output, reduction_indices: &Output) -> ReduceJoin {
    let node = NodeBuilder::new("ReduceJoin").input(inputs).input(reduction_indices);
    ReduceJoin(node)
}

/// A `ReduceJoin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ReduceJoin(NodeBuilder);

impl ReduceJoin {
    /// The attribute `keep_dims`; `false` unless set.
    pub fn keep_dims(mut self, value: bool) -> ReduceJoin {
        self.0.set("keep_dims", value.into());
        self
    }

    /// The attribute `separator`; `""` unless set.
    pub fn separator(mut self, value: &str) -> ReduceJoin {
        self.0.set("separator", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ReduceJoin {
        ReduceJoin(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
