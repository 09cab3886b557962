//! How training is spread over processes.

use std::time::Duration;

use downpour_cluster::{ClusterSpec, TfConfig};
use downpour_compress::Compression;
use downpour_params::Mode;
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use super::model_parallel::ModelParallel;
use super::source::Share;
use crate::graph::Graph;
use crate::pipeline::Parts;

/// How training is spread over processes: an argument of [`Trainer::strategy`](super::Trainer::strategy).
#[derive(Clone, Debug, Default)]
pub enum Strategy {
    /// In this process alone.
    #[default]
    Local,
    /// Variables on parameter servers, the model on every worker.
    ParameterServer(ParameterServer),
    /// The parts of one model on several tasks.
    ModelParallel(ModelParallel),
    /// Every worker has all variables; gradients are averaged between the workers.
    MultiWorkerMirrored(MultiWorkerMirrored),
}

impl From<MultiWorkerMirrored> for Strategy {
    fn from(strategy: MultiWorkerMirrored) -> Strategy {
        Strategy::MultiWorkerMirrored(strategy)
    }
}

impl From<ParameterServer> for Strategy {
    fn from(strategy: ParameterServer) -> Strategy {
        Strategy::ParameterServer(strategy)
    }
}

/// Variables on parameter servers, balanced by bytes; every worker trains the whole model on its part of
/// the data.
///
/// Every process of the cluster runs the same program. Which task it is comes from `TF_CONFIG`, as
/// `downpour run --bare` and Kubernetes' TFJob set it, or from [`ParameterServer::task`]. A task of the job
/// `ps` serves until it is stopped; the other tasks train. The first of them (`chief`, else `worker` 0)
/// initialises variables, saves checkpoints and evaluates.
///
/// ```
/// use downpour::training::{ClusterSpec, ParameterServer, Strategy};
/// # fn main() -> downpour::Result<()> {
/// // Who this process is stands in TF_CONFIG ...
/// let strategy = Strategy::from(ParameterServer::synchronous());
/// // ... or is said here.
/// let cluster = ClusterSpec::from_json(r#"{"ps": ["10.0.0.1:2222"], "worker": ["10.0.0.2:2222"]}"#)?;
/// let strategy = ParameterServer::asynchronous().task(cluster, "worker", 0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ParameterServer {
    pub(crate) way: Way,
    pub(crate) place: Option<(ClusterSpec, String, u32)>,
    pub(crate) snapshot_every: Duration,
    pub(crate) compression: Compression,
}

/// How gradients reach the servers.
#[derive(Clone, Debug)]
pub(crate) enum Way {
    /// In steps of one graph over all tasks, as TensorFlow does it.
    Graph { synchronous: bool },
    /// Through the parameter service.
    Service(Service),
}

/// How workers use the parameter service.
#[derive(Clone, Debug)]
pub(crate) enum Service {
    Downpour(Downpour),
    Backups(u32),
    Bounded(u32),
}

impl Service {
    /// When gradients become updates, for so many workers.
    pub fn mode(&self, workers: u32) -> Result<Mode> {
        match *self {
            Service::Downpour(_) => Ok(Mode::AtOnce),
            Service::Backups(backups) => Mode::Together { workers, backups }.checked(),
            Service::Bounded(bound) => Mode::Bounded { workers, bound }.checked(),
        }
    }
}

/// Downpour SGD: how often a worker speaks with the servers. Between, it goes on with its own copy of the
/// parameters, which its own gradients change as they will change the servers'.
///
/// ```
/// use downpour::training::{Downpour, ParameterServer, Strategy};
/// let rarely = Downpour { fetch_every: 10, push_every: 5, ..Downpour::default() };
/// let strategy = Strategy::from(ParameterServer::downpour(rarely));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Downpour {
    /// Steps between two times it takes the servers' parameters.
    pub fetch_every: u32,
    /// Steps whose gradients are added up before they are handed over.
    pub push_every: u32,
    /// So many steps one worker trains alone before the others begin.
    pub warm_start: u64,
    /// Hands over and takes while the next step is computed: faster, and the parameters are a step older.
    pub overlap: bool,
}

impl Default for Downpour {
    fn default() -> Downpour {
        Downpour { fetch_every: 1, push_every: 1, warm_start: 0, overlap: true }
    }
}

