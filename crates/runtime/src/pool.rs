//! The compute threads, and loops spread over them.
//!
//! Protocol of a parallel loop. The caller publishes a `Loop` (an atomic cursor over the range and
//! the closure) to at most `limit - 1` helpers and then works on it itself. Every participant claims
//! the next chunk by advancing the cursor; a claim past the end means nothing is left and the closure
//! must not be touched any more. The caller returns only when the finished count equals the range,
//! so the closure outlives every claimed chunk even though helpers may still hold the `Loop` itself.
//! The caller never runs other people's work while it waits, so a kernel may hold a variable's lock
//! around a loop. Helpers that come late find nothing left and return at once.
//!
//! Cancellation. Every participant looks at the step's token before each chunk; when the step is cancelled the chunks
//! that are left are counted but not computed. The loop then does not return: it unwinds with `Interrupted`, which the
//! executor turns into CANCELLED. So no kernel goes on with a half-written output (whose memory may hold another
//! session's values), and none has to ask. A loop that changes state which outlives the step in place (a variable) must
//! not stop in the middle: it asks for `uninterrupted` first.

use std::collections::VecDeque;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{JoinHandle, Thread};

use parking_lot::{Condvar, Mutex};

use crate::cancellation::CancellationToken;

/// The longest chunk in grains. A grain takes some ten microseconds or more, so a cancelled loop ends within
/// milliseconds, while the look at the token remains far too rare to be measured.
const LONGEST_CHUNK: usize = 64;

/// What a loop of a cancelled step unwinds with.
pub(crate) struct Interrupted;

type Task = Box<dyn FnOnce() + Send>;

enum Job {
    Task(Task),
    Loop(Arc<Loop>),
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    closed: bool,
}

struct Shared {
    queue: Mutex<Queue>,
    ready: Condvar,
    idle: AtomicUsize,
}

/// A fixed set of threads for kernels. Network threads are elsewhere.
pub struct ComputePool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl ComputePool {
    /// A pool with this many threads (at least one).
    pub fn new(threads: usize) -> std::io::Result<Arc<ComputePool>> {
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            ready: Condvar::new(),
            idle: AtomicUsize::new(0),
        });
        let threads = (0..threads.max(1))
            .map(|i| {
                let shared = shared.clone();
                std::thread::Builder::new()
                    .name(format!("compute-{i}"))
                    .stack_size(8 << 20)
                    .spawn(move || shared.work())
            })
            .collect::<std::io::Result<Vec<_>>>()?;
        Ok(Arc::new(ComputePool { shared, threads }))
    }

    /// As many threads as the machine has processors.
    pub fn for_machine() -> std::io::Result<Arc<ComputePool>> {
        ComputePool::new(std::thread::available_parallelism().map_or(1, |n| n.get()))
    }

    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Runs a task on some compute thread, soon.
    pub fn spawn(&self, task: impl FnOnce() + Send + 'static) {
        self.shared.push(std::iter::once(Job::Task(Box::new(task))), false);
    }
}

impl Drop for ComputePool {
    fn drop(&mut self) {
        self.shared.queue.lock().closed = true;
        self.shared.ready.notify_all();
        let me = std::thread::current().id();
        for thread in self.threads.drain(..) {
            // The last owner may be a task on one of our own threads, which cannot join itself.
            if thread.thread().id() != me {
                // A compute thread catches its tasks' panics, so join has nothing to report.
                let _ = thread.join();
            }
        }
    }
}

impl Shared {
    fn push(&self, jobs: impl ExactSizeIterator<Item = Job>, front: bool) {
        let count = jobs.len();
        let mut queue = self.queue.lock();
        for job in jobs {
            if front { queue.jobs.push_front(job) } else { queue.jobs.push_back(job) }
        }
        drop(queue);
        if self.idle.load(Ordering::Relaxed) > 0 {
            for _ in 0..count {
                self.ready.notify_one();
            }
        }
    }

    fn work(&self) {
        loop {
            let job = {
                let mut queue = self.queue.lock();
                loop {
                    if let Some(job) = queue.jobs.pop_front() {
                        break job;
                    }
                    if queue.closed {
                        return;
                    }
                    // Counted under the lock: a pusher that saw no idle thread pushed before we looked.
                    self.idle.fetch_add(1, Ordering::Relaxed);
                    self.ready.wait(&mut queue);
                    self.idle.fetch_sub(1, Ordering::Relaxed);
                }
            };
            match job {
                // Executors report their own panics; this keeps the thread alive whatever happens.
                Job::Task(task) => drop(catch_unwind(AssertUnwindSafe(task))),
                Job::Loop(work) => work.participate(),
            }
        }
    }
}

