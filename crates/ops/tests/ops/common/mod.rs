//! Sessions over graphs built by hand, for the tests beside this folder.
#![allow(dead_code, reason = "each test file uses some of these")]

pub mod loops;

use std::sync::Arc;

use downpour_graph::{Attrs, Endpoint, Graph, GraphBuilder, OpRegistry, export_graph};
use downpour_runtime::{
    ComputePool, Device, GraphOptions, Registry, RunRequest, Session, SessionOptions, StepOptions,
};
use downpour_tensor::{DataType, Result, Tensor};

pub fn registry() -> Arc<Registry> {
    Arc::new(downpour_ops::registry().unwrap())
}

/// A session whose graph `build` makes.
pub fn session(build: impl FnOnce(&mut GraphBuilder<'_>) -> Result<()>) -> Session {
    let registry = registry();
    let session = empty_session(&registry);
    session.extend(&graph(registry.ops(), build)).unwrap();
    session
}

pub fn empty_session(registry: &Arc<Registry>) -> Session {
    session_with(registry, GraphOptions::default())
}

pub fn session_with(registry: &Arc<Registry>, graph: GraphOptions) -> Session {
    session_on(registry, SessionOptions { graph, ..SessionOptions::default() })
}

pub fn session_on(registry: &Arc<Registry>, options: SessionOptions) -> Session {
    let pool = ComputePool::new(2).unwrap();
    let device = Device::new("/job:localhost/replica:0/task:0/device:CPU:0", pool);
    Session::new(registry.clone(), device, options)
}

pub fn graph(
    ops: &OpRegistry,
    build: impl FnOnce(&mut GraphBuilder<'_>) -> Result<()>,
) -> downpour_wire::proto::GraphDef {
    let mut graph = Graph::new();
    build(&mut GraphBuilder::new(&mut graph, ops)).unwrap();
    export_graph(&graph).unwrap()
}

pub fn placeholder(b: &mut GraphBuilder<'_>, name: &str, dtype: DataType) -> Result<Endpoint> {
    b.add_named(name, "Placeholder", &[], Attrs::new().with("dtype", dtype)).map(Endpoint::from)
}

pub fn run(session: &Session, feeds: &[(&str, Tensor)], fetches: &[&str]) -> Result<Vec<Tensor>> {
    let request = RunRequest {
        feeds: feeds.iter().map(|(n, t)| (n.to_string(), t.clone())).collect(),
        fetches: fetches.iter().map(|f| f.to_string()).collect(),
        targets: Vec::new(),
    };
    session.run(request, &StepOptions::default())
}

/// `while i < limit { i += 1 }` from Enter, Merge, Switch and NextIteration.
pub fn counting_loop(b: &mut GraphBuilder<'_>, limit: Endpoint, parallel: i64) -> Result<()> {
    let enter = |constant: bool| {
        Attrs::new()
            .with("frame_name", "loop")
            .with("is_constant", constant)
            .with("parallel_iterations", parallel)
    };
    let zero = b.constant(Tensor::scalar(0i32))?;
    let start = b.op("Enter", &[zero], enter(false))?;
    let bound = b.op("Enter", &[limit], enter(true))?;
    let one = b.constant(Tensor::scalar(1i32))?;
    let one = b.op("Enter", &[one], enter(true))?;
    let merge = b.add("Merge", &[start, start], Attrs::new())?;
    let less = b.op("Less", &[merge.into(), bound], Attrs::new())?;
    let cond = b.op("LoopCond", &[less], Attrs::new())?;
    let switch = b.add("Switch", &[merge.into(), cond], Attrs::new())?;
    let body = Endpoint { node: switch, port: 1 };
    let sum = b.op("AddV2", &[body, one], Attrs::new())?;
    let next = b.op("NextIteration", &[sum], Attrs::new())?;
    b.graph.node_mut(merge).inputs[1] = next;
    b.add_named("exit", "Exit", &[switch.into()], Attrs::new())?;
    Ok(())
}
