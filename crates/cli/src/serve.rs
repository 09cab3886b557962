//! `downpour serve`: one task of a cluster, or a standalone server.

use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;

use clap::Args;
use downpour_cluster::{ClusterSpec, Server, ServerConfig};
use downpour_tensor::{Result, Status};

#[derive(Args)]
pub struct ServeArgs {
    /// The cluster as JSON: {"ps": ["host:port"], "worker": ["host:port"]}. Without it: a standalone
    /// task on 127.0.0.1:2222.
    #[arg(long, value_name = "JSON")]
    cluster: Option<String>,
    /// The job this task belongs to.
    #[arg(long, default_value = "localhost")]
    job: String,
    /// This task's number in its job.
    #[arg(long, default_value_t = 0)]
    task: u32,
    /// Listen here instead of the address the cluster gives.
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<String>,
    /// Compute threads (default: one per processor).
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Most bytes tensors may take, with K, M or G (default: the machine's memory).
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    memory_limit: Option<usize>,
    /// What to log: error, warn, info, debug, trace, or a tracing filter.
    #[arg(long, env = "DOWNPOUR_LOG", default_value = "info")]
    log: String,
}

pub fn run(args: ServeArgs) -> Result<()> {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::new(&args.log))
        .with_writer(std::io::stderr)
        .with_target(false)
        .init();
    if let Some(bytes) = args.memory_limit {
        downpour_tensor::set_memory_limit(bytes);
    }
    let cluster = cluster(&args)?;
    let task = cluster.task(&args.job, args.task)?;
    let bind = resolve(args.bind.as_deref().unwrap_or(&task.address))?;
    let registry = Arc::new(downpour_ops::registry()?);
    let config = ServerConfig {
        cluster,
        job: task.job.clone(),
        task: task.task,
        bind,
        threads: args.threads,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("network")
        .enable_all()
        .build()
        .map_err(|e| Status::internal(format!("cannot start network threads: {e}")))?;
    runtime.block_on(async {
        let server = Server::bind(config, registry).await?;
        tracing::info!(
            "serving /job:{}/task:{} on grpc://{}",
            task.job,
            task.task,
            server.address()?
        );
        server.run(stop_signal()).await?;
        tracing::info!("stopped");
        Ok(())
    })
}

/// The cluster that was given, or one with this task alone.
fn cluster(args: &ServeArgs) -> Result<ClusterSpec> {
    match &args.cluster {
        Some(json) => ClusterSpec::from_json(json),
        None => Ok(ClusterSpec::single(&args.job, args.task, "127.0.0.1:2222")),
    }
}

fn resolve(address: &str) -> Result<SocketAddr> {
    let resolved = address.to_socket_addrs().map_err(|e| {
        Status::invalid_argument(format!("'{address}' is not an address to listen on: {e}"))
    })?;
    // IPv4 first: TensorFlow's clients try `localhost` as 127.0.0.1 before ::1.
    let mut all: Vec<SocketAddr> = resolved.collect();
    all.sort_by_key(|a| a.is_ipv6());
    all.first()
        .copied()
        .ok_or_else(|| Status::invalid_argument(format!("'{address}' resolves to no address")))
}

/// Ctrl-C or SIGTERM.
async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let interrupted = tokio::signal::ctrl_c();
    match signal(SignalKind::terminate()) {
        Ok(mut terminated) => tokio::select! {
            _ = interrupted => {}
            _ = terminated.recv() => {}
        },
        Err(_) => drop(interrupted.await),
    }
}

/// `64M`, `2G`, `1000000`.
fn parse_bytes(text: &str) -> std::result::Result<usize, String> {
    let (number, unit) = match text.trim().to_ascii_uppercase() {
        t if t.ends_with('K') => (t[..t.len() - 1].to_string(), 1usize << 10),
        t if t.ends_with('M') => (t[..t.len() - 1].to_string(), 1 << 20),
        t if t.ends_with('G') => (t[..t.len() - 1].to_string(), 1 << 30),
        t => (t, 1),
    };
    number
        .trim()
        .parse::<usize>()
        .ok()
        .and_then(|n| n.checked_mul(unit))
        .filter(|n| *n > 0)
        .ok_or_else(|| format!("'{text}' is not a number of bytes (examples: 512M, 8G)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_unit() {
        assert_eq!(parse_bytes("2G"), Ok(2 << 30));
        assert_eq!(parse_bytes("1000"), Ok(1000));
        assert!(parse_bytes("0").is_err());
        assert!(parse_bytes("many").is_err());
    }
}
