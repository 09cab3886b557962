//! `MultiDeviceIterator`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MultiDeviceIterator() -> (handle)`.
///
/// * `devices`: attribute, list(string), at least 1 long
/// * `shared_name`: attribute, string
/// * `container`: attribute, string
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: resource
///
/// Has no gradient. Has state or effects.
pub fn multi_device_iterator(graph: &Graph, devices: &[&str], shared_name: &str, container: &str, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::in_graph(graph, "MultiDeviceIterator");
    node.set("devices", texts(devices));
    node.set("shared_name", text(shared_name));
    node.set("container", text(container));
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
