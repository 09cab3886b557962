//! `AsString`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AsString(input) -> (output)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, complex64, complex128, bool, variant, string)
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn as_string(input: &Output) -> AsString {
    let node = NodeBuilder::new("AsString").input(input);
    AsString(node)
}

/// A `AsString` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AsString(NodeBuilder);

impl AsString {
    /// The attribute `precision`; `-1` unless set.
    pub fn precision(mut self, value: i64) -> AsString {
        self.0.set("precision", value.into());
        self
    }

    /// The attribute `scientific`; `false` unless set.
    pub fn scientific(mut self, value: bool) -> AsString {
        self.0.set("scientific", value.into());
        self
    }

    /// The attribute `shortest`; `false` unless set.
    pub fn shortest(mut self, value: bool) -> AsString {
        self.0.set("shortest", value.into());
        self
    }

    /// The attribute `width`; `-1` unless set.
    pub fn width(mut self, value: i64) -> AsString {
        self.0.set("width", value.into());
        self
    }

    /// The attribute `fill`; `""` unless set.
    pub fn fill(mut self, value: &str) -> AsString {
        self.0.set("fill", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AsString {
        AsString(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
