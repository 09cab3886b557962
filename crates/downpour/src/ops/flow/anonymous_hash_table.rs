//! `AnonymousHashTable`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AnonymousHashTable() -> (table_handle)`.
///
/// * `key_dtype`: attribute, type
/// * `value_dtype`: attribute, type
/// * gives `table_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn anonymous_hash_table(
    graph: &Graph,
    key_dtype: DataType,
    value_dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::in_graph(graph, "AnonymousHashTable");
    node.set("key_dtype", key_dtype.into());
    node.set("value_dtype", value_dtype.into());
    ForOutput(node)
}
