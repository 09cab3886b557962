//! `TopKV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TopKV2(input, k) -> (values, indices)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `k`: `Tk` (int16, int32, int64)
/// * gives `values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `indices`: `index_type` (int16, int32, int64)
///
/// Differentiable.
pub fn top_kv2(input: &Output, k: &Output) -> TopKV2 {
    let node = NodeBuilder::new("TopKV2").input(input).input(k);
    TopKV2(node)
}

/// A `TopKV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TopKV2(NodeBuilder);

impl TopKV2 {
    /// The attribute `sorted`; `true` unless set.
    pub fn sorted(mut self, value: bool) -> TopKV2 {
        self.0.set("sorted", value.into());
        self
    }

    /// The attribute `index_type`; int32 unless set.
    pub fn index_type(mut self, value: DataType) -> TopKV2 {
        self.0.set("index_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TopKV2 {
        TopKV2(self.0.name(name))
    }

    /// Adds the node and gives (`values`, `indices`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
