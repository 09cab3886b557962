//! `OrderedMapUnstageNoKey`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `OrderedMapUnstageNoKey(indices) -> (key, values)`.
///
/// * `indices`: int32
/// * `dtypes`: attribute, list(type), at least 1 long
/// * gives `key`: int64
/// * gives `values`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn ordered_map_unstage_no_key(indices: &Output, dtypes: &[DataType]) -> OrderedMapUnstageNoKey {
    let mut node = NodeBuilder::new("OrderedMapUnstageNoKey").input(indices);
    node.set("dtypes", dtypes.to_vec().into());
    OrderedMapUnstageNoKey(node)
}

/// A `OrderedMapUnstageNoKey` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OrderedMapUnstageNoKey(NodeBuilder);

impl OrderedMapUnstageNoKey {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> OrderedMapUnstageNoKey {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> OrderedMapUnstageNoKey {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> OrderedMapUnstageNoKey {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> OrderedMapUnstageNoKey {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OrderedMapUnstageNoKey {
        OrderedMapUnstageNoKey(self.0.name(name))
    }

    /// Adds the node and gives (`key`, `values`).
    pub fn build(self) -> Result<(Output, Vec<Output>)> {
        let operation = self.0.operation()?;
        Ok((only(operation.named_outputs("key")?)?, operation.named_outputs("values")?))
    }
}
