//! Graphs inside graphs: the bodies of loops and branches, and what they take from around them.

use downpour_graph::{Attrs, BuiltFunction, Endpoint, FunctionGraph, NodeId, PartialShape};
use downpour_tensor::{DataType, Result};

use super::Graph;
use crate::output::Output;

/// What makes a graph a function's body.
#[derive(Default)]
pub(crate) struct Inner {
    args: Vec<NodeId>,
    /// Values of the graph around it, and the arguments that stand for them.
    captures: Vec<(Endpoint, NodeId)>,
}

impl Graph {
    /// A graph for the body of a function that this graph calls.
    pub(crate) fn inner(&self) -> Graph {
        let shared = &self.0;
        Graph::with_parts(shared.registry.clone(), shared.library.clone(), Some(self.clone()))
    }

    /// In the body of a loop or a branch: a value of the graph around it, as the body sees it. Operations
    /// that also have an input of the body's own capture by themselves.
    pub fn capture(&self, value: &Output) -> Result<Output> {
        Ok(Output::new(self, self.bring(value)?))
    }

    /// True for the body of a loop or a branch of `other`, however deep.
    pub(crate) fn is_inside(&self, other: &Graph) -> bool {
        let outer = std::iter::successors(self.0.outer.as_ref(), |graph| graph.0.outer.as_ref());
        outer.into_iter().any(|graph| graph.is(other))
    }

    /// True for the body of any loop or branch.
    pub(crate) fn is_body(&self) -> bool {
        self.0.outer.is_some()
    }

    /// A further argument of a body.
    pub(crate) fn arg(&self, name: &str, dtype: DataType, shape: &PartialShape) -> Result<Output> {
        let id = self.stand_in(name, dtype, shape)?;
        self.lock().inner.args.push(id);
        Ok(Output::new(self, id.into()))
    }

    fn stand_in(&self, name: &str, dtype: DataType, shape: &PartialShape) -> Result<NodeId> {
        let index = self.len() as i64;
        let attrs = Attrs::new().with("T", dtype).with("index", index);
        let id = self.add("_Arg", Some(name), &[], attrs)?;
        self.lock().facts.narrow(id.into(), shape)?;
        Ok(id)
    }

    /// A value as an input for a node of this graph: its own, or captured from a graph around it.
    pub(crate) fn bring(&self, value: &Output) -> Result<Endpoint> {
        let Some(outer) = self.0.outer.as_ref().filter(|_| !self.is(value.graph())) else {
            self.expect_own(value.graph(), &value.name())?;
            return Ok(value.endpoint());
        };
        let end = outer.bring(value)?;
        if let Some((_, arg)) = self.lock().inner.captures.iter().find(|(known, _)| *known == end) {
            return Ok((*arg).into());
        }
        let around = Output::new(outer, end);
        // Whole numbers that are known (axes, shapes) stay known inside.
        let known = around.known_value().filter(|value| value.dtype().is_integer());
        if let Some(value) = known {
            return Ok(self.constant(value)?.endpoint());
        }
        let id = self.stand_in("captured", around.dtype(), &around.shape())?;
        self.lock().inner.captures.push((end, id));
        Ok(id.into())
    }

    /// The body as a function with these results.
    pub(crate) fn finish(&self, results: &[Output]) -> Result<BuiltFunction> {
        let results = results.iter().map(|value| self.bring(value)).collect::<Result<Vec<_>>>()?;
        let state = self.lock();
        let captures = &state.inner.captures;
        let args = state.inner.args.iter().chain(captures.iter().map(|(_, arg)| arg));
        let mut function = FunctionGraph {
            graph: state.nodes.clone(),
            args: args.copied().collect(),
            results,
            targets: Vec::new(),
        };
        function.targets = function.stateful_nodes();
        Ok(BuiltFunction {
            function,
            args: state.inner.args.len(),
            captures: captures.iter().map(|(end, _)| *end).collect(),
        })
    }
}
