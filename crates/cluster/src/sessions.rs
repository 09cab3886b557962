//! The sessions a master keeps, by handle.

mod dropped;

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use downpour_runtime::{Device, PartialRun, Registry, Session};
use downpour_tensor::{Result, Status};
use downpour_wire::proto::{ClusterDef, ConfigProto, GraphDef};
use parking_lot::Mutex;

use crate::activity::Activity;
use crate::admission::Seat;
use crate::cluster_session::{ClusterPartialRun, ClusterSession};
use crate::config::session_options;
use crate::metrics::Metrics;
use crate::peers::Peers;
use crate::spec::{ClusterSpec, TaskAddress};
use crate::worker::Worker;

/// How often a server that is to stop looks whether its sessions are closed.
const CLOSED_CHECK: Duration = Duration::from_millis(10);

/// Where a session runs.
pub enum Backend {
    /// On this task alone.
    Local(Arc<Session>),
    Cluster(Arc<ClusterSession>),
}

impl Backend {
    /// Cancels what runs and refuses what comes.
    pub fn close(&self) {
        match self {
            Backend::Local(session) => session.close(),
            Backend::Cluster(session) => session.close(),
        }
    }

    pub fn extend(&self, graph: &GraphDef) -> Result<i64> {
        match self {
            Backend::Local(session) => session.extend(graph),
            Backend::Cluster(session) => session.extend(graph),
        }
    }

    pub fn graph_version(&self) -> i64 {
        match self {
            Backend::Local(session) => session.graph_version(),
            Backend::Cluster(session) => session.graph_version(),
        }
    }
}

/// A partial run, where its session runs.
pub enum Partial {
    Local(Arc<PartialRun>),
    Cluster(ClusterPartialRun),
}

impl Partial {
    /// True when everything was fed and fetched.
    pub fn is_complete(&self) -> bool {
        match self {
            Partial::Local(run) => run.is_complete(),
            Partial::Cluster(run) => run.is_complete(),
        }
    }
}

/// A session and the partial runs that are open in it.
pub struct MasterSession {
    pub session: Backend,
    pub activity: Activity,
    /// The client wants measured costs with every step.
    pub build_cost_model: bool,
    traced: Mutex<HashSet<i64>>,
    partial: Mutex<HashMap<String, Arc<Partial>>>,
    next_partial: AtomicU64,
    /// The connection that used it last, if any did.
    connection: Mutex<Option<Weak<Seat>>>,
}

impl MasterSession {
    /// Callables whose runs are to be traced.
    pub fn set_traced(&self, callable: i64, traced: bool) {
        let mut all = self.traced.lock();
        if traced {
            all.insert(callable)
        } else {
            all.remove(&callable)
        };
    }

    pub fn is_traced(&self, callable: i64) -> bool {
        self.traced.lock().contains(&callable)
    }

    pub fn open_partial(&self, run: Partial) -> String {
        let number = self.next_partial.fetch_add(1, Ordering::Relaxed);
        let handle = format!("partial-{number}");
        self.partial.lock().insert(handle.clone(), Arc::new(run));
        handle
    }

    pub fn partial(&self, handle: &str) -> Result<Arc<Partial>> {
        self.partial.lock().get(handle).cloned().ok_or_else(|| {
            Status::invalid_argument(format!(
                "Must run 'setup' before performing partial runs! (no partial run '{handle}')"
            ))
        })
    }

    pub fn close_partial(&self, handle: &str) {
        let removed = self.partial.lock().remove(handle);
        drop(removed);
    }
}

/// A session while a call uses it.
pub struct SessionCall(Arc<MasterSession>);

impl SessionCall {
    fn begin(session: &Arc<MasterSession>) -> SessionCall {
        session.activity.begin_call();
        SessionCall(session.clone())
    }
}

impl Drop for SessionCall {
    fn drop(&mut self) {
        self.0.activity.end_call();
    }
}

impl Deref for SessionCall {
    type Target = MasterSession;

    fn deref(&self) -> &MasterSession {
        &self.0
    }
}

pub struct Sessions {
    registry: Arc<Registry>,
    worker: Arc<Worker>,
    peers: Arc<Peers>,
    own: TaskAddress,
    open: Mutex<HashMap<String, Arc<MasterSession>>>,
    next: AtomicU64,
    /// Makes handles of different runs of the server differ.
    salt: u64,
    /// How long a new session waits for tasks that do not answer.
    peer_timeout: Duration,
}

impl Sessions {
    pub fn new(
        registry: Arc<Registry>,
        worker: Arc<Worker>,
        peers: Arc<Peers>,
        own: TaskAddress,
        peer_timeout: Duration,
    ) -> Sessions {
        let salt = RandomState::new().hash_one(worker.device().incarnation());
        let next = AtomicU64::new(0);
        let open = Mutex::default();
        Sessions { registry, worker, peers, own, open, next, salt, peer_timeout }
    }

    pub fn worker(&self) -> &Arc<Worker> {
        &self.worker
    }

    pub fn device(&self) -> &Arc<Device> {
        self.worker.device()
    }

    /// The tasks a session of ours may use besides this one.
    pub fn peers(&self) -> &Arc<Peers> {
        &self.peers
    }

    pub fn metrics(&self) -> &Arc<Metrics> {
        self.peers.dialer().metrics()
    }

    pub fn own(&self) -> &TaskAddress {
        &self.own
    }

