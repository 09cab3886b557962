//! A cluster of three tasks in one process, and what is asked of it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use downpour_cluster::{ClientSession, ClientStep, ClusterSpec, Door, Held, Server, ServerConfig};
use downpour_ops::registry;
use downpour_runtime::{ComputePool, Registry, RunRequest};
use downpour_tensor::{DataType, Result, Tensor};
use downpour_wire::proto::{self, AttrValue, ConfigProto, GraphDef, NodeDef, attr_value::Value};
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::network::FaultyNetwork;

/// The tasks' addresses; the master is the first.
pub const TASKS: [&str; 3] = ["worker0:1", "worker1:1", "ps0:1"];
/// How long a new session waits for tasks.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub struct World {
    pub network: FaultyNetwork,
    cluster: ClusterSpec,
    pool: Arc<ComputePool>,
    registry: Arc<Registry>,
    tasks: Mutex<BTreeMap<&'static str, Running>>,
}

struct Running {
    door: Door,
    /// Ends the server at once, without a word.
    _end: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

impl World {
    pub fn begin(network: FaultyNetwork) -> Arc<World> {
        let cluster = r#"{"worker": ["worker0:1", "worker1:1"], "ps": ["ps0:1"]}"#;
        let world = Arc::new(World {
            network,
            cluster: ClusterSpec::from_json(cluster).unwrap(),
            pool: ComputePool::new(2).unwrap(),
            registry: Arc::new(registry().unwrap()),
            tasks: Mutex::default(),
        });
        TASKS.iter().for_each(|task| world.start(task));
        world
    }

    /// Starts a task; it is another one than the one that was there.
    pub fn start(&self, address: &'static str) {
        let own = self.cluster.tasks().find(|task| task.address == address).unwrap();
        let config = ServerConfig {
            coordinator: None,
            snapshots: None,
            limits: Default::default(),
            cluster: self.cluster.clone(),
            job: own.job,
            task: own.task,
            pool: self.pool.clone(),
            port: Default::default(),
            key: None,
            session_idle_limit: None,
            peer_timeout: PATIENCE,
        };
        let listener = self.network.inner().listen(address);
        let end = self.network.end(address);
        let server = Server::new(config, listener, end, self.registry.clone()).unwrap();
        let door = server.door();
        let (_end, ended) = oneshot::channel::<()>();
        let served = tokio::spawn(async move {
            tokio::select! {
                served = server.run(std::future::pending()) => served.unwrap(),
                _ = ended => {}
            }
        });
        self.tasks.lock().insert(address, Running { door, _end, served });
    }

    /// Ends a task as a kill does.
    pub async fn kill(&self, address: &'static str) {
        let running = self.tasks.lock().remove(address);
        self.network.cut_off(address);
        if let Some(Running { _end, served, .. }) = running {
            drop(_end);
            let _ = served.await;
        }
        // Connections that were being made meanwhile.
        self.network.cut_off(address);
    }

    pub fn door(&self) -> Option<Door> {
        self.tasks.lock().get(TASKS[0]).map(|task| task.door.clone())
    }

    /// What every task holds.
    pub fn held(&self) -> BTreeMap<&'static str, Held> {
        self.tasks.lock().iter().map(|(task, running)| (*task, running.door.held())).collect()
    }

    pub async fn session(&self) -> Option<Result<ClientSession>> {
        let door = self.door()?;
        let made = async {
            let session = ClientSession::here(&door, ConfigProto::default()).await?;
            match session.extend(graph()).await {
                Ok(()) => Ok(session),
                Err(e) => {
                    let _ = session.close().await;
                    Err(e)
                }
            }
        };
        Some(made.await)
    }
}

/// The fed vector goes from the server to both workers and back, where all three are added up: `x + 2x + 3x`.
fn graph() -> GraphDef {
    let mut nodes = vec![node("x", "Placeholder", "/job:ps/task:0", &[], "dtype")];
    nodes.push(node("value", "Identity", "/job:ps/task:0", &["x"], "T"));
    nodes.push(node("two", "AddV2", "/job:worker/task:0", &["value", "value"], "T"));
    nodes.push(node("two_again", "AddV2", "/job:worker/task:1", &["value", "value"], "T"));
    nodes.push(node("three", "AddV2", "/job:worker/task:1", &["two_again", "value"], "T"));
    nodes.push(node("both", "AddV2", "/job:ps/task:0", &["two", "three"], "T"));
    nodes.push(node("all", "AddV2", "/job:ps/task:0", &["both", "value"], "T"));
    let versions = Some(proto::VersionDef { producer: 1395, ..Default::default() });
    GraphDef { node: nodes, versions, ..Default::default() }
}

fn node(name: &str, op: &str, device: &str, inputs: &[&str], dtype: &str) -> NodeDef {
    let float = AttrValue { value: Some(Value::Type(DataType::Float as i32)) };
    NodeDef {
        name: name.into(),
        op: op.into(),
        device: device.into(),
        input: inputs.iter().map(|input| input.to_string()).collect(),
        attr: [(dtype.to_string(), float)].into(),
        ..Default::default()
    }
}

/// Runs a step and says whether its value is right.
pub async fn step(
    session: &ClientSession,
    value: f32,
    length: usize,
    limit: Duration,
) -> Result<bool> {
    let fed = Tensor::vector(&vec![value; length])?;
    let request = RunRequest {
        feeds: vec![("x:0".into(), fed)],
        fetches: vec!["all:0".into()],
        targets: Vec::new(),
    };
    let options = ClientStep { timeout: Some(limit), traced: false };
    let (fetched, _) = session.run(request, &options).await?;
    let sums = fetched[0].as_slice::<f32>()?;
    Ok(sums.len() == length && sums.iter().all(|sum| *sum == 6.0 * value))
}
