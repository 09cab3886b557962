//! Partitioning: one graph over several devices becomes one graph per device, joined by `_Send` and `_Recv`.
//!
//! A value that crosses is sent once to each device that needs it; a small constant is made anew on each
//! side instead. A control edge that crosses sends an empty tensor. What the client feeds arrives by a
//! `_Recv`, what it fetches leaves by a `_Send`, both marked `client_terminated`, as TensorFlow's workers
//! expect them. A loop may span devices: see `loops`.

mod colocate;
mod keys;
mod loops;

use std::collections::HashMap;

use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::attr::Attrs;
use crate::builder::GraphBuilder;
use crate::frames::{self, Frames};
use crate::graph::Graph;
use crate::node::{Endpoint, Node, NodeId};
use crate::passes::Subgraph;
use crate::registry::OpRegistry;
use colocate::{colocate, is_constant};
pub use keys::{EdgeKey, rendezvous_key};
use loops::ControlLoops;

/// A device as peers know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerDevice {
    pub name: String,
    pub incarnation: u64,
    /// Its task can be pushed values by slot; to others they go by name, when asked for.
    pub linked: bool,
}

/// Who takes part in a step.
pub struct Participants<'a> {
    pub devices: &'a [PeerDevice],
    /// The device of the master, where feeds come from and fetches go.
    pub master: usize,
    /// Different for every partitioning of a session: TensorFlow's workers keep a transfer by its name.
    pub serial: u64,
}

/// Where a fed value enters or a fetched one leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The partition, by index.
    pub part: usize,
    /// The name of the crossing, and its number among linked tasks.
    pub key: String,
    pub slot: u32,
}

/// A graph for one device.
pub struct Partition {
    /// Index of the device.
    pub device: usize,
    pub graph: Graph,
}

/// All partitions of a step, and where its feeds and fetches cross.
pub struct Partitioned {
    pub partitions: Vec<Partition>,
    /// For each feed, where it enters.
    pub feeds: Vec<Port>,
    /// For each fetch, where it leaves.
    pub fetches: Vec<Port>,
}

/// Attributes of a transfer between linked tasks: its number, and the incarnation of who receives it.
pub const SLOT: &str = "_slot";
pub const PEER: &str = "_peer";

/// Constants up to this size are copied to every device that uses them.
const COPIED_CONSTANT: usize = 4096;

/// Splits a subgraph whose node `i` runs on device `places[i]` of the participants; control flow nodes may be
/// moved beside the values they move.
pub fn partition(
    subgraph: &Subgraph,
    places: &[usize],
    participants: &Participants<'_>,
    registry: &OpRegistry,
) -> Result<Partitioned> {
    let order = frames::topological_order(&subgraph.graph)?;
    let frames = frames::assign(&subgraph.graph, &order)?;
    let places = colocate(&subgraph.graph, &frames, &order, places);
    let mut splitter = Splitter {
        loops: ControlLoops::of(&subgraph.graph, &frames, &places),
        frames,
        subgraph,
        places,
        participants,
        devices: participants.devices,
        registry,
        partitions: Vec::new(),
        of_device: HashMap::new(),
        copies: HashMap::new(),
        received: HashMap::new(),
        waited: HashMap::new(),
        slots: 0,
    };
    splitter.copy_nodes()?;
    splitter.connect()?;
    splitter.finish()
}

struct Splitter<'a> {
    subgraph: &'a Subgraph,
    places: Vec<usize>,
    frames: Frames,
    loops: ControlLoops,
    participants: &'a Participants<'a>,
    devices: &'a [PeerDevice],
    registry: &'a OpRegistry,
    partitions: Vec<Partition>,
    of_device: HashMap<usize, usize>,
    /// Every node's copy: (partition, node there).
    copies: HashMap<NodeId, (usize, NodeId)>,
    /// What stands in a partition for a value from elsewhere.
    received: HashMap<(Endpoint, usize), Endpoint>,
    /// What stands in a partition for the end of a node elsewhere.
    waited: HashMap<(NodeId, usize), NodeId>,
    /// Crossings so far: feeds have the first numbers.
    slots: u32,
}

