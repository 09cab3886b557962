//! `AnonymousMutableDenseHashTable`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AnonymousMutableDenseHashTable(empty_key, deleted_key) -> (table_handle)`.
///
/// * `empty_key`: `key_dtype` (any type)
/// * `deleted_key`: `key_dtype` (any type)
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn anonymous_mutable_dense_hash_table(
    empty_key: &Output,
    deleted_key: &Output,
    value_dtype: DataType,
) -> AnonymousMutableDenseHashTable {
    let mut node =
        NodeBuilder::new("AnonymousMutableDenseHashTable").input(empty_key).input(deleted_key);
    node.set("value_dtype", value_dtype.into());
    AnonymousMutableDenseHashTable(node)
}

/// A `AnonymousMutableDenseHashTable` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AnonymousMutableDenseHashTable(NodeBuilder);

impl AnonymousMutableDenseHashTable {
    /// The attribute `value_shape`; `[]` unless set.
    pub fn value_shape(mut self, value: &PartialShape) -> AnonymousMutableDenseHashTable {
        self.0.set("value_shape", value.clone().into());
        self
    }

    /// The attribute `initial_num_buckets`; `131072` unless set.
    pub fn initial_num_buckets(mut self, value: i64) -> AnonymousMutableDenseHashTable {
        self.0.set("initial_num_buckets", value.into());
        self
    }

    /// The attribute `max_load_factor`; `0.8` unless set.
    pub fn max_load_factor(mut self, value: f32) -> AnonymousMutableDenseHashTable {
        self.0.set("max_load_factor", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AnonymousMutableDenseHashTable {
        AnonymousMutableDenseHashTable(self.0.name(name))
    }

    /// Adds the node and gives `table_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
