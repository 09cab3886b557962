//! The resource behind a reader's handle.
//!
//! A read may wait for work or for a disk, and no thread and no lock is held meanwhile: whoever reads takes the whole
//! state out of the reader ([`Reader::borrow`]) and gives it back by dropping what it got. Others wait in line for it.

use std::sync::Arc;

use downpour_graph::OpSpec;
use downpour_runtime::{
    AsyncContext, CancellationToken, Kernel, KernelBox, KernelBuild, OpContext, Resource,
};
use downpour_tensor::{ByteString, Code, Result, Status};

use super::format::{Format, Stop};
use crate::handle::{Place, find_async, set_handle};
use crate::queue::handle_shape;
use crate::waiting::{Monitor, Order};

pub(super) struct Reader {
    /// The kind and the node, for messages.
    pub name: String,
    /// None while somebody has borrowed it.
    state: Arc<Monitor<Option<Box<State>>, (), Box<State>>>,
}

/// The progress of a reader, and the unit of work it is at.
pub(super) struct State {
    pub format: Box<dyn Format>,
    pub work: ByteString,
    /// The next unit, which was taken from the queue but not begun.
    pub next_work: Option<ByteString>,
    pub work_started: i64,
    pub work_finished: i64,
    pub records_produced: i64,
}

impl State {
    pub fn work_in_progress(&self) -> bool {
        self.work_started > self.work_finished
    }

    /// Begins with the next unit of work, which stays the next if it is cancelled.
    pub fn start_work(&mut self, stop: Stop<'_>) -> Result<()> {
        let Some(work) = self.next_work.take() else {
            return Err(Status::internal("there is no work to begin with"));
        };
        if let Err(error) = self.format.start(&work, stop) {
            if error.code() == Code::Cancelled {
                self.next_work = Some(work);
            }
            return Err(error);
        }
        self.work = work;
        self.work_started = self.work_started.saturating_add(1);
        Ok(())
    }

    pub fn finish_work(&mut self) {
        self.work_finished = self.work_started;
    }

    pub fn reset(&mut self) {
        self.format.reset();
        self.work = ByteString::default();
        self.next_work = None;
        (self.work_started, self.work_finished, self.records_produced) = (0, 0, 0);
    }
}

/// A reader's state, which goes back to the reader when this is dropped.
pub(super) struct ReaderGuard {
    reader: Arc<Reader>,
    /// Taken only by `drop`.
    state: Option<Box<State>>,
}

impl ReaderGuard {
    pub fn state(&mut self) -> &mut State {
        self.state.as_mut().expect("only drop takes the state")
    }

    pub fn reader(&self) -> &Reader {
        &self.reader
    }
}

impl Drop for ReaderGuard {
    fn drop(&mut self) {
        let state = self.state.take();
        self.reader.state.change(|place| *place = state);
    }
}

impl Reader {
    fn new(name: String, format: Box<dyn Format>) -> Reader {
        let state = State {
            format,
            work: ByteString::default(),
            next_work: None,
            work_started: 0,
            work_finished: 0,
            records_produced: 0,
        };
        let lend = |place: &mut Option<Box<State>>, _: &mut ()| place.take().map(Ok);
        let cancelled = "Waiting for a reader was cancelled";
        let state = Monitor::new(Some(Box::new(state)), lend, Order::Strict, cancelled);
        Reader { name, state }
    }

    /// Borrows the state when nobody else has it any more.
    pub fn borrow(
        self: &Arc<Reader>,
        token: &CancellationToken,
        done: impl FnOnce(Result<ReaderGuard>) + Send + 'static,
    ) {
        let reader = self.clone();
        self.state.ask(token, (), move |state| {
            done(state.map(|state| ReaderGuard { reader, state: Some(state) }));
        });
    }
}

impl Resource for Reader {
    fn describe(&self) -> String {
        let read = self.state.look(|state| state.as_ref().map(|state| state.records_produced));
        match read {
            Some(records) => format!("{}, {records} records read", self.name),
            None => format!("{}, reading", self.name),
        }
    }
}

/// Borrows the state of the reader that input 0 names, or finishes the kernel with an error.
pub(super) fn borrow_input(
    cx: AsyncContext,
    with: impl FnOnce(AsyncContext, ReaderGuard) + Send + 'static,
) {
    let reader = match find_async::<Reader>(&cx, 0) {
        Ok(reader) => reader,
        Err(error) => return cx.finish(Err(error)),
    };
    let step = cx.step().clone();
    reader.borrow(step.cancellation(), move |borrowed| match borrowed {
        Ok(borrowed) => with(cx, borrowed),
        Err(error) => cx.finish(Err(error)),
    });
}

/// Returns an operation that makes a reader, or finds the shared one.
pub(super) fn spec(signature: &str) -> Result<OpSpec> {
    Ok(OpSpec::new(signature)?.shape(handle_shape).not_differentiable())
}

/// Returns the kernel of an operation that makes a reader of the format that `make` gives.
pub(super) fn create(
    build: &KernelBuild<'_>,
    make: impl Fn() -> Box<dyn Format> + Send + Sync + 'static,
) -> Result<KernelBox> {
    let op = build.op_name();
    let name = format!("{} '{}'", op.strip_suffix("V2").unwrap_or(op), build.name);
    let place = Place::by_node_name(build.node())?;
    Ok(KernelBox::new(Create { place, name, make: Box::new(make) }))
}

struct Create {
    place: Place,
    name: String,
    make: Box<dyn Fn() -> Box<dyn Format> + Send + Sync>,
}

impl Kernel for Create {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let make = || Ok(Reader::new(self.name.clone(), (self.make)()));
        cx.resources().lookup_or_create(&self.place.container, &self.place.name, make)?;
        set_handle::<Reader>(cx, &self.place)
    }
}
