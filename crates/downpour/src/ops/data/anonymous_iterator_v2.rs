//! `AnonymousIteratorV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AnonymousIteratorV2() -> (handle, deleter)`.
///
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: resource
/// * gives `deleter`: variant
///
/// Has no gradient. Has state or effects.
pub fn anonymous_iterator_v2(graph: &Graph, output_types: &[DataType], output_shapes: &[PartialShape]) -> AnonymousIteratorV2 {
    let mut node = NodeBuilder::in_graph(graph, "AnonymousIteratorV2");
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    AnonymousIteratorV2(node)
}

/// A `AnonymousIteratorV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AnonymousIteratorV2(NodeBuilder);

impl AnonymousIteratorV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> AnonymousIteratorV2 {
        AnonymousIteratorV2(self.0.name(name))
    }

    /// Adds the node and gives (`handle`, `deleter`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
