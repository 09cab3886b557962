//! Changes the chosen nodes and casts values at their borders.

use std::collections::HashMap;

use downpour_tensor::{DataType, Result};

use super::MixedPrecisionReport;
use super::paint::Painted;
use crate::attr::{AttrValue, Attrs};
use crate::builder::GraphBuilder;
use crate::graph::Graph;
use crate::node::{Endpoint, Node, NodeId};
use crate::registry::OpRegistry;

pub(super) fn rewrite(
    graph: &mut Graph,
    registry: &OpRegistry,
    compute: DataType,
    painted: Vec<Painted>,
) -> Result<MixedPrecisionReport> {
    let before = graph.len();
    let mut work =
        Rewrite { graph, registry, compute, moved: HashMap::new(), casts: HashMap::new() };
    let changed: Vec<NodeId> = painted.iter().map(|chosen| chosen.id).collect();
    painted.into_iter().try_for_each(|chosen| work.change(chosen))?;
    let computing: Vec<NodeId> = changed.iter().map(|id| work.computing(*id)).collect();
    let mut is_changed = vec![false; before];
    changed.iter().for_each(|id| is_changed[id.index()] = true);
    let others: Vec<NodeId> =
        (0..before as u32).map(NodeId).filter(|id| !is_changed[id.index()]).collect();
    for id in &others {
        work.redirect(*id)?;
    }
    // Whoever waits for a node waits for its computation, not for a float32 that nobody takes.
    for &id in others.iter().chain(&computing) {
        let mut controls = std::mem::take(&mut work.graph.node_mut(id).controls);
        controls.iter_mut().for_each(|control| *control = work.computing(*control));
        work.graph.node_mut(id).controls = controls;
    }
    let casts = work.casts.len();
    Ok(MixedPrecisionReport { changed, computing, casts })
}

/// Where a changed node went, and which of its outputs are of 16 bits.
struct Moved {
    id: NodeId,
    outputs: Vec<bool>,
}

/// A value in another type, for takers on one device.
#[derive(PartialEq, Eq, Hash)]
struct CastKey {
    value: Endpoint,
    to: DataType,
    device: String,
}

struct Rewrite<'g> {
    graph: &'g mut Graph,
    registry: &'g OpRegistry,
    compute: DataType,
    /// By the number the node had; nodes without a 16-bit output have not moved.
    moved: HashMap<NodeId, Moved>,
    casts: HashMap<CastKey, Endpoint>,
}

impl Rewrite<'_> {
    fn computing(&self, id: NodeId) -> NodeId {
        self.moved.get(&id).map_or(id, |moved| moved.id)
    }

    /// Makes a node compute in 16 bits. What comes before it is settled.
    fn change(&mut self, chosen: Painted) -> Result<()> {
        let Painted { id, mut node, inputs, outputs } = chosen;
        for (end, narrow) in node.inputs.iter_mut().zip(inputs) {
            *end = if narrow { self.narrow(*end)? } else { self.wide(*end, &node.device)? };
        }
        if !outputs.contains(&true) {
            *self.graph.node_mut(id) = node;
            return Ok(());
        }
        let name = node.name.clone();
        node.name = self.free_name(&format!("{name}/{}", self.compute));
        let at = self.graph.push(node)?;
        let stand_in = self.stand_in(&name, at, &outputs)?;
        *self.graph.node_mut(id) = stand_in;
        self.moved.insert(id, Moved { id: at, outputs });
        Ok(())
    }

    /// What the old name stands for: all results in the types they had.
    fn stand_in(&mut self, name: &str, at: NodeId, outputs: &[bool]) -> Result<Node> {
        let mut node = if outputs.len() == 1 {
            self.cast_node(name, at.into(), DataType::Float)?
        } else {
            let device = self.graph.node(at).device.clone();
            let mut values = Vec::with_capacity(outputs.len());
            for (port, narrow) in outputs.iter().enumerate() {
                let value = Endpoint { node: at, port: port as u32 };
                values.push(match narrow {
                    true => self.cast(value, DataType::Float, &device)?,
                    false => value,
                });
            }
            let builder = GraphBuilder::new(self.graph, self.registry);
            builder.node(name, "IdentityN", &values, Attrs::new())?
        };
        place_with(&mut node, self.graph.node(at));
        Ok(node)
    }

    /// A value in 16 bits, narrowed where it is made.
    fn narrow(&mut self, end: Endpoint) -> Result<Endpoint> {
        let value = match self.moved.get(&end.node) {
            Some(moved) => {
                let value = Endpoint { node: moved.id, port: end.port };
                if moved.outputs[end.port as usize] {
                    return Ok(value);
                }
                value
            }
            None => end,
        };
        let device = self.graph.node(value.node).device.clone();
        self.cast(value, self.compute, &device)
    }

    /// A value in the type it had, for a taker on this device.
    fn wide(&mut self, end: Endpoint, device: &str) -> Result<Endpoint> {
        let Some(moved) = self.moved.get(&end.node) else { return Ok(end) };
        let value = Endpoint { node: moved.id, port: end.port };
        if !moved.outputs[end.port as usize] {
            return Ok(value);
        }
        let alone = moved.outputs.len() == 1;
        if alone && self.graph.node(moved.id).device == device {
            return Ok(end);
        }
        self.cast(value, DataType::Float, device)
    }

    /// Lets an unchanged node take its values in the types it takes.
    fn redirect(&mut self, id: NodeId) -> Result<()> {
        let device = self.graph.node(id).device.clone();
        let mut inputs = self.graph.node(id).inputs.clone();
        for end in &mut inputs {
            *end = self.wide(*end, &device)?;
        }
        self.graph.node_mut(id).inputs = inputs;
        Ok(())
    }

    /// One cast for all who take a value so on one device.
    fn cast(&mut self, value: Endpoint, to: DataType, device: &str) -> Result<Endpoint> {
        let key = CastKey { value, to, device: device.to_string() };
        if let Some(cast) = self.casts.get(&key) {
            return Ok(*cast);
        }
        let source = self.graph.node(value.node);
        let mut name = format!("{}/to_{to}", source.name);
        if value.port > 0 {
            name.push_str(&format!("_{}", value.port));
        }
        let beside = source.device == device;
        let name = self.free_name(&name);
        let mut node = self.cast_node(&name, value, to)?;
        match beside {
            true => place_with(&mut node, self.graph.node(value.node)),
            false => node.device = device.to_string(),
        }
        let cast = self.graph.push(node)?.into();
        self.casts.insert(key, cast);
        Ok(cast)
    }

    fn cast_node(&mut self, name: &str, value: Endpoint, to: DataType) -> Result<Node> {
        let attrs = Attrs::new().with("DstT", to);
        GraphBuilder::new(self.graph, self.registry).node(name, "Cast", &[value], attrs)
    }

    fn free_name(&mut self, name: &str) -> String {
        GraphBuilder::new(self.graph, self.registry).unique_name(name)
    }
}

/// Puts a node where another is.
fn place_with(node: &mut Node, other: &Node) {
    node.device = other.device.clone();
    if let Some(AttrValue::List(classes)) = other.attrs.get("_class") {
        node.attrs.set("_class", AttrValue::List(classes.clone()));
    }
}
