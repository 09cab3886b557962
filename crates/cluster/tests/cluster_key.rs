//! A task that has a key takes the parameter service's requests only from whoever shows it.

use std::sync::Arc;
use std::time::Duration;

use downpour_cluster::{
    ClusterKey, ClusterSpec, Dialer, Metrics, Server, ServerConfig, Tcp, parameter_server,
};
use downpour_params::{Client, Patience};
use downpour_runtime::ComputePool;
use downpour_tensor::Code;
use tokio::net::TcpListener;

/// Returns the address of a server that has this key.
async fn serve(key: Option<ClusterKey>) -> String {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let config = ServerConfig {
        coordinator: None,
        snapshots: None,
        limits: Default::default(),
        cluster: ClusterSpec::from_json(&format!(r#"{{"local": ["{free}"]}}"#)).unwrap(),
        job: "local".to_string(),
        task: 0,
        pool: ComputePool::new(1).unwrap(),
        port: Default::default(),
        key,
        session_idle_limit: None,
        peer_timeout: Duration::from_secs(5),
    };
    let registry = Arc::new(downpour_ops::registry().unwrap());
    let server = Server::bind(config, free, registry).await.unwrap();
    tokio::spawn(server.run(std::future::pending()));
    free.to_string()
}

/// Joins as a worker that shows this key, and returns how that is refused: ABORTED by a server that answers, as nobody has
/// said what is to be trained.
async fn join(address: &str, key: Option<&ClusterKey>) -> Code {
    let dialer = Dialer::with_key(Arc::new(Tcp), Metrics::new(), key.cloned());
    let servers = vec![parameter_server(&dialer, "ps/0", address)];
    let patience = Patience { total: Duration::from_millis(200), ..Patience::default() };
    Client::new(0, 1, servers, patience).join().await.unwrap_err().code()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_who_shows_the_key_is_answered() {
    let (own, other) = (ClusterKey::random().unwrap(), ClusterKey::random().unwrap());
    let address = serve(Some(own.clone())).await;
    assert_eq!(join(&address, Some(&own)).await, Code::Aborted);
    for stranger in [None, Some(&other)] {
        assert_eq!(join(&address, stranger).await, Code::Unavailable);
    }
    // It still works for its own.
    assert_eq!(join(&address, Some(&own)).await, Code::Aborted);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_without_a_key_takes_everybody() {
    let address = serve(None).await;
    for key in [None, Some(&ClusterKey::random().unwrap())] {
        assert_eq!(join(&address, key).await, Code::Aborted);
    }
}
