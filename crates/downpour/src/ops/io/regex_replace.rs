//! `RegexReplace`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RegexReplace(input, pattern, rewrite) -> (output)`.
///
/// * `input`: string
/// * `pattern`: string
/// * `rewrite`: string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn regex_replace(input: &Output, pattern: &Output, rewrite: &Output) -> RegexReplace {
    let node = NodeBuilder::new("RegexReplace").input(input).input(pattern).input(rewrite);
    RegexReplace(node)
}

/// A `RegexReplace` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RegexReplace(NodeBuilder);

impl RegexReplace {
    /// The attribute `replace_global`; `true` unless set.
    pub fn replace_global(mut self, value: bool) -> RegexReplace {
        self.0.set("replace_global", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RegexReplace {
        RegexReplace(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
