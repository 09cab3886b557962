//! How a worker begins: with the layout the servers have, and with values on all of them.

use std::time::{Duration, Instant};

use downpour_params::Placed;
use downpour_tensor::{Result, Status};

use super::ServiceExchange;
use super::plan::Plan;
use crate::training::exchange::{Assign, Local};

/// How often a worker looks whether the servers are ready for it.
const PAUSE: Duration = Duration::from_millis(50);

impl ServiceExchange {
    /// ABORTED if variables are elsewhere than this worker has been told.
    pub(super) fn take_layout(&mut self, local: &Local<'_>) -> Result<()> {
        let own = local.relaid.map(|relaid| relaid.placed.clone()).unwrap_or_default();
        self.client.use_layout(own.clone());
        match self.runtime.block_on(self.client.layout())? {
            Some(Placed { epoch, .. }) if epoch > own.epoch => {
                Err(Status::aborted(format!("variables have moved: layout {epoch}")))
            }
            _ => Ok(()),
        }
    }

    /// Waits until every server has values and the worker may begin. The chief gives them.
    pub(super) fn wait_for_values(&mut self, local: &Local<'_>, plan: &Plan) -> Result<()> {
        let deadline = Instant::now() + local.patience;
        let warm = self.downpour.map_or(0, |downpour| downpour.warm_start);
        let mut given = false;
        loop {
            let joined = self.runtime.block_on(self.client.join())?;
            let ready = joined.iter().all(|server| server.ready);
            let warmed = self.worker == 0 || joined[0].steps >= warm;
            if ready && warmed {
                return Ok(());
            }
            if self.worker == 0 && !given {
                (local.give_values)()?;
                for (number, _) in joined.iter().enumerate().filter(|(_, server)| !server.ready) {
                    self.give(local, plan, number)?;
                }
                given = true;
                continue;
            }
            if local.stop.is_set() {
                return Err(Status::cancelled("stopped while waiting for the chief"));
            }
            if Instant::now() > deadline {
                let what = match ready {
                    true => "train alone for its warm start",
                    false => "give the parameter servers their values",
                };
                return Err(Status::deadline_exceeded(format!(
                    "waited {} s for the chief to {what}; is it running? Its log says why it is not done.",
                    local.patience.as_secs()
                )));
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// A server gets the values that are here.
    fn give(&self, local: &Local<'_>, plan: &Plan, server: usize) -> Result<()> {
        let values = plan.values_for(local, server)?;
        let step = local.session.fetch(&[], &local.program.global_step.value())?;
        let step = step.to_scalar::<i64>()?.max(0) as u64;
        self.runtime.block_on(self.client.put(server, &values, true, step))
    }

    /// Everything the servers have that updates change.
    pub(super) fn take_all(&self, plan: &Plan) -> Result<()> {
        let mut values = Vec::new();
        for server in 0..self.client.servers() {
            let names = plan.all_names(server);
            values.push(self.runtime.block_on(self.client.read(server, &names))?.values);
        }
        plan.take_all(values)
    }

    pub(super) fn others(&self, local: &Local<'_>, plan: &Plan) -> Result<()> {
        let names: Vec<String> =
            plan.division.others.iter().map(|v| v.name().to_string()).collect();
        if names.is_empty() {
            return Ok(());
        }
        let read = self.runtime.block_on(self.client.read(0, &names))?;
        Assign::new(local, &plan.division.others)?.run(read.values)
    }
}