/// One parallel loop in progress.
struct Loop {
    body: *const (dyn Fn(Range<usize>) + Sync),
    total: usize,
    chunk: usize,
    cursor: AtomicUsize,
    finished: AtomicUsize,
    panicked: AtomicBool,
    cancellation: Option<CancellationToken>,
    skipped: AtomicBool,
    caller: Thread,
}

// SAFETY: `body` points to a `Sync` closure that outlives every use of it (see the protocol above);
// all other fields are Send and Sync themselves.
unsafe impl Send for Loop {}
// SAFETY: as above.
unsafe impl Sync for Loop {}

impl Loop {
    fn participate(&self) {
        loop {
            let start = self.cursor.fetch_add(self.chunk, Ordering::Relaxed);
            if start >= self.total {
                return;
            }
            let end = (start + self.chunk).min(self.total);
            // SAFETY: a claim below `total` was counted by nobody else, so `finished` cannot reach
            // `total` before we add to it, and the caller keeps the closure alive until then.
            let body = unsafe { &*self.body };
            if self.cancellation.as_ref().is_some_and(CancellationToken::is_cancelled) {
                self.skipped.store(true, Ordering::Relaxed);
            } else if let Err(panic) = catch_unwind(AssertUnwindSafe(|| body(start..end))) {
                // A loop within this one may have been interrupted.
                let flag = if panic.is::<Interrupted>() { &self.skipped } else { &self.panicked };
                flag.store(true, Ordering::Relaxed);
            }
            let before = self.finished.fetch_add(end - start, Ordering::AcqRel);
            if before + (end - start) == self.total {
                self.caller.unpark();
            }
        }
    }

    fn wait(&self) {
        let mut spins = 0;
        while self.finished.load(Ordering::Acquire) < self.total {
            if spins < 2000 {
                spins += 1;
                std::hint::spin_loop();
            } else {
                std::thread::park();
            }
        }
    }
}

/// A pool together with how many threads one loop may use (the session's intra-op limit).
#[derive(Clone)]
pub struct Parallel {
    pool: Option<Arc<ComputePool>>,
    limit: usize,
    cancellation: Option<CancellationToken>,
}

impl Parallel {
    pub fn new(pool: Arc<ComputePool>, limit: usize) -> Parallel {
        let limit = limit.clamp(1, pool.threads());
        Parallel { pool: Some(pool), limit, cancellation: None }
    }

    /// Everything on the calling thread.
    pub fn serial() -> Parallel {
        Parallel { pool: None, limit: 1, cancellation: None }
    }

    /// The same for the kernels of one step: their loops end when it is cancelled.
    pub(crate) fn cancelled_by(mut self, cancellation: CancellationToken) -> Parallel {
        self.cancellation = Some(cancellation);
        self
    }

    /// The same for loops that must come to their end once they have begun, because they change in place what outlives
    /// the step.
    pub fn uninterrupted(&self) -> Parallel {
        Parallel { pool: self.pool.clone(), limit: self.limit, cancellation: None }
    }

    /// How many threads a loop may use, the caller included.
    pub fn limit(&self) -> usize {
        self.limit
    }

    pub fn pool(&self) -> Option<&Arc<ComputePool>> {
        self.pool.as_ref()
    }

