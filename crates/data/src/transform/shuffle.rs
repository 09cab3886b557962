//! Random order with a bounded buffer.
//!
//! The buffer is filled; then each step hands out a random slot and refills it with the input's next
//! element; at the input's end the slots drain. The k-th choice is a function of (seed, iteration,
//! k), so which elements are in the buffer after k steps can be computed without them. A saved state
//! is therefore k, and one earlier state of the input from which all elements in the buffer can be
//! read again: about `buffer * ln(buffer)` elements behind at most, in expectation.

mod buffer;
mod slots;

use std::collections::VecDeque;
use std::sync::Arc;

use downpour_tensor::{Code, Result, Status};

use crate::context::{Cancel, Context};
use crate::position::{State, malformed};
use crate::random::{below, mix};
use crate::stage::{Cursor, Length, Schema, Stage};
use crate::{Block, Dataset};
use buffer::Buffer;
use slots::Slots;

impl Dataset {
    /// Random order within a buffer of `buffer` elements, another one in each iteration of a
    /// [`repeat`](Dataset::repeat) behind it. The same seed gives the same orders.
    pub fn shuffle(&self, buffer: usize, seed: u64) -> Result<Dataset> {
        self.shuffled(buffer, seed, true)
    }

    /// Like [`shuffle`](Dataset::shuffle), with the same order in each iteration.
    pub fn shuffle_once(&self, buffer: usize, seed: u64) -> Result<Dataset> {
        self.shuffled(buffer, seed, false)
    }

    fn shuffled(&self, buffer: usize, seed: u64, reshuffle: bool) -> Result<Dataset> {
        if buffer == 0 {
            return Err(Status::invalid_argument(
                "a shuffle buffer must hold at least one element",
            ));
        }
        Ok(Dataset::new(Shuffle { input: self.stage().clone(), buffer, seed, reshuffle }))
    }
}

struct Shuffle {
    input: Arc<dyn Stage>,
    buffer: usize,
    seed: u64,
    reshuffle: bool,
}

impl Stage for Shuffle {
    fn describe(&self) -> String {
        let once = if self.reshuffle { "" } else { ", once" };
        format!("shuffle({}, seed {}{once})", self.buffer, self.seed)
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn is_resumable(&self) -> bool {
        self.input.is_ordered() && self.input.is_resumable()
    }

    fn schema(&self) -> Option<Schema> {
        self.input.schema()
    }

    fn length(&self) -> Option<Length> {
        self.input.length()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let iteration = if self.reshuffle { context.iteration() } else { 0 };
        let mut cursor = ShuffleCursor {
            input: self.input.open(context, state.map(|s| s.input(0)).transpose()?)?,
            cancel: context.cancel().clone(),
            capacity: self.buffer,
            key: mix(mix(self.seed, 0x5_4u64), iteration),
            buffer: Buffer::default(),
            slots: Slots::default(),
            rows: 0,
            items: 0,
            emitted: 0,
            ended: false,
            marks: VecDeque::new(),
        };
        match state {
            Some(state) => cursor.restore(state)?,
            None => cursor.mark(),
        }
        Ok(Box::new(cursor))
    }
}

/// A state of the input, and how many elements and items it had delivered then.
struct Mark {
    rows: u64,
    items: u64,
    state: State,
}

/// At most so many marks are kept; when there are more every second one goes.
const MARKS: usize = 64;

/// Elements that are put into the buffer between two checks for cancellation.
const FILL_AT_ONCE: usize = 1 << 16;

struct ShuffleCursor {
    input: Box<dyn Cursor>,
    cancel: Cancel,
    capacity: usize,
    key: u64,
    buffer: Buffer,
    /// Which element each slot of the buffer holds.
    slots: Slots,
    /// Elements, and elements and errors, read from the input.
    rows: u64,
    items: u64,
    emitted: u64,
    ended: bool,
    marks: VecDeque<Mark>,
}

impl ShuffleCursor {
    fn mark(&mut self) {
        self.marks.push_back(Mark {
            rows: self.rows,
            items: self.items,
            state: self.input.state(),
        });
        if self.marks.len() > MARKS {
            let oldest = self.slots.oldest().unwrap_or(self.rows);
            while self.marks.get(1).is_some_and(|m| m.rows <= oldest) {
                self.marks.pop_front();
            }
            if self.marks.len() > MARKS {
                let mut number = 0;
                self.marks.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
            }
        }
    }