impl ParameterServer {
    fn new(way: Way) -> ParameterServer {
        let snapshot_every = Duration::from_secs(10);
        ParameterServer { way, place: None, snapshot_every, compression: Compression::None }
    }

    /// Every worker applies its gradients as soon as it has them.
    pub fn asynchronous() -> ParameterServer {
        ParameterServer::new(Way::Graph { synchronous: false })
    }

    /// The gradients of all workers are averaged into one update: as one process with a batch as large as
    /// all of theirs.
    pub fn synchronous() -> ParameterServer {
        ParameterServer::with_backups(0)
    }

    /// Every worker trains its own copy of the parameters and exchanges with the servers now and then; an
    /// update that arrives twice is applied once.
    pub fn downpour(downpour: Downpour) -> ParameterServer {
        ParameterServer::new(Way::Service(Service::Downpour(downpour)))
    }

    /// As [`ParameterServer::synchronous`], but no step waits for the last `backups` workers: their gradients
    /// come too late and are dropped.
    pub fn with_backups(backups: u32) -> ParameterServer {
        ParameterServer::new(Way::Service(Service::Backups(backups)))
    }

    /// Every worker applies its share of a step as soon as it has it, but nobody is more than `bound` steps
    /// ahead of the slowest; with 0 it is the same as synchronous.
    pub fn bounded(bound: u32) -> ParameterServer {
        ParameterServer::new(Way::Service(Service::Bounded(bound)))
    }

    /// Gradients travel in fewer bytes, over the parameter service: `"int8".parse()?`. What a message leaves out
    /// is added to the next one.
    pub fn compression(mut self, compression: Compression) -> ParameterServer {
        self.compression = compression;
        self
    }

    /// How often servers of the parameter service write down what they have. A server that dies and is started
    /// again loses at most what came since.
    pub fn snapshot_every(mut self, every: Duration) -> ParameterServer {
        self.snapshot_every = every;
        self
    }

    /// This process is a task of a cluster, whatever TF_CONFIG says.
    pub fn task(mut self, cluster: ClusterSpec, job: &str, task: u32) -> ParameterServer {
        self.place = Some((cluster, job.to_string(), task));
        self
    }

    /// Settings that do not go together.
    pub(crate) fn check(&self) -> Result<()> {
        if matches!(self.way, Way::Graph { .. }) && self.compression != Compression::None {
            return Err(Status::unimplemented(format!(
                "gradients are compressed ({}) on their way to the parameter service only: use \
                 ParameterServer::downpour, with_backups or bounded",
                self.compression
            )));
        }
        Ok(())
    }

    /// The cluster and this process's place in it.
    pub(crate) fn own_place(&self) -> Result<(ClusterSpec, String, u32)> {
        own_place(&self.place, "ParameterServer", "--ps 1 --workers 2")
    }
}

/// A task's place: as it was said, or as TF_CONFIG says.
pub(super) fn own_place(
    said: &Option<(ClusterSpec, String, u32)>,
    strategy: &str,
    tasks: &str,
) -> Result<(ClusterSpec, String, u32)> {
    if let Some(place) = said {
        return Ok(place.clone());
    }
    let text = std::env::var("TF_CONFIG").ok().filter(|text| !text.is_empty());
    let text = text.ok_or_else(|| {
        Status::failed_precondition(format!(
            "the strategy {strategy} needs a cluster, but TF_CONFIG is not set. Start the program with \
             `downpour run {tasks} --all -- PROGRAM`, or name the cluster with {strategy}::task."
        ))
    })?;
    let config = TfConfig::from_json(&text)?;
    let job = config.job.ok_or_else(|| {
        Status::invalid_argument("TF_CONFIG does not say which task this process is")
    })?;
    Ok((config.cluster, job, config.task.unwrap_or(0)))
}

/// Every worker has all variables and trains on its part of the data; gradients are averaged between the
/// workers (all-reduce), so that all stay equal: as one process with a batch as large as all of theirs.
///
/// Every process of the cluster runs the same program, as with [`ParameterServer`]; there are no servers.
///
/// ```
/// use downpour::training::{ClusterSpec, MultiWorkerMirrored, Strategy};
/// # fn main() -> downpour::Result<()> {
/// let cluster = ClusterSpec::from_json(r#"{"worker": ["10.0.0.1:2222", "10.0.0.2:2222"]}"#)?;
/// let strategy = Strategy::from(MultiWorkerMirrored::new().task(cluster, "worker", 0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct MultiWorkerMirrored {
    place: Option<(ClusterSpec, String, u32)>,
    pub(crate) compression: Compression,
}

