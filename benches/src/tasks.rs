//! How the work of a master grows with the number of tasks: whole clusters in one process, over pipes.
//!
//!   cargo xtask bench --tasks [N...]
//!
//! Every worker takes a value from the parameter server, puts it through a chain of nodes and sends it back,
//! where all are added up. Printed are the times of each phase and what they come to per node and task,
//! which should not grow.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use downpour_cluster::{
    ClusterSpec, Dialer, GrpcDialer, Metrics, Server, ServerConfig, SimulatedNetwork,
};
use downpour_ops::registry;
use downpour_runtime::{ComputePool, Registry};
use downpour_tensor::{DataType, Tensor};
use downpour_wire::proto::master_service_client::MasterServiceClient;
use downpour_wire::proto::{self, AttrValue, GraphDef, NodeDef, attr_value::Value};
use downpour_wire::{tensor_from_proto, tensor_to_proto};
use tonic::transport::{Channel, Endpoint};

type Outcome<T> = Result<T, Box<dyn Error>>;
type Client = MasterServiceClient<Channel>;

/// Nodes in each worker's chain.
const CHAIN: usize = 10;
const STEPS: usize = 20;

fn main() -> Outcome<()> {
    let counts: Vec<usize> =
        std::env::args().skip(1).map(|n| n.parse()).collect::<Result<_, _>>()?;
    let counts = if counts.is_empty() { vec![10, 100, 1000] } else { counts };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let registry = Arc::new(registry()?);
    println!(
        "| tasks | nodes | session | placement | first step | step | per node and task: placement | first step | step |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for tasks in counts {
        runtime.block_on(measure(tasks.max(2), &registry))?;
    }
    Ok(())
}

async fn measure(tasks: usize, registry: &Arc<Registry>) -> Outcome<()> {
    let network = SimulatedNetwork::new();
    let workers: Vec<String> = (1..tasks).map(|i| format!("worker{i}:1")).collect();
    let json = serde_json::json!({"ps": ["ps0:1"], "worker": workers}).to_string();
    let cluster = ClusterSpec::from_json(&json)?;
    let pool = ComputePool::new(1)?;
    for address in cluster.tasks() {
        let config = ServerConfig {
            coordinator: None,
            key: None,
            snapshots: None,
            limits: Default::default(),
            cluster: cluster.clone(),
            job: address.job.clone(),
            task: address.task,
            pool: pool.clone(),
            session_idle_limit: None,
            port: Default::default(),
            peer_timeout: Duration::from_secs(60),
        };
        let listener = network.listen(&address.address);
        let server = Server::new(config, listener, Arc::new(network.clone()), registry.clone())?;
        tokio::spawn(server.run(std::future::pending()));
    }
    let dialer = Dialer::new(Arc::new(network.clone()), Metrics::new());
    let channel =
        Endpoint::from_static("http://worker1:1").connect_with_connector_lazy(GrpcDialer(dialer));
    let mut client = MasterServiceClient::new(channel).max_decoding_message_size(usize::MAX);
    let graph = graph(tasks - 1)?;
    let nodes = graph.node.len();
    let start = Instant::now();
    let created = client.create_session(proto::CreateSessionRequest::default()).await?.into_inner();
    let session = start.elapsed();
    let start = Instant::now();
    let extend = proto::ExtendSessionRequest {
        session_handle: created.session_handle.clone(),
        graph_def: Some(graph),
        current_graph_version: created.graph_version,
    };
    client.extend_session(extend).await?;
    let placement = start.elapsed();
    let first = step(&mut client, &created.session_handle, tasks - 1).await?;
    let mut times = Vec::new();
    for _ in 0..STEPS {
        times.push(step(&mut client, &created.session_handle, tasks - 1).await?);
    }
    times.sort();
    let step = times[STEPS / 2];
    let each = |time: Duration| time.as_secs_f64() * 1e6 / (nodes + tasks) as f64;
    println!(
        "| {tasks} | {nodes} | {session:.1?} | {placement:.1?} | {first:.1?} | {step:.1?} | {:.1} us | {:.1} us | {:.1} us |",
        each(placement),
        each(first),
        each(step)
    );
    Ok(())
}

/// One step, checked.
async fn step(client: &mut Client, session: &str, workers: usize) -> Outcome<Duration> {
    let start = Instant::now();
    let request = proto::RunStepRequest {
        session_handle: session.to_string(),
        fetch: vec!["sum:0".to_string()],
        ..Default::default()
    };
    let reply = client.run_step(request).await?.into_inner();
    let time = start.elapsed();
    let value =
        reply.tensor.first().and_then(|t| t.tensor.as_ref()).ok_or("no value was returned")?;
    let value: f32 = tensor_from_proto(value)?.to_scalar()?;
    let expected = (workers * (CHAIN + 1)) as f32;
    if value != expected {
        return Err(format!("the step gave {value} instead of {expected}").into());
    }
    Ok(time)
}

fn graph(workers: usize) -> Outcome<GraphDef> {
    let ps = "/job:ps/task:0";
    let mut graph = GraphDef::default();
    // Fed through a node that is not constant, else every worker would make its own.
    graph.node.push(constant("one", ps)?);
    graph.node.push(node("value", "Identity", ps, &["one"], &[]));
    let mut ends = Vec::new();
    for worker in 0..workers {
        let device = format!("/job:worker/task:{worker}");
        let one = format!("one_{worker}");
        graph.node.push(constant(&one, &device)?);
        let mut last = "value".to_string();
        for link in 0..CHAIN {
            let name = format!("add_{worker}_{link}");
            graph.node.push(node(&name, "AddV2", &device, &[&last, &one], &[]));
            last = name;
        }
        ends.push(last);
    }
    let ends: Vec<&str> = ends.iter().map(String::as_str).collect();
    let count = Value::I(ends.len() as i64);
    graph.node.push(node("sum", "AddN", ps, &ends, &[("N", count)]));
    graph.versions = Some(proto::VersionDef { producer: 1395, ..Default::default() });
    Ok(graph)
}

fn node(name: &str, op: &str, device: &str, inputs: &[&str], attrs: &[(&str, Value)]) -> NodeDef {
    let mut attr: std::collections::BTreeMap<String, AttrValue> = attrs
        .iter()
        .map(|(name, value)| (name.to_string(), AttrValue { value: Some(value.clone()) }))
        .collect();
    attr.insert("T".to_string(), AttrValue { value: Some(Value::Type(DataType::Float as i32)) });
    NodeDef {
        name: name.to_string(),
        op: op.to_string(),
        device: device.to_string(),
        input: inputs.iter().map(|i| i.to_string()).collect(),
        attr,
        ..Default::default()
    }
}

fn constant(name: &str, device: &str) -> Outcome<NodeDef> {
    let value = tensor_to_proto(&Tensor::scalar(1f32))?;
    let mut node = node(name, "Const", device, &[], &[("value", Value::Tensor(Box::new(value)))]);
    if let Some(dtype) = node.attr.remove("T") {
        node.attr.insert("dtype".to_string(), dtype);
    }
    Ok(node)
}
