//! A function applied by several threads.
//!
//! Workers take turns at the input: each claims a few elements, notes the input's state before them,
//! applies the function and leaves the results. No more than a window of claims is unfinished or
//! undelivered. In order (the default) results are delivered as the input had them; otherwise as they
//! are finished.
//!
//! Where the reader stands: the input's state before the oldest claim that is not wholly delivered,
//! and which items behind it were. A resumed stage reads from there and passes over those.

mod work;

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use downpour_tensor::{Result, Status};
use parking_lot::Mutex;

use super::map::{MapAccess, MapFunction};
use crate::context::{Context, Wake};
use crate::position::{State, malformed};
use crate::random_access::RandomAccess;
use crate::stage::{Cursor, Length, Schema, Stage};
use crate::tuning::Threads;
use crate::{Block, Dataset};
use work::{Feed, Piece, Shared};

/// How a parallel map runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parallel {
    /// Worker threads; at most so many if they are tuned.
    pub threads: usize,
    /// Whether the number of threads follows from what is measured.
    pub autotuned: bool,
    /// Whether results keep the input's order.
    pub ordered: bool,
}

impl Parallel {
    /// So many threads, in order.
    pub fn new(threads: usize) -> Parallel {
        Parallel { threads: threads.max(1), autotuned: false, ordered: true }
    }

    /// One thread at first, and up to `most` while more are quicker, in order.
    pub fn autotuned(most: usize) -> Parallel {
        Parallel { autotuned: true, ..Parallel::new(most) }
    }

    /// A thread for every processor, in order.
    pub fn all_cores() -> Parallel {
        Parallel::new(std::thread::available_parallelism().map_or(1, |n| n.get()))
    }

    /// Results come as they are finished: quicker when some elements take much longer than others.
    /// A resumed iteration neither loses nor repeats an element, but a shuffle, cache or interleave
    /// behind it could not be resumed: iterating from a position is refused then.
    pub fn unordered(self) -> Parallel {
        Parallel { ordered: false, ..self }
    }
}

impl Dataset {
    /// `function` applied to every element by several threads. In order, the results do not depend
    /// on the number of threads.
    pub fn map_parallel(
        &self,
        parallel: Parallel,
        function: impl MapFunction + 'static,
    ) -> Dataset {
        let (input, function) = (self.stage().clone(), Arc::new(function));
        Dataset::new(ParallelMap { input, function, parallel })
    }
}

struct ParallelMap {
    input: Arc<dyn Stage>,
    function: Arc<dyn MapFunction>,
    parallel: Parallel,
}

impl Stage for ParallelMap {
    // The number of threads may differ between the saving and the resuming machine.
    fn describe(&self) -> String {
        let order = if self.parallel.ordered { "" } else { ", unordered" };
        format!("{}(parallel{order})", self.function.name())
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn is_ordered(&self) -> bool {
        self.parallel.ordered && self.input.is_ordered()
    }

    fn is_resumable(&self) -> bool {
        // Items delivered are known by their numbers.
        self.input.is_ordered() && self.input.is_resumable()
    }

    fn schema(&self) -> Option<Schema> {
        self.function.schema(self.input.schema())
    }

    fn length(&self) -> Option<Length> {
        self.input.length()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        let mut done = Vec::new();
        for range in state.map_or(&[][..], |s| &s.numbers).chunks(2) {
            let &[start, length] = range else { return Err(malformed()) };
            done.push((start, length));
        }
        let tuning =
            self.parallel.autotuned.then(|| Threads::new(self.parallel.threads, Instant::now()));
        let first = if tuning.is_some() { 1 } else { self.parallel.threads };
        let shared = Arc::new(Shared::new(
            context.cancel().clone(),
            first,
            self.parallel.ordered,
            done.clone(),
        ));
        let waiter: Arc<dyn Wake> = shared.clone();
        context.cancel().register(Arc::downgrade(&waiter));
        let feed = Arc::new(Mutex::new(Feed::new(input, done.clone())));
        let start = feed.lock().state();
        let mut cursor = ParallelCursor {
            workers: Workers { shared, feed, function: self.function.clone(), threads: Vec::new() },
            tuning,
            pieces: None,
            ended: false,
            start,
            done,
            ordered: self.parallel.ordered,
        };
        cursor.workers.have(first)?;
        Ok(Box::new(cursor))
    }

    /// Elements that are asked for one by one are made one by one.
    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        MapAccess::open(&*self.input, &self.function, context, state)
    }

