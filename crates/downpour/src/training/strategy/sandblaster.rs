//! Sandblaster L-BFGS: one large batch, many small units of it.

use std::time::Duration;

use downpour_cluster::ClusterSpec;
use downpour_tensor::{Result, Status};

use super::parameter_server::{Downpour, ParameterServer};

/// Sandblaster L-BFGS: every step is an iteration over all of the data.
///
/// The data is cut into many small units. A worker takes the next one when it is done with the last; the last ones
/// are also given to whoever is idle, and the first answer counts. So a slow worker does less and delays nobody. The
/// chief coordinates: it commands the servers, where parameters and history are vectors, and never holds them.
///
/// The data must end (no `repeat`) and be the same whenever it is read: a unit is a range of the positions of the
/// trainer's [`Source`](super::super::Source) (epoch 0), or a [`Share`](super::super::Share) if it has none, computed by
/// whichever worker gets it. Workers keep up to 256 MB of what they have read, and get again the units they had.
/// Batches are only parts of a sum: larger ones are quicker. Dropout and batch normalisation do not go with that. The
/// trainer's optimizer is not used.
///
/// ```
/// use downpour::training::{Sandblaster, Strategy};
/// let strategy = Strategy::from(Sandblaster::new().history(10).units_per_worker(20));
/// ```
#[derive(Clone, Debug)]
pub struct Sandblaster {
    pub(crate) servers: ParameterServer,
    pub(crate) history: usize,
    pub(crate) units_per_worker: u32,
    pub(crate) l2: f64,
}

impl Default for Sandblaster {
    fn default() -> Sandblaster {
        Sandblaster::new()
    }
}

impl Sandblaster {
    /// With a history of 10 steps and 16 units for each worker.
    pub fn new() -> Sandblaster {
        let servers = ParameterServer::downpour(Downpour::default());
        Sandblaster { servers, history: 10, units_per_worker: 16, l2: 0.0 }
    }

    /// How many steps the servers remember.
    pub fn history(mut self, steps: usize) -> Sandblaster {
        self.history = steps;
        self
    }

    /// Into how many units the data is cut, for each worker: more even out better and cost more messages.
    pub fn units_per_worker(mut self, units: u32) -> Sandblaster {
        self.units_per_worker = units;
        self
    }

    /// Adds the sum of the parameters' squares to the loss, times this.
    pub fn l2(mut self, l2: f64) -> Sandblaster {
        self.l2 = l2;
        self
    }

    /// How long between two snapshots of all servers (1 s): what one that dies costs at most. Where the variables and
    /// the vectors of the history are large, it is longer: ten times what writing takes.
    pub fn snapshot_every(mut self, every: Duration) -> Sandblaster {
        self.servers = self.servers.snapshot_every(every);
        self
    }

    /// How long servers wait for a sign of life of a worker, until its units go to others.
    pub fn silence(mut self, limit: Duration) -> Sandblaster {
        self.servers = self.servers.silence(limit);
        self
    }

    /// This process is a task of a cluster, whatever TF_CONFIG says.
    pub fn task(mut self, cluster: ClusterSpec, job: &str, task: u32) -> Sandblaster {
        self.servers = self.servers.task(cluster, job, task);
        self
    }

    /// Refuses settings nothing can be done with.
    pub(crate) fn check(&self) -> Result<()> {
        match self.units_per_worker > 0 && self.l2.is_finite() && self.l2 >= 0.0 {
            true => Ok(()),
            false => Err(Status::invalid_argument(format!(
                "Sandblaster needs at least one unit per worker (not {}) and an l2 of 0 or more (not {})",
                self.units_per_worker, self.l2
            ))),
        }
    }
}
