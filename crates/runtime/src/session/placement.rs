//! Checks that every node may run on the one device of a standalone task.

use downpour_graph::Graph;
use downpour_tensor::{Result, Status};

/// Refuses nodes that ask for a device we do not have, unless placement is soft.
pub(super) fn check(graph: &Graph, device: &str, soft: bool) -> Result<()> {
    if soft {
        return Ok(());
    }
    for (_, node) in graph.nodes() {
        if !node.device.is_empty() && !matches(&node.device, device) {
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

/// True when every part that `wanted` names agrees with the full name `device`.
fn matches(wanted: &str, device: &str) -> bool {
    let parts = |text: &str| -> Vec<(String, String)> {
        text.split('/')
            .filter(|p| !p.is_empty())
            .map(|part| {
                let part = part.strip_prefix("device:").unwrap_or(part);
                let (key, value) = part.split_once(':').unwrap_or((part, "*"));
                (key.to_ascii_lowercase(), value.to_string())
            })
            .collect()
    };
    let have = parts(device);
    parts(wanted).iter().all(|(key, value)| {
        value == "*" && (have.iter().any(|(k, _)| k == key) || key == "*")
            || have.iter().any(|(k, v)| k == key && v == value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_names_match_by_what_they_name() {
        let device = "/job:localhost/replica:0/task:0/device:CPU:0";
        for good in ["/cpu:0", "/device:CPU:0", "/job:localhost", "/task:0", "/device:CPU:*"] {
            assert!(matches(good, device), "{good}");
        }
        for bad in ["/device:GPU:0", "/job:worker", "/task:1", "/device:CPU:1"] {
            assert!(!matches(bad, device), "{bad}");
        }
    }
}
