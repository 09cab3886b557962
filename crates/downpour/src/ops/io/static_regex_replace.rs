//! `StaticRegexReplace`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StaticRegexReplace(input) -> (output)`.
///
/// * `input`: string
/// * `pattern`: attribute, string
/// * `rewrite`: attribute, string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn static_regex_replace(input: &Output, pattern: &str, rewrite: &str) -> StaticRegexReplace {
    let mut node = NodeBuilder::new("StaticRegexReplace").input(input);
    node.set("pattern", text(pattern));
    node.set("rewrite", text(rewrite));
    StaticRegexReplace(node)
}

/// A `StaticRegexReplace` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StaticRegexReplace(NodeBuilder);

impl StaticRegexReplace {
    /// The attribute `replace_global`; `true` unless set.
    pub fn replace_global(mut self, value: bool) -> StaticRegexReplace {
        self.0.set("replace_global", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StaticRegexReplace {
        StaticRegexReplace(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
