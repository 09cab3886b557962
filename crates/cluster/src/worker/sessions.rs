//! The sessions that masters have open on this task.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use downpour_graph::DeviceName;
use downpour_runtime::WorkerSession;
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;
use tokio::time::Instant;

use super::{Registered, Worker};
use crate::peers::Peers;
use crate::spec::ClusterSpec;

/// How long a session waits for a master that cannot be heard any more.
const MASTER_GONE: Duration = Duration::from_secs(600);

/// How long a session of a master that is never linked must have been unused before another run of that master closes
/// it.
const UNUSED: Duration = Duration::from_secs(30);

pub(super) struct Session {
    pub runtime: WorkerSession,
    pub peers: Arc<Peers>,
    master: Option<SessionMaster>,
    /// When there was a link to the master last, if ever.
    master_seen: Mutex<Option<Instant>>,
    /// When a graph of it was registered or run last.
    used: Mutex<Instant>,
    /// Somebody says that its master was started again.
    is_superseded: AtomicBool,
}

/// The task that opened a session, and which run of it.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionMaster {
    pub task: String,
    pub incarnation: u64,
}

/// The tasks as one session names them, and which of them this is.
#[derive(Clone)]
pub struct SessionCluster {
    pub spec: ClusterSpec,
    pub job: String,
    pub task: u32,
}

impl Session {
    pub fn new(
        runtime: WorkerSession,
        peers: Arc<Peers>,
        master: Option<SessionMaster>,
    ) -> Arc<Session> {
        Arc::new(Session {
            runtime,
            peers,
            master,
            master_seen: Mutex::default(),
            used: Mutex::new(Instant::now()),
            is_superseded: AtomicBool::new(false),
        })
    }

    /// Notes that its master uses it.
    pub fn touch(&self) {
        *self.used.lock() = Instant::now();
    }
}

impl Worker {
    /// Opens a master's session; `cluster` replaces the tasks this one was started with, and its name.
    /// Sessions of an earlier run of the same master are closed: nobody will. But anybody can say that a master was
    /// started again, so those of a run that is still there are closed when it has gone.
    pub fn create_session(
        &self,
        handle: &str,
        isolate: bool,
        cluster: Option<SessionCluster>,
        master: Option<SessionMaster>,
    ) {
        self.supersede(master.as_ref());
        let (device, peers) = match cluster {
            Some(SessionCluster { spec, job, task }) => {
                let name = DeviceName::cpu(&job, task).to_string();
                (self.device.renamed(name), Peers::new(spec, self.peers.dialer().clone()))
            }
            None => (self.device.clone(), self.peers.clone()),
        };
        let runtime = WorkerSession::new(self.registry.clone(), device, isolate);
        // Its link may be lost before anybody looks for it.
        let linked = master.as_ref().and_then(|master| self.links.get(master.incarnation));
        let session = Session::new(runtime, peers, master);
        *session.master_seen.lock() = linked.map(|_| Instant::now());
        self.sessions.lock().insert(handle.to_string(), session);
    }

    /// Closes the sessions that an earlier run of this master has left, now or when it has gone.
    fn supersede(&self, master: Option<&SessionMaster>) {
        let is_earlier = |session: &Session| {
            master.zip(session.master.as_ref()).is_some_and(|(new, old)| {
                old.task == new.task && old.incarnation != new.incarnation
            })
        };
        for session in self.sessions.lock().values().filter(|session| is_earlier(session)) {
            session.is_superseded.store(true, Relaxed);
        }
        self.close_superseded();
    }

    /// Closes sessions of masters that were started again, unless their earlier run is still there: it is linked, or it
    /// never was and uses its sessions.
    fn close_superseded(&self) {
        let is_over = |session: &Session| {
            let Some(master) = &session.master else { return false };
            session.is_superseded.load(Relaxed)
                && self.links.get(master.incarnation).is_none()
                && (session.master_seen.lock().is_some() || session.used.lock().elapsed() > UNUSED)
        };
        let over: Vec<String> = {
            let sessions = self.sessions.lock();
            sessions.iter().filter(|(_, s)| is_over(s)).map(|(handle, _)| handle.clone()).collect()
        };
        for handle in over {
            tracing::info!("closing session {handle} of a master that was restarted");
            self.delete_session(&handle);
        }
    }

    pub fn delete_session(&self, handle: &str) {
        let removed = self.sessions.lock().remove(handle);
        let graphs: Vec<Registered> = {
            let mut graphs = self.graphs.lock();
            let ours = graphs.extract_if(|_, graph| graph.session_handle == handle);
            ours.map(|(_, graph)| graph).collect()
        };
        drop((removed, graphs));
    }

    pub(super) fn session(&self, handle: &str, must_exist: bool) -> Result<Arc<Session>> {
        match self.sessions.lock().get(handle) {
            Some(session) => Ok(session.clone()),
            None if must_exist => Err(Status::aborted(format!(
                "Session handle is not found: {handle}. Possibly this worker (\"{}\") just restarted.",
                self.device.name()
            ))),
            None => Ok(self.common.clone()),
        }
    }

    /// Closes sessions whose master was linked once and has been gone for long: it will not come back to do
    /// it.
    pub(super) fn close_abandoned(&self) {
        self.close_superseded();
        let is_abandoned = |session: &Session| {
            let Some(master) = &session.master else { return false };
            let mut seen = session.master_seen.lock();
            if self.links.get(master.incarnation).is_some() {
                *seen = Some(Instant::now());
            }
            seen.is_some_and(|at| at.elapsed() > MASTER_GONE)
        };
        let abandoned: Vec<String> = {
            let sessions = self.sessions.lock();
            sessions.iter().filter(|(_, s)| is_abandoned(s)).map(|(h, _)| h.clone()).collect()
        };
        for handle in abandoned {
            tracing::info!(
                "closing session {handle}: its master has been gone for {MASTER_GONE:?}"
            );
            self.delete_session(&handle);
        }
    }
}
