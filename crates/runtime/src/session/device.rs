//! The device of a task: its name, threads and resources.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use crate::pool::ComputePool;
use crate::resource::ResourceManager;

pub struct Device {
    name: String,
    /// New at every start, so that peers notice a restart.
    incarnation: u64,
    pool: Arc<ComputePool>,
    resources: Arc<ResourceManager>,
}

impl Device {
    /// `name` is full: `/job:localhost/replica:0/task:0/device:CPU:0`.
    pub fn new(name: impl Into<String>, pool: Arc<ComputePool>) -> Arc<Device> {
        let name = name.into();
        // The standard hasher's keys are random per process start.
        let incarnation = RandomState::new().hash_one(&name).max(1);
        Arc::new(Device { name, incarnation, pool, resources: Arc::new(ResourceManager::new()) })
    }

    /// The same device under another name (a session may bring its own names of the tasks).
    pub fn renamed(&self, name: impl Into<String>) -> Arc<Device> {
        Arc::new(Device {
            name: name.into(),
            incarnation: self.incarnation,
            pool: self.pool.clone(),
            resources: self.resources.clone(),
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn incarnation(&self) -> u64 {
        self.incarnation
    }

    pub fn pool(&self) -> &Arc<ComputePool> {
        &self.pool
    }

    pub fn resources(&self) -> &Arc<ResourceManager> {
        &self.resources
    }
}
