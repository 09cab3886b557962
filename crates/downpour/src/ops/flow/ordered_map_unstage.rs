//! `OrderedMapUnstage`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `OrderedMapUnstage(key, indices) -> (values)`.
///
/// * `key`: int64
/// * `indices`: int32
/// * `dtypes`: attribute, list(type), at least 1 long
/// * gives `values`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn ordered_map_unstage(
    key: &Output,
    indices: &Output,
    dtypes: &[DataType],
) -> OrderedMapUnstage {
    let mut node = NodeBuilder::new("OrderedMapUnstage").input(key).input(indices);
    node.set("dtypes", dtypes.to_vec().into());
    OrderedMapUnstage(node)
}

/// A `OrderedMapUnstage` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OrderedMapUnstage(NodeBuilder);

impl OrderedMapUnstage {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> OrderedMapUnstage {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> OrderedMapUnstage {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> OrderedMapUnstage {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> OrderedMapUnstage {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OrderedMapUnstage {
        OrderedMapUnstage(self.0.name(name))
    }

    /// Adds the node and gives `values`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
