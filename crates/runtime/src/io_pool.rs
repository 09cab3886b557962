//! Threads for operations that read and write files.
//!
//! A disk, a network file system or a pipe may let its reader wait, and compute threads never wait; so file operations
//! are asynchronous kernels whose work is done here, on a few threads that all sessions of the process share.
//!
//! Protocol.
//!
//! 1. A `Job` is the kernel's context and its work. It is in one of three places: in its `Slot` (queued, or waiting to
//!    be tried again), on the one I/O thread that runs it (the slot is empty), or gone (finished). Whoever takes it out
//!    of the slot owns it, so it is finished exactly once.
//! 2. Work that would have to wait for somebody (a pipe that nobody has written to) returns `Pending` instead. The job
//!    goes back into its slot and a timer queues it again after a while: it holds no thread meanwhile.
//! 3. When the step is cancelled or its deadline passes, the callback takes the job out of its slot and finishes it.
//!    If the slot is empty, a thread runs the job at this moment: long work asks `is_cancelled` between its pieces, and
//!    the thread looks again after it has put a pending job back, because the callback may have come just before.
//! 4. Success is handed to a compute thread, which goes on with the graph: I/O threads do not compute.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock, Weak};
use std::task::Poll;
use std::time::Duration;

use downpour_tensor::{Result, Status};
use parking_lot::{Condvar, Mutex};

use crate::async_context::AsyncContext;
use crate::cancellation::CancelGuard;
use crate::kernel::{AsyncKernel, Kernel};
use crate::timer::{TimerGuard, after};
use crate::value::Outputs;

/// More threads would only make a disk seek more.
const THREADS: usize = 8;
/// How long pending work waits before it is tried again: at first, and at most.
const FIRST_WAIT: Duration = Duration::from_millis(2);
const LONGEST_WAIT: Duration = Duration::from_millis(50);

/// The work of a file operation. It is called again after a while as long as it returns `Pending`.
pub type IoWork = Box<dyn FnMut(&mut AsyncContext) -> Poll<Result<Outputs>> + Send>;

struct Job {
    cx: AsyncContext,
    work: IoWork,
    wait: Duration,
}

#[derive(Default)]
struct Slot {
    job: Mutex<Option<Job>>,
    /// Kept only to be dropped with the slot.
    on_cancel: Mutex<Option<CancelGuard>>,
    retry: Mutex<Option<TimerGuard>>,
}

#[derive(Default)]
struct Pool {
    queue: Mutex<VecDeque<Arc<Slot>>>,
    ready: Condvar,
}

/// The pool, if the system gave it a thread at least.
fn pool() -> Option<&'static Pool> {
    static POOL: OnceLock<Pool> = OnceLock::new();
    static STARTED: OnceLock<usize> = OnceLock::new();
    let pool = POOL.get_or_init(Pool::default);
    let start = |i: &usize| {
        let thread = std::thread::Builder::new().name(format!("io-{i}"));
        thread.spawn(|| serve(pool)).is_ok()
    };
    (*STARTED.get_or_init(|| (0..THREADS).filter(start).count()) > 0).then_some(pool)
}

/// Does the work of an asynchronous kernel on an I/O thread and finishes the kernel with its result.
pub fn run_on_io_thread(cx: AsyncContext, work: IoWork) {
    let Some(pool) = pool() else {
        let what = format!("{}: the system has no threads left for files", cx.node().op_name());
        return cx.finish(Err(Status::resource_exhausted(what)));
    };
    let cancellation = cx.step().cancellation().clone();
    let slot = Arc::new(Slot::default());
    *slot.job.lock() = Some(Job { cx, work, wait: FIRST_WAIT });
    let weak: Weak<Slot> = Arc::downgrade(&slot);
    let guard = cancellation.on_cancel(move || {
        if let Some(slot) = weak.upgrade() {
            cancel(&slot);
        }
    });
    *slot.on_cancel.lock() = Some(guard);
    enqueue(pool, slot);
}

fn enqueue(pool: &Pool, slot: Arc<Slot>) {
    pool.queue.lock().push_back(slot);
    pool.ready.notify_one();
}

fn cancel(slot: &Slot) {
    let job = slot.job.lock().take();
    if let Some(Job { cx, .. }) = job {
        let what = format!("{} was cancelled", cx.node().op_name());
        cx.finish(Err(Status::cancelled(what).derived()));
    }
}

fn serve(pool: &'static Pool) {
    loop {
        let slot = {
            let mut queue = pool.queue.lock();
            loop {
                match queue.pop_front() {
                    Some(slot) => break slot,
                    None => pool.ready.wait(&mut queue),
                }
            }
        };
        // A panic drops the context, which finishes the kernel with an error.
        drop(catch_unwind(AssertUnwindSafe(|| run(pool, slot))));
    }
}