impl Default for MultiWorkerMirrored {
    fn default() -> MultiWorkerMirrored {
        MultiWorkerMirrored::new()
    }
}

impl MultiWorkerMirrored {
    /// The workers of the cluster TF_CONFIG describes.
    pub fn new() -> MultiWorkerMirrored {
        MultiWorkerMirrored { place: None, compression: Compression::None }
    }

    /// This process is a task of a cluster, whatever TF_CONFIG says.
    pub fn task(mut self, cluster: ClusterSpec, job: &str, task: u32) -> MultiWorkerMirrored {
        self.place = Some((cluster, job.to_string(), task));
        self
    }

    /// Gradients travel in fewer bytes: every worker then gets everybody's instead of sums.
    pub fn compression(mut self, compression: Compression) -> MultiWorkerMirrored {
        self.compression = compression;
        self
    }

    pub(crate) fn own_place(&self) -> Result<(ClusterSpec, String, u32)> {
        own_place(&self.place, "MultiWorkerMirrored", "--ps 0 --workers 2")
    }
}

/// A process's place in training.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    /// The training tasks, the chief first: (job, number).
    trainers: Vec<(String, u32)>,
    index: usize,
    servers: Vec<u32>,
    /// How the model is spread over tasks, where it is.
    parts: Option<Parts>,
    /// The graph runs in this process, whatever the cluster is.
    own_graph: bool,
}

impl Placement {
    /// One process for everything.
    pub fn local() -> Placement {
        Placement {
            trainers: Vec::new(),
            index: 0,
            servers: Vec::new(),
            parts: None,
            own_graph: true,
        }
    }

    /// A training task of a cluster with parameter servers.
    pub fn in_cluster(cluster: &ClusterSpec, job: &str, task: u32) -> Result<Placement> {
        let placement = Placement::of_workers(cluster, job, task)?;
        let servers: Vec<u32> = tasks_of(cluster, "ps").collect();
        if servers.is_empty() {
            return Err(Status::invalid_argument(
                "the strategy ParameterServer needs a job 'ps' in the cluster; without parameter servers use \
                 Strategy::Local",
            ));
        }
        Ok(Placement { servers, own_graph: false, ..placement })
    }

    /// A training task of a cluster without.
    pub fn of_workers(cluster: &ClusterSpec, job: &str, task: u32) -> Result<Placement> {
        let mut trainers = Vec::new();
        for job in ["chief", "master", "worker"] {
            trainers.extend(tasks_of(cluster, job).map(|task| (job.to_string(), task)));
        }
        let own = trainers.iter().position(|(j, t)| j == job && *t == task);
        let index = own.ok_or_else(|| {
            Status::invalid_argument(format!(
                "/job:{job}/task:{task} does not train: training tasks are of the jobs chief, master and worker"
            ))
        })?;
        Ok(Placement { trainers, index, servers: Vec::new(), parts: None, own_graph: true })
    }

    /// The same with a model in parts; `servers` have the variables that are of no part.
    pub fn in_parts(self, servers: Vec<u32>, parts: Parts) -> Placement {
        Placement { servers, parts: Some(parts), own_graph: false, ..self }
    }

    /// How the model is spread over tasks, where it is.
    pub fn parts(&self) -> Option<&Parts> {
        self.parts.as_ref()
    }

    /// The device of a training task.
    pub fn trainer(&self, index: usize) -> Option<String> {
        let (job, task) = self.trainers.get(index)?;
        Some(format!("/job:{job}/task:{task}"))
    }

    /// Where the training tasks are, in their order.
    pub fn addresses(&self, cluster: &ClusterSpec) -> Result<Vec<String>> {
        let address = |(job, task): &(String, u32)| cluster.task(job, *task).map(|t| t.address);
        self.trainers.iter().map(address).collect()
    }

    /// How many processes train.
    pub fn workers(&self) -> usize {
        self.trainers.len().max(1)
    }

    /// This one's number among them.
    pub fn index(&self) -> usize {
        self.index
    }

