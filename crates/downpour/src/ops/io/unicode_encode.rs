//! `UnicodeEncode`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `UnicodeEncode(input_values, input_splits) -> (output)`.
///
/// * `input_values`: int32
/// * `input_splits`: `Tsplits` (int32, int64)
/// * `output_encoding`: attribute, string, one of `"UTF-8"`, `"UTF-16-BE"`, `"UTF-32-BE"`
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn unicode_encode(
    input_values: &Output,
    input_splits: &Output,
    output_encoding: &str,
) -> UnicodeEncode {
    let mut node = NodeBuilder::new("UnicodeEncode").input(input_values).input(input_splits);
    node.set("output_encoding", text(output_encoding));
    UnicodeEncode(node)
}

/// A `UnicodeEncode` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UnicodeEncode(NodeBuilder);

impl UnicodeEncode {
    /// The attribute `errors`; `"replace"` unless set.
    pub fn errors(mut self, value: &str) -> UnicodeEncode {
        self.0.set("errors", text(value));
        self
    }

    /// The attribute `replacement_char`; `65533` unless set.
    pub fn replacement_char(mut self, value: i64) -> UnicodeEncode {
        self.0.set("replacement_char", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UnicodeEncode {
        UnicodeEncode(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