fn run(pool: &'static Pool, slot: Arc<Slot>) {
    let Some(mut job) = slot.job.lock().take() else { return };
    match (job.work)(&mut job.cx) {
        Poll::Ready(result) => finish(job.cx, result),
        Poll::Pending => {
            let cancellation = job.cx.step().cancellation().clone();
            let wait = job.wait;
            job.wait = (wait * 2).min(LONGEST_WAIT);
            *slot.job.lock() = Some(job);
            if cancellation.is_cancelled() {
                return cancel(&slot);
            }
            let again = slot.clone();
            // Locked before the timer exists: if it fires at once, the next one is stored after this one.
            let mut retry = slot.retry.lock();
            *retry = Some(after(wait, move || enqueue(pool, again)));
        }
    }
}

fn finish(cx: AsyncContext, result: Result<Outputs>) {
    match cx.step().parallel().pool().cloned() {
        Some(pool) => pool.spawn(move || cx.finish_values(result)),
        None => cx.finish_values(result),
    }
}

/// Computes on an I/O thread.
pub(crate) struct Blocking(pub Arc<dyn Kernel>);

impl AsyncKernel for Blocking {
    fn start(&self, cx: AsyncContext) {
        let kernel = self.0.clone();
        run_on_io_thread(cx, Box::new(move |cx| Poll::Ready(cx.compute(&*kernel))));
    }

    fn expensive(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use downpour_graph::{Attrs, Graph, GraphBuilder, Node, OpSpec};
    use smallvec::SmallVec;

    use super::*;
    use crate::cancellation::CancellationToken;
    use crate::pool::{ComputePool, Parallel};
    use crate::registry::Registry;
    use crate::resource::ResourceManager;
    use crate::step::{Step, StepConfig};

    fn node() -> Arc<Node> {
        let mut registry = Registry::new();
        registry.add_without_kernel(OpSpec::new("Wait() -> () @stateful").unwrap()).unwrap();
        let mut graph = Graph::new();
        let mut builder = GraphBuilder::new(&mut graph, registry.ops());
        let id = builder.add_named("wait", "Wait", &[], Attrs::new()).unwrap();
        Arc::new(graph.node(id).clone())
    }

    type Finished = mpsc::Receiver<(Result<Outputs>, Option<String>)>;

    /// Starts work in a step of its own; its result comes with the name of the thread that finished it.
    fn start(token: &CancellationToken, work: IoWork) -> Finished {
        let step = Step::new(StepConfig {
            id: 1,
            resources: Arc::new(ResourceManager::new()),
            parallel: Parallel::new(ComputePool::new(1).unwrap(), 1),
            cancellation: token.clone(),
            device: "".into(),
            trace: None,
            rendezvous: None,
        });
        let (send, receive) = mpsc::channel();
        let finish = Box::new(move |result| {
            let thread = std::thread::current().name().map(String::from);
            drop(send.send((result, thread)));
        });
        run_on_io_thread(AsyncContext::new(node(), step, SmallVec::new(), finish), work);
        receive
    }

    #[test]
    fn work_is_done_on_io_threads_and_goes_on_on_compute_threads() {
        let (send, receive) = mpsc::channel();
        let finished = start(
            &CancellationToken::new(),
            Box::new(move |_| {
                send.send(std::thread::current().name().map(String::from)).unwrap();
                Poll::Ready(Ok(Outputs::new()))
            }),
        );
        assert!(receive.recv().unwrap().unwrap().starts_with("io-"));
        let (result, thread) = finished.recv().unwrap();
        assert!(result.is_ok());
        assert!(thread.unwrap().starts_with("compute-"));
    }

    #[test]
    fn waiting_work_holds_no_thread_and_ends_when_cancelled() {
        let token = CancellationToken::new();
        let waiting: Vec<_> =
            (0..5 * THREADS).map(|_| start(&token, Box::new(|_| Poll::Pending))).collect();
        let mut tries = 0;
        let other = start(
            &CancellationToken::new(),
            Box::new(move |_| {
                tries += 1;
                if tries < 10 { Poll::Pending } else { Poll::Ready(Ok(Outputs::new())) }
            }),
        );
        assert!(other.recv().unwrap().0.is_ok());
        token.cancel();
        for finished in waiting {
            let (result, _) = finished.recv().unwrap();
            assert_eq!(result.err().unwrap().code(), downpour_tensor::Code::Cancelled);
        }
        let late = start(&token, Box::new(|_| panic!("a cancelled step starts nothing")));
        assert_eq!(late.recv().unwrap().0.err().unwrap().code(), downpour_tensor::Code::Cancelled);
    }

    #[test]
    fn a_panic_is_an_error_and_the_thread_lives_on() {
        for _ in 0..2 * THREADS {
            let finished = start(&CancellationToken::new(), Box::new(|_| panic!("bad file")));
            assert!(finished.recv().unwrap().0.is_err());
        }
    }
}
