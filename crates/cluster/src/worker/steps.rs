//! The steps that run on this task, by the number their master gave them.
//!
//! A step comes into being with the first message that names it, be it the master's RunGraph or another
//! task's RecvTensor, and ends with CleanupGraph. Numbers of ended steps are remembered for a while, so
//! that a late message does not bring a step back to life.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use downpour_runtime::CancellationToken;
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use super::transfer::StepRendezvous;

/// How many ended steps are remembered.
const REMEMBERED: usize = 4096;

pub struct StepState {
    pub rendezvous: Arc<StepRendezvous>,
    pub cancellation: CancellationToken,
}

impl StepState {
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
    pub fn end(&self, id: i64) {
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
            step.abort(Status::cancelled("The step has ended").derived());
        }
    }
}
