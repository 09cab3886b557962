//! A step's signature made into a plan: resolve names, prune, rewrite, compile.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use downpour_graph::Graph;
use downpour_graph::passes::{Ends, Subgraph, prune};
use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::executor::{FunctionRuntime, KernelCache, Plan, Straight};
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
    /// The rewritten subgraph the plan was made from.
    subgraph: Subgraph,
    feeds: Vec<(String, DataType)>,
    /// Steps started so far.
    steps: AtomicU64,
    /// The plan with its short loops made straight; `None` inside when that is not better.
    straight: OnceLock<Option<Arc<Plan>>>,
}

/// After this many steps the costs of a loop's nodes are known.
const MEASURED_STEPS: u64 = 3;

/// An iteration that takes longer is worth spreading over threads.
const SHORT_ITERATION_NANOSECONDS: u64 = 40_000;

impl Prepared {
    pub fn compile(
        graph: &Graph,
        signature: &Signature,
        registry: &Registry,
        kernels: &KernelCache,
        functions: &Arc<FunctionRuntime>,
        options: &GraphOptions,
    ) -> Result<Prepared> {
        let Signature { feeds, fetches, targets } = signature;
        let Ends { feeds, fetches, targets } = Ends::find(graph, feeds, fetches, targets)?;
        let subgraph = prune(graph, &feeds, &fetches, &targets, registry.ops())?;
        let subgraph = optimize(subgraph, registry, options)?;
        let plan =
            Plan::compile(&subgraph, registry, kernels, Some(&**functions), &Straight::None)?;
        let types = feeds.iter().map(|&end| graph.edge_type(end).dtype);
        let feeds = signature.feeds.iter().cloned().zip(types).collect();
        Ok(Prepared {
            plan: Arc::new(plan),
            subgraph,
            feeds,
            steps: AtomicU64::new(0),
            straight: OnceLock::new(),
        })
    }

    pub fn graph(&self) -> &Graph {
        &self.subgraph.graph
    }

    /// The plan for the next step: loops run straight when only one thread may run nodes, or when
    /// earlier steps have shown that their iterations are short.
    pub fn next_plan(
        &self,
        registry: &Registry,
        kernels: &KernelCache,
        functions: &Arc<FunctionRuntime>,
        inter_op: usize,
    ) -> &Arc<Plan> {
        if !self.plan.has_loops() {
            return &self.plan;
        }
        let steps = self.steps.fetch_add(1, Ordering::Relaxed);
        if inter_op > 1 && steps < MEASURED_STEPS {
            return &self.plan;
        }
        let straight = self.straight.get_or_init(|| {
            let costs = self.plan.costs();
            let straight = match inter_op {
                1 => Straight::All,
                _ => Straight::Cheap { costs: &costs, limit: SHORT_ITERATION_NANOSECONDS },
            };
            let functions: &FunctionRuntime = functions;
            // The plan in frames compiled, so nothing but a rare refusal can fail here.
            Plan::compile(&self.subgraph, registry, kernels, Some(functions), &straight)
                .ok()
                .map(Arc::new)
        });
        straight.as_ref().unwrap_or(&self.plan)
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
