//! A block that is handed on in parts.

use std::sync::Arc;

use downpour_tensor::{Result, Status};

use crate::stage::{Cursor, replay};
use crate::{Block, Element, Selection, State};

/// The rest of a block. Empty to begin with.
#[derive(Default)]
pub(crate) struct Chunk {
    block: Option<Arc<Block>>,
    taken: usize,
}

impl Chunk {
    pub fn new(block: Block) -> Chunk {
        Chunk { block: Some(Arc::new(block)), taken: 0 }
    }

    pub fn taken(&self) -> usize {
        self.taken
    }

    pub fn remaining(&self) -> usize {
        self.block.as_ref().map_or(0, |b| b.rows() - self.taken)
    }

    /// Up to `limit` of the elements that remain; `None` when none does.
    pub fn take(&mut self, limit: usize) -> Result<Option<Block>> {
        let count = limit.min(self.remaining());
        let Some(block) = self.block.as_ref().filter(|_| count > 0) else { return Ok(None) };
        let part = block.slice(self.taken, self.taken + count)?;
        self.advance(count);
        Ok(Some(part))
    }

    /// Moves up to `limit` of the elements that remain to a selection; returns how many.
    pub fn move_to(&mut self, selection: &mut Selection, limit: usize) -> usize {
        let count = limit.min(self.remaining());
        if let Some(block) = self.block.as_ref().filter(|_| count > 0) {
            selection.pick(block, self.taken..self.taken + count);
        }
        self.advance(count)
    }

    /// The next of the elements that remain.
    pub fn element(&mut self) -> Result<Element> {
        let element = self.peek()?;
        self.advance(1);
        Ok(element)
    }

    /// The same without taking it.
    pub fn peek(&self) -> Result<Element> {
        match self.block.as_ref().filter(|_| self.remaining() > 0) {
            Some(block) => block.element(self.taken),
            None => Err(Status::internal("an element was taken from an empty chunk")),
        }
    }

    /// All that remains, without taking it.
    pub fn rest(&self) -> Result<Option<Block>> {
        let block = self.block.as_ref().filter(|_| self.remaining() > 0);
        block.map(|b| b.slice(self.taken, b.rows())).transpose()
    }

    /// Passes over up to `count` elements.
    pub fn advance(&mut self, count: usize) -> usize {
        let count = count.min(self.remaining());
        self.taken += count;
        if self.remaining() == 0 {
            self.block = None;
        }
        count
    }
}

/// An input read block by block whose elements are used one by one; its state is exact to the element.
pub(crate) struct Reading {
    pub input: Box<dyn Cursor>,
    pub chunk: Chunk,
    before: State,
}

impl Reading {
    /// `state` is what [`Reading::state`] gave, the one of the input included.
    pub fn open(
        state: Option<&State>,
        open: impl FnOnce(Option<&State>) -> Result<Box<dyn Cursor>>,
    ) -> Result<Reading> {
        let mut input = open(state.map(|s| s.input(0)).transpose()?)?;
        if let Some(state) = state {
            let [items] = state.expect()?;
            replay(&mut *input, items)?;
        }
        Ok(Reading { input, chunk: Chunk::default(), before: State::default() })
    }

    /// Reads up to `limit` elements if none is left; false at the end.
    pub fn fill(&mut self, limit: usize) -> Result<bool> {
        if self.chunk.remaining() > 0 {
            return Ok(true);
        }
        // A single element is used at once: there is no state between.
        if limit > 1 {
            self.before = self.input.state();
        }
        self.chunk = match self.input.next(limit)? {
            Some(block) => Chunk::new(block),
            None => return Ok(false),
        };
        Ok(true)
    }

    /// How many elements there are without an error or a wait.
    pub fn ready(&self) -> usize {
        match self.chunk.remaining() {
            0 => self.input.ready(),
            remaining => remaining,
        }
    }

    /// The state behind the elements taken.
    pub fn state(&self) -> State {
        match self.chunk.remaining() > 0 {
            true => State::of([self.chunk.taken() as u64]).with([self.before.clone()]),
            false => State::of([0]).with([self.input.state()]),
        }
    }
}
