//! `MutableDenseHashTable`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MutableDenseHashTable(empty_key) -> (table_handle)`.
///
/// * `empty_key`: `key_dtype` (any type)
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn mutable_dense_hash_table(
    empty_key: &Output,
    value_dtype: DataType,
) -> MutableDenseHashTable {
    let mut node = NodeBuilder::new("MutableDenseHashTable").input(empty_key);
    node.set("value_dtype", value_dtype.into());
    MutableDenseHashTable(node)
}

/// A `MutableDenseHashTable` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MutableDenseHashTable(NodeBuilder);

impl MutableDenseHashTable {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MutableDenseHashTable {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MutableDenseHashTable {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `use_node_name_sharing`; `false` unless set.
    pub fn use_node_name_sharing(mut self, value: bool) -> MutableDenseHashTable {
        self.0.set("use_node_name_sharing", value.into());
        self
    }

    /// The attribute `value_shape`; `[]` unless set.
    pub fn value_shape(mut self, value: &PartialShape) -> MutableDenseHashTable {
        self.0.set("value_shape", value.clone().into());
        self
    }

    /// The attribute `initial_num_buckets`; `131072` unless set.
    pub fn initial_num_buckets(mut self, value: i64) -> MutableDenseHashTable {
        self.0.set("initial_num_buckets", value.into());
        self
    }

    /// The attribute `max_load_factor`; `0.8` unless set.
    pub fn max_load_factor(mut self, value: f32) -> MutableDenseHashTable {
        self.0.set("max_load_factor", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MutableDenseHashTable {
        MutableDenseHashTable(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