    /// Up to `limit` elements of the input, leaving marks on the way.
    fn pull(&mut self, limit: usize) -> Result<Option<Block>> {
        self.cancel.check()?;
        let interval = (self.capacity as u64 / 8).max(64);
        if self.marks.back().is_none_or(|m| self.rows - m.rows >= interval) {
            self.mark();
        }
        match self.input.next(limit) {
            Ok(Some(block)) => {
                self.rows += block.rows() as u64;
                self.items += block.rows() as u64;
                Ok(Some(block))
            }
            Ok(None) => {
                self.ended = true;
                Ok(None)
            }
            Err(error) => {
                self.items += 1;
                Err(error)
            }
        }
    }

    fn choice(&self, step: u64, among: usize) -> usize {
        below(self.key, step, among)
    }

    fn restore(&mut self, state: &State) -> Result<()> {
        let [mark_rows, mark_items, rows, items, emitted, ended] = state.expect()?;
        let ended = ended != 0;
        if mark_items > items || mark_rows > rows || emitted > rows {
            return Err(malformed());
        }
        self.slots = Slots::after(self.capacity, rows, emitted, ended, |step, among| {
            below(self.key, step, among)
        })
        .ok_or_else(malformed)?;
        if self.slots.oldest().is_some_and(|oldest| oldest < mark_rows) {
            return Err(malformed());
        }
        self.marks = VecDeque::from([Mark {
            rows: mark_rows,
            items: mark_items,
            state: state.input(0)?.clone(),
        }]);
        (self.rows, self.items) = (mark_rows, mark_items);
        let mut places = self.slots.places();
        self.buffer.reserve_slots(self.slots.len());
        while self.items < items {
            let limit = usize::try_from(items - self.items).unwrap_or(usize::MAX).min(4096);
            let first = self.rows;
            match self.pull(limit) {
                Ok(Some(block)) => {
                    let end = first + block.rows() as u64;
                    self.buffer.put(&places.split_to(end), first, &block)?;
                }
                Ok(None) => return Err(malformed()),
                Err(error) if error.code() == Code::Cancelled => return Err(error),
                Err(_) => {}
            }
        }
        if self.rows != rows || !places.is_empty() {
            return Err(malformed());
        }
        (self.emitted, self.ended) = (emitted, ended);
        Ok(())
    }
}

impl Cursor for ShuffleCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        while !self.ended && self.slots.len() < self.capacity {
            let first = self.rows;
            let missing = self.capacity - self.slots.len();
            if let Some(block) = self.pull(missing.min(FILL_AT_ONCE))? {
                self.buffer.append(&block)?;
                self.slots.append(first..self.rows);
            }
        }
        if !self.ended {
            let first = self.rows;
            // A slot holds one element: no more than the buffer's size in one go.
            if let Some(block) = self.pull(limit.min(self.capacity))? {
                let count = block.rows();
                let chosen: Vec<usize> = (0..count)
                    .map(|k| self.choice(self.emitted + k as u64, self.capacity))
                    .collect();
                self.emitted += count as u64;
                chosen.iter().zip(first..).for_each(|(&slot, n)| self.slots.set(slot, n));
                return self.buffer.exchange(&chosen, &block).map(Some);
            }
        }
        let count = limit.min(self.slots.len());
        if count == 0 {
            return Ok(None);
        }
        let mut chosen = Vec::with_capacity(count);
        for _ in 0..count {
            let slot = self.choice(self.emitted, self.slots.len());
            self.slots.remove(slot);
            self.emitted += 1;
            chosen.push(slot);
        }
        self.buffer.drain(&chosen).map(Some)
    }

    fn state(&self) -> State {
        // The newest state of the input before the oldest element that is still in the buffer.
        let oldest = self.slots.oldest().unwrap_or(self.rows);
        let mark = self.marks.iter().rev().find(|m| m.rows <= oldest).or(self.marks.front());
        let (rows, items, state) = match mark {
            Some(mark) => (mark.rows, mark.items, mark.state.clone()),
            None => (self.rows, self.items, self.input.state()),
        };
        State::of([rows, items, self.rows, self.items, self.emitted, u64::from(self.ended)])
            .with([state])
    }

    fn ready(&self) -> usize {
        match self.ended {
            true => self.slots.len(),
            false if self.slots.len() == self.capacity => self.input.ready().min(self.capacity),
            false => 0,
        }
    }
}
