//! What the workers of a parallel map share: the input, the claims and the results.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use downpour_tensor::{Result, Status};
use parking_lot::{Condvar, Mutex};

use super::super::map::{MapFunction, alike, guarded, whole};
use crate::chunk::Chunk;
use crate::context::{Cancel, Wake};
use crate::position::State;
use crate::stage::Cursor;
use crate::{Block, Element};

/// A run of results, or an error in the place of one.
pub(super) enum Piece {
    Rows(Chunk),
    Failed(Status),
}

impl Piece {
    /// Returns how many items it stands for.
    pub fn elements(&self) -> usize {
        match self {
            Piece::Rows(chunk) => chunk.remaining(),
            Piece::Failed(_) => 1,
        }
    }
}

/// The input. Whoever holds its lock claims the next items.
pub(super) struct Feed {
    input: Box<dyn Cursor>,
    /// Items read since the state it was opened with.
    at: u64,
    /// Items that were delivered before: (start, length), in order.
    done: Vec<(u64, u64)>,
    next_claim: u64,
    ended: bool,
}

impl Feed {
    pub fn new(input: Box<dyn Cursor>, mut done: Vec<(u64, u64)>) -> Feed {
        // Taken from the back, first range first.
        done.reverse();
        Feed { input, at: 0, done, next_claim: 0, ended: false }
    }

    pub fn state(&self) -> State {
        self.input.state()
    }

    /// The next items that were not delivered before.
    fn read(&mut self, rows: usize) -> Result<Option<Block>> {
        loop {
            let (limit, skip) = match self.done.last() {
                Some(&(start, length)) if self.at >= start.saturating_add(length) => {
                    self.done.pop();
                    continue;
                }
                Some(&(start, length)) if self.at >= start => (start + length - self.at, true),
                Some(&(start, _)) => (start - self.at, false),
                None => (u64::MAX, false),
            };
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            let limit = if skip { limit.min(4096) } else { limit.min(rows) };
            let item = self.input.next(limit);
            self.at += match &item {
                Ok(Some(block)) => block.rows() as u64,
                Ok(None) => return item,
                Err(_) => 1,
            };
            let cancelled = matches!(&item, Err(e) if e.code() == downpour_tensor::Code::Cancelled);
            if !skip || cancelled {
                return item;
            }
        }
    }
}

/// Items a worker has taken.
struct Claim {
    before: State,
    /// The number of its first item, and how many it has (known once they were read).
    first: u64,
    items: u64,
    delivered: u64,
}

#[derive(Default)]
struct Work {
    /// Claims from the oldest that is not wholly delivered; at least the newest.
    claims: BTreeMap<u64, Claim>,
    /// Finished claims; `None` is the input's end.
    results: BTreeMap<u64, Option<Vec<Piece>>>,
    /// Claims taken by the reader.
    taken: u64,
    /// Workers of these first numbers claim; the others rest.
    active: usize,
    stopped: bool,
}

pub(super) struct Shared {
    work: Mutex<Work>,
    changed: Condvar,
    cancel: Cancel,
    ordered: bool,
    /// Items delivered before the stage was resumed: (start, length).
    done: Vec<(u64, u64)>,
}

impl Wake for Shared {
    fn wake(&self) {
        let _work = self.work.lock();
        self.changed.notify_all();
    }
}

impl Shared {
    pub fn new(cancel: Cancel, active: usize, ordered: bool, done: Vec<(u64, u64)>) -> Shared {
        let work = Mutex::new(Work { active, ..Work::default() });
        Shared { work, changed: Condvar::new(), cancel, ordered, done }
    }

    /// Sets how many workers claim.
    pub fn set_active(&self, active: usize) {
        self.work.lock().active = active;
        self.changed.notify_all();
    }

    /// Waits until a worker may claim; false when nobody will need it.
    fn rest(&self, worker: usize) -> bool {
        let mut work = self.work.lock();
        loop {
            if work.stopped || self.cancel.is_cancelled() {
                return false;
            }
            if worker < work.active {
                return true;
            }
            self.changed.wait(&mut work);
        }
    }

    pub fn stop(&self) {
        self.work.lock().stopped = true;
        self.changed.notify_all();
    }

    /// Waits until `claim` is within the window; false when nobody will need it.
    fn admit(&self, claim: u64) -> bool {
        let mut work = self.work.lock();
        loop {
            if work.stopped || self.cancel.is_cancelled() {
                return false;
            }
            if claim < work.taken + 2 * work.active as u64 {
                return true;
            }
            self.changed.wait(&mut work);
        }
    }

    fn finish(&self, claim: u64, result: Option<Vec<Piece>>) {
        self.work.lock().results.insert(claim, result);
        self.changed.notify_all();
    }

