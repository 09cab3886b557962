//! `DecodePaddedRaw`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DecodePaddedRaw(input_bytes, fixed_length) -> (output)`.
///
/// * `input_bytes`: string
/// * `fixed_length`: int32
/// * `out_type`: attribute, type, one of half, float, double, int32, uint16, uint8, int16, int8, int64, bfloat16
/// * gives `output`: `out_type` (half, float, double, int32, uint16, uint8, int16, int8, int64, bfloat16)
///
/// Gradients do not flow through it.
pub fn decode_padded_raw(
    input_bytes: &Output,
    fixed_length: &Output,
    out_type: DataType,
) -> DecodePaddedRaw {
    let mut node = NodeBuilder::new("DecodePaddedRaw").input(input_bytes).input(fixed_length);
    node.set("out_type", out_type.into());
    DecodePaddedRaw(node)
}

/// A `DecodePaddedRaw` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DecodePaddedRaw(NodeBuilder);

impl DecodePaddedRaw {
    /// The attribute `little_endian`; `true` unless set.
    pub fn little_endian(mut self, value: bool) -> DecodePaddedRaw {
        self.0.set("little_endian", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DecodePaddedRaw {
        DecodePaddedRaw(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
