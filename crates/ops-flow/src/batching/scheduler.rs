//! Gathers calls into batches and has these computed.
//!
//! Protocol. Calls are added to the last batch in line while it has room, then to a new one. A batch is ready when it is
//! full or its time is over. The first in line is taken when it is ready and fewer batches are being computed than
//! allowed; whoever computes it holds a [`Turn`], and dropping that lets the next one begin. All of this is under one
//! lock; batches are computed, timers are dropped and calls are ended after it is released. A call that is cancelled
//! leaves the line, or its rows are computed for nobody.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use downpour_runtime::{Resource, TimerGuard, after};
use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use super::call::Call;
use super::limits::Limits;

pub(super) struct Scheduler {
    pub limits: Limits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    line: VecDeque<Batch>,
    /// Batches that are being computed.
    running: usize,
    next_id: u64,
}

struct Batch {
    id: u64,
    parts: Vec<Part>,
    rows: usize,
    is_ready: bool,
    /// Kept only to be dropped with the batch.
    timer: Option<TimerGuard>,
}

/// Rows of a call in a batch.
pub(super) struct Part {
    pub call: Arc<Call>,
    /// Which part of its call it is.
    pub number: usize,
    pub rows: Range<usize>,
    /// Computes batches in which this part is the last.
    compute: Arc<dyn Compute>,
}

/// Computes a batch, and ends its calls or their parts.
pub(super) trait Compute: Send + Sync {
    fn compute(&self, parts: Vec<Part>, turn: Turn);
}

/// The right to compute a batch.
pub(super) struct Turn(Arc<Scheduler>);

impl Turn {
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.state.lock().running -= 1;
        self.0.advance();
    }
}

impl Resource for Scheduler {
    fn describe(&self) -> String {
        let state = self.state.lock();
        format!("batching queue, {} batches waiting, {} running", state.line.len(), state.running)
    }
}

impl Scheduler {
    pub fn new(limits: Limits) -> Scheduler {
        Scheduler { limits, state: Mutex::default() }
    }

    /// Adds a call, which `compute` will end together with others.
    pub fn submit(self: &Arc<Self>, call: &Arc<Call>, compute: Arc<dyn Compute>) -> Result<()> {
        let limits = &self.limits;
        if call.rows > limits.call_rows {
            return Err(Status::invalid_argument(format!(
                "Task size {} is larger than maximum input batch size {}",
                call.rows, limits.call_rows
            )));
        }
        let new = {
            let mut state = self.state.lock();
            state.check_room(call.rows, limits)?;
            state.add(call, &compute, limits)
        };
        for id in new {
            self.limit_time(id);
        }
        let scheduler = Arc::downgrade(self);
        call.watch(move |call| {
            if let Some(scheduler) = scheduler.upgrade() {
                scheduler.forget(call);
            }
        });
        self.advance();
        Ok(())
    }

    /// Makes a batch ready when it has waited long enough.
    fn limit_time(self: &Arc<Self>, id: u64) {
        let scheduler = Arc::downgrade(self);
        let timer = after(self.limits.timeout, move || {
            if let Some(scheduler) = scheduler.upgrade() {
                if let Some(batch) = scheduler.state.lock().find(id) {
                    batch.is_ready = true;
                }
                scheduler.advance();
            }
        });
        let mut timer = Some(timer);
        if let Some(batch) = self.state.lock().find(id) {
            batch.timer = timer.take();
        }
        drop(timer);
    }

    /// Takes a call out of the line.
    fn forget(self: &Arc<Self>, call: &Call) {
        let mut unused = Vec::new();
        {
            let mut state = self.state.lock();
            for batch in &mut state.line {
                let parts = std::mem::take(&mut batch.parts);
                let (theirs, others) =
                    parts.into_iter().partition(|part| part.call.key == call.key);
                batch.parts = others;
                batch.rows = batch.parts.iter().map(|part| part.rows.len()).sum();
                unused.push(theirs);
            }
        }
        let _: Vec<Vec<Part>> = unused;
        self.advance();
    }

    fn advance(self: &Arc<Self>) {
        while let Some(batch) = self.take() {
            let Batch { mut parts, timer, .. } = batch;
            drop(timer);
            let turn = Turn(self.clone());
            parts.retain(|part| !part.call.is_over());
            if let Some(last) = parts.last() {
                last.compute.clone().compute(parts, turn);
            }
        }
    }

    fn take(&self) -> Option<Batch> {
        let mut state = self.state.lock();
        if state.running >= self.limits.threads || !state.line.front()?.is_ready {
            return None;
        }
        state.running += 1;
        state.line.pop_front()
    }
}

impl State {
    fn find(&mut self, id: u64) -> Option<&mut Batch> {
        self.line.iter_mut().find(|batch| batch.id == id)
    }

    /// Rows that fit into the last batch.
    fn room(&self, limits: &Limits) -> usize {
        self.line.back().map_or(0, |batch| limits.batch_rows.saturating_sub(batch.rows))
    }

    fn check_room(&self, rows: usize, limits: &Limits) -> Result<()> {
        let room = self.room(limits);
        let free = limits.batches.saturating_sub(self.line.len());
        let fits = match limits.splits {
            true => rows <= free.saturating_mul(limits.batch_rows).saturating_add(room),
            false => rows <= room || free > 0,
        };
        if fits {
            return Ok(());
        }
        Err(Status::unavailable(format!(
            "The batch scheduling queue to which this task was submitted is full; currently {} batches enqueued and \
             max_enqueued_batches is {}",
            self.line.len(),
            limits.batches
        )))
    }

    /// Adds a call to the last batch and to new ones; returns which ones are new.
    fn add(&mut self, call: &Arc<Call>, compute: &Arc<dyn Compute>, limits: &Limits) -> Vec<u64> {
        let mut new = Vec::new();
        let mut start = 0;
        let mut number = 0;
        let mut sizes = Vec::new();
        let mut room = self.room(limits);
        while start < call.rows {
            let left = call.rows - start;
            let starts_batch = if limits.splits { room == 0 } else { left > room };
            if starts_batch {
                new.push(self.next_id);
                self.line.push_back(Batch {
                    id: self.next_id,
                    parts: Vec::new(),
                    rows: 0,
                    is_ready: limits.timeout.is_zero(),
                    timer: None,
                });
                self.next_id += 1;
                room = limits.batch_rows;
            }
            let size = left.min(room);
            if let Some(batch) = self.line.back_mut() {
                let rows = start..start + size;
                batch.parts.push(Part {
                    call: call.clone(),
                    number,
                    rows,
                    compute: compute.clone(),
                });
                batch.rows += size;
            }
            sizes.push(size);
            start += size;
            number += 1;
            room -= size;
        }
        call.expect_parts(sizes.len());
        // A full batch, or one that another follows, waits for nothing more.
        let last = self.line.len().saturating_sub(1);
        for (i, batch) in self.line.iter_mut().enumerate() {
            batch.is_ready |= i < last || batch.rows >= limits.batch_rows;
        }
        new
    }
}
