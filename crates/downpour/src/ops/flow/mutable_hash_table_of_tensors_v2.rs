//! `MutableHashTableOfTensorsV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MutableHashTableOfTensorsV2() -> (table_handle)`.
///
/// * `key_dtype`: attribute, type
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn mutable_hash_table_of_tensors_v2(
    graph: &Graph,
    key_dtype: DataType,
    value_dtype: DataType,
) -> MutableHashTableOfTensorsV2 {
    let mut node = NodeBuilder::in_graph(graph, "MutableHashTableOfTensorsV2");
    node.set("key_dtype", key_dtype.into());
    node.set("value_dtype", value_dtype.into());
    MutableHashTableOfTensorsV2(node)
}

/// A `MutableHashTableOfTensorsV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MutableHashTableOfTensorsV2(NodeBuilder);

impl MutableHashTableOfTensorsV2 {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MutableHashTableOfTensorsV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MutableHashTableOfTensorsV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `use_node_name_sharing`; `false` unless set.
    pub fn use_node_name_sharing(mut self, value: bool) -> MutableHashTableOfTensorsV2 {
        self.0.set("use_node_name_sharing", value.into());
        self
    }

    /// The attribute `value_shape`; `[]` unless set.
    pub fn value_shape(mut self, value: &PartialShape) -> MutableHashTableOfTensorsV2 {
        self.0.set("value_shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MutableHashTableOfTensorsV2 {
        MutableHashTableOfTensorsV2(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
