//! `MapPeek`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MapPeek(key, indices) -> (values)`.
///
/// * `key`: int64
/// * `indices`: int32
/// * `dtypes`: attribute, list(type), at least 1 long
/// * gives `values`: several, of types `dtypes`
///
/// Gradients do not flow through it. Has state or effects.
pub fn map_peek(key: &Output, indices: &Output, dtypes: &[DataType]) -> MapPeek {
    let mut node = NodeBuilder::new("MapPeek").input(key).input(indices);
    node.set("dtypes", dtypes.to_vec().into());
    MapPeek(node)
}

/// A `MapPeek` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MapPeek(NodeBuilder);

impl MapPeek {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> MapPeek {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> MapPeek {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MapPeek {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MapPeek {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MapPeek {
        MapPeek(self.0.name(name))
    }

    /// Adds the node and gives `values`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