    /// A new session, not yet listed: it becomes visible with `insert` once its graph is in.
    pub async fn create(
        &self,
        target: &str,
        config: ConfigProto,
        deadline: Option<Duration>,
    ) -> Result<(String, MasterSession)> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let handle = format!("{:016x}{number:x}", self.salt);
        let build_cost_model =
            config.graph_options.as_ref().is_some_and(|g| g.build_cost_model > 0);
        let registry = self.registry.clone();
        let brought = config.cluster_def.as_ref().filter(|cluster| !cluster.job.is_empty());
        let brought = brought.map(|cluster| self.brought_cluster(cluster, target)).transpose()?;
        let session = if brought.is_some() || self.peers.spec().len() > 1 {
            let brings_cluster = brought.is_some();
            let (peers, own) = brought.unwrap_or_else(|| (self.peers.clone(), self.own.clone()));
            let session = ClusterSession::create(
                registry,
                &self.worker,
                &peers,
                &own,
                config,
                handle.clone(),
                brings_cluster,
                self.patience(deadline),
            );
            Backend::Cluster(Arc::new(session.await?))
        } else {
            let device = self.device().clone();
            Backend::Local(Arc::new(Session::new(registry, device, session_options(&config))))
        };
        let session = MasterSession {
            session,
            activity: Activity::new(),
            build_cost_model,
            traced: Mutex::default(),
            partial: Mutex::default(),
            next_partial: AtomicU64::new(1),
            connection: Mutex::default(),
        };
        Ok((handle, session))
    }

    /// How long a new session waits for its tasks: short of the caller's own limit, so that the caller hears
    /// for whom.
    fn patience(&self, deadline: Option<Duration>) -> Duration {
        match deadline {
            Some(limit) => self.peer_timeout.min(limit * 3 / 4),
            None => self.peer_timeout,
        }
    }

    /// The cluster a session brings in its config; this task is the one at the address it was called by.
    fn brought_cluster(
        &self,
        cluster: &ClusterDef,
        target: &str,
    ) -> Result<(Arc<Peers>, TaskAddress)> {
        let spec = ClusterSpec::from_proto(cluster)?;
        let address = target.strip_prefix("grpc://").unwrap_or(target);
        let mut matching = spec.tasks().filter(|task| task.address == address);
        let own = matching.next().ok_or_else(|| {
            Status::invalid_argument(format!(
                "the session's cluster_def has no task at '{address}', the address it connected to"
            ))
        })?;
        if matching.next().is_some() {
            return Err(Status::invalid_argument(format!(
                "Found multiple matching tasks that correspond to the master. Master target: '{target}'"
            )));
        }
        drop(matching);
        if own.job == self.own.job && own.task == self.own.task {
            return Err(Status::invalid_argument(format!(
                "The ClusterSpec names the job and task index to be the same names that were provided \
                 when the server booted. This is currently not allowed. Job: {}, task index: {}",
                own.job, own.task
            )));
        }
        Ok((Peers::new(spec, self.peers.dialer().clone()), own))
    }

    pub fn insert(&self, handle: &str, session: MasterSession) {
        self.open.lock().insert(handle.to_string(), Arc::new(session));
    }

    /// The session for a call, which keeps it from being collected until the value is dropped.
    pub fn get(&self, handle: &str) -> Result<SessionCall> {
        // Under the lock, so that a session is either collected or used.
        let found = self.open.lock().get(handle).map(SessionCall::begin);
        found.ok_or_else(|| {
            Status::aborted(format!(
                "Session {handle} is not found. It was closed, reset, collected because it was not used \
                 (--session-idle-limit) or its client had gone (--dropped-session-timeout), or belongs to an earlier \
                 run of this server; create a new session."
            ))
        })
    }

    /// All open sessions, by handle.
    pub fn list(&self) -> Vec<(String, Arc<MasterSession>)> {
        self.open.lock().iter().map(|(handle, s)| (handle.clone(), s.clone())).collect()
    }

    /// Closes the sessions that nobody has called for longer than `limit`: their clients have gone
    /// without closing them.
    pub fn collect_idle(&self, limit: Duration) {
        let abandoned: Vec<_> = {
            let mut open = self.open.lock();
            open.extract_if(|_, session| session.activity.idle() > limit).collect()
        };
        for (handle, session) in abandoned {
            tracing::warn!(
                "closing session {handle}: not used for {:.0} s (--session-idle-limit), {:.0} s old, \
                 {} steps done",
                session.activity.idle().as_secs_f64(),
                session.activity.age().as_secs_f64(),
                session.activity.steps.ended()
            );
            session.session.close();
        }
    }

    pub fn close(&self, handle: &str) -> Result<()> {
        let removed = self.open.lock().remove(handle);
        match removed {
            Some(session) => {
                session.session.close();
                Ok(())
            }
            None => Err(Status::aborted(format!(
                "Session {handle} is not found. Possibly, this master has restarted."
            ))),
        }
    }

    /// Closes every session and clears containers of this task (all of them when none is named).
    pub fn reset(&self, containers: &[String]) {
        self.close_all();
        self.worker.clear(containers);
    }

    /// Ends what all sessions do; they stay for their clients to close.
    pub fn end_all(&self) {
        let open: Vec<_> = self.open.lock().values().cloned().collect();
        open.iter().for_each(|s| s.session.close());
    }

    /// Waits until clients have closed all sessions, but not longer than that.
    pub async fn all_closed(&self, limit: Duration) {
        let until = tokio::time::Instant::now() + limit;
        while self.len() > 0 && tokio::time::Instant::now() < until {
            tokio::time::sleep(CLOSED_CHECK).await;
        }
    }

    pub fn close_all(&self) {
        let removed: Vec<_> = self.open.lock().drain().map(|(_, s)| s).collect();
        removed.iter().for_each(|s| s.session.close());
    }

    pub fn len(&self) -> usize {
        self.open.lock().len()
    }
}
