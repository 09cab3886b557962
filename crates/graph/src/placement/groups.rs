//! Nodes that must run on the same device.

use std::collections::HashMap;

use downpour_tensor::{DataType, Result, Status};

use crate::attr::AttrValue;
use crate::graph::Graph;
use crate::node::NodeId;

/// Disjoint sets of nodes, with the reasons they were joined for.
pub(super) struct Groups {
    parent: Vec<u32>,
    joined: Vec<(NodeId, NodeId, Reason)>,
    size: Vec<u32>,
}

#[derive(Clone, Copy)]
enum Reason {
    Class,
    Reference,
    Resource,
}

const CLASS_PREFIX: &[u8] = b"loc:@";

impl Groups {
    pub fn of(graph: &Graph) -> Result<Groups> {
        let mut groups = Groups {
            parent: (0..graph.len() as u32).collect(),
            joined: Vec::new(),
            size: vec![1; graph.len()],
        };
        let mut classes_seen: HashMap<&str, NodeId> = HashMap::new();
        for (id, node) in graph.nodes() {
            for (end, expected) in node.inputs.iter().zip(&node.input_types) {
                if expected.is_ref && graph.edge_type(*end).is_ref {
                    groups.join(end.node, id, Reason::Reference);
                } else if expected.dtype == DataType::Resource {
                    groups.join(end.node, id, Reason::Resource);
                }
            }
            let Some(AttrValue::List(classes)) = node.attrs.0.get("_class") else { continue };
            for class in classes {
                let AttrValue::Str(class) = class else { continue };
                let Some(name) = class.as_ref().strip_prefix(CLASS_PREFIX) else { continue };
                let name = std::str::from_utf8(name).map_err(|_| {
                    Status::invalid_argument("a colocation class is not text").at_node(&node.name)
                })?;
                // The named node may not be there; those that name it stay together all the same.
                let first =
                    *classes_seen.entry(name).or_insert_with(|| graph.find(name).unwrap_or(id));
                groups.join(first, id, Reason::Class);
            }
        }
        Ok(groups)
    }

    fn join(&mut self, a: NodeId, b: NodeId, reason: Reason) {
        let (x, y) = (self.root(a.0), self.root(b.0));
        if x == y {
            return;
        }
        let (large, small) =
            if self.size[x as usize] >= self.size[y as usize] { (x, y) } else { (y, x) };
        self.parent[small as usize] = large;
        self.size[large as usize] += self.size[small as usize];
        self.joined.push((a, b, reason));
    }

    fn root(&self, mut at: u32) -> u32 {
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        at
    }

    /// The node that stands for the group of `id`.
    pub fn leader(&self, id: NodeId) -> NodeId {
        NodeId(self.root(id.0))
    }

    pub fn is_alone(&self, id: NodeId) -> bool {
        self.size[self.root(id.0) as usize] == 1
    }

    /// Why the nodes of a group are together, in words.
    pub fn reasons(&self, graph: &Graph, id: NodeId) -> String {
        const SHOWN: usize = 4;
        let leader = self.leader(id);
        let name = |id: NodeId| &graph.node(id).name;
        let mut lines: Vec<String> = self
            .joined
            .iter()
            .filter(|(a, _, _)| self.leader(*a) == leader)
            .map(|&(a, b, reason)| match reason {
                Reason::Class => format!("'{}' is colocated with '{}' (_class)", name(b), name(a)),
                Reason::Reference => {
                    format!("'{}' takes a reference to the variable of '{}'", name(b), name(a))
                }
                Reason::Resource => {
                    format!("'{}' uses the resource that '{}' names", name(b), name(a))
                }
            })
            .collect();
        // The last joins are the ones that brought the node in.
        let hidden = lines.len().saturating_sub(SHOWN);
        lines.drain(..hidden);
        if hidden > 0 {
            lines.push(format!("and {hidden} more"));
        }
        lines.join(", ")
    }
}
