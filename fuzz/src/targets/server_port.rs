//! Any bytes on a server's one port: a link, HTTP/2 or nothing that it knows. The connection ends, and the server answers others.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use downpour_cluster::{ClusterSpec, Network, Server, ServerConfig, SimulatedNetwork};
use downpour_runtime::ComputePool;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::{Builder, Runtime};

const ADDRESS: &str = "server:1";
/// HTTP/2, past empty settings.
const HTTP: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
/// Against connections that are kept although nobody is at their other end.
const LONGEST: Duration = Duration::from_secs(100);

static SERVER: LazyLock<(Runtime, SimulatedNetwork)> = LazyLock::new(|| {
    downpour_tensor::set_memory_limit(256 << 20);
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
    let network = SimulatedNetwork::new();
    let config = ServerConfig {
        coordinator: None,
        key: None,
        snapshots: None,
        limits: Default::default(),
        cluster: ClusterSpec::single("worker", 0, ADDRESS),
        job: "worker".to_string(),
        task: 0,
        pool: ComputePool::new(1).expect("a thread can be started"),
        port: Default::default(),
        session_idle_limit: None,
        peer_timeout: Duration::from_secs(1),
    };
    let registry = Arc::new(downpour_ops::registry().expect("our own lists are consistent"));
    let server = Server::new(config, network.listen(ADDRESS), Arc::new(network.clone()), registry)
        .expect("the settings are good");
    runtime.spawn(server.run(std::future::pending()));
    (runtime, network)
});

/// Runs the target on one input.
pub fn run(data: &[u8]) {
    let Some((&kind, data)) = data.split_first() else { return };
    let start: &[u8] = match kind % 6 {
        // A link, past its hello: version 1, incarnation 7.
        0 => b"downpour\x0b\0\0\0\x08\x01\x11\x07\0\0\0\0\0\0\0",
        1 => b"downpour",
        2 => HTTP,
        3 => &downpour_params::MAGIC,
        // The start of a cluster key.
        4 => b"key_0001",
        _ => b"",
    };
    let (runtime, network) = &*SERVER;
    runtime.block_on(async {
        talk(network, &[start, data].concat()).await;
        let heard = talk(network, HTTP).await;
        assert!(heard.len() >= 9, "the server does not answer others any more: {heard:?}");
    });
}

/// Says something on a connection and hangs up; what the server has said until it did so too.
async fn talk(network: &SimulatedNetwork, words: &[u8]) -> Vec<u8> {
    let stream = network.connect(ADDRESS).await.expect("the server listens");
    let (mut read, mut write) = tokio::io::split(stream);
    let (mut heard, listening) = (Vec::new(), tokio::time::Instant::now());
    let say = async {
        // The server may hang up in the middle.
        let _ = write.write_all(words).await;
        let _ = write.shutdown().await;
    };
    let both = async { tokio::join!(say, read.read_to_end(&mut heard)).1 };
    let ended = tokio::time::timeout(LONGEST, both).await;
    let waited = listening.elapsed();
    assert!(ended.is_ok(), "the server keeps a connection whose other end has gone for {waited:?}");
    heard
}
