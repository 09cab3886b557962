//! `DecodeRaw`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DecodeRaw(bytes) -> (output)`.
///
/// * `bytes`: string
/// * `out_type`: attribute, type, one of half, float, double, int32, uint16, uint8, int16, int8, int64, complex64, complex128, bool, bfloat16
/// * gives `output`: `out_type` (half, float, double, int32, uint16, uint8, int16, int8, int64, complex64, complex128, bool, bfloat16)
///
/// Gradients do not flow through it.
pub fn decode_raw(bytes: &Output, out_type: DataType) -> DecodeRaw {
    let mut node = NodeBuilder::new("DecodeRaw").input(bytes);
    node.set("out_type", out_type.into());
    DecodeRaw(node)
}

/// A `DecodeRaw` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DecodeRaw(NodeBuilder);

impl DecodeRaw {
    /// The attribute `little_endian`; `true` unless set.
    pub fn little_endian(mut self, value: bool) -> DecodeRaw {
        self.0.set("little_endian", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DecodeRaw {
        DecodeRaw(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
