//! `BarrierTakeMany`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BarrierTakeMany(handle, num_elements) -> (indices, keys, values)`.
///
/// * `handle`: string, a reference
/// * `num_elements`: int32
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `indices`: int64
/// * gives `keys`: string
/// * gives `values`: several, of types `component_types`
///
/// Gradients do not flow through it.
pub fn barrier_take_many(
    handle: &Output,
    num_elements: &Output,
    component_types: &[DataType],
) -> BarrierTakeMany {
    let mut node = NodeBuilder::new("BarrierTakeMany").input(handle).input(num_elements);
    node.set("component_types", component_types.to_vec().into());
    BarrierTakeMany(node)
}

/// A `BarrierTakeMany` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BarrierTakeMany(NodeBuilder);

impl BarrierTakeMany {
    /// The attribute `allow_small_batch`; `false` unless set.
    pub fn allow_small_batch(mut self, value: bool) -> BarrierTakeMany {
        self.0.set("allow_small_batch", value.into());
        self
    }

    /// The attribute `wait_for_incomplete`; `false` unless set.
    pub fn wait_for_incomplete(mut self, value: bool) -> BarrierTakeMany {
        self.0.set("wait_for_incomplete", value.into());
        self
    }

    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> BarrierTakeMany {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BarrierTakeMany {
        BarrierTakeMany(self.0.name(name))
    }

    /// Adds the node and gives (`indices`, `keys`, `values`).
    pub fn build(self) -> Result<(Output, Output, Vec<Output>)> {
        let operation = self.0.operation()?;
        Ok((
            only(operation.named_outputs("indices")?)?,
            only(operation.named_outputs("keys")?)?,
            operation.named_outputs("values")?,
        ))
    }
}
