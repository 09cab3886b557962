//! Training without servers: every worker has all variables, and applies the average of everybody's gradients.
//!
//! Protocol, the same on every worker. Before the first step: who has the highest step gives its variables to all
//! (at first that is the chief, later whoever has survived). Each step: first every worker tells all others its
//! place in the data after this step and whether it is going to end, which ends training for all after or instead of
//! this step; then gradients are averaged in buckets while the backward pass makes them (`courier`), and when all are
//! there they are applied by everybody in the same way. So variables stay equal to the bit. When a worker dies the
//! others lose their connections, keep their values, and begin again when it is back.

mod courier;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use downpour_collectives::Door;
use downpour_compress::Compression;
use downpour_ops_collective::set_carrier;
use downpour_params::{Gradient, Named};
use downpour_runtime::CancelGuard;
use downpour_tensor::{ByteString, Bytes, Result, Status, Tensor};
use parking_lot::Mutex;

use super::exchange::{Assign, Exchange, Local, OfData, gradients_of, handed, values_here};
use super::stopping::Stopping;
use super::strategy::Placement;
use super::trainer::StopFlag;
use crate::output::Output;
use crate::record::Traffic;
use crate::session::{Fetch, PreparedStep};
use crate::variable::Variable;
use courier::Courier;
pub(crate) use courier::Load;
use wire::{Intent, Wire};

pub(crate) struct AllReduce {
    /// Ends the exchange under way when training was told to stop and its time is over.
    _interrupt: CancelGuard,
    /// Ends before the wire does.
    courier: Option<Courier>,
    wire: Arc<Mutex<Wire>>,
    rank: usize,
    /// Made when training begins.
    plan: Option<Plan>,
    /// Everybody's place in the data, after the last step that was applied.
    positions: Vec<Tensor>,
    /// The same after the step that is under way.
    coming: Vec<Tensor>,
    step: i64,
    /// Somebody has said that the step under way is the last.
    ending: bool,
}

struct Plan {
    /// Applies gradients; fed in the order of the place's inputs.
    apply: PreparedStep,
    take_positions: Assign,
}

impl AllReduce {
    /// Connects all workers, waiting for those that are not there yet.
    pub fn connect(
        door: &Door,
        addresses: Vec<String>,
        placement: &Placement,
        compression: Compression,
        (patience, stop): (Duration, &StopFlag),
        stopping: &Stopping,
    ) -> Result<AllReduce> {
        let names = addresses.join(", ");
        let give_up = stop.shared().clone();
        let wire = Wire::connect(door, addresses, placement, compression, (patience, give_up))?;
        let canceller = wire.canceller();
        let _interrupt = stopping.on_over(move || {
            canceller.cancel(Status::cancelled(format!(
                "stopped by a signal while waiting for the other workers ({names})"
            )));
        });
        Ok(AllReduce {
            _interrupt,
            courier: None,
            wire: Arc::new(Mutex::new(wire)),
            rank: placement.index(),
            plan: None,
            positions: Vec::new(),
            coming: Vec::new(),
            step: 0,
            ending: false,
        })
    }

    /// Everybody gets the variables of the worker that is furthest.
    fn share_variables(&self, local: &Local<'_>, own_step: i64) -> Result<()> {
        let mut wire = self.wire.lock();
        let steps = wire.gather(&own_step.to_le_bytes())?;
        let step = |bytes: &Bytes| bytes.as_ref().try_into().map_or(-1, i64::from_le_bytes);
        let steps: Vec<i64> = steps.iter().map(step).collect();
        let furthest = steps.iter().copied().max().unwrap_or(-1);
        let root = steps.iter().position(|step| *step == furthest).unwrap_or(0);
        let variables = local.program.graph.variables();
        let mut values = values_here(local.session, &variables)?;
        for (name, value) in &mut values {
            wire.share(name, value, root)?;
        }
        Assign::new(local, &variables)?.run(values)
    }

    fn plan(&self) -> Result<&Plan> {
        self.plan.as_ref().ok_or_else(|| Status::internal("training has not begun"))
    }

    /// Says how much of the exchange was hidden behind the backward pass.
    fn report(&self) {
        let Some(courier) = &self.courier else { return };
        let carried = courier.carried();
        tracing::info!(
            "gradients: {} buckets, {:.1} MB exchanged in {:.2} s; {:.1} MB and {:.2} s of it while the backward pass \
             still computed",
            carried.buckets,
            carried.bytes as f64 / 1e6,
            carried.time.as_secs_f64(),
            carried.bytes_hidden as f64 / 1e6,
            carried.hidden.as_secs_f64()
        );
    }
}

