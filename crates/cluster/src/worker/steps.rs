//! The steps that run on this task, by the number their master gave them.
//!
//! A step comes into being with the first message that names it, be it the master's RunGraph or another
//! task's RecvTensor, and ends with CleanupGraph. Numbers of ended steps are remembered for a while, so
//! that a late message does not bring a step back to life.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use downpour_runtime::CancellationToken;
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use super::linked::LinkedTask;
use super::transfer::StepRendezvous;

/// How many ended steps are remembered.
const REMEMBERED: usize = 4096;

/// How long a step that only other tasks named waits for its master.
const UNCLAIMED: Duration = Duration::from_secs(120);

pub struct StepState {
    pub rendezvous: Arc<StepRendezvous>,
    pub cancellation: CancellationToken,
    since: Instant,
    claim: Mutex<Option<Claim>>,
}

/// On whom a step depends that runs here.
struct Claim {
    /// Its master, if there is a link to it.
    master: Option<u64>,
    tasks: Vec<u64>,
}

impl StepState {
    pub fn new(rendezvous: Arc<StepRendezvous>) -> StepState {
        StepState {
            rendezvous,
            cancellation: CancellationToken::default(),
            since: Instant::now(),
            claim: Mutex::default(),
        }
    }

    /// The step's master runs a part of it here, or is here itself.
    pub fn claim(&self, master: Option<u64>, linked: &[LinkedTask]) {
        let mut claim = self.claim.lock();
        let claim = claim.get_or_insert(Claim { master, tasks: Vec::new() });
        claim.tasks.extend(linked.iter().map(|task| task.incarnation));
    }

    /// Ends the step here; everybody who waits is told why.
    pub fn abort(&self, status: Status) {
        self.rendezvous.abort(status);
        self.cancellation.cancel();
    }
}

#[derive(Default)]
pub struct StepTable(Mutex<Table>);

#[derive(Default)]
struct Table {
    running: HashMap<i64, Arc<StepState>>,
    ended: HashSet<i64>,
    order: VecDeque<i64>,
}

impl StepTable {
    /// The step of this number, new if it is not known yet.
    pub fn get(&self, id: i64, make: impl FnOnce() -> StepState) -> Result<Arc<StepState>> {
        let mut table = self.0.lock();
        if table.ended.contains(&id) {
            return Err(Status::aborted(format!("Step {id} has already ended")));
        }
        Ok(table.running.entry(id).or_insert_with(|| Arc::new(make())).clone())
    }

    /// Forgets a step and ends what still waits in it.
    pub fn end(&self, id: i64, status: Status) {
        let removed = {
            let mut table = self.0.lock();
            if table.ended.insert(id) {
                table.order.push_back(id);
            }
            if table.order.len() > REMEMBERED
                && let Some(oldest) = table.order.pop_front()
            {
                table.ended.remove(&oldest);
            }
            table.running.remove(&id)
        };
        if let Some(step) = removed {
            step.abort(status);
        }
    }

    /// A task is gone: the steps it was master of end for good, those that need values of it fail.
    pub fn lost(&self, incarnation: u64, status: &Status) {
        let running: Vec<(i64, Arc<StepState>)> =
            self.0.lock().running.iter().map(|(id, step)| (*id, step.clone())).collect();
        for (id, step) in running {
            let (is_master, is_needed) = match &*step.claim.lock() {
                Some(claim) => {
                    (claim.master == Some(incarnation), claim.tasks.contains(&incarnation))
                }
                None => continue,
            };
            if is_master {
                self.end(id, status.clone());
            } else if is_needed {
                step.abort(status.clone());
            }
        }
    }

    /// Ends the steps that waited too long for a master.
    pub fn sweep(&self) {
        let abandoned =
            |step: &StepState| step.claim.lock().is_none() && step.since.elapsed() > UNCLAIMED;
        let old: Vec<i64> = {
            let table = self.0.lock();
            table.running.iter().filter(|(_, s)| abandoned(s)).map(|(id, _)| *id).collect()
        };
        for id in old {
            self.end(id, Status::aborted(format!("No master ran step {id}")));
        }
    }
}
