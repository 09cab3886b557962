//! Inputs of stages that keep items after they were read.
//!
//! A state holds no data, so whatever a stage keeps is read again when it is resumed. Stages that keep the last few items
//! go on from before the oldest of them ([`Backlog`]); stages whose memory follows from everything before begin again at
//! the start ([`RestartableInput`]).

use std::collections::VecDeque;

use downpour_tensor::{Code, Result};

use crate::chunk::Chunk;
use crate::position::{State, malformed};
use crate::stage::{Cursor, replay};
use crate::{Block, Element};

/// States of the input that are kept at most, and items between two of them at least. With more states less is read
/// again.
const MOST_MARKS: usize = 64;
const APART: u64 = 16;

/// An input that knows from where its items are read again. Items are numbered from 0 since it was opened, and an error is
/// an item too.
pub(crate) struct Backlog {
    input: Box<dyn Cursor>,
    read: u64,
    /// Numbers of items and the input's state before each, in order.
    marks: VecDeque<(u64, State)>,
}

impl Backlog {
    /// Returns the input behind `items` that were delivered before.
    pub fn open(mut input: Box<dyn Cursor>, items: u64) -> Result<Backlog> {
        replay(&mut *input, items)?;
        Ok(Backlog { input, read: 0, marks: VecDeque::new() })
    }

    /// Returns the number of the next item.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// Reads up to `limit` elements, or an error.
    pub fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let is_apart = self.marks.back().is_none_or(|(number, _)| self.read - number >= APART);
        let before = is_apart.then(|| self.input.state());
        let item = self.input.next(limit);
        let items = match &item {
            Ok(Some(block)) => block.rows() as u64,
            Err(error) if error.code() != Code::Cancelled => 1,
            _ => return item,
        };
        self.marks.extend(before.map(|state| (self.read, state)));
        self.read += items;
        if self.marks.len() > MOST_MARKS {
            let mut place = 0;
            self.marks.retain(|_| {
                place += 1;
                place % 2 == 1
            });
        }
        item
    }

    /// Returns how many elements can be had without a wait.
    pub fn ready(&self) -> usize {
        self.input.ready()
    }

    /// Forgets how to read the items before number `oldest` again.
    pub fn release(&mut self, oldest: u64) {
        if oldest >= self.read {
            self.marks.clear();
        }
        while self.marks.get(1).is_some_and(|(number, _)| *number <= oldest) {
            self.marks.pop_front();
        }
    }

    /// Returns how many items to pass over from which state of the input, so that number `oldest` is next.
    pub fn state(&self, oldest: u64) -> (u64, State) {
        let mark = self.marks.iter().rev().find(|(number, _)| *number <= oldest);
        match mark.filter(|_| oldest < self.read) {
            Some((number, state)) => (oldest - number, state.clone()),
            None => (0, self.input.state()),
        }
    }
}

/// An input that is read again from where it began. Its state says how many items were read since.
pub(crate) struct RestartableInput {
    input: Box<dyn Cursor>,
    start: State,
    chunk: Chunk,
    items: u64,
}

/// Elements that are taken from the input at once.
const AT_ONCE: usize = 256;

impl RestartableInput {
    /// Returns the input from its start, and how many items the stage must read again before it goes on. `state` is what
    /// [`RestartableInput::state`] has given.
    pub fn open(
        state: Option<&State>,
        open: impl FnOnce(Option<&State>) -> Result<Box<dyn Cursor>>,
    ) -> Result<(RestartableInput, u64)> {
        let input = open(state.map(|s| s.input(0)).transpose()?)?;
        let items = match state {
            Some(state) => *state.numbers.first().ok_or_else(malformed)?,
            None => 0,
        };
        let start = input.state();
        Ok((RestartableInput { input, start, chunk: Chunk::default(), items: 0 }, items))
    }

    /// Reads one element, or an error.
    pub fn next(&mut self) -> Result<Option<Element>> {
        if self.chunk.remaining() == 0 {
            let limit = self.input.ready().clamp(1, AT_ONCE);
            self.chunk = match self.input.next(limit) {
                Ok(Some(block)) => Chunk::new(block),
                Ok(None) => return Ok(None),
                Err(error) => {
                    self.items += u64::from(error.code() != Code::Cancelled);
                    return Err(error);
                }
            };
        }
        self.items += 1;
        self.chunk.element().map(Some)
    }

    /// Returns the state behind the items read, and numbers of the stage's own behind it.
    pub fn state(&self, own: &[u64]) -> State {
        let mut numbers = vec![self.items];
        numbers.extend_from_slice(own);
        State::of(numbers).with([self.start.clone()])
    }
}

/// Reads `items` again and does with each what was done before; errors were delivered then.
pub(crate) fn redo(items: u64, mut step: impl FnMut() -> Result<bool>) -> Result<()> {
    for _ in 0..items {
        match step() {
            Ok(true) => {}
            Ok(false) => return Err(malformed()),
            Err(error) if error.code() == Code::Cancelled => return Err(error),
            Err(_) => {}
        }
    }
    Ok(())
}
