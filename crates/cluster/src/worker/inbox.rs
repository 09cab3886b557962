//! What arrives over links: values for steps here, parts of steps to run, the end of steps and of tasks.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use downpour_runtime::StepTrace;
use downpour_tensor::{Result, Status};
use prost::Message;

use super::{StartPart, Worker};
use crate::grpc_status::shorten;
use crate::link::{Arrived, Done, Inbox, Link, Run};
use crate::metadata;

impl Inbox for Worker {
    /// Hands values to those who wait for them, on a compute thread.
    fn arrived(&self, values: Vec<Arrived>, link: u64) -> Result<()> {
        let mut met = Vec::new();
        for Arrived { step, slot, value } in values {
            // A step that has ended needs no values.
            let Some(state) = self.steps.of_link(step, link, || self.new_step(step))? else {
                continue;
            };
            match value {
                Ok(value) => {
                    if let Ok(Some(waiting)) = state.rendezvous.local().deliver(slot, value) {
                        met.push(waiting);
                    }
                }
                Err(status) => state.abort(status),
            }
        }
        if !met.is_empty() {
            let all = move || met.into_iter().for_each(|(done, value)| done(Ok(value)));
            self.device.pool().spawn(all);
        }
        Ok(())
    }

    fn ended(&self, step: i64) {
        self.clean_up(step);
    }

    fn run(self: Arc<Self>, run: Run, master: &Arc<Link>) {
        self.run_for(run, master);
    }

    fn lost(&self, incarnation: u64, status: &Status) {
        self.steps.lost(incarnation, status);
    }

    fn closed(&self, link: u64, status: &Status) {
        self.steps.closed(link, status);
    }
}

impl Worker {
    /// Runs a part for a master at the other end of a link.
    fn run_for(self: &Arc<Self>, run: Run, master: &Arc<Link>) {
        let trace = run.traced.then(StepTrace::new);
        let part = StartPart {
            graph: run.graph.clone(),
            step: run.step,
            master: Some(master.incarnation()),
            age: Some(Duration::from_millis(run.age)),
            trace: trace.clone(),
        };
        let (worker, link) = (self.clone(), master.clone());
        let started = self.start(part, move |result| {
            let stats = trace.map(|trace| worker.stats(&run.graph, &trace)).unwrap_or_default();
            link.done(answer(run.step, result, stats));
        });
        if let Err(status) = started {
            master.done(answer(run.step, Err(status), Bytes::new()));
        }
    }

    fn stats(&self, graph: &str, trace: &StepTrace) -> Bytes {
        match self.device_of(graph) {
            Ok(device) => metadata::step_stats(trace, device.name()).encode_to_vec().into(),
            // The session was closed meanwhile: nobody reads them.
            Err(_) => Bytes::new(),
        }
    }
}

fn answer(step: i64, result: Result<()>, stats: Bytes) -> Done {
    match result {
        Ok(()) => Done { step, stats, ..Done::default() },
        Err(status) => Done {
            step,
            code: status.code() as i32,
            message: shorten(status.message()),
            derived: status.is_derived(),
            stats,
        },
    }
}