    fn check_global_shuffle(&self) -> Result<()> {
        self.input.check_global_shuffle()
    }
}

/// The threads, and what they are started with.
struct Workers {
    shared: Arc<Shared>,
    feed: Arc<Mutex<Feed>>,
    function: Arc<dyn MapFunction>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts threads until there are so many.
    fn have(&mut self, count: usize) -> Result<()> {
        for number in self.threads.len()..count {
            let (shared, feed) = (self.shared.clone(), self.feed.clone());
            let function = self.function.clone();
            let thread = std::thread::Builder::new()
                .name(format!("map {number}"))
                .spawn(move || work::run(number, &shared, &feed, &*function))
                .map_err(|e| Status::resource_exhausted(format!("cannot start a thread: {e}")))?;
            self.threads.push(thread);
        }
        Ok(())
    }

    /// Lets so many threads work, as far as the system has them.
    fn set_active(&mut self, count: usize) {
        // Those that there are go on.
        let _ = self.have(count);
        self.shared.set_active(count.min(self.threads.len()));
    }
}

struct ParallelCursor {
    workers: Workers,
    /// None if the number of threads is given.
    tuning: Option<Threads>,
    /// The claim that is being delivered, and what is left of it.
    pieces: Option<(u64, std::collections::VecDeque<Piece>)>,
    ended: bool,
    /// The state it was opened with, valid until the first claim.
    start: State,
    done: Vec<(u64, u64)>,
    ordered: bool,
}

impl ParallelCursor {
    /// Takes the next finished claim, and looks whether the number of threads is right.
    fn take(&mut self) -> Result<Option<(u64, Vec<Piece>)>> {
        let Some(tuning) = &mut self.tuning else { return self.workers.shared.take() };
        let asked = Instant::now();
        let taken = self.workers.shared.take()?;
        if let Some((_, pieces)) = &taken {
            let now = Instant::now();
            let elements = pieces.iter().map(Piece::elements).sum::<usize>() as u64;
            if let Some(active) = tuning.note(now, now - asked, elements) {
                self.workers.set_active(active);
            }
        }
        Ok(taken)
    }
}

impl Cursor for ParallelCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let limit = if self.ordered { limit } else { 1 };
        loop {
            if let Some((claim, pieces)) = &mut self.pieces {
                match pieces.pop_front() {
                    Some(Piece::Rows(mut chunk)) => {
                        let block = chunk.take(limit)?;
                        self.workers
                            .shared
                            .delivered(*claim, block.as_ref().map_or(0, |b| b.rows()));
                        if chunk.remaining() > 0 {
                            pieces.push_front(Piece::Rows(chunk));
                        }
                        if block.is_some() {
                            return Ok(block);
                        }
                    }
                    Some(Piece::Failed(error)) => {
                        self.workers.shared.delivered(*claim, 1);
                        return Err(error);
                    }
                    None => self.pieces = None,
                }
                continue;
            }
            if self.ended {
                return Ok(None);
            }
            match self.take()? {
                Some((claim, pieces)) => self.pieces = Some((claim, pieces.into())),
                None => self.ended = true,
            }
        }
    }

    fn state(&self) -> State {
        self.workers.shared.state().unwrap_or_else(|| {
            let numbers: Vec<u64> = self.done.iter().flat_map(|&(s, l)| [s, l]).collect();
            State::of(numbers).with([self.start.clone()])
        })
    }

    fn ready(&self) -> usize {
        match self.pieces.as_ref().and_then(|(_, pieces)| pieces.front()) {
            Some(Piece::Rows(chunk)) if self.ordered => chunk.remaining(),
            _ => 0,
        }
    }
}

impl Drop for ParallelCursor {
    fn drop(&mut self) {
        self.workers.shared.stop();
        for thread in self.workers.threads.drain(..) {
            // Its panics were caught and delivered as errors.
            let _ = thread.join();
        }
    }
}
