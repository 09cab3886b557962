//! `Print`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Print(input, data) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `data`: several, of types `U`
/// * gives `output`: `T` (any type)
///
/// Differentiable. Has state or effects.
pub fn print(input: &Output, data: &[Output]) -> Print {
    let node = NodeBuilder::new("Print").input(input).list(data);
    Print(node)
}

/// A `Print` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Print(NodeBuilder);

impl Print {
    /// The attribute `message`; `""` unless set.
    pub fn message(mut self, value: &str) -> Print {
        self.0.set("message", text(value));
        self
    }

    /// The attribute `first_n`; `-1` unless set.
    pub fn first_n(mut self, value: i64) -> Print {
        self.0.set("first_n", value.into());
        self
    }

    /// The attribute `summarize`; `3` unless set.
    pub fn summarize(mut self, value: i64) -> Print {
        self.0.set("summarize", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Print {
        Print(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
