//! `OrderedMapStage`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `OrderedMapStage(key, indices, values) -> ()`.
///
/// * `key`: int64
/// * `indices`: int32
/// * `values`: several, of types `fake_dtypes`
/// * `dtypes`: attribute, list(type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn ordered_map_stage(
    key: &Output,
    indices: &Output,
    values: &[Output],
    dtypes: &[DataType],
) -> OrderedMapStage {
    let mut node = NodeBuilder::new("OrderedMapStage").input(key).input(indices).list(values);
    node.set("dtypes", dtypes.to_vec().into());
    OrderedMapStage(node)
}

/// A `OrderedMapStage` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OrderedMapStage(NodeBuilder);

impl OrderedMapStage {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> OrderedMapStage {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> OrderedMapStage {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> OrderedMapStage {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> OrderedMapStage {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OrderedMapStage {
        OrderedMapStage(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
