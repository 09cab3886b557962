//! Elements read ahead by a thread of their own.
//!
//! Every item in the queue comes with the input's states before and after it. Where the reader stands
//! is the state before the item it took last, and how much of that item it has handed on, or the
//! state after it; what lies in the queue is simply read again after a resume. The thread ends when the reader is dropped, when the
//! iterator is cancelled, or at the input's end.
//!
//! The reader and the thread note in the queue that they wait, and are woken only then: the reader when an item comes, the
//! thread when half of the elements that the queue may hold are gone.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::JoinHandle;

use downpour_tensor::{Result, Status};
use parking_lot::{Condvar, Mutex};

use super::map::guarded;
use crate::chunk::Chunk;
use crate::context::{Cancel, Context, Wake};
use crate::position::State;
use crate::random_access::RandomAccess;
use crate::stage::{Cursor, Length, Schema, Stage, replay};
use crate::tuning::Ahead;
use crate::{Block, Dataset};

impl Dataset {
    /// Reads up to `count` elements ahead on another thread.
    pub fn prefetch(&self, count: usize) -> Dataset {
        Dataset::new(Prefetch { input: self.stage().clone(), count: Some(count) })
    }

    /// Reads elements ahead on another thread: two at first, and more while that helps and half of the memory limit is
    /// free. Small ones that are decoded already are taken together.
    pub fn prefetch_autotuned(&self) -> Dataset {
        Dataset::new(Prefetch { input: self.stage().clone(), count: None })
    }
}

struct Prefetch {
    input: Arc<dyn Stage>,
    /// None if it tunes itself.
    count: Option<usize>,
}

impl Stage for Prefetch {
    fn describe(&self) -> String {
        "prefetch".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn schema(&self) -> Option<Schema> {
        self.input.schema()
    }

    fn length(&self) -> Option<Length> {
        self.input.length()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let mut input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        if let Some(state) = state {
            let [items] = state.expect()?;
            replay(&mut *input, items)?;
        }
        let ahead = self.count.map_or_else(Ahead::tuned, Ahead::fixed);
        PrefetchCursor::start(input, ahead, context).map(|c| Box::new(c) as Box<dyn Cursor>)
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        self.input.random_access(context, state)
    }

    fn check_global_shuffle(&self) -> Result<()> {
        self.input.check_global_shuffle()
    }
}

/// An item and the input's states before and after it.
struct Fetched {
    before: State,
    after: State,
    item: Result<Option<Block>>,
}

struct Queue {
    items: VecDeque<Fetched>,
    /// Elements in the queue.
    rows: usize,
    ahead: Ahead,
    /// The bytes of an element, by the last block.
    bytes: usize,
    reader_waits: bool,
    /// The thread waits until there are no more elements than these.
    thread_waits_for: Option<usize>,
    /// The reader is gone.
    stopped: bool,
}

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    cancel: Cancel,
}

impl Wake for Shared {
    fn wake(&self) {
        let _queue = self.queue.lock();
        self.changed.notify_all();
    }
}

impl Shared {
    /// Waits for room and returns how many elements to read, of which `decoded` come without a wait; `None` when nobody
    /// will need them.
    fn room(&self, decoded: usize) -> Option<usize> {
        let mut queue = self.queue.lock();
        loop {
            if queue.stopped || self.cancel.is_cancelled() {
                return None;
            }
            let capacity = queue.ahead.capacity();
            let whole = match decoded {
                0 => capacity,
                _ => queue.ahead.decoded_capacity(queue.bytes),
            };
            // Half the room at once: the reader need not wait for all of it.
            let any = capacity.saturating_sub(queue.rows).min((capacity / 2).max(1));
            let limit = any.max(whole.saturating_sub(queue.rows).min(decoded));
            if limit > 0 {
                return Some(limit);
            }
            queue.ahead.note_full();
            queue.thread_waits_for = Some(whole / 2);
            self.changed.wait(&mut queue);
        }
    }

    /// Returns how many elements the first item of the queue has; an error and the end have none.
    fn first_rows(&self) -> usize {
        match self.queue.lock().items.front().map(|fetched| &fetched.item) {
            Some(Ok(Some(block))) => block.rows(),
            _ => 0,
        }
    }

