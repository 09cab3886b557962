//! A step's signature made into a plan: resolve names, prune, rewrite, compile.

use std::sync::Arc;

use downpour_graph::passes::prune;
use downpour_graph::{Endpoint, Graph, NodeId};
use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::executor::{FunctionRuntime, KernelCache, Plan};
use crate::optimize::{GraphOptions, optimize};
use crate::registry::Registry;

/// What distinguishes one kind of step from another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Signature {
    pub feeds: Vec<String>,
    pub fetches: Vec<String>,
    pub targets: Vec<String>,
}

pub(super) struct Prepared {
    pub plan: Arc<Plan>,
    /// The rewritten graph the plan was made from.
    pub graph: Graph,
    feeds: Vec<(String, DataType)>,
}

impl Prepared {
    pub fn compile(
        graph: &Graph,
        signature: &Signature,
        registry: &Registry,
        kernels: &KernelCache,
        functions: &Arc<FunctionRuntime>,
        options: &GraphOptions,
    ) -> Result<Prepared> {
        let find = |name: &String| graph.find_endpoint(name);
        let feeds: Vec<Endpoint> = signature.feeds.iter().map(find).collect::<Result<_>>()?;
        let fetches: Vec<Endpoint> = signature.fetches.iter().map(find).collect::<Result<_>>()?;
        let targets: Vec<NodeId> = signature
            .targets
            .iter()
            .map(|name| {
                // A target is a node; clients may still write a tensor's name.
                let node = name.split(':').next().unwrap_or(name);
                graph.find(node).ok_or_else(|| {
                    Status::not_found(format!("target node '{name}' is not in the graph"))
                })
            })
            .collect::<Result<_>>()?;
        let subgraph = prune(graph, &feeds, &fetches, &targets, registry.ops())?;
        let subgraph = optimize(subgraph, registry, options)?;
        let plan = Plan::compile(&subgraph, registry, kernels, Some(&**functions))?;
        let types = feeds.iter().map(|&end| graph.edge_type(end).dtype);
        let feeds = signature.feeds.iter().cloned().zip(types).collect();
        Ok(Prepared { plan: Arc::new(plan), graph: subgraph.graph, feeds })
    }

    /// A fed tensor must have the type its consumers were compiled for.
    pub fn check_feeds(&self, tensors: &[Tensor]) -> Result<()> {
        if tensors.len() != self.feeds.len() {
            return Err(Status::invalid_argument(format!(
                "the step takes {} fed tensors but got {}",
                self.feeds.len(),
                tensors.len()
            )));
        }
        for ((name, dtype), tensor) in self.feeds.iter().zip(tensors) {
            if tensor.dtype() != *dtype {
                return Err(Status::invalid_argument(format!(
                    "Tensor {name} is fed a {} tensor but is of type {dtype}",
                    tensor.dtype()
                )));
            }
        }
        Ok(())
    }

    pub fn feed_index(&self, name: &str) -> Option<usize> {
        self.feeds.iter().position(|(n, _)| n == name)
    }

    pub fn feed_dtype(&self, index: usize) -> DataType {
        self.feeds[index].1
    }
}