    /// Calls `body` with ranges that together cover `0..total`, each at least `grain` long (but for
    /// the last), on several threads if that is worth it. Choose `grain` so that a chunk takes some
    /// ten microseconds or more. Does not return if the step is cancelled meanwhile (see above).
    pub fn for_ranges(&self, total: usize, grain: usize, body: impl Fn(Range<usize>) + Sync) {
        let grain = grain.max(1);
        let longest = grain.saturating_mul(LONGEST_CHUNK);
        let helpers = match &self.pool {
            Some(_) if total > grain => (total.div_ceil(grain) - 1).min(self.limit - 1),
            _ => 0,
        };
        let (Some(pool), true) = (&self.pool, helpers > 0) else {
            return self.for_ranges_here(total, longest, body);
        };
        // About four chunks per thread balance uneven speed without contending on the cursor.
        let chunk = total.div_ceil((helpers + 1) * 4).clamp(grain, longest);
        let body: &(dyn Fn(Range<usize>) + Sync) = &body;
        // SAFETY: only erases the closure's lifetime; `wait` below returns after its last use.
        let body: *const (dyn Fn(Range<usize>) + Sync) = unsafe { std::mem::transmute(body) };
        let work = Arc::new(Loop {
            body,
            total,
            chunk,
            cursor: AtomicUsize::new(0),
            finished: AtomicUsize::new(0),
            panicked: AtomicBool::new(false),
            cancellation: self.cancellation.clone(),
            skipped: AtomicBool::new(false),
            caller: std::thread::current(),
        });
        pool.shared.push((0..helpers).map(|_| Job::Loop(work.clone())), true);
        work.participate();
        work.wait();
        if work.panicked.load(Ordering::Relaxed) {
            resume_unwind(Box::new("a parallel loop panicked"));
        }
        if work.skipped.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Interrupted));
        }
    }

    /// The same on the calling thread alone, in ranges of at most `chunk`.
    fn for_ranges_here(&self, total: usize, chunk: usize, body: impl Fn(Range<usize>)) {
        let Some(token) = &self.cancellation else {
            if total > 0 {
                body(0..total);
            }
            return;
        };
        let mut start = 0;
        while start < total {
            let end = start.saturating_add(chunk).min(total);
            // A loop of one chunk is too short to be worth a look.
            if start > 0 && token.is_cancelled() {
                resume_unwind(Box::new(Interrupted));
            }
            body(start..end);
            start = end;
        }
    }

    /// Splits `out` into runs of whole `unit`s (rows), each at least `grain` units long, and calls
    /// `body(first_unit, run)` for each, on several threads if that is worth it.
    pub fn for_chunks<T: Send>(
        &self,
        out: &mut [T],
        unit: usize,
        grain: usize,
        body: impl Fn(usize, &mut [T]) + Sync,
    ) {
        let unit = unit.max(1);
        debug_assert_eq!(out.len() % unit, 0, "an output is whole units");
        let units = out.len() / unit;
        let base = SendPtr(out.as_mut_ptr());
        self.for_ranges(units, grain, |range| {
            let base = &base;
            // SAFETY: ranges of one loop are disjoint and inside `0..units`, so the runs are
            // disjoint parts of `out`, which is mutably borrowed for the whole loop.
            let run = unsafe {
                std::slice::from_raw_parts_mut(base.0.add(range.start * unit), range.len() * unit)
            };
            body(range.start, run);
        });
    }
}

struct SendPtr<T>(*mut T);
// SAFETY: used only to hand disjoint parts of a mutably borrowed slice of `Send` items to threads.
unsafe impl<T: Send> Sync for SendPtr<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_is_visited_once() {
        let pool = ComputePool::new(4).unwrap();
        let parallel = Parallel::new(pool, 4);
        for total in [0usize, 1, 7, 1000, 100_003] {
            let mut out = vec![0u32; total];
            parallel.for_chunks(&mut out, 1, 10, |first, run| {
                for (i, v) in run.iter_mut().enumerate() {
                    *v += (first + i) as u32 + 1;
                }
            });
            assert!(out.iter().enumerate().all(|(i, &v)| v == i as u32 + 1));
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_lives_on() {
        let pool = ComputePool::new(2).unwrap();
        let parallel = Parallel::new(pool.clone(), 2);
        let result = catch_unwind(AssertUnwindSafe(|| {
            parallel.for_ranges(100, 1, |r| assert!(!r.contains(&50), "bad element"));
        }));
        assert!(result.is_err());
        let (send, receive) = std::sync::mpsc::channel();
        pool.spawn(move || send.send(7).unwrap());
        assert_eq!(receive.recv().unwrap(), 7);
    }

    #[test]
    fn a_cancelled_loop_skips_what_is_left_and_does_not_return() {
        let pool = ComputePool::new(2).unwrap();
        for parallel in [Parallel::new(pool, 2), Parallel::serial()] {
            let token = CancellationToken::new();
            let parallel = parallel.cancelled_by(token.clone());
            let visited = AtomicUsize::new(0);
            let count = |r: Range<usize>| {
                visited.fetch_add(r.len(), Ordering::Relaxed);
                token.cancel();
            };
            let result = catch_unwind(AssertUnwindSafe(|| parallel.for_ranges(1 << 20, 1, count)));
            assert!(result.unwrap_err().is::<Interrupted>());
            assert!(visited.load(Ordering::Relaxed) <= 2 * LONGEST_CHUNK);
            visited.store(0, Ordering::Relaxed);
            parallel.uninterrupted().for_ranges(1 << 20, 1, count);
            assert_eq!(visited.load(Ordering::Relaxed), 1 << 20);
        }
    }

    #[test]
    fn loops_inside_tasks_do_not_block_each_other() {
        let pool = ComputePool::new(2).unwrap();
        let (send, receive) = std::sync::mpsc::channel();
        for _ in 0..16 {
            let (pool2, send) = (pool.clone(), send.clone());
            pool.spawn(move || {
                let sum = AtomicUsize::new(0);
                Parallel::new(pool2, 2).for_ranges(1000, 10, |r| {
                    sum.fetch_add(r.sum::<usize>(), Ordering::Relaxed);
                });
                send.send(sum.into_inner()).unwrap();
            });
        }
        assert_eq!(receive.iter().take(16).sum::<usize>(), 16 * 499_500);
    }
}
