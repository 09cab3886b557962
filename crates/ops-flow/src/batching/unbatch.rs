//! Unbatch: gives each step its rows of what was computed for a batch.
//!
//! The step that has the batch cuts it up. Whoever is there already gets its rows at once, the rows of others wait for
//! them. Neither waits longer than the timeout.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::time::Duration;

use downpour_graph::OpSpec;
use downpour_runtime::{
    AsyncContext, AsyncKernel, CancelGuard, KernelBox, Registry, Resource, TimerGuard, after,
};
use downpour_tensor::{Result, Status, Tensor};
use parking_lot::Mutex;

use crate::handle::Place;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let signature =
        "Unbatch(batched_tensor: T, batch_index: int64, id: int64) -> (unbatched_tensor: T)
        timeout_micros: int
        container: string = ''
        shared_name: string = ''
        T: type";
    registry.add(OpSpec::new(signature)?.not_differentiable(), |build| {
        let micros = u64::try_from(build.int("timeout_micros")?).unwrap_or(0);
        let timeout = Duration::from_micros(micros);
        let place = Place::by_node_name(build.node())?;
        Ok(KernelBox::asynchronous(Unbatch { place, timeout }))
    })
}

struct Unbatch {
    place: Place,
    timeout: Duration,
}

/// Where rows and those who wait for them meet.
#[derive(Default)]
struct Meeting(Mutex<State>);

#[derive(Default)]
struct State {
    rows: HashMap<i64, (Tensor, Option<TimerGuard>)>,
    waiting: HashMap<i64, Waiting>,
}

struct Waiting {
    cx: AsyncContext,
    /// Kept only to be dropped with the kernel.
    timer: Option<TimerGuard>,
    guard: Option<CancelGuard>,
}

impl Resource for Meeting {
    fn describe(&self) -> String {
        let state = self.0.lock();
        format!("unbatching, {} waiting, {} waited for", state.waiting.len(), state.rows.len())
    }
}

impl AsyncKernel for Unbatch {
    fn start(&self, cx: AsyncContext) {
        let resources = cx.step().resources();
        let Place { container, name } = &self.place;
        let meeting: Result<Arc<Meeting>> =
            resources.lookup_or_create(container, name, || Ok(Meeting::default()));
        let ready = meeting.and_then(|meeting| {
            let (id, rows) = cut(&cx)?;
            Ok((meeting, id, rows))
        });
        match ready {
            Ok((meeting, id, rows)) => meeting.meet(cx, id, rows, self.timeout),
            Err(error) => cx.finish(Err(error)),
        }
    }
}

/// Returns the key of the call and the rows of a batch by key.
fn cut(cx: &AsyncContext) -> Result<(i64, Vec<(i64, Tensor)>)> {
    let (batch, index, id) = (cx.input(0), cx.input(1), cx.input(2));
    if id.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "Input id should be scalar; Got: {}.",
            id.shape()
        )));
    }
    let &[calls, 3] = index.dims() else {
        return Err(Status::invalid_argument(format!(
            "Wrong shape for index tensor. Expected a matrix whose 1st dimension size is 3; Got: {}.",
            index.shape()
        )));
    };
    let rows = batch.dims().first().copied().unwrap_or(0);
    if batch.rank() == 0 || calls > rows {
        return Err(Status::invalid_argument(format!(
            "Wrong shape for index tensor. Expected 0th dimension size to be no greater than {rows}; Got: {calls}."
        )));
    }
    let mut cut = Vec::with_capacity(calls);
    for entry in index.as_slice::<i64>()?.chunks_exact(3) {
        let place = |value: i64| usize::try_from(value).ok().filter(|&place| place <= rows);
        match (place(entry[1]), place(entry[2])) {
            (Some(start), Some(end)) if start <= end => {
                cut.push((entry[0], batch.rows(start, end)?));
            }
            _ => {
                return Err(Status::invalid_argument(format!(
                    "batch_index names rows {} to {} of a batch of {rows}",
                    entry[1], entry[2]
                )));
            }
        }
    }
    Ok((id.to_scalar()?, cut))
}

impl Meeting {
    fn meet(
        self: &Arc<Self>,
        cx: AsyncContext,
        id: i64,
        rows: Vec<(i64, Tensor)>,
        timeout: Duration,
    ) {
        let mut finished = Vec::new();
        let mut failed = None;
        let mut new_rows = Vec::new();
        let cancellation = cx.step().cancellation().clone();
        let mut is_waiting = false;
        {
            let mut state = self.0.lock();
            if let Some((tensor, timer)) = state.rows.remove(&id) {
                finished.push((Waiting { cx, timer, guard: None }, tensor));
            } else if let Entry::Vacant(place) = state.waiting.entry(id) {
                place.insert(Waiting { cx, timer: None, guard: None });
                for (key, tensor) in rows {
                    match state.waiting.remove(&key) {
                        Some(waiting) => finished.push((waiting, tensor)),
                        None if state.rows.contains_key(&key) => {
                            let own = state.waiting.remove(&id);
                            let what = "Multiple tensors returned for same batch key.";
                            failed = own.map(|own| (own.cx, what)).or(failed);
                        }
                        None => {
                            state.rows.insert(key, (tensor, None));
                            new_rows.push(key);
                        }
                    }
                }
                is_waiting = state.waiting.contains_key(&id);
            } else {
                failed = Some((cx, "Multiple session runs with the same batch key."));
            }
        }
        for key in new_rows {
            self.limit_rows(key, timeout);
        }
        if is_waiting {
            self.limit_waiting(id, timeout, &cancellation);
        }
        for (waiting, tensor) in finished {
            waiting.finish(Ok(vec![tensor]));
        }
        if let Some((cx, what)) = failed {
            cx.finish(Err(Status::already_exists(what)));
        }
    }

    fn limit_rows(self: &Arc<Self>, key: i64, timeout: Duration) {
        let meeting = Arc::downgrade(self);
        let timer = after(timeout, move || {
            if let Some(meeting) = meeting.upgrade() {
                drop(meeting.0.lock().rows.remove(&key));
            }
        });
        let mut timer = Some(timer);
        if let Some(rows) = self.0.lock().rows.get_mut(&key) {
            rows.1 = timer.take();
        }
        drop(timer);
    }

    fn limit_waiting(
        self: &Arc<Self>,
        id: i64,
        timeout: Duration,
        token: &downpour_runtime::CancellationToken,
    ) {
        let end = |error: fn() -> Status| {
            let meeting = Arc::downgrade(self);
            move || {
                let waiting = meeting.upgrade().and_then(|m| m.0.lock().waiting.remove(&id));
                if let Some(waiting) = waiting {
                    waiting.finish(Err(error()));
                }
            }
        };
        const LATE: &str = "Batched data did not arrive within timeout window.";
        let mut timer = Some(after(timeout, end(|| Status::deadline_exceeded(LATE))));
        let cancelled = || Status::cancelled("Unbatch was cancelled").derived();
        let mut guard = Some(token.on_cancel(end(cancelled)));
        if let Some(waiting) = self.0.lock().waiting.get_mut(&id) {
            waiting.timer = timer.take();
            waiting.guard = guard.take();
        }
        drop((timer, guard));
    }
}

impl Waiting {
    fn finish(self, result: Result<Vec<Tensor>>) {
        drop((self.timer, self.guard));
        self.cx.finish(result);
    }
}
