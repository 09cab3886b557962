//! `AnonymousMultiDeviceIterator`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AnonymousMultiDeviceIterator() -> (handle, deleter)`.
///
/// * `devices`: attribute, list(string), at least 1 long
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: resource
/// * gives `deleter`: variant
///
/// Has no gradient. Has state or effects.
pub fn anonymous_multi_device_iterator(graph: &Graph, devices: &[&str], output_types: &[DataType], output_shapes: &[PartialShape]) -> AnonymousMultiDeviceIterator {
    let mut node = NodeBuilder::in_graph(graph, "AnonymousMultiDeviceIterator");
    node.set("devices", texts(devices));
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    AnonymousMultiDeviceIterator(node)
}

/// A `AnonymousMultiDeviceIterator` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AnonymousMultiDeviceIterator(NodeBuilder);

impl AnonymousMultiDeviceIterator {
    /// Names the node.
    pub fn name(self, name: &str) -> AnonymousMultiDeviceIterator {
        AnonymousMultiDeviceIterator(self.0.name(name))
    }

    /// Adds the node and gives (`handle`, `deleter`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
