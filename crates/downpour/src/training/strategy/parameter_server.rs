//! Parameter servers: how workers' gradients reach them.

use std::time::Duration;

use downpour_cluster::ClusterSpec;
use downpour_compress::Compression;
use downpour_coordinator::{Config, DecisionConfig};
use downpour_params::{Limits, Mode};
use downpour_tensor::{Result, Status};

use super::{Place, own_place};

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
    pub(crate) place: Option<Place>,
    pub(crate) snapshot_every: Duration,
    pub(crate) silence: Duration,
    pub(crate) compression: Compression,
    pub(crate) split_above: Option<u64>,
    pub(crate) leases: bool,
    pub(crate) rebalance: Option<Duration>,
    elastic: Option<Elastic>,
}

/// Within which limits workers come and go.
#[derive(Clone, Copy, Debug)]
struct Elastic {
    least: usize,
    most: usize,
    after: Duration,
}

/// Signs of life are sent several times as often as that, by a thread that also has other work.
const SHORTEST_SILENCE: Duration = Duration::from_secs(1);
/// Variables with more bytes are on several servers, unless it is said otherwise.
const SPLIT_ABOVE: u64 = 16 << 20;

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
    Hybrid,
}

impl Service {
    /// When gradients become updates, for so many workers.
    pub fn mode(&self, workers: u32) -> Result<Mode> {
        match *self {
            Service::Downpour(_) => Ok(Mode::AtOnce),
            Service::Backups(backups) => Mode::Together { workers, backups }.checked(),
            Service::Bounded(bound) => Mode::Bounded { workers, bound }.checked(),
            Service::Hybrid => Mode::Together { workers, backups: 0 }.checked(),
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

/// A coordinator gives leases to others after so long, if nobody says otherwise: somebody waits for them.
const LEASE_SILENCE: Duration = Duration::from_secs(10);

impl ParameterServer {
    fn new(way: Way) -> ParameterServer {
        let snapshot_every = Duration::from_secs(1);
        let silence = Limits::default().silence;
        ParameterServer {
            way,
            place: None,
            snapshot_every,
            silence,
            compression: Compression::None,
            split_above: Some(SPLIT_ABOVE),
            leases: false,
            elastic: None,
            rebalance: None,
        }
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

    /// As [`ParameterServer::synchronous`] for everything but embeddings: rows of tables are applied as soon as a
    /// worker hands them over, each worker's share of the step by itself, and nobody waits for them.
    ///
    /// ```
    /// use downpour::training::{ParameterServer, Strategy};
    /// let strategy = Strategy::from(ParameterServer::hybrid());
    /// ```
    pub fn hybrid() -> ParameterServer {
        ParameterServer::new(Way::Service(Service::Hybrid))
    }

    /// Gradients travel in fewer bytes, over the parameter service: `"int8".parse()?`. What a message leaves out
    /// is added to the next one.
    pub fn compression(mut self, compression: Compression) -> ParameterServer {
        self.compression = compression;
        self
    }

    /// Variables with more bytes are cut by rows and divided over all servers of the parameter service, so that each
    /// has as many bytes as the others; 16 MiB unless set. Checkpoints have whole variables all the same.
    ///
    /// Optimizers that do not change each element by itself
    /// ([`UpdateRule::is_elementwise`](crate::optimizer::UpdateRule::is_elementwise)) have whole variables.
    pub fn split_above(mut self, bytes: u64) -> ParameterServer {
        self.split_above = Some(bytes);
        self
    }

    /// Sets how often servers of the parameter service write down what they have, all at the same update (1 s). When one
    /// of them dies and is started again, all go back to the last time: at most what came since is lost. Large models are
    /// written less often, so that it costs less than 3 % of the time.
    pub fn snapshot_every(mut self, every: Duration) -> ParameterServer {
        self.snapshot_every = every;
        self
    }

    /// Workers lease their data from the cluster's coordinator, instead of each reading the part of its number: quick
    /// ones get more of it, what a dead one leaves behind goes to others, and every example counts once an epoch.
    ///
    /// The cluster needs a task of the job `coordinator`, the trainer a folder for its log and data that has
    /// [positions](crate::training::Source::with_positions). Over the parameter service an example is never applied
    /// twice; the strategy `asynchronous` may repeat what a worker did in the seconds before it died.
    pub fn leases(mut self, leases: bool) -> ParameterServer {
        self.leases = leases;
        self
    }

    /// Variables (with their slots), or rows of those that are cut, move to other servers of the parameter service while
    /// training goes on, where what is pushed, pulled and applied is unevenly spread. The chief looks so often; it must be
    /// uneven twice in a row. Nothing is lost or applied twice by it. Off unless set.
    ///
    /// ```
    /// use std::time::Duration;
    /// use downpour::training::{ParameterServer, Strategy};
    /// let strategy = ParameterServer::synchronous().rebalance(Duration::from_secs(30));
    /// ```
    pub fn rebalance(mut self, every: Duration) -> ParameterServer {
        self.rebalance = Some(every);
        self
    }

    /// How long a worker may say nothing. Servers of the parameter service then go on without it (30 s if nothing is
    /// said), and a coordinator gives its leases to others (10 s); when it comes back it is refused, joins again and
    /// takes the newest parameters. All tasks must be given the same.
    pub fn silence(mut self, limit: Duration) -> ParameterServer {
        self.silence = limit;
        self
    }

    /// With leases: workers come and go, `least` to `most` of the cluster's. The coordinator proposes to add one when
    /// all have been busy for `after`, to drop one when all have only waited, or when its parameters are much older than
    /// the others', and to drop or replace one that the others wait for. Who starts processes carries it out, as
    /// `downpour train` does. The chief stays.
    ///
    /// Not with [`ParameterServer::asynchronous`], whose steps do not tell how long they wait, nor with
    /// [`ParameterServer::hybrid`], which has no leases, nor (yet) with [`ParameterServer::bounded`].
    pub fn elastic(mut self, least: usize, most: usize, after: Duration) -> ParameterServer {
        self.elastic = Some(Elastic { least, most, after });
        self
    }

    /// How many workers the servers wait for in the beginning, of so many in the cluster.
    pub(crate) fn workers_at_least(&self, workers: usize) -> u32 {
        self.elastic.map_or(workers, |elastic| elastic.least.min(workers)) as u32
    }

    /// This process is a task of a cluster, whatever TF_CONFIG says.
    pub fn task(mut self, cluster: ClusterSpec, job: &str, task: u32) -> ParameterServer {
        self.place = Some((cluster, job.to_string(), task));
        self
    }

    /// Settings that do not go together, or that nothing can be done with.
    pub(crate) fn check(&self) -> Result<()> {
        if self.silence < SHORTEST_SILENCE {
            return Err(Status::invalid_argument(format!(
                "servers that give up a worker after {:?} would give up one that is merely busy: the limit of \
                 silence must be at least {SHORTEST_SILENCE:?}",
                self.silence
            )));
        }
        if matches!(self.way, Way::Graph { .. }) && self.compression != Compression::None {
            return Err(Status::unimplemented(format!(
                "gradients are compressed ({}) on their way to the parameter service only: use \
                 ParameterServer::downpour, with_backups or bounded",
                self.compression
            )));
        }
        let elastic = matches!(self.way, Way::Service(Service::Downpour(_) | Service::Backups(_)));
        if self.elastic.is_some() && !(elastic && self.leases) {
            return Err(Status::unimplemented(
                "workers come and go (ParameterServer::elastic) with leases only, and with downpour or synchronous (also with \
                 backups): steps of one graph (asynchronous) do not tell how long they wait, hybrid has no leases, and \
                 bounded was not tried with workers that come and go",
            ));
        }
        if matches!(self.way, Way::Graph { .. }) && self.rebalance.is_some() {
            return Err(Status::unimplemented(
                "variables move between servers of the parameter service only: use ParameterServer::downpour, synchronous, \
                 bounded or hybrid",
            ));
        }
        Ok(())
    }

    /// How patient the coordinator of these workers is, and what it goes by. The chief saves and measures: it stays.
    pub(crate) fn coordinator(&self, chief: String) -> Config {
        let silence = self.silence.min(LEASE_SILENCE);
        let usual = DecisionConfig::default();
        let decisions = match self.elastic {
            Some(Elastic { least, most, after }) => DecisionConfig {
                every: after / 12,
                hold: after,
                cooldown: after * 2,
                least_members: least,
                most_members: most,
                ..usual
            },
            None => usual,
        };
        let together = match self.way {
            Way::Service(Service::Backups(backups)) => Some(backups as usize),
            Way::Service(Service::Bounded(_) | Service::Hybrid) => Some(0),
            Way::Graph { synchronous } => synchronous.then_some(0),
            Way::Service(Service::Downpour(_)) => None,
        };
        Config {
            silence,
            heartbeat: silence / 5,
            grace: silence + silence / 2,
            decisions: DecisionConfig { together, stays: [chief].into(), ..decisions },
            ..Config::default()
        }
    }

    /// The cluster and this process's place in it.
    pub(crate) fn own_place(&self) -> Result<Place> {
        own_place(&self.place, "ParameterServer", "--ps 1 --workers 2")
    }
}
