//! Loops cut over several devices give what they give on one, however they are cut.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use crate::common::loops::*;
use crate::common::*;
use downpour_graph::passes::prune;
use downpour_graph::{
    Attrs, Endpoint, Graph, GraphBuilder, Participants, Partitioned, PeerDevice, Port,
    export_graph, partition,
};
use downpour_runtime::{
    CancellationToken, ComputePool, Device, LocalRendezvous, RegisteredGraph, Registry, Rendezvous,
    SessionOptions, WorkerSession, WorkerStep,
};
use downpour_tensor::{DataType, Result, Tensor};

/// A graph over several devices in one process: each with a session, all with one meeting place.
struct Parts {
    split: Partitioned,
    parts: Vec<(WorkerSession, RegisteredGraph)>,
}

impl Parts {
    /// Cuts the graph as `place` says for each node's number.
    fn new(
        registry: &Arc<Registry>,
        build: &dyn Fn(&mut GraphBuilder<'_>) -> Result<()>,
        (feeds, fetch): (&[&str], &str),
        inter_op: usize,
        place: impl FnMut(usize) -> usize,
    ) -> Parts {
        let mut graph = Graph::new();
        build(&mut GraphBuilder::new(&mut graph, registry.ops())).unwrap();
        let feeds: Vec<Endpoint> = feeds.iter().map(|f| graph.find_endpoint(f).unwrap()).collect();
        let fetches = [graph.find_endpoint(fetch).unwrap()];
        let subgraph = prune(&graph, &feeds, &fetches, &[], registry.ops()).unwrap();
        let places: Vec<usize> = (0..subgraph.graph.len()).map(place).collect();
        let device = |task: usize| format!("/job:worker/replica:0/task:{task}/device:CPU:0");
        let peers =
            [0, 1, 2].map(|task| PeerDevice { name: device(task), incarnation: 7, linked: false });
        let participants = Participants { devices: &peers, master: 0, serial: 0 };
        let split = partition(&subgraph, &places, &participants, registry.ops()).unwrap();
        let options = SessionOptions { inter_op, ..SessionOptions::default() };
        let register = |(i, part): (usize, &downpour_graph::Partition)| {
            let device = Device::new(device(i), ComputePool::new(2).unwrap());
            let session = WorkerSession::new(registry.clone(), device, true);
            let graph = session.register(&export_graph(&part.graph).unwrap(), &options).unwrap();
            (session, graph)
        };
        let parts = split.partitions.iter().enumerate().map(register).collect();
        Parts { split, parts }
    }

    /// One step; nothing may be left waiting at its end.
    fn run(&self, id: i64, feeds: &[Tensor]) -> Tensor {
        let place = Arc::new(LocalRendezvous::new());
        for (Port { key, .. }, value) in self.split.feeds.iter().zip(feeds) {
            place.send(key, Some(value.clone())).unwrap();
        }
        let (tell, told) = mpsc::channel();
        for (session, graph) in &self.parts {
            let step = WorkerStep {
                id,
                cancellation: CancellationToken::new(),
                rendezvous: place.clone(),
                trace: None,
            };
            let tell = tell.clone();
            session.run(graph, step, move |result| drop(tell.send(result)));
        }
        for _ in &self.parts {
            let ended = told.recv_timeout(Duration::from_secs(300));
            ended.expect("a part of the loop waits for ever").unwrap();
        }
        let (got, result) = mpsc::channel();
        place.receive(&self.split.fetches[0].key, Box::new(move |value| drop(got.send(value))));
        let value = result.try_recv().expect("the fetch is there when all parts are done");
        assert!(place.is_empty(), "{} values are left over", place.len());
        value.unwrap().expect("the fetched value is not dead")
    }
}

/// Numbers that look random and are the same in every run.
fn scattered(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % 3
    }
}

#[test]
fn nested_loops_with_branches_however_they_are_cut() {
    let registry = registry();
    let expected = |n: i32| -> i32 {
        (0..n).flat_map(|i| (0..i).map(|j| if j % 2 == 0 { j } else { 100 })).sum()
    };
    for seed in 0..24 {
        let inter_op = 1 + seed as usize % 2;
        let ends = (&["n"][..], "total");
        let parts = Parts::new(&registry, &nested, ends, inter_op, scattered(seed));
        for (step, n) in [0, 1, 2, 7, 3].into_iter().enumerate() {
            let out = parts.run(step as i64, &[Tensor::scalar(n)]);
            assert_eq!(out.to_scalar::<i32>().unwrap(), expected(n), "seed {seed}, n = {n}");
        }
    }
}

/// A loop of more iterations than may run in parallel, on a branch that may not be taken.
fn guarded(b: &mut GraphBuilder<'_>) -> Result<()> {
    let p = placeholder(b, "p", DataType::Bool)?;
    let x = placeholder(b, "x", DataType::Int32)?;
    let switch = b.add("Switch", &[x, p], Attrs::new())?;
    let one = b.constant(Tensor::scalar(1i32))?;
    let one = constant_in(b, "loop", one)?;
    let bound = b.constant(Tensor::scalar(40i32))?;
    let bound = constant_in(b, "loop", bound)?;
    let exits = while_loop(
        b,
        "loop",
        &[Endpoint { node: switch, port: 1 }],
        |b, v| b.op("Less", &[v[0], bound], Attrs::new()),
        |b, v| Ok(vec![b.op("AddV2", &[v[0], one], Attrs::new())?]),
    )?;
    b.add_named("y", "Merge", &[switch.into(), exits[0]], Attrs::new()).map(drop)
}

#[test]
fn a_loop_on_an_untaken_branch_ends_on_all_devices() {
    let registry = registry();
    for seed in 0..12 {
        let ends = (&["p", "x"][..], "y");
        let parts = Parts::new(&registry, &guarded, ends, 2, scattered(seed));
        for (step, (p, expected)) in [(true, 40), (false, 1), (true, 40)].into_iter().enumerate() {
            let out = parts.run(step as i64, &[Tensor::scalar(p), Tensor::scalar(1i32)]);
            assert_eq!(out.to_scalar::<i32>().unwrap(), expected, "seed {seed}, p = {p}");
        }
    }
}
