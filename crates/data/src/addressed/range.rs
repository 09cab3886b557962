//! A range of positions as a stage.

use downpour_tensor::Result;

use super::permutation::Permutation;
use super::{Addressed, Kept};
use crate::Block;
use crate::context::Context;
use crate::position::{State, malformed};
use crate::stage::{Cursor, Length, Schema, Stage};

/// Most rows that are gathered at once.
const AT_ONCE: usize = 1024;

pub struct Range {
    pub of: Addressed,
    pub key: Option<u64>,
    pub start: u64,
    pub end: u64,
}

impl Stage for Range {
    fn describe(&self) -> String {
        format!("positions({}..{})", self.start, self.end)
    }

    fn schema(&self) -> Option<Schema> {
        self.of.schema()
    }

    fn length(&self) -> Option<Length> {
        Some(Length::Finite(self.end - self.start))
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [delivered] = state.map(State::expect).transpose()?.unwrap_or([0]);
        let at = self.start.checked_add(delivered).filter(|at| *at <= self.end);
        Ok(Box::new(RangeCursor {
            of: self.of.clone(),
            key: self.key,
            context: context.clone(),
            start: self.start,
            at: at.ok_or_else(malformed)?,
            end: self.end,
            loaded: None,
        }))
    }
}

struct RangeCursor {
    of: Addressed,
    key: Option<u64>,
    context: Context,
    start: u64,
    at: u64,
    end: u64,
    /// The block in a slot, of data that is not in memory.
    loaded: Option<(u64, Block)>,
}

impl RangeCursor {
    fn left(&self) -> usize {
        usize::try_from(self.end - self.at).unwrap_or(usize::MAX)
    }

    /// The next rows out of memory.
    fn gather(&self, all: &Block, count: usize) -> Result<Block> {
        let positions = self.at..self.at + count as u64;
        match self.key {
            None => all.slice(positions.start as usize, positions.end as usize),
            Some(key) => {
                let order = Permutation::new(key, all.rows() as u64);
                let picked: Vec<usize> = positions.map(|at| order.of(at) as usize).collect();
                all.gather(&picked)
            }
        }
    }

    /// The next rows of the block that the position is in.
    fn read_slot(&mut self, states: &[State], limit: usize) -> Result<Block> {
        let size = self.of.0.block as u64;
        let (slot, first) = (self.at / size, (self.at % size) as usize);
        if self.loaded.as_ref().is_none_or(|(loaded, _)| *loaded != slot) {
            let block = self.of.0.slot(states, self.key, slot, self.context.cancel())?;
            self.loaded = Some((slot, block));
        }
        let Some((_, block)) = &self.loaded else { return Err(malformed()) };
        let end = block.rows().min(first.saturating_add(limit));
        if first >= end {
            return Err(malformed());
        }
        block.slice(first, end)
    }
}

impl Cursor for RangeCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        self.context.cancel().check()?;
        let count = limit.min(self.left()).min(AT_ONCE);
        if count == 0 {
            return Ok(None);
        }
        let of = self.of.clone();
        let block = match &of.0.kept {
            Kept::Data(all) => self.gather(all, count)?,
            Kept::States(states) => self.read_slot(states, count).inspect_err(|_| {
                // Nothing can be read behind it.
                self.at = self.end;
            })?,
        };
        self.at += block.rows() as u64;
        Ok(Some(block))
    }

    fn state(&self) -> State {
        State::of([self.at - self.start])
    }

    fn ready(&self) -> usize {
        match (&self.of.0.kept, &self.loaded) {
            (Kept::Data(_), _) => self.left().min(AT_ONCE),
            (_, Some((slot, block))) if self.at / self.of.0.block as u64 == *slot => {
                let first = (self.at % self.of.0.block as u64) as usize;
                block.rows().saturating_sub(first).min(self.left()).min(AT_ONCE)
            }
            _ => 0,
        }
    }
}
