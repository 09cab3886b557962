//! `PrintV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `PrintV2(input) -> ()`.
///
/// * `input`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn print_v2(input: &Output) -> PrintV2 {
    let node = NodeBuilder::new("PrintV2").input(input);
    PrintV2(node)
}

/// A `PrintV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct PrintV2(NodeBuilder);

impl PrintV2 {
    /// The attribute `output_stream`; `"stderr"` unless set.
    pub fn output_stream(mut self, value: &str) -> PrintV2 {
        self.0.set("output_stream", text(value));
        self
    }

    /// The attribute `end`; `"\n"` unless set.
    pub fn end(mut self, value: &str) -> PrintV2 {
        self.0.set("end", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> PrintV2 {
        PrintV2(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
