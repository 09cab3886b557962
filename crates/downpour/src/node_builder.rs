//! Adds one node of any operation: inputs argument by argument, attributes by name.

use downpour_graph::{ArgType, AttrValue, Attrs, Endpoint};
use downpour_tensor::{Result, Status};

use crate::graph::Graph;
use crate::output::{Operation, Output};

/// A node about to be added. The functions of [`crate::ops`] are typed forms of this.
///
/// ```
/// use downpour::{Graph, NodeBuilder};
/// # fn main() -> downpour::Result<()> {
/// let graph = Graph::new();
/// let x = graph.constant([1.0f32, -2.0])?;
/// let y = NodeBuilder::new("LeakyRelu").input(&x).attr("alpha", 0.1f32).name("leaky").output()?;
/// assert_eq!(y.name(), "leaky:0");
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is added before `output`, `outputs` or `operation`"]
pub struct NodeBuilder {
    op: &'static str,
    graph: Option<Graph>,
    name: Option<String>,
    inputs: Vec<Output>,
    /// How many values each argument has.
    counts: Vec<usize>,
    attrs: Attrs,
}

impl NodeBuilder {
    /// A node of this operation, in the graph of its first input.
    pub fn new(op: &'static str) -> NodeBuilder {
        NodeBuilder {
            op,
            graph: None,
            name: None,
            inputs: Vec::new(),
            counts: Vec::new(),
            attrs: Attrs::new(),
        }
    }

    /// A node in this graph, for operations without inputs.
    pub fn in_graph(graph: &Graph, op: &'static str) -> NodeBuilder {
        NodeBuilder { graph: Some(graph.clone()), ..NodeBuilder::new(op) }
    }

    /// The next argument, one value.
    pub fn input(mut self, value: &Output) -> NodeBuilder {
        self.push(value);
        self.counts.push(1);
        self
    }

    /// The next argument, which takes several values.
    pub fn list(mut self, values: &[Output]) -> NodeBuilder {
        values.iter().for_each(|value| self.push(value));
        self.counts.push(values.len());
        self
    }

    /// Inside the body of a loop or a branch, a node belongs to the innermost graph of its inputs.
    fn push(&mut self, value: &Output) {
        let graph = self.graph.get_or_insert_with(|| value.graph().clone());
        if value.graph().is_inside(graph) {
            *graph = value.graph().clone();
        }
        self.inputs.push(value.clone());
    }

    /// An attribute.
    pub fn attr(mut self, name: &str, value: impl Into<AttrValue>) -> NodeBuilder {
        self.set(name, value.into());
        self
    }

    pub(crate) fn set(&mut self, name: &str, value: AttrValue) {
        self.attrs.0.insert(name.to_string(), value);
    }

    /// The node's name within the current scope; numbered if it is taken. Without one it is the
    /// operation's.
    pub fn name(mut self, name: &str) -> NodeBuilder {
        self.name = Some(name.to_string());
        self
    }

    /// Adds the node.
    pub fn operation(mut self) -> Result<Operation> {
        let Some(graph) = self.graph else {
            return Err(Status::invalid_argument(format!(
                "{} got no input at all, so nothing says which graph it belongs to",
                self.op
            )));
        };
        let bring = |value: &Output| graph.bring(value).map_err(|e| e.context(self.op));
        let inputs: Vec<Endpoint> = self.inputs.iter().map(bring).collect::<Result<_>>()?;
        if let Some(spec) = graph.registry().ops().get(self.op) {
            // The lengths of lists are known here; from the inputs alone two lists could not be told apart.
            let mut start = 0;
            for (arg, &count) in spec.def.inputs.iter().zip(&self.counts) {
                let values = &inputs[start..start + count];
                start += count;
                if let Some(n) = &arg.number_attr {
                    self.attrs.0.entry(n.clone()).or_insert(AttrValue::Int(count as i64));
                }
                if let ArgType::ListAttr(list) = &arg.ty {
                    let state = graph.lock();
                    let types = values.iter().map(|end| state.nodes.edge_type(*end).dtype.into());
                    self.attrs.0.entry(list.clone()).or_insert(AttrValue::List(types.collect()));
                }
            }
        }
        let id = graph.add(self.op, self.name.as_deref(), &inputs, self.attrs)?;
        Ok(Operation::new(&graph, id))
    }

    /// Adds the node and gives its first output.
    pub fn output(self) -> Result<Output> {
        self.operation()?.output(0)
    }

    /// Adds the node and gives all its outputs.
    pub fn outputs(self) -> Result<Vec<Output>> {
        Ok(self.operation()?.outputs())
    }
}
