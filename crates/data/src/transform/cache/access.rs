//! Elements of a cache by number.
//!
//! Elements that were found once are kept with the stage, apart from those of iterators. An input that can be shuffled
//! globally is asked for single elements. Another is read from its beginning up to the element asked for, since its elements may lie
//! in another order when they are asked for; where that reading stood is kept with the elements, and the next access goes
//! on there.

use std::collections::HashMap;
use std::sync::Arc;

use downpour_tensor::Result;
use parking_lot::Mutex;

use crate::Element;
use crate::context::Context;
use crate::position::State;
use crate::random_access::{RandomAccess, out_of_range};
use crate::stage::{Cursor, Stage, replay};

/// The elements that all accesses of one cache have found.
#[derive(Clone, Default)]
pub(super) struct FoundElements(Arc<Mutex<Elements>>);

#[derive(Default)]
struct Elements {
    by_number: HashMap<u64, Element>,
    /// Elements that were read from the beginning, and the input's state behind them.
    read: u64,
    state: Option<State>,
}

impl FoundElements {
    /// Opens the access to a cache of `input`.
    pub fn open(
        &self,
        input: &Arc<dyn Stage>,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        let context = context.unrepeated();
        if input.check_global_shuffle().is_err() {
            let (found, input) = (self.clone(), input.clone());
            return Ok(Box::new(ReadingAccess { found, input, context, cursor: None, read: 0 }));
        }
        let accessed = input.random_access(&context, state)?;
        // Elements that have other numbers next time cannot be kept by them.
        Ok(match input.is_repeatable() {
            true => Box::new(CacheAccess { found: self.clone(), input: accessed }),
            false => accessed,
        })
    }
}

struct CacheAccess {
    found: FoundElements,
    input: Box<dyn RandomAccess>,
}

impl RandomAccess for CacheAccess {
    fn element(&mut self, number: u64) -> Result<Element> {
        if let Some(found) = self.found.0.lock().by_number.get(&number) {
            return Ok(found.clone());
        }
        let element = self.input.element(number)?;
        // Another access may have found it meanwhile: all give the first.
        Ok(self.found.0.lock().by_number.entry(number).or_insert(element).clone())
    }

    fn state(&self) -> State {
        self.input.state()
    }
}

struct ReadingAccess {
    found: FoundElements,
    input: Arc<dyn Stage>,
    context: Context,
    /// Opened when an element is asked for that nobody has read.
    cursor: Option<Box<dyn Cursor>>,
    /// Elements before the cursor.
    read: u64,
}

/// Elements that are read at once.
const AT_ONCE: usize = 256;

impl RandomAccess for ReadingAccess {
    fn element(&mut self, number: u64) -> Result<Element> {
        loop {
            let read = {
                let found = self.found.0.lock();
                if let Some(element) = found.by_number.get(&number) {
                    return Ok(element.clone());
                }
                found.read
            };
            self.context.cancel().check()?;
            let limit = usize::try_from(number - read).unwrap_or(AT_ONCE).clamp(1, AT_ONCE);
            let cursor = self.at(read)?;
            let Some(block) = cursor.next(limit)? else {
                return Err(out_of_range(number, read));
            };
            let state = cursor.state();
            self.read = read + block.rows() as u64;
            self.keep(read, &block, state)?;
        }
    }
}

impl ReadingAccess {
    /// Returns a cursor behind the first `read` elements.
    fn at(&mut self, read: u64) -> Result<&mut dyn Cursor> {
        let cursor = match self.cursor.take().filter(|_| self.read == read) {
            Some(cursor) => cursor,
            None => {
                let found = self.found.0.lock();
                let state = found.state.clone().filter(|_| found.read == read);
                drop(found);
                match state.filter(|_| self.input.is_resumable()) {
                    Some(state) => self.input.open(&self.context, Some(&state))?,
                    None => {
                        let mut cursor = self.input.open(&self.context, None)?;
                        replay(&mut *cursor, read)?;
                        cursor
                    }
                }
            }
        };
        self.read = read;
        Ok(&mut **self.cursor.insert(cursor))
    }

    fn keep(&self, first: u64, block: &crate::Block, state: State) -> Result<()> {
        let mut found = self.found.0.lock();
        for row in 0..block.rows() {
            let element = block.element(row)?;
            found.by_number.entry(first + row as u64).or_insert(element);
        }
        if self.read > found.read {
            (found.read, found.state) = (self.read, Some(state));
        }
        Ok(())
    }
}
