//! `UnicodeTranscode`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `UnicodeTranscode(input) -> (output)`.
///
/// * `input`: string
/// * `input_encoding`: attribute, string
/// * `output_encoding`: attribute, string, one of `"UTF-8"`, `"UTF-16-BE"`, `"UTF-32-BE"`
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn unicode_transcode(
    input: &Output,
    input_encoding: &str,
    output_encoding: &str,
) -> UnicodeTranscode {
    let mut node = NodeBuilder::new("UnicodeTranscode").input(input);
    node.set("input_encoding", text(input_encoding));
    node.set("output_encoding", text(output_encoding));
    UnicodeTranscode(node)
}

/// A `UnicodeTranscode` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UnicodeTranscode(NodeBuilder);

impl UnicodeTranscode {
    /// The attribute `errors`; `"replace"` unless set.
    pub fn errors(mut self, value: &str) -> UnicodeTranscode {
        self.0.set("errors", text(value));
        self
    }

    /// The attribute `replacement_char`; `65533` unless set.
    pub fn replacement_char(mut self, value: i64) -> UnicodeTranscode {
        self.0.set("replacement_char", value.into());
        self
    }

    /// The attribute `replace_control_characters`; `false` unless set.
    pub fn replace_control_characters(mut self, value: bool) -> UnicodeTranscode {
        self.0.set("replace_control_characters", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UnicodeTranscode {
        UnicodeTranscode(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