    pub fn is_chief(&self) -> bool {
        self.index == 0
    }

    pub fn share(&self) -> Share {
        Share { index: self.index, count: self.workers() }
    }

    /// `worker/0`, or `local`.
    pub fn task_name(&self) -> String {
        match self.trainers.get(self.index) {
            Some((job, task)) => format!("{job}/{task}"),
            None => "local".to_string(),
        }
    }

    /// The device for everything that is not a variable.
    pub fn compute(&self) -> Option<String> {
        if self.own_graph {
            return None;
        }
        let (job, task) = self.trainers.get(self.index)?;
        Some(format!("/job:{job}/task:{task}"))
    }

    /// The tasks a session of this process needs: others may be away.
    pub fn device_filters(&self) -> Vec<String> {
        if let Some(parts) = &self.parts {
            let mut tasks = [parts.compute.clone(), parts.variables.clone()].concat();
            tasks.sort();
            tasks.dedup();
            return tasks;
        }
        match self.compute() {
            Some(own) => vec!["/job:ps".to_string(), own],
            None => Vec::new(),
        }
    }

    /// The server for things that exist once, as queues.
    pub fn first_server(&self) -> Option<String> {
        self.servers.first().map(|task| format!("/job:ps/task:{task}"))
    }

    /// How many servers there are.
    pub fn servers(&self) -> usize {
        self.servers.len()
    }

    /// A place of the same task whose graph is its own: variables and all.
    pub fn alone(&self) -> Placement {
        Placement { servers: Vec::new(), own_graph: true, ..self.clone() }
    }

    /// Puts each new variable on the server that has the fewest bytes.
    pub fn apply(&self, graph: &Graph) {
        if self.servers.is_empty() {
            return;
        }
        let servers = self.servers.clone();
        let balance = Mutex::new(Balance::new(servers.len()));
        graph.place_variables(move |_, bytes| {
            let least = balance.lock().put(bytes);
            format!("/job:ps/task:{}", servers[least])
        });
    }
}

/// The numbers of a job's tasks.
fn tasks_of<'a>(cluster: &'a ClusterSpec, job: &'a str) -> impl Iterator<Item = u32> + 'a {
    cluster.tasks().filter(move |task| task.job == job).map(|task| task.task)
}

/// Hands out places so that all get about as many bytes.
pub(crate) struct Balance(Vec<u64>);

impl Balance {
    /// At least one place.
    pub fn new(places: usize) -> Balance {
        Balance(vec![0; places.max(1)])
    }

    /// The place for so many bytes.
    pub fn put(&mut self, bytes: u64) -> usize {
        let least = self.0.iter().enumerate().min_by_key(|(_, load)| **load);
        // There is one.
        let place = least.map_or(0, |(place, _)| place);
        self.0[place] += bytes;
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::initializers;
    use downpour_tensor::DataType;

    fn cluster() -> ClusterSpec {
        ClusterSpec::from_json(r#"{"ps": ["a:1", "b:1"], "worker": ["c:1", "d:1"]}"#).unwrap()
    }

    #[test]
    fn variables_go_where_the_fewest_bytes_are() {
        let place = Placement::in_cluster(&cluster(), "worker", 1).unwrap();
        assert_eq!((place.workers(), place.is_chief()), (2, false));
        assert_eq!(place.device_filters(), ["/job:ps", "/job:worker/task:1"]);
        let graph = Graph::new();
        place.apply(&graph);
        let mut devices = Vec::new();
        for (i, size) in [100usize, 10, 10, 90].into_iter().enumerate() {
            let name = format!("v{i}");
            let v = graph.variable(&name, [size], DataType::Float, initializers::zeros()).unwrap();
            devices.push(v.device());
        }
        let (first, second) = ("/job:ps/task:0", "/job:ps/task:1");
        assert_eq!(devices, [first, second, second, second]);
    }

    #[test]
    fn who_does_not_train_is_told() {
        let refused = Placement::in_cluster(&cluster(), "ps", 0).unwrap_err();
        assert!(refused.message().contains("does not train"), "{refused}");
        let alone = ClusterSpec::from_json(r#"{"worker": ["c:1"]}"#).unwrap();
        let refused = Placement::in_cluster(&alone, "worker", 0).unwrap_err();
        assert!(refused.message().contains("needs a job 'ps'"), "{refused}");
    }
}
