//! Placement: which device each node runs on, as a pure function of the graph and the devices there are.
//!
//! Nodes that must be together form groups (`groups`): colocation classes, references and their variables,
//! resource handles and their users. A group's constraints are merged; the device is chosen among those
//! that satisfy them all. A refusal says which constraints collide and where each came from. Nodes that
//! ask for nothing go to the default device, unless elsewhere less would cross (`economy`).

mod candidates;
mod collectives;
mod economy;
mod groups;
mod remote_calls;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use downpour_tensor::{DataType, Result, Status};

use crate::device_name::DeviceName;
use crate::graph::Graph;
use crate::node::NodeId;
use candidates::Candidates;
pub use collectives::{MEMBER_DEVICE, gather_collectives};
use groups::Groups;
pub use remote_calls::aim_remote_calls;

/// What there is to place on.
pub struct PlacementOptions<'a> {
    /// Full names of all devices the session may use.
    pub devices: &'a [DeviceName],
    /// The device of nodes that ask for nothing.
    pub default: usize,
    /// Put nodes that ask for a device we do not have on one of the same task, or of any.
    pub soft: bool,
    /// Where nodes were placed before, by name: the graph grew, what stands stays.
    pub earlier: Option<&'a HashMap<String, usize>>,
}

/// The device of every node, as an index into `options.devices`.
pub fn place(graph: &Graph, options: &PlacementOptions<'_>) -> Result<Vec<usize>> {
    let wanted = graph
        .nodes()
        .map(|(_, node)| {
            DeviceName::parse(&node.device).map_err(|status| status.at_node(&node.name))
        })
        .collect::<Result<Vec<_>>>()?;
    let groups = Groups::of(graph)?;
    let mut merged: HashMap<NodeId, Constraint> = HashMap::new();
    // Who makes a resource says where it is; a device scope around its users only fills in what is open.
    let uses_resource =
        |id: &NodeId| graph.node(*id).input_types.iter().any(|t| t.dtype == DataType::Resource);
    let (users, makers): (Vec<NodeId>, Vec<NodeId>) = graph.ids().partition(uses_resource);
    let bound = makers.len();
    for (order, id) in makers.into_iter().chain(users).enumerate() {
        let leader = groups.leader(id);
        let constraint = merged.entry(leader).or_default();
        if let Some(&device) = options.earlier.and_then(|e| e.get(&graph.node(id).name)) {
            constraint.earlier = Some(device);
        }
        let wanted = &wanted[id.index()];
        let yields = order >= bound && constraint.from.is_some();
        if !yields || constraint.name.merge(wanted).is_ok() {
            constraint.add(graph, id, wanted, &groups, options.soft)?;
        }
    }
    let candidates = Candidates::new(options);
    let mut chosen: HashMap<NodeId, usize> = HashMap::new();
    for id in graph.ids() {
        if let Entry::Vacant(place) = chosen.entry(groups.leader(id)) {
            let device = merged[place.key()].choose(graph, id, options, &candidates)?;
            place.insert(device);
        }
    }
    let mut places: Vec<usize> = graph.ids().map(|id| chosen[&groups.leader(id)]).collect();
    let is_free = |id: NodeId| {
        let node = graph.node(id);
        !node.op.def.is_stateful
            && wanted[id.index()].is_open()
            && groups.is_alone(id)
            && options.earlier.is_none_or(|earlier| !earlier.contains_key(&node.name))
    };
    if options.devices.len() > 1 {
        economy::move_fewer_bytes(graph, &is_free, options.default, &mut places);
    }
    follow_consumers(graph, &is_free, &mut places);
    Ok(places)
}

/// What a group asks for, and who asked for each part first.
#[derive(Default)]
struct Constraint {
    name: DeviceName,
    from: Option<NodeId>,
    earlier: Option<usize>,
}

impl Constraint {
    fn add(
        &mut self,
        graph: &Graph,
        id: NodeId,
        wanted: &DeviceName,
        groups: &Groups,
        soft: bool,
    ) -> Result<()> {
        if wanted.is_open() {
            return Ok(());
        }
        match self.name.merge(wanted) {
            Ok(both) => {
                self.name = both;
                self.from.get_or_insert(id);
                Ok(())
            }
            // Which processor of a task it is may be compromised on, which task not.
            Err(_) if soft && self.name.task_only().merge(&wanted.task_only()).is_ok() => {
                if let Ok(both) = self.name.task_only().merge(&wanted.task_only()) {
                    self.name = both;
                }
                Ok(())
            }
            Err(part) => {
                let first = self.from.map_or("", |from| graph.node(from).name.as_str());
                let node = graph.node(id);
                Err(Status::invalid_argument(format!(
                    "Cannot colocate nodes {{{{colocation_node {first}}}}} and {{{{colocation_node \
                     {}}}}}: Cannot merge devices with incompatible {part}s: '{}' and '{wanted}'. They \
                     must be on one device because {}. Remove one of the device requests, or let the \
                     nodes be built outside of the other's device scope.",
                    node.name,
                    self.name,
                    groups.reasons(graph, id)
                ))
                .at_node(&node.name))
            }
        }
    }

    fn choose(
        &self,
        graph: &Graph,
        id: NodeId,
        options: &PlacementOptions<'_>,
        candidates: &Candidates<'_>,
    ) -> Result<usize> {
        if let Some(device) = self.earlier {
            return Ok(device);
        }
        if let Some(device) = candidates.fitting(&self.name) {
            return Ok(device);
        }
        if options.soft
            && let Some(device) = candidates.fitting(&self.name.task_only())
        {
            return Ok(device);
        }
        let asking = graph.node(self.from.unwrap_or(id));
        let available: Vec<String> = options.devices.iter().map(DeviceName::to_string).collect();
        Err(Status::invalid_argument(format!(
            "Cannot assign a device for operation {}: Operation was explicitly assigned to {} but \
             available devices are [ {} ]. Make sure the device specification refers to a valid device.",
            asking.name,
            self.name,
            available.join(", ")
        ))
        .at_node(&asking.name))
    }
}

/// A constant that asks for nothing goes where all its consumers are: better made there than sent.
fn follow_consumers(graph: &Graph, is_free: &dyn Fn(NodeId) -> bool, places: &mut [usize]) {
    let mut of_consumers: Vec<Option<Option<usize>>> = vec![None; graph.len()];
    for (id, node) in graph.nodes() {
        let sources = node.inputs.iter().map(|end| end.node).chain(node.controls.iter().copied());
        for source in sources {
            let place = places[id.index()];
            let seen = &mut of_consumers[source.index()];
            *seen = match *seen {
                None => Some(Some(place)),
                Some(Some(other)) if other == place => Some(Some(place)),
                Some(_) => Some(None),
            };
        }
    }
    for (id, node) in graph.nodes() {
        let free = node.inputs.is_empty() && node.controls.is_empty() && is_free(id);
        if let (true, Some(Some(place))) = (free, of_consumers[id.index()]) {
            places[id.index()] = place;
        }
    }
}

#[cfg(test)]
mod tests;