    /// The next finished claim; `None` at the end.
    pub fn take(&self) -> Result<Option<(u64, Vec<Piece>)>> {
        let mut work = self.work.lock();
        loop {
            self.cancel.check()?;
            // The end has the highest number of all: it is taken when all others were.
            let next =
                work.results.first_key_value().map(|(&claim, result)| (claim, result.is_none()));
            let next = next.filter(|&(claim, end)| claim == work.taken || !self.ordered && !end);
            if let Some((claim, end)) = next {
                if end {
                    return Ok(None);
                }
                let result = work.results.remove(&claim).flatten().unwrap_or_default();
                work.taken += 1;
                self.changed.notify_all();
                return Ok(Some((claim, result)));
            }
            self.changed.wait(&mut work);
        }
    }

    /// So many more items of a claim were delivered.
    pub fn delivered(&self, claim: u64, items: usize) {
        let mut work = self.work.lock();
        if let Some(claim) = work.claims.get_mut(&claim) {
            claim.delivered += items as u64;
        }
        // The newest claim stays: it alone knows where the input is.
        while work.claims.len() > 1
            && work.claims.first_key_value().is_some_and(|(_, c)| c.delivered == c.items)
        {
            work.claims.pop_first();
        }
    }

    /// The state of the stage; `None` before the first claim.
    pub fn state(&self) -> Option<State> {
        let work = self.work.lock();
        let (_, oldest) = work.claims.first_key_value()?;
        let mut numbers = Vec::new();
        for claim in work.claims.values().filter(|c| c.delivered > 0) {
            numbers.extend([claim.first - oldest.first, claim.delivered]);
        }
        // What was delivered before a resume and lies behind everything read since.
        let end = work.claims.values().last().map_or(0, |c| c.first + c.items);
        for &(start, length) in self.done.iter().filter(|(start, _)| *start >= end) {
            numbers.extend([start - oldest.first, length]);
        }
        Some(State::of(numbers).with([oldest.before.clone()]))
    }
}

/// A worker: claims, applies, leaves the results, until there is no more or no need.
pub(super) fn run(worker: usize, shared: &Shared, feed: &Mutex<Feed>, function: &dyn MapFunction) {
    let mut rows = 1;
    while shared.rest(worker) {
        let (claim, item) = {
            let mut feed = feed.lock();
            let claim = feed.next_claim;
            if feed.ended || !shared.admit(claim) {
                return;
            }
            let item = read(shared, &mut feed, claim, rows);
            feed.next_claim += 1;
            feed.ended = matches!(item, Ok(None));
            (claim, item)
        };
        let started = Instant::now();
        let pieces = match item {
            Ok(Some(block)) => Some(apply(function, &block)),
            Ok(None) => None,
            Err(error) => Some(vec![Piece::Failed(error)]),
        };
        rows = next_size(rows, started.elapsed());
        shared.finish(claim, pieces);
    }
}

/// Reads the items of a claim and writes the claim down. Items passed over, because they were
/// delivered before the stage was resumed, are delivered items of the claim.
fn read(shared: &Shared, feed: &mut Feed, claim: u64, rows: usize) -> Result<Option<Block>> {
    let (before, first) = (feed.state(), feed.at);
    let item = guarded("a stage before map", || feed.read(rows));
    let items = feed.at - first;
    let own = match &item {
        Ok(Some(block)) => block.rows() as u64,
        Ok(None) => 0,
        Err(_) => 1,
    };
    let delivered = items.saturating_sub(own);
    shared.work.lock().claims.insert(claim, Claim { before, first, items, delivered });
    item
}

/// Small claims while the function is slow, larger ones while the hand-over would cost more than it.
fn next_size(rows: usize, took: Duration) -> usize {
    match took {
        t if t < Duration::from_micros(200) => (rows * 2).min(256),
        t if t > Duration::from_millis(2) => (rows / 2).max(1),
        _ => rows,
    }
}

/// The function's results for a block's elements.
fn apply(function: &dyn MapFunction, block: &Block) -> Vec<Piece> {
    if let Ok(Some(made)) = whole(function, block) {
        return vec![Piece::Rows(Chunk::new(made))];
    }
    let mut pieces = Vec::new();
    let mut run: Vec<Element> = Vec::new();
    let close = |run: &mut Vec<Element>, pieces: &mut Vec<Piece>| {
        if !run.is_empty() {
            pieces.push(match Block::from_elements(std::mem::take(run)) {
                Ok(block) => Piece::Rows(Chunk::new(block)),
                Err(error) => Piece::Failed(error),
            });
        }
    };
    for row in 0..block.rows() {
        let made = block.element(row).and_then(|e| guarded("map", || function.call(e)));
        match made {
            Ok(element) => {
                if run.last().is_some_and(|last| !alike(last, &element)) {
                    close(&mut run, &mut pieces);
                }
                run.push(element);
            }
            Err(error) => {
                close(&mut run, &mut pieces);
                pieces.push(Piece::Failed(error));
            }
        }
    }
    close(&mut run, &mut pieces);
    pieces
}
