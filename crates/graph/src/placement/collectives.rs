//! Collective operations of several tasks meet on one of them.
//!
//! The members of a group find each other within a step of one device. So what a program has put on several
//! devices is moved to one, the first that has such nodes; the cut then brings inputs there and results back like
//! any other value, in loops too. Where the program wanted a member stays written on it: that orders the group.

use crate::attr::AttrValue;
use crate::device_name::DeviceName;
use crate::graph::Graph;
use crate::node::{Node, NodeId};

/// The attribute of a collective node that was moved: the device its program has put it on.
pub const MEMBER_DEVICE: &str = "_member_device";

fn is_collective(node: &Node) -> bool {
    node.op.def.is_distributed && node.op_name().starts_with("Collective")
}

/// Moves collective nodes to one device of those that `may` have them; nodes that were moved before stay.
pub fn gather_collectives(
    graph: &mut Graph,
    devices: &[DeviceName],
    places: &mut [usize],
    may: impl Fn(usize) -> bool,
) {
    let members: Vec<NodeId> =
        graph.nodes().filter(|(_, node)| is_collective(node)).map(|(id, _)| id).collect();
    let place_of = |id: &NodeId| places[id.index()];
    let mut moved = members.iter().filter(|id| graph.node(**id).attrs.get(MEMBER_DEVICE).is_some());
    let first = members.iter().map(place_of).filter(|place| may(*place)).min();
    let Some(leader) = moved.next().map(place_of).or(first) else { return };
    for id in members {
        let node = graph.node(id);
        if node.attrs.get(MEMBER_DEVICE).is_some() {
            continue;
        }
        let mut device = devices[places[id.index()]].clone();
        // A processor that the task does not have still tells members apart.
        let wanted = DeviceName::parse(&node.device).unwrap_or_default();
        device.index = wanted.index.or(device.index);
        let name = AttrValue::from(device.to_string());
        graph.node_mut(id).attrs.set(MEMBER_DEVICE, name);
        places[id.index()] = leader;
    }
}
