//! `DeviceIndex`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DeviceIndex() -> (index)`.
///
/// * `device_names`: attribute, list(string)
/// * gives `index`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn device_index(graph: &Graph, device_names: &[&str]) -> ForOutput {
    let mut node = NodeBuilder::in_graph(graph, "DeviceIndex");
    node.set("device_names", texts(device_names));
    ForOutput(node)
}
