//! Sessions on a server of another process, as `downpour serve` runs it.

use std::sync::Arc;
use std::time::Duration;

use downpour::{Code, DataType, Graph, Result, Session, initializers, tensor};
use downpour_cluster::{ClusterSpec, Server, ServerConfig, resolve};
use downpour_runtime::ComputePool;
use tokio::runtime::Runtime;

use crate::ports::addresses;

/// A server on a free port, for as long as the runtime is there.
fn server() -> (Runtime, String) {
    let runtime = Runtime::new().unwrap();
    let address = addresses(1).remove(0);
    let config = ServerConfig {
        coordinator: None,
        port: Default::default(),
        key: None,
        snapshots: None,
        limits: Default::default(),
        cluster: ClusterSpec::from_json(&format!(r#"{{"local": ["{address}"]}}"#)).unwrap(),
        job: "local".to_string(),
        task: 0,
        pool: ComputePool::new(1).unwrap(),
        session_idle_limit: None,
        peer_timeout: Duration::from_secs(5),
    };
    let registry = Arc::new(downpour_ops::registry().unwrap());
    let server =
        runtime.block_on(Server::bind(config, resolve(&address).unwrap(), registry)).unwrap();
    runtime.spawn(server.run(std::future::pending()));
    (runtime, format!("grpc://{address}"))
}

#[test]
fn variables_live_on_the_server_and_the_graph_may_grow() -> Result<()> {
    let (_runtime, target) = server();
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Float, [2])?;
    let total = graph.variable("total", [2], DataType::Float, initializers::zeros())?;
    let add = total.assign_add(&x)?;
    let session = Session::connect(&graph, &target)?;
    session.run(&[], &[&graph.initialize_variables()?])?;
    let step = session.prepare(&[&x], &[&add])?;
    for _ in 0..3 {
        step.run(vec![tensor([1.0f32, 2.0])?])?;
    }
    assert_eq!(session.fetch(&[], &total.value())?.as_slice::<f32>()?, [3.0, 6.0]);
    let twice = (total.value() + total.value())?;
    assert_eq!(session.fetch(&[], &twice)?.as_slice::<f32>()?, [6.0, 12.0]);
    session.close()
}

#[test]
fn failures_say_where() -> Result<()> {
    let (_runtime, target) = server();
    let graph = Graph::new();
    let x = graph.placeholder("x", DataType::Float, [2])?;
    let session = Session::connect(&graph, &target)?;
    let missing = session.fetch(&[], &x).unwrap_err();
    assert!(missing.message().contains("x"), "{missing}");
    let nobody = Session::connect(&graph, "grpc://127.0.0.1:1").err().expect("nobody is there");
    assert_eq!(nobody.code(), Code::Unavailable);
    assert!(nobody.message().contains("downpour serve"), "{nobody}");
    let text = Session::connect(&graph, "not an address").err().expect("no address");
    assert_eq!(text.code(), Code::InvalidArgument);
    Ok(())
}
