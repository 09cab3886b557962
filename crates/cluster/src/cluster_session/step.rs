//! One step over several tasks.
//!
//! Protocol. The master chooses a number and tells every task that has a part to run it. Feeds go to the
//! parts and fetches come back by slot, through the master's own worker; TensorFlow's tasks take and give
//! them by name, with the call that runs the part. The first part that fails ends the others: every task is
//! told that the step has ended, and aborts what still waits there. They are told the same after a step
//! that went well, but then it can wait for the next message. The error reported is the first that is not
//! itself caused by the end of the step.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use downpour_graph::Port;
use downpour_runtime::{Crossing, Rendezvous, Slot, StepTrace};
use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto;
use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::sync::oneshot;

use super::ClusterSession;
use super::task::{PartResult, Task};
use crate::worker::{RunPart, Tells, Worker, alive};

/// A signature with its partitions registered.
pub struct PreparedStep {
    pub(super) parts: Vec<Part>,
    pub(super) feeds: Vec<Port>,
    pub(super) fetches: Vec<Port>,
    pub(super) fetch_names: Vec<String>,
}

pub struct Part {
    pub(super) task: usize,
    pub(super) graph: String,
    /// The feeds and fetches that cross here, by number.
    feeds: Vec<usize>,
    fetches: Vec<usize>,
}

impl PreparedStep {
    /// From the registered graph of each task, and where feeds and fetches cross.
    pub(super) fn new(
        graphs: Vec<(usize, String)>,
        feeds: Vec<Port>,
        fetches: Vec<Port>,
        fetch_names: Vec<String>,
    ) -> PreparedStep {
        let mut parts: Vec<Part> = graphs
            .into_iter()
            .map(|(task, graph)| Part { task, graph, feeds: Vec::new(), fetches: Vec::new() })
            .collect();
        feeds.iter().enumerate().for_each(|(i, port)| parts[port.part].feeds.push(i));
        fetches.iter().enumerate().for_each(|(i, port)| parts[port.part].fetches.push(i));
        PreparedStep { parts, feeds, fetches, fetch_names }
    }
}

/// What a traced step reports, by part.
pub type PartStats = Vec<proto::StepStats>;

impl ClusterSession {
    /// Runs a step on all its tasks and returns the fetched tensors; closing the session ends it.
    pub async fn run(
        &self,
        step: &Arc<PreparedStep>,
        feeds: Vec<Tensor>,
        traced: bool,
    ) -> Result<(Vec<Tensor>, PartStats)> {
        let mut closed = self.closed.subscribe();
        tokio::select! {
            result = self.run_parts(step, feeds, traced) => result,
            _ = closed.wait_for(|closed| *closed) => Err(Status::cancelled(
                "Step was cancelled by an explicit call to `Session::Close()`.",
            )),
        }
    }

    async fn run_parts(
        &self,
        step: &Arc<PreparedStep>,
        feeds: Vec<Tensor>,
        traced: bool,
    ) -> Result<(Vec<Tensor>, PartStats)> {
        if feeds.len() != step.feeds.len() {
            return Err(Status::invalid_argument(format!(
                "the step takes {} fed tensors but got {}",
                step.feeds.len(),
                feeds.len()
            )));
        }
        let id = self.step_id();
        let mut end = End::new(self, step, id);
        let fetched = Fetched::expect(&self.worker, id, self, step)?;
        for (port, value) in step.feeds.iter().zip(&feeds) {
            let task = self.task_of(step, port);
            if task.is_linked() {
                task.feed(id, port.slot, value.clone()).await?;
            }
        }
        let mut results = self.run_to_end(step, id, &feeds, traced, &end).await?;
        let stats = results.iter_mut().filter_map(|result| result.stats.take()).collect();
        let tensors = fetched.all(step, results).await?;
        end.failed = false;
        Ok((tensors, stats))
    }

    /// Runs all parts; what crosses by slot does so meanwhile.
    pub(super) async fn run_to_end(
        &self,
        step: &PreparedStep,
        id: i64,
        feeds: &[Tensor],
        traced: bool,
        end: &End<'_>,
    ) -> Result<Vec<PartResult>> {
        // Other tasks first: their orders have a way to go.
        let is_here = |(_, part): &(usize, &Part)| self.tasks[part.task].is_here();
        let parts = || step.parts.iter().enumerate();
        let mut running: FuturesUnordered<_> = parts()
            .filter(|part| !is_here(part))
            .chain(parts().filter(is_here))
            .map(|(index, part)| {
                let task = &self.tasks[part.task];
                let run = self.run_part(step, index, id, feeds, traced);
                let handle = self.handle.clone();
                async move { (index, task.run(run, handle).await) }
            })
            .collect();
        let mut results: Vec<PartResult> = Vec::new();
        results.resize_with(step.parts.len(), PartResult::default);
        let mut error: Option<Status> = None;
        while let Some((index, result)) = running.next().await {
            match result {
                Ok(result) => results[index] = result,
                Err(status) => {
                    if error.is_none() {
                        // The others would wait for values that never come.
                        end.now();
                    }
                    if error.as_ref().is_none_or(|e| Tells::of(e) < Tells::of(&status)) {
                        error = Some(status);
                    }
                }
            }
        }
        match error {
            Some(status) => Err(status),
            None => Ok(results),
        }
    }

