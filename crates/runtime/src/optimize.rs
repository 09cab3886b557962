//! The rewrites a subgraph goes through before it is compiled, in their order.

use std::sync::Arc;

use downpour_graph::Node;
use downpour_graph::frames::topological_order;
use downpour_graph::passes::{
    Subgraph, dedupe, fold_constants, fuse_bias, fuse_elementwise, simplify_dependencies, sweep,
};
use downpour_tensor::{Result, Status, Tensor};

use crate::cancellation::CancellationToken;
use crate::context::OpContext;
use crate::kernel::KernelBox;
use crate::pool::Parallel;
use crate::registry::Registry;
use crate::resource::ResourceManager;
use crate::step::{Step, StepConfig};
use crate::value::Value;

/// Which rewrites may be applied to a graph before it runs.
#[derive(Clone, Debug)]
pub struct GraphOptions {
    pub constant_folding: bool,
    pub common_subexpressions: bool,
    pub dependencies: bool,
    pub fusion: bool,
}

impl Default for GraphOptions {
    fn default() -> GraphOptions {
        GraphOptions {
            constant_folding: true,
            common_subexpressions: true,
            dependencies: true,
            fusion: true,
        }
    }
}

/// Applies the rewrites that `options` allow.
pub fn optimize(
    mut subgraph: Subgraph,
    registry: &Registry,
    options: &GraphOptions,
) -> Result<Subgraph> {
    if options.constant_folding {
        let order = topological_order(&subgraph.graph)?;
        let evaluate = |node: &Arc<Node>, inputs| evaluate(registry, node, inputs);
        fold_constants(&mut subgraph, &order, registry.ops(), &evaluate)?;
        subgraph = sweep(&subgraph)?;
    }
    if options.common_subexpressions {
        let order = topological_order(&subgraph.graph)?;
        dedupe(&mut subgraph, &order);
        subgraph = sweep(&subgraph)?;
    }
    if options.dependencies {
        let order = topological_order(&subgraph.graph)?;
        simplify_dependencies(&mut subgraph, &order);
        subgraph = sweep(&subgraph)?;
    }
    if options.fusion {
        let order = topological_order(&subgraph.graph)?;
        fuse_bias(&mut subgraph, &order, registry.ops())?;
        subgraph = sweep(&subgraph)?;
        let order = topological_order(&subgraph.graph)?;
        fuse_elementwise(&mut subgraph, &order, registry.ops())?;
        subgraph = sweep(&subgraph)?;
    }
    Ok(subgraph)
}

/// Runs one kernel outside of any step.
fn evaluate(registry: &Registry, node: &Arc<Node>, inputs: Vec<Tensor>) -> Result<Vec<Tensor>> {
    let KernelBox::Sync(kernel) = registry.make_kernel(node, None)? else {
        return Err(Status::internal("an asynchronous kernel is not folded"));
    };
    let step = Step::new(StepConfig {
        id: 0,
        resources: Arc::new(ResourceManager::new()),
        parallel: Parallel::serial(),
        cancellation: CancellationToken::new(),
        device: "".into(),
        trace: None,
        rendezvous: None,
    });
    let mut values: Vec<Value> = inputs.into_iter().map(Value::Tensor).collect();
    let mut cx = OpContext::new(node, &step, &mut values);
    let computed =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| kernel.compute(&mut cx)));
    computed.unwrap_or_else(|_| Err(Status::internal("the kernel panicked")))?;
    let take = |value| match value {
        Value::Tensor(tensor) => Ok(tensor),
        _ => Err(Status::internal("an output was not set")),
    };
    cx.into_outputs().into_iter().map(take).collect()
}