impl Exchange for AllReduce {
    fn begin(&mut self, local: &Local<'_>) -> Result<i64> {
        let own_step = match local.kept {
            Some(kept) => {
                let variables = local.program.graph.variables();
                Assign::new(local, &variables)?.run(kept.to_vec())?;
                step_here(local)?
            }
            None if self.rank == 0 => {
                (local.give_values)()?;
                step_here(local)?
            }
            None => {
                local.session.run(&[], &[&local.program.initialize])?;
                -1
            }
        };
        self.share_variables(local, own_step)?;
        let handed = handed(local)?;
        let place = handed.places.first();
        let place = place.ok_or_else(|| Status::internal("gradients that go nowhere"))?;
        let mut inputs: Vec<&Output> = Vec::new();
        for input in &place.group.inputs {
            inputs.extend(&input.indices);
            inputs.push(&input.values);
        }
        let apply = local.session.prepare(&inputs, &[&place.group.apply as &dyn Fetch])?;
        let resources = local.session.runner().resources().ok_or_else(|| {
            Status::internal("gradients are exchanged by a session that is not in this process")
        })?;
        let courier = Courier::start(self.wire.clone(), handed.loads())?;
        set_carrier(resources, courier.carrier())?;
        self.courier = Some(courier);
        let take_positions = Assign::new(local, &local.program.positions)?;
        let positions = values_here(local.session, &local.program.positions)?;
        self.positions = positions.into_iter().map(|(_, position)| position).collect();
        self.plan = Some(Plan { apply, take_positions });
        self.step = step_here(local)?;
        Ok(self.step)
    }

    fn ready(&mut self, local: &Local<'_>, position: &Tensor) -> Result<Option<String>> {
        let intent = if local.stop.is_set() { Intent::Last } else { Intent::GoOn };
        let own = position.strings()?.first().cloned().unwrap_or_default();
        let told = self.wire.lock().tell(intent, &own)?;
        self.ending = told.iter().any(|(intent, _)| *intent != Intent::GoOn);
        if let Some(gone) = told.iter().position(|(intent, _)| *intent == Intent::Gone) {
            return Ok(Some(format!("worker {gone} has ended training")));
        }
        let counted = |(_, bytes)| Ok(Tensor::string(ByteString::from_bytes(bytes)?));
        self.coming = told.into_iter().map(counted).collect::<Result<_>>()?;
        Ok(None)
    }

    fn step(&mut self, local: &Local<'_>, gradients: &[Tensor], _of: OfData) -> Result<i64> {
        let averages = gradients_of(handed(local)?, gradients)?;
        let mut feeds = Vec::with_capacity(averages.len());
        // One place has them all, in their order.
        for average in averages {
            match average {
                Gradient::Dense(value) => feeds.push(value),
                Gradient::Sparse { indices, rows } => feeds.extend([indices, rows]),
            }
        }
        // Some variables may have changed and others not: these values are no state of the model, and must not be saved.
        self.plan()?.apply.run(feeds).map_err(|e| {
            Status::internal(format!("the update was not applied as a whole: {}", e.message()))
        })?;
        self.positions = std::mem::take(&mut self.coming);
        self.step += 1;
        Ok(self.step)
    }

    fn is_ending(&self) -> bool {
        self.ending
    }

    fn refresh(&mut self, local: &Local<'_>) -> Result<()> {
        let names = local.program.positions.iter().map(|v: &Variable| v.name().to_string());
        self.plan()?.take_positions.run(names.zip(self.positions.iter().cloned()))
    }

    fn keep(&mut self, local: &Local<'_>) -> Option<Vec<Named<Tensor>>> {
        // Before the first step there is nothing to keep.
        self.plan.as_ref()?;
        self.refresh(local).ok()?;
        values_here(local.session, &local.program.graph.variables()).ok()
    }

    fn traffic(&self) -> Option<Traffic> {
        Some(self.wire.lock().traffic())
    }

    fn end(&mut self, _local: &Local<'_>) -> Result<()> {
        self.report();
        // Who still goes on learns it with its next step. The chief comes here when it has saved, so that the others
        // learn whether it has.
        let told = self.wire.lock().tell(Intent::Gone, &[]);
        match told {
            Err(status) if self.rank > 0 => Err(status),
            Err(status) => {
                tracing::debug!("telling the others that training has ended here: {status}");
                Ok(())
            }
            Ok(_) => Ok(()),
        }
    }
}

fn step_here(local: &Local<'_>) -> Result<i64> {
    local.session.fetch(&[], &local.program.global_step.value())?.to_scalar::<i64>()
}

#[cfg(test)]
mod tests;