    pub(super) fn tasks_of<'a>(&'a self, step: &'a PreparedStep) -> impl Iterator<Item = &'a Task> {
        step.parts.iter().map(|part| &self.tasks[part.task])
    }

    pub(super) fn task_of(&self, step: &PreparedStep, port: &Port) -> &Task {
        &self.tasks[step.parts[port.part].task]
    }

    /// A part's orders; what crosses by name is for tasks that cannot be linked.
    fn run_part(
        &self,
        step: &PreparedStep,
        index: usize,
        id: i64,
        feeds: &[Tensor],
        traced: bool,
    ) -> RunPart {
        let part = &step.parts[index];
        let mut run = RunPart {
            graph: part.graph.clone(),
            step: id,
            feeds: Vec::new(),
            fetches: Vec::new(),
            trace: traced.then(StepTrace::new),
        };
        if !self.tasks[part.task].is_linked() {
            let fed = part.feeds.iter().map(|&i| (step.feeds[i].key.clone(), feeds[i].clone()));
            run.feeds = fed.collect();
            run.fetches = part.fetches.iter().map(|&i| step.fetches[i].key.clone()).collect();
        }
        run
    }

    /// Numbers that no other master of the cluster uses.
    pub(super) fn step_id(&self) -> i64 {
        let number = self.next_step.fetch_add(1, Ordering::Relaxed);
        (RandomState::new().hash_one((self.salt, number)) >> 1) as i64
    }
}

/// Fetched values that are still to come, by the number of the fetch. Those of TensorFlow's tasks come by
/// name instead of by slot.
pub(super) struct Fetched(Vec<(usize, Option<oneshot::Receiver<Result<Crossing>>>)>);

impl Fetched {
    pub fn expect(
        worker: &Arc<Worker>,
        id: i64,
        session: &ClusterSession,
        step: &PreparedStep,
    ) -> Result<Fetched> {
        let home = worker.step(id)?;
        // The master itself holds the step: it ends it.
        home.claim(Some(worker.device().incarnation()), &[]);
        let expect = |port: &Port| {
            session.task_of(step, port).is_linked().then(|| {
                let (send, receive) = oneshot::channel();
                let done = Box::new(move |value| drop(send.send(value)));
                home.rendezvous.receive_slot(Slot::new(port.slot), done);
                receive
            })
        };
        Ok(Fetched(step.fetches.iter().map(expect).enumerate().collect()))
    }

    /// Takes some of them out, in the order asked for; the error is one that is not there.
    pub fn take(&mut self, wanted: &[usize]) -> std::result::Result<Fetched, usize> {
        let is_there = |index: &usize| self.0.iter().any(|(known, _)| known == index);
        if let Some(missing) = wanted.iter().find(|index| !is_there(index)) {
            return Err(*missing);
        }
        let mut taken = Vec::with_capacity(wanted.len());
        for index in wanted {
            // A value asked for twice is there once.
            let place = self.0.iter().position(|(known, _)| known == index).ok_or(*index)?;
            taken.push(self.0.swap_remove(place));
        }
        Ok(Fetched(taken))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The values in order, with those that the parts gave by name.
    pub async fn all(self, step: &PreparedStep, results: Vec<PartResult>) -> Result<Vec<Tensor>> {
        let mut named: Vec<_> = results.into_iter().map(|r| r.tensors.into_iter()).collect();
        let missing = || Status::internal("a fetched tensor is missing");
        let mut all = Vec::with_capacity(self.0.len());
        for (index, value) in self.0 {
            all.push(match value {
                Some(value) => {
                    let value = value.await.map_err(|_| missing())??;
                    alive(value, &step.fetch_names[index])?
                }
                None => {
                    let part = step.fetches[index].part;
                    named.get_mut(part).and_then(Iterator::next).ok_or_else(missing)?
                }
            });
        }
        Ok(all)
    }
}

/// Ends a step on all its tasks, at the latest when the step's call is dropped.
pub(super) struct End<'a> {
    session: &'a ClusterSession,
    step: &'a PreparedStep,
    id: i64,
    /// Somebody may still wait on some task.
    pub failed: bool,
}

impl<'a> End<'a> {
    pub fn new(session: &'a ClusterSession, step: &'a PreparedStep, id: i64) -> End<'a> {
        End { session, step, id, failed: true }
    }

    fn now(&self) {
        for part in &self.step.parts {
            self.session.tasks[part.task].end(self.id, self.failed);
        }
        self.session.worker.clean_up(self.id);
    }
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.now();
    }
}
