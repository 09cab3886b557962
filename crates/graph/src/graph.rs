//! A graph: nodes by number and by name.

use std::collections::HashMap;

use downpour_tensor::{Result, Status};

use crate::node::{EdgeType, Endpoint, Node, NodeId};

/// TensorFlow's graph format versions, kept so that a graph leaves as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionInfo {
    pub producer: i32,
    pub min_consumer: i32,
}

#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    by_name: HashMap<String, NodeId>,
    pub versions: VersionInfo,
}

impl Graph {
    pub fn new() -> Graph {
        Graph::default()
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(i, n)| (NodeId(i as u32), n))
    }

    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.by_name.get(name).copied()
    }

    /// Adds a node; its inputs may be set later (loops refer forward).
    pub fn push(&mut self, node: Node) -> Result<NodeId> {
        let id = NodeId(
            u32::try_from(self.nodes.len())
                .map_err(|_| Status::resource_exhausted("a graph can have at most 2^32 nodes"))?,
        );
        if self.by_name.insert(node.name.clone(), id).is_some() {
            return Err(Status::invalid_argument(format!(
                "Node '{}' is not unique in the graph",
                node.name
            )));
        }
        self.nodes.push(node);
        Ok(id)
    }

    pub fn edge_type(&self, end: Endpoint) -> EdgeType {
        self.node(end.node).output_types[end.port as usize]
    }

    /// `name` or `name:port`, as clients write tensors.
    pub fn find_endpoint(&self, text: &str) -> Result<Endpoint> {
        let (name, port) = split_tensor_name(text)?;
        let node = self.find(name).ok_or_else(|| {
            Status::invalid_argument(format!("Tensor {text}: no node '{name}' in the graph"))
        })?;
        let outputs = self.node(node).output_types.len();
        if port as usize >= outputs {
            return Err(Status::invalid_argument(format!(
                "Tensor {text}: node '{name}' ({}) has {outputs} outputs",
                self.node(node).op_name()
            )));
        }
        Ok(Endpoint { node, port })
    }

    /// `name:port` of an endpoint.
    pub fn endpoint_name(&self, end: Endpoint) -> String {
        format!("{}:{}", self.node(end.node).name, end.port)
    }
}

/// Splits `name:port`; without a port it is output 0.
pub(crate) fn split_tensor_name(text: &str) -> Result<(&str, u32)> {
    match text.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => {
            let port = port.parse().map_err(|_| {
                Status::invalid_argument(format!("'{text}' names an impossible output number"))
            })?;
            Ok((name, port))
        }
        _ => Ok((text, 0)),
    }
}
