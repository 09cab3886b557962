//! `AnonymousMutableHashTableOfTensors`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AnonymousMutableHashTableOfTensors() -> (table_handle)`.
///
/// * `key_dtype`: attribute, type
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn anonymous_mutable_hash_table_of_tensors(
    graph: &Graph,
    key_dtype: DataType,
    value_dtype: DataType,
) -> AnonymousMutableHashTableOfTensors {
    let mut node = NodeBuilder::in_graph(graph, "AnonymousMutableHashTableOfTensors");
    node.set("key_dtype", key_dtype.into());
    node.set("value_dtype", value_dtype.into());
    AnonymousMutableHashTableOfTensors(node)
}

/// A `AnonymousMutableHashTableOfTensors` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AnonymousMutableHashTableOfTensors(NodeBuilder);

impl AnonymousMutableHashTableOfTensors {
    /// The attribute `value_shape`; `[]` unless set.
    pub fn value_shape(mut self, value: &PartialShape) -> AnonymousMutableHashTableOfTensors {
        self.0.set("value_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AnonymousMutableHashTableOfTensors {
        AnonymousMutableHashTableOfTensors(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
