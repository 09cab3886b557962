//! Checks that every node may run on the one device of a standalone task.

use downpour_graph::{DeviceName, Graph};
use downpour_tensor::{Result, Status};

/// Refuses nodes that ask for a device we do not have, unless placement is soft.
pub(super) fn check(graph: &Graph, device: &str, soft: bool) -> Result<()> {
    if soft {
        return Ok(());
    }
    let available = DeviceName::parse(device)?;
    for (_, node) in graph.nodes().filter(|(_, node)| !node.device.is_empty()) {
        let wanted = DeviceName::parse(&node.device).map_err(|e| e.at_node(&node.name))?;
        if !wanted.matches(&available) {
            return Err(Status::invalid_argument(format!(
                "Cannot assign a device for operation {}: Operation was explicitly assigned to {} but \
                 available devices are [ {device} ]. Make sure the device specification refers to a valid \
                 device, or set allow_soft_placement in the session's config.",
                node.name, node.device
            ))
            .at_node(&node.name));
        }
    }
    Ok(())
}