    fn push(&self, fetched: Fetched) {
        let mut queue = self.queue.lock();
        queue.rows += rows_of(&fetched.item);
        if let Ok(Some(block)) = &fetched.item {
            queue.bytes = block.byte_len() / block.rows().max(1);
        }
        queue.items.push_back(fetched);
        if std::mem::take(&mut queue.reader_waits) {
            self.changed.notify_all();
        }
    }
}

/// Errors take room too, so that endless ones do not fill the memory.
fn rows_of(item: &Result<Option<Block>>) -> usize {
    match item {
        Ok(Some(block)) => block.rows(),
        _ => 1,
    }
}

/// The thread: reads until nobody needs more.
fn read_ahead(shared: &Shared, mut input: Box<dyn Cursor>) {
    let mut before = input.state();
    while let Some(limit) = shared.room(input.ready()) {
        let item = guarded("a stage before prefetch", || input.next(limit));
        let ended = matches!(item, Ok(None));
        let after = input.state();
        let before = std::mem::replace(&mut before, after.clone());
        shared.push(Fetched { before, after, item });
        if ended {
            return;
        }
    }
}

/// Reads ahead of whoever reads it.
pub(super) struct PrefetchCursor {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    chunk: Chunk,
    /// The state before the item taken last, how many items of it were delivered, and the state to
    /// go on from when all were.
    before: State,
    delivered: u64,
    after: State,
    ended: bool,
}

impl PrefetchCursor {
    pub fn start(input: Box<dyn Cursor>, ahead: Ahead, context: &Context) -> Result<Self> {
        let before = input.state();
        let queue = Queue {
            items: VecDeque::new(),
            rows: 0,
            ahead,
            bytes: 0,
            reader_waits: false,
            thread_waits_for: None,
            stopped: false,
        };
        let shared = Arc::new(Shared {
            queue: Mutex::new(queue),
            changed: Condvar::new(),
            cancel: context.cancel().clone(),
        });
        let waiter: Arc<dyn Wake> = shared.clone();
        context.cancel().register(Arc::downgrade(&waiter));
        let theirs = shared.clone();
        let thread = std::thread::Builder::new()
            .name("prefetch".to_owned())
            .spawn(move || read_ahead(&theirs, input))
            .map_err(|e| Status::resource_exhausted(format!("cannot start a thread: {e}")))?;
        let (chunk, thread) = (Chunk::default(), Some(thread));
        let after = before.clone();
        Ok(PrefetchCursor { shared, thread, chunk, before, delivered: 0, after, ended: false })
    }

    fn take(&mut self) -> Result<Fetched> {
        let mut queue = self.shared.queue.lock();
        loop {
            self.shared.cancel.check()?;
            if let Some(fetched) = queue.items.pop_front() {
                queue.rows -= rows_of(&fetched.item);
                let rows = queue.rows;
                if queue.thread_waits_for.take_if(|few| rows <= *few).is_some() {
                    self.shared.changed.notify_all();
                }
                return Ok(fetched);
            }
            let bytes = queue.bytes;
            queue.ahead.note_empty(bytes);
            queue.reader_waits = true;
            self.shared.changed.wait(&mut queue);
        }
    }
}

impl Cursor for PrefetchCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        if self.chunk.remaining() == 0 {
            if self.ended {
                return Ok(None);
            }
            let fetched = self.take()?;
            (self.before, self.delivered) = (fetched.before, 0);
            self.after = fetched.after;
            match fetched.item {
                Ok(Some(block)) => self.chunk = Chunk::new(block),
                Ok(None) => {
                    self.ended = true;
                    return Ok(None);
                }
                Err(error) => return Err(error),
            }
        }
        let block = self.chunk.take(limit)?;
        self.delivered += block.as_ref().map_or(0, |b| b.rows() as u64);
        Ok(block)
    }

    fn state(&self) -> State {
        match self.chunk.remaining() {
            0 => State::of([0]).with([self.after.clone()]),
            _ => State::of([self.delivered]).with([self.before.clone()]),
        }
    }

    /// Counts the first item of the queue too: taking it needs no wait.
    fn ready(&self) -> usize {
        match self.chunk.remaining() {
            0 => self.shared.first_rows(),
            remaining => remaining,
        }
    }
}

impl Drop for PrefetchCursor {
    fn drop(&mut self) {
        self.shared.queue.lock().stopped = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // Its panics were caught and delivered as errors.
            let _ = thread.join();
        }
    }
}