impl Splitter<'_> {
    fn partition_of(&mut self, device: usize) -> usize {
        let partitions = &mut self.partitions;
        let versions = &self.subgraph.graph.versions;
        *self.of_device.entry(device).or_insert_with(|| {
            let mut graph = Graph::new();
            graph.versions = versions.clone();
            partitions.push(Partition { device, graph });
            partitions.len() - 1
        })
    }

    fn copy_nodes(&mut self) -> Result<()> {
        self.slots = slot_number(self.subgraph.args.len())?;
        let fed: HashMap<NodeId, usize> =
            self.subgraph.args.iter().enumerate().map(|(feed, arg)| (*arg, feed)).collect();
        for (id, node) in self.subgraph.graph.nodes() {
            let device = self.places[id.index()];
            let part = self.partition_of(device);
            let mut copy = node.clone();
            copy.device = self.devices[device].name.clone();
            // Inputs are set by `connect`: loops refer forward.
            copy.inputs.clear();
            copy.controls.clear();
            if let Some(&feed) = fed.get(&id) {
                copy = self.feed_node(feed, device, &copy)?;
            }
            let new = self.partitions[part].graph.push(copy)?;
            self.copies.insert(id, (part, new));
        }
        Ok(())
    }

    fn connect(&mut self) -> Result<()> {
        for (id, node) in self.subgraph.graph.nodes() {
            let (part, copy) = self.copies[&id];
            let mut inputs = Vec::with_capacity(node.inputs.len());
            for &end in &node.inputs {
                inputs.push(self.value(end, part)?);
            }
            let mut controls = Vec::with_capacity(node.controls.len());
            for &source in &node.controls {
                controls.push(self.wait(source, part)?);
            }
            controls.extend(self.started_by(id, part)?);
            let copy = self.partitions[part].graph.node_mut(copy);
            copy.inputs = inputs;
            copy.controls = controls;
        }
        Ok(())
    }

    /// The value `end` as seen in partition `part`.
    fn value(&mut self, end: Endpoint, part: usize) -> Result<Endpoint> {
        let (home, copy) = self.copies[&end.node];
        if home == part {
            return Ok(Endpoint { node: copy, port: end.port });
        }
        if let Some(&there) = self.received.get(&(end, part)) {
            return Ok(there);
        }
        let subgraph = self.subgraph;
        let node = subgraph.graph.node(end.node);
        let there = if copied_constant(node) {
            self.copy_to(part, node)?
        } else if is_constant(&self.frames, end.node) && !node.output_types[0].is_ref {
            self.enter_here(node, part)?
        } else {
            let frame = self.crossing_frame(end.node)?;
            let source = Endpoint { node: copy, port: end.port };
            self.transfer(source, home, part, frame, &node.name)?
        };
        self.received.insert((end, part), there.into());
        Ok(there.into())
    }

    /// A copy of a node in partition `part`, with inputs and controls still to be set.
    fn copy_to(&mut self, part: usize, node: &Node) -> Result<NodeId> {
        let mut copy = node.clone();
        copy.device = self.devices[self.partitions[part].device].name.clone();
        let graph = &mut self.partitions[part].graph;
        copy.name =
            GraphBuilder::new(graph, self.registry).unique_name(&format!("{}/_copy", node.name));
        graph.push(copy)
    }

    /// A node of partition `part` that is done when `source` is.
    fn wait(&mut self, source: NodeId, part: usize) -> Result<NodeId> {
        let (home, copy) = self.copies[&source];
        if home == part {
            return Ok(copy);
        }
        if let Some(&there) = self.waited.get(&(source, part)) {
            return Ok(there);
        }
        if is_constant(&self.frames, source) {
            return Ok(self.value(source.into(), part)?.node);
        }
        let frame = self.crossing_frame(source)?;
        let name = format!("{}/_done", self.subgraph.graph.node(source).name);
        let signal = Tensor::new(DataType::Float, [0])?;
        let attrs = Attrs::new().with("dtype", DataType::Float).with("value", signal);
        let signal = self.add(home, &name, "Const", &[], attrs)?;
        self.partitions[home].graph.node_mut(signal).controls = vec![copy];
        let received = self.transfer(signal.into(), home, part, frame, &name)?;
        // A receive is alive even when it brings a dead value; what takes the value is not.
        let there =
            self.add(part, &format!("{name}/_seen"), "Identity", &[received.into()], Attrs::new())?;
        self.waited.insert((source, part), there);
        Ok(there)
    }

    /// Sends a value of partition `from` to partition `to` and returns the node that receives it there,
    /// in every iteration of the frame the value lives in.
    fn transfer(
        &mut self,
        value: Endpoint,
        from: usize,
        to: usize,
        frame: u32,
        name: &str,
    ) -> Result<NodeId> {
        let (source, target) = (self.partitions[from].device, self.partitions[to].device);
        let slot = self.next_slot()?;
        let edge = format!("edge_{slot}_{name}");
        let dtype = self.partitions[from].graph.edge_type(value).dtype;
        let attrs = self.transfer_attrs(&edge, source, target);
        let attrs = self.numbered(attrs, slot, source, target);
        let serial = self.participants.serial;
        let (send, receive) =
            (format!("{name}/_send_S{serial}"), format!("{name}/_recv_S{serial}"));
        self.add(from, &send, "_Send", &[value], attrs.clone())?;
        let attrs = attrs.with("tensor_type", dtype);
        let received = self.add(to, &receive, "_Recv", &[], attrs)?;
        if let Some(merge) = self.every_iteration(frame, to)? {
            self.partitions[to].graph.node_mut(received).controls = vec![merge];
        }
        Ok(received)
    }

    fn next_slot(&mut self) -> Result<u32> {
        let slot = self.slots;
        self.slots = slot_number(slot as usize + 1)?;
        Ok(slot)
    }

    fn transfer_attrs(&self, edge: &str, source: usize, target: usize) -> Attrs {
        Attrs::new()
            .with("tensor_name", edge.to_string())
            .with("send_device", self.devices[source].name.clone())
            // The attribute is signed; the bits are the incarnation's.
            .with("send_device_incarnation", self.devices[source].incarnation as i64)
            .with("recv_device", self.devices[target].name.clone())
    }

    /// Between linked tasks a value is pushed to the target under its number.
    fn numbered(&self, attrs: Attrs, slot: u32, source: usize, target: usize) -> Attrs {
        match self.devices[source].linked && self.devices[target].linked {
            true => attrs
                .with(SLOT, i64::from(slot))
                .with(PEER, self.devices[target].incarnation as i64),
            false => attrs,
        }
    }

    /// What the client feeds and fetches crosses between a device and itself by name, and between it and
    /// the master by number.
    fn client_attrs(&self, edge: &str, device: usize) -> Attrs {
        self.transfer_attrs(edge, device, device).with("client_terminated", true)
    }

    fn add(
        &mut self,
        part: usize,
        name: &str,
        op: &str,
        inputs: &[Endpoint],
        attrs: Attrs,
    ) -> Result<NodeId> {
        let device = self.devices[self.partitions[part].device].name.clone();
        let graph = &mut self.partitions[part].graph;
        let mut builder = GraphBuilder::new(graph, self.registry);
        let name = builder.unique_name(name);
        let id = builder.add_named(&name, op, inputs, attrs)?;
        graph.node_mut(id).device = device;
        Ok(id)
    }

    /// The node by which fed value number `feed` comes in.
    fn feed_node(&self, feed: usize, device: usize, arg: &Node) -> Result<Node> {
        let dtype = arg.output_types[0].dtype;
        let attrs = self.client_attrs(&feed_edge(feed), device);
        let attrs = self.numbered(attrs, slot_number(feed)?, self.participants.master, device);
        let mut graph = Graph::new();
        let mut builder = GraphBuilder::new(&mut graph, self.registry);
        let name = format!("{}_S{}", arg.name, self.participants.serial);
        let id = builder.add_named(&name, "_Recv", &[], attrs.with("tensor_type", dtype))?;
        let mut node = graph.node(id).clone();
        node.device = arg.device.clone();
        Ok(node)
    }

    fn finish(mut self) -> Result<Partitioned> {
        let key = |splitter: &Splitter<'_>, edge: &str, device: usize| {
            let peer = &splitter.devices[device];
            rendezvous_key(&peer.name, peer.incarnation, &peer.name, edge)
        };
        let mut feeds = Vec::new();
        for (feed, arg) in self.subgraph.args.iter().enumerate() {
            let part = self.copies[arg].0;
            let key = key(&self, &feed_edge(feed), self.partitions[part].device);
            feeds.push(Port { part, key, slot: slot_number(feed)? });
        }
        let mut fetches = Vec::new();
        for (fetch, end) in self.subgraph.fetches.iter().enumerate() {
            let (part, copy) = self.copies[&end.node];
            self.check_fetch(*end)?;
            let device = self.partitions[part].device;
            let edge = format!("fetch_{fetch}");
            let slot = self.next_slot()?;
            let attrs = self.client_attrs(&edge, device);
            let attrs = self.numbered(attrs, slot, device, self.participants.master);
            let value = Endpoint { node: copy, port: end.port };
            let name = format!("_{edge}_S{}", self.participants.serial);
            self.add(part, &name, "_Send", &[value], attrs)?;
            fetches.push(Port { part, key: key(&self, &edge, device), slot });
        }
        Ok(Partitioned { partitions: self.partitions, feeds, fetches })
    }

    /// A value inside of a loop has no one iteration whose value to fetch.
    fn check_fetch(&self, end: Endpoint) -> Result<()> {
        let frame = self.frames.of_output(end.node) as usize;
        if frame == 0 {
            return Ok(());
        }
        let tensor = self.subgraph.graph.endpoint_name(end);
        Err(Status::invalid_argument(format!(
            "'{tensor}' is inside of the loop '{}' and cannot be fetched; fetch what the loop gives",
            self.frames.infos[frame].name
        )))
    }
}

fn slot_number(count: usize) -> Result<u32> {
    u32::try_from(count)
        .map_err(|_| Status::resource_exhausted("a step has more crossings than there are numbers"))
}

fn feed_edge(feed: usize) -> String {
    format!("feed_{feed}")
}

/// True for a constant that every device makes for itself.
pub(crate) fn copied_constant(node: &Node) -> bool {
    node.op_name() == "Const"
        && node.controls.is_empty()
        && node.tensor("value").is_ok_and(|value| value.byte_len() <= COPIED_CONSTANT)
}

#[cfg(test)]
mod tests;
