//! `HashTableV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `HashTableV2() -> (table_handle)`.
///
/// * `key_dtype`: attribute, type
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn hash_table_v2(graph: &Graph, key_dtype: DataType, value_dtype: DataType) -> HashTableV2 {
    let mut node = NodeBuilder::in_graph(graph, "HashTableV2");
    node.set("key_dtype", key_dtype.into());
    node.set("value_dtype", value_dtype.into());
    HashTableV2(node)
}

/// A `HashTableV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct HashTableV2(NodeBuilder);

impl HashTableV2 {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> HashTableV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> HashTableV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `use_node_name_sharing`; `false` unless set.
    pub fn use_node_name_sharing(mut self, value: bool) -> HashTableV2 {
        self.0.set("use_node_name_sharing", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> HashTableV2 {
        HashTableV2(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
