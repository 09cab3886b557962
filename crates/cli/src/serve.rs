//! `downpour serve`: one task of a cluster, or a standalone server.

mod port;

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use downpour_cluster::{
    ClusterKey, ClusterSpec, Server, ServerConfig, TaskAddress, TfConfig, compute_threads,
    network_threads, resolve,
};
use downpour_tensor::Result;

use port::PortArgs;

#[derive(Args)]
pub struct ServeArgs {
    /// The cluster as JSON: {"ps": ["host:port"], "worker": ["host:port"]}. Without it: what TF_CONFIG
    /// says, or a standalone task on 127.0.0.1:2222.
    #[arg(long, value_name = "JSON")]
    cluster: Option<String>,
    /// The job this task belongs to (default: TF_CONFIG's, or localhost).
    #[arg(long)]
    job: Option<String>,
    /// This task's number in its job (default: TF_CONFIG's, or 0).
    #[arg(long)]
    task: Option<u32>,
    /// Listen here instead of the address the cluster gives.
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<String>,
    /// Compute threads (default: one per processor).
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Limit the memory of tensors, strings, lists and files being read, in bytes or with K, M or G (default: the
    /// machine's memory).
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    memory_limit: Option<usize>,
    /// Close sessions that nobody has called for so long: clients that crash leave theirs behind. A step
    /// that runs keeps its session. 0 is never, as in TensorFlow's server.
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    session_idle_limit: u64,
    /// How many seconds a new session waits for tasks of its cluster that do not answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    peer_timeout: u64,
    #[command(flatten)]
    port: PortArgs,
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
    let tf_config = std::env::var("TF_CONFIG").ok();
    let (cluster, task) = place_in_cluster(&args, tf_config.as_deref())?;
    let bind = resolve(args.bind.as_deref().unwrap_or(&task.address))?;
    let registry = Arc::new(downpour_ops::registry()?);
    let config = ServerConfig {
        coordinator: None,
        snapshots: None,
        limits: Default::default(),
        cluster,
        job: task.job.clone(),
        task: task.task,
        pool: compute_threads(args.threads)?,
        peer_timeout: Duration::from_secs(args.peer_timeout),
        session_idle_limit: Some(Duration::from_secs(args.session_idle_limit))
            .filter(|limit| !limit.is_zero()),
        port: args.port.limits(),
        key: ClusterKey::from_environment()?,
    };
    network_threads(2)?.block_on(async {
        let server = Server::bind(config, bind, registry).await?;
        tracing::info!(
            "serving /job:{}/task:{} on grpc://{}",
            task.job,
            task.task,
            server.address().unwrap_or(bind)
        );
        server.run(stop_signal()).await?;
        tracing::info!("stopped");
        Ok(())
    })
}

const STANDALONE: &str = "127.0.0.1:2222";

/// The cluster and our place in it: from the flags, else from TF_CONFIG, else one task alone.
fn place_in_cluster(
    args: &ServeArgs,
    tf_config: Option<&str>,
) -> Result<(ClusterSpec, TaskAddress)> {
    let (cluster, job, task) = match (&args.cluster, tf_config.filter(|text| !text.is_empty())) {
        (Some(json), _) => (ClusterSpec::from_json(json)?, None, None),
        (None, Some(text)) => {
            let config = TfConfig::from_json(text)?;
            (config.cluster, config.job, config.task)
        }
        (None, None) => (ClusterSpec::default(), None, None),
    };
    let job = args.job.clone().or(job).unwrap_or_else(|| "localhost".to_string());
    let task = args.task.or(task).unwrap_or(0);
    // An evaluator is no member of the cluster whose checkpoints it reads.
    let cluster = match cluster.is_empty() || job == "evaluator" {
        true => ClusterSpec::single(&job, task, STANDALONE),
        false => cluster,
    };
    let own = cluster.task(&job, task)?;
    Ok((cluster, own))
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

    fn args(words: &[&str]) -> ServeArgs {
        #[derive(clap::Parser)]
        struct Whole {
            #[command(flatten)]
            serve: ServeArgs,
        }
        let words = std::iter::once("serve").chain(words.iter().copied());
        <Whole as clap::Parser>::parse_from(words).serve
    }

    #[test]
    fn a_task_finds_its_place() {
        let place = |words: &[&str], config: Option<&str>| {
            place_in_cluster(&args(words), config).map(|(spec, own)| (spec.len(), own.address))
        };
        assert_eq!(place(&[], None).unwrap(), (1, STANDALONE.to_string()));
        let cluster = r#"{"ps": ["a:1"], "worker": ["b:2", "c:3"]}"#;
        let words = ["--cluster", cluster, "--job", "worker", "--task", "1"];
        assert_eq!(place(&words, Some("not used")).unwrap(), (3, "c:3".to_string()));
        let config = format!(r#"{{"cluster": {cluster}, "task": {{"type": "ps", "index": 0}}}}"#);
        assert_eq!(place(&[], Some(&config)).unwrap(), (3, "a:1".to_string()));
        let words = ["--job", "worker"];
        assert_eq!(place(&words, Some(&config)).unwrap(), (3, "b:2".to_string()));
        let config = config.replace("\"ps\", \"index\"", "\"evaluator\", \"index\"");
        assert_eq!(place(&[], Some(&config)).unwrap(), (1, STANDALONE.to_string()));
        assert!(place(&[], Some("{")).unwrap_err().message().contains("TF_CONFIG"));
        assert!(place(&["--cluster", cluster], None).is_err(), "the job must be named");
    }

    #[test]
    fn sizes_are_read_with_their_unit() {
        assert_eq!(parse_bytes("2G"), Ok(2 << 30));
        assert_eq!(parse_bytes("1000"), Ok(1000));
        assert!(parse_bytes("0").is_err());
        assert!(parse_bytes("many").is_err());
    }
}
