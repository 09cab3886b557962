//! ReaderRead and ReaderReadUpTo: the next record, or the next few.
//!
//! Protocol. A read borrows the reader's state. If no unit of work is in progress, it waits for one in the queue's line
//! of dequeues, which holds no thread; then it reads on an I/O thread until it has what it wants or the unit is used up.
//! In that case it waits for the next unit, and so on. Everything it has is in [`Reading`], which goes from one of these
//! places to the next. Dropped anywhere, it gives the reader back and ends the kernel.

use std::sync::Arc;
use std::task::Poll;

use downpour_graph::{OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{
    AsyncContext, AsyncKernel, CancellationToken, KernelBox, Outputs, Registry, run_on_io_thread,
};
use downpour_tensor::{ByteString, CountedVec, DataType, Result, Status, Tensor};
use parking_lot::Mutex;

use super::format::NextRecord;
use super::resource::{ReaderGuard, borrow_input};
use crate::handle::find_async;
use crate::queue::{Queue, Tuple};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for signature in [
        "ReaderReadV2(reader_handle: resource, queue_handle: resource) -> (key: string, value: string) @stateful",
        "ReaderRead(reader_handle: Ref(string), queue_handle: Ref(string)) -> (key: string, value: string)",
    ] {
        let spec = OpSpec::new(signature)?.shape(shapes::scalar).not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::asynchronous(Read { many: false })))?;
    }
    for signature in [
        "ReaderReadUpToV2(reader_handle: resource, queue_handle: resource, num_records: int64) -> (keys: string, values: string) @stateful",
        "ReaderReadUpTo(reader_handle: Ref(string), queue_handle: Ref(string), num_records: int64) -> (keys: string, values: string)",
    ] {
        let spec = OpSpec::new(signature)?.shape(vectors).not_differentiable();
        registry.add(spec, |_| Ok(KernelBox::asynchronous(Read { many: true })))?;
    }
    Ok(())
}

fn vectors(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, PartialShape::vector(None));
    cx.set_output(1, PartialShape::vector(None));
    Ok(())
}

struct Read {
    many: bool,
}

impl Read {
    fn wanted(&self, cx: &AsyncContext) -> Result<usize> {
        if !self.many {
            return Ok(1);
        }
        let wanted = cx.input(2);
        if wanted.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "num_records must be a scalar, got shape {}",
                wanted.shape()
            )));
        }
        let wanted = wanted.to_scalar::<i64>()?;
        usize::try_from(wanted).map_err(|_| {
            Status::invalid_argument(format!("num_records must be >= 0, got {wanted}"))
        })
    }
}

impl AsyncKernel for Read {
    fn start(&self, cx: AsyncContext) {
        let asked = self.wanted(&cx).and_then(|wanted| Ok((wanted, find_async::<Queue>(&cx, 1)?)));
        let (wanted, queue) = match asked {
            Ok(asked) => asked,
            Err(error) => return cx.finish(Err(error)),
        };
        let many = self.many;
        borrow_input(cx, move |cx, borrowed| {
            let (keys, values) = (CountedVec::new(), CountedVec::new());
            Reading { cx, borrowed, queue, wanted, many, keys, values }.proceed();
        });
    }
}

/// A read that is not finished.
struct Reading {
    cx: AsyncContext,
    borrowed: ReaderGuard,
    queue: Arc<Queue>,
    wanted: usize,
    many: bool,
    keys: CountedVec<ByteString>,
    values: CountedVec<ByteString>,
}

/// Where a read stands after a while on an I/O thread.
enum Outcome {
    Complete,
    NeedsWork,
}

impl Reading {
    fn proceed(mut self) {
        let state = self.borrowed.state();
        if self.values.len() == self.wanted {
            self.finish();
        } else if state.work_in_progress() || state.next_work.is_some() {
            self.read();
        } else {
            self.take_work();
        }
    }

    fn take_work(mut self) {
        let token = self.cx.step().cancellation().clone();
        let queue = self.queue.clone();
        queue.dequeue(&token, 1, false, false, move |taken| match taken.and_then(work) {
            Ok(work) => {
                self.borrowed.state().next_work = Some(work);
                self.read();
            }
            Err(error) => self.fail(error),
        });
    }

    /// Reads on an I/O thread.
    fn read(self) {
        let (node, step) = (self.cx.node().clone(), self.cx.step().clone());
        let token = step.cancellation().clone();
        let outcome = Arc::new(Mutex::new(Ok(Outcome::NeedsWork)));
        let place = Arc::new(Mutex::new(Some(self)));
        let (their_place, their_outcome) = (place.clone(), outcome.clone());
        let finish = Box::new(move |result: Result<Outputs>| {
            let Some(reading) = place.lock().take() else { return };
            let outcome = std::mem::replace(&mut *outcome.lock(), Ok(Outcome::NeedsWork));
            match result.and(outcome) {
                Ok(Outcome::Complete) => reading.finish(),
                Ok(Outcome::NeedsWork) => reading.proceed(),
                Err(error) => reading.fail(error),
            }
        });
        let job = AsyncContext::new(node, step, Default::default(), finish);
        let read = move |_: &mut AsyncContext| {
            if let Some(reading) = &mut *their_place.lock() {
                *their_outcome.lock() = reading.read_now(&token);
            }
            Poll::Ready(Ok(Outputs::new()))
        };
        run_on_io_thread(job, Box::new(read));
    }

    fn read_now(&mut self, token: &CancellationToken) -> Result<Outcome> {
        let stop = || token.check();
        let state = self.borrowed.state();
        if !state.work_in_progress() {
            state.start_work(&stop)?;
        }
        while self.values.len() < self.wanted {
            stop()?;
            let (record, is_last) = match state.format.read(&state.work, &stop)? {
                NextRecord::Record(record) => (Some(record), false),
                NextRecord::Last(record) => (Some(record), true),
                NextRecord::End => (None, true),
            };
            if is_last {
                state.finish_work();
            }
            if let Some(record) = record {
                state.records_produced = state.records_produced.saturating_add(1);
                self.keys.push(record.key)?;
                self.values.push(record.value)?;
            }
            if is_last {
                // Records that were read are not held back until there is more work.
                let found_some = !self.values.is_empty();
                return Ok(if found_some { Outcome::Complete } else { Outcome::NeedsWork });
            }
        }
        Ok(Outcome::Complete)
    }

    fn finish(self) {
        let Reading { cx, borrowed, many, keys, values, .. } = self;
        // Steps that wait for the reader need not wait for the rest of this one.
        drop(borrowed);
        let tensor = |mut strings: CountedVec<ByteString>| match many {
            true => Tensor::from_counted([strings.len()], strings),
            false => Ok(Tensor::string(strings.pop().unwrap_or_default())),
        };
        cx.finish(tensor(keys).and_then(|keys| Ok(vec![keys, tensor(values)?])));
    }

    fn fail(self, error: Status) {
        let Reading { cx, borrowed, .. } = self;
        drop(borrowed);
        cx.finish(Err(error));
    }
}

/// Returns the unit of work in an element of the queue.
fn work(mut taken: Vec<Tuple>) -> Result<ByteString> {
    let wrong = |what: &str| Err(Status::invalid_argument(what));
    match &taken.pop().unwrap_or_default()[..] {
        [work] if work.dtype() != DataType::String => {
            wrong("Expected queue with single string component")
        }
        [work] => match work.strings()? {
            [work] => Ok(work.clone()),
            _ => wrong("Expected to dequeue a one-element string tensor"),
        },
        _ => wrong("Expected single component queue"),
    }
}
