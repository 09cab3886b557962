//! Kernels for tests.

use std::sync::{Arc, mpsc};

use downpour_graph::{Attrs, Graph, GraphBuilder, OpSpec};
use downpour_runtime::{
    AsyncContext, CancellationToken, Outputs, Parallel, Registry, Step, StepConfig,
};
use downpour_tensor::Result;

/// A kernel of a step of its own, and where its result goes.
pub(super) fn kernel(token: &CancellationToken) -> (AsyncContext, mpsc::Receiver<Result<Outputs>>) {
    let mut registry = Registry::new();
    registry.add_without_kernel(OpSpec::new("Take() -> (x: int64) @stateful").unwrap()).unwrap();
    let mut graph = Graph::new();
    let mut builder = GraphBuilder::new(&mut graph, registry.ops());
    let id = builder.add_named("take", "Take", &[], Attrs::new()).unwrap();
    let step = Step::new(StepConfig {
        id: 1,
        resources: Arc::default(),
        parallel: Parallel::serial(),
        cancellation: token.clone(),
        device: "".into(),
        trace: None,
        rendezvous: None,
    });
    let (send, receive) = mpsc::channel();
    let finish = Box::new(move |result| drop(send.send(result)));
    let node = Arc::new(graph.node(id).clone());
    (AsyncContext::new(node, step, Default::default(), finish), receive)
}
