//! The elements before the first that does not fit.

use std::sync::Arc;

use downpour_tensor::Result;

use super::map::guarded;
use crate::chunk::Reading;
use crate::context::{Cancel, Context};
use crate::position::State;
use crate::stage::{Cursor, Schema, Stage};
use crate::{Block, Dataset, Element};

type Keep = Arc<dyn Fn(&Element) -> Result<bool> + Send + Sync>;

impl Dataset {
    /// The elements before the first for which `keep` is false.
    ///
    /// ```
    /// use downpour_data::{Dataset, Element};
    /// let small = Dataset::range(9).take_while(|e: &Element| Ok(e[0].to_scalar::<i64>()? < 4));
    /// assert_eq!(small.iterate().unwrap().count(), 4);
    /// ```
    pub fn take_while(
        &self,
        keep: impl Fn(&Element) -> Result<bool> + Send + Sync + 'static,
    ) -> Dataset {
        Dataset::new(TakeWhile { input: self.stage().clone(), keep: Arc::new(keep) })
    }
}

struct TakeWhile {
    input: Arc<dyn Stage>,
    keep: Keep,
}

impl Stage for TakeWhile {
    fn describe(&self) -> String {
        "take_while".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn schema(&self) -> Option<Schema> {
        self.input.schema()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [ended] = state.map_or(Ok([0]), State::expect)?;
        let inner = state.map(|s| s.input(0)).transpose()?;
        let reading = Reading::open(inner, |s| self.input.open(context, s))?;
        let (keep, cancel) = (self.keep.clone(), context.cancel().clone());
        Ok(Box::new(TakeWhileCursor { reading, keep, cancel, is_over: ended != 0 }))
    }
}

struct TakeWhileCursor {
    reading: Reading,
    keep: Keep,
    cancel: Cancel,
    is_over: bool,
}

impl Cursor for TakeWhileCursor {
    /// One element at a time: what comes behind the last is not looked at.
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        self.cancel.check()?;
        if self.is_over || !self.reading.fill(1)? {
            self.is_over = true;
            return Ok(None);
        }
        let element = self.reading.chunk.element()?;
        match guarded("take_while", || (self.keep)(&element))? {
            true => Ok(Some(Block::from_element(element))),
            false => {
                self.is_over = true;
                Ok(None)
            }
        }
    }

    fn state(&self) -> State {
        State::of([u64::from(self.is_over)]).with([self.reading.state()])
    }
}
