//! The sessions a master keeps, by handle.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use downpour_runtime::{Device, PartialRun, Registry, Session, SessionOptions};
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

/// A session and the partial runs that are open in it.
pub struct MasterSession {
    pub session: Session,
    /// The client wants measured costs with every step.
    pub build_cost_model: bool,
    traced: Mutex<HashSet<i64>>,
    partial: Mutex<HashMap<String, Arc<PartialRun>>>,
    next_partial: AtomicU64,
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

    pub fn open_partial(&self, run: PartialRun) -> String {
        let number = self.next_partial.fetch_add(1, Ordering::Relaxed);
        let handle = format!("partial-{number}");
        self.partial.lock().insert(handle.clone(), Arc::new(run));
        handle
    }

    pub fn partial(&self, handle: &str) -> Result<Arc<PartialRun>> {
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

pub struct Sessions {
    registry: Arc<Registry>,
    device: Arc<Device>,
    open: Mutex<HashMap<String, Arc<MasterSession>>>,
    next: AtomicU64,
    /// Makes handles of different runs of the server differ.
    salt: u64,
}

impl Sessions {
    pub fn new(registry: Arc<Registry>, device: Arc<Device>) -> Sessions {
        let salt = RandomState::new().hash_one(device.incarnation());
        Sessions { registry, device, open: Mutex::default(), next: AtomicU64::new(0), salt }
    }

    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// A new session, not yet listed: it becomes visible with `insert` once its graph is in.
    pub fn create(&self, options: SessionOptions, build_cost_model: bool) -> MasterSession {
        MasterSession {
            session: Session::new(self.registry.clone(), self.device.clone(), options),
            build_cost_model,
            traced: Mutex::default(),
            partial: Mutex::default(),
            next_partial: AtomicU64::new(1),
        }
    }

    pub fn insert(&self, session: MasterSession) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let handle = format!("{:016x}{number:x}", self.salt);
        self.open.lock().insert(handle.clone(), Arc::new(session));
        handle
    }

    pub fn get(&self, handle: &str) -> Result<Arc<MasterSession>> {
        self.open.lock().get(handle).cloned().ok_or_else(|| {
            Status::aborted(format!(
                "Session {handle} is not found. It was closed, reset, or belongs to an earlier run of \
                 this server; create a new session."
            ))
        })
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

    /// Closes every session and clears containers (all of them when none is named).
    pub fn reset(&self, containers: &[String]) {
        self.close_all();
        self.device.resources().clear(containers);
    }

    pub fn close_all(&self) {
        let removed: Vec<_> = self.open.lock().drain().map(|(_, s)| s).collect();
        removed.iter().for_each(|s| s.session.close());
    }

    pub fn len(&self) -> usize {
        self.open.lock().len()
    }
}
