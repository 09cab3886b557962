//! `AnonymousMemoryCache`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AnonymousMemoryCache() -> (handle, deleter)`.
///
/// * gives `handle`: resource
/// * gives `deleter`: variant
///
/// Has no gradient. Has state or effects.
pub fn anonymous_memory_cache(graph: &Graph) -> AnonymousMemoryCache {
    let node = NodeBuilder::in_graph(graph, "AnonymousMemoryCache");
    AnonymousMemoryCache(node)
}

/// A `AnonymousMemoryCache` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AnonymousMemoryCache(NodeBuilder);

impl AnonymousMemoryCache {
    /// Names the node.
    pub fn name(self, name: &str) -> AnonymousMemoryCache {
        AnonymousMemoryCache(self.0.name(name))
    }

    /// Adds the node and gives (`handle`, `deleter`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
