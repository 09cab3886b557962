//! `UnicodeDecode`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `UnicodeDecode(input) -> (row_splits, char_values)`.
///
/// * `input`: string
/// * `input_encoding`: attribute, string
/// * gives `row_splits`: `Tsplits` (int32, int64)
/// * gives `char_values`: int32
///
/// Gradients do not flow through it.
pub fn unicode_decode(input: &Output, input_encoding: &str) -> UnicodeDecode {
    let mut node = NodeBuilder::new("UnicodeDecode").input(input);
    node.set("input_encoding", text(input_encoding));
    UnicodeDecode(node)
}

/// A `UnicodeDecode` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UnicodeDecode(NodeBuilder);

impl UnicodeDecode {
    /// The attribute `errors`; `"replace"` unless set.
    pub fn errors(mut self, value: &str) -> UnicodeDecode {
        self.0.set("errors", text(value));
        self
    }

    /// The attribute `replacement_char`; `65533` unless set.
    pub fn replacement_char(mut self, value: i64) -> UnicodeDecode {
        self.0.set("replacement_char", value.into());
        self
    }

    /// The attribute `replace_control_characters`; `false` unless set.
    pub fn replace_control_characters(mut self, value: bool) -> UnicodeDecode {
        self.0.set("replace_control_characters", value.into());
        self
    }

    /// The attribute `Tsplits`; int64 unless set.
    pub fn tsplits(mut self, value: DataType) -> UnicodeDecode {
        self.0.set("Tsplits", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UnicodeDecode {
        UnicodeDecode(self.0.name(name))
    }

    /// Adds the node and gives (`row_splits`, `char_values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
