//! Adds nodes to a graph: derives attributes from inputs, checks types, makes names unique.

use std::sync::Arc;

use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::attr::Attrs;
use crate::graph::Graph;
use crate::node::{Endpoint, Node, NodeId};
use crate::registry::OpRegistry;
use crate::types::{arg_types, complete_attrs, infer_attrs};

pub struct GraphBuilder<'a> {
    pub graph: &'a mut Graph,
    pub(crate) registry: &'a OpRegistry,
    /// Prefix of names made here, without the trailing slash.
    scope: String,
}

impl<'a> GraphBuilder<'a> {
    pub fn new(graph: &'a mut Graph, registry: &'a OpRegistry) -> GraphBuilder<'a> {
        GraphBuilder { graph, registry, scope: String::new() }
    }

    pub fn in_scope(mut self, scope: &str) -> GraphBuilder<'a> {
        self.scope = scope.to_string();
        self
    }

    /// The prefix of names made here.
    pub(crate) fn scope(&self) -> &str {
        &self.scope
    }

    /// A name nobody has: `scope/base`, `scope/base_1`, ...
    pub fn unique_name(&self, base: &str) -> String {
        let first =
            if self.scope.is_empty() { base.to_string() } else { format!("{}/{base}", self.scope) };
        if self.graph.find(&first).is_none() {
            return first;
        }
        (1..)
            .map(|i| format!("{first}_{i}"))
            .find(|name| self.graph.find(name).is_none())
            .expect("numbers do not run out")
    }

    /// Adds a node named after its operation; type and count attributes follow from the inputs.
    pub fn add(&mut self, op: &str, inputs: &[Endpoint], attrs: Attrs) -> Result<NodeId> {
        let name = self.unique_name(op);
        self.add_named(&name, op, inputs, attrs)
    }

    pub fn add_named(
        &mut self,
        name: &str,
        op: &str,
        inputs: &[Endpoint],
        attrs: Attrs,
    ) -> Result<NodeId> {
        let node = self.node(name, op, inputs, attrs)?;
        self.graph.push(node)
    }

    /// A complete node that is not in the graph yet, for callers that check more before they add it.
    pub fn node(
        &self,
        name: &str,
        op: &str,
        inputs: &[Endpoint],
        mut attrs: Attrs,
    ) -> Result<Node> {
        let spec = self
            .registry
            .get(op)
            .ok_or_else(|| Status::not_found(format!("there is no operation '{op}'")))?;
        let types: Vec<DataType> = inputs.iter().map(|&e| self.graph.edge_type(e).dtype).collect();
        let located = |e: Status| e.context(format_args!("{op} '{name}'"));
        infer_attrs(&spec.def, &types, &mut attrs).map_err(located)?;
        complete_attrs(&spec.def, &mut attrs).map_err(located)?;
        let input_types = arg_types(&spec.def.inputs, &attrs).map_err(located)?;
        let output_types = arg_types(&spec.def.outputs, &attrs).map_err(located)?;
        let expected: Vec<DataType> = input_types.iter().map(|t| t.dtype).collect();
        if expected != types {
            return Err(Status::invalid_argument(format!(
                "{op} '{name}' takes inputs of types {expected:?} but got {types:?}"
            )));
        }
        Ok(Node {
            name: name.to_string(),
            op: Arc::clone(spec),
            device: String::new(),
            attrs,
            inputs: inputs.to_vec(),
            controls: Vec::new(),
            input_types,
            output_types,
        })
    }

    /// The only output of a new node.
    pub fn op(&mut self, op: &str, inputs: &[Endpoint], attrs: Attrs) -> Result<Endpoint> {
        self.add(op, inputs, attrs).map(Endpoint::from)
    }

    pub fn constant(&mut self, value: Tensor) -> Result<Endpoint> {
        let attrs = Attrs::new().with("dtype", value.dtype()).with("value", value);
        self.op("Const", &[], attrs)
    }
}
