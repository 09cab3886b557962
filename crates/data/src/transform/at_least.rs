//! Datasets that must not be too short.

use std::collections::VecDeque;
use std::sync::Arc;

use downpour_tensor::{Code, Result, Status};

use crate::backlog::Backlog;
use crate::chunk::Chunk;
use crate::context::{Cancel, Context};
use crate::position::State;
use crate::random_access::{RandomAccess, countable};
use crate::stage::{Cursor, Length, Schema, Stage};
use crate::{Block, Dataset};

type Short = Arc<dyn Fn(u64) -> Status + Send + Sync>;

impl Dataset {
    /// The elements, or the error that `short` makes of their number if there are fewer than `count`. So many are read
    /// before the first is delivered.
    ///
    /// ```
    /// use downpour_data::Dataset;
    /// use downpour_tensor::Status;
    /// let short = |has| Status::invalid_argument(format!("only {has} elements"));
    /// let data = Dataset::range(3);
    /// assert_eq!(data.at_least(3, short).iterate().unwrap().count(), 3);
    /// let error = data.at_least(4, short).iterate().unwrap().next().unwrap_err();
    /// assert_eq!(error.message(), "only 3 elements");
    /// ```
    pub fn at_least(
        &self,
        count: u64,
        short: impl Fn(u64) -> Status + Send + Sync + 'static,
    ) -> Dataset {
        Dataset::new(AtLeast { input: self.stage().clone(), count, short: Arc::new(short) })
    }
}

struct AtLeast {
    input: Arc<dyn Stage>,
    count: u64,
    short: Short,
}

impl Stage for AtLeast {
    fn describe(&self) -> String {
        format!("at_least({})", self.count)
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

    fn is_resumable(&self) -> bool {
        self.input.is_ordered() && self.input.is_resumable()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [passed, missing] = state.map_or(Ok([0, self.count]), State::expect)?;
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        Ok(Box::new(AtLeastCursor {
            backlog: Backlog::open(input, passed)?,
            missing,
            count: self.count,
            short: self.short.clone(),
            held: VecDeque::new(),
            chunk: Chunk::default(),
            cancel: context.cancel().clone(),
        }))
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        let has = countable(self)?;
        if has < self.count {
            return Err((self.short)(has));
        }
        self.input.random_access(context, state)
    }

    fn check_global_shuffle(&self) -> Result<()> {
        self.input.check_global_shuffle()
    }
}

struct AtLeastCursor {
    backlog: Backlog,
    /// How many elements must still be seen; none when it is known that there are enough.
    missing: u64,
    count: u64,
    short: Short,
    /// Items that were read to know that.
    held: VecDeque<Result<Block>>,
    chunk: Chunk,
    cancel: Cancel,
}

/// Elements that are taken from the input at once.
const AT_ONCE: u64 = 1024;

impl AtLeastCursor {
    /// Returns the number of the next item to deliver.
    fn delivered(&self) -> u64 {
        let items = |item: &Result<Block>| item.as_ref().map_or(1, |block| block.rows() as u64);
        let held: u64 = self.held.iter().map(items).sum();
        self.backlog.read() - held - self.chunk.remaining() as u64
    }

    fn look_ahead(&mut self) -> Result<()> {
        while self.missing > 0 {
            self.cancel.check()?;
            match self.backlog.next(self.missing.min(AT_ONCE) as usize) {
                Ok(Some(block)) => {
                    self.missing -= block.rows() as u64;
                    self.held.push_back(Ok(block));
                }
                Ok(None) => {
                    let has = self.count - std::mem::take(&mut self.missing);
                    self.held.clear();
                    return Err((self.short)(has));
                }
                Err(error) if error.code() == Code::Cancelled => {
                    return Err(error);
                }
                Err(error) => self.held.push_back(Err(error)),
            }
        }
        Ok(())
    }
}

impl Cursor for AtLeastCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        self.look_ahead()?;
        if self.chunk.remaining() == 0 {
            match self.held.pop_front() {
                Some(item) => self.chunk = Chunk::new(item?),
                None => {
                    self.backlog.release(self.backlog.read());
                    return self.backlog.next(limit);
                }
            }
        }
        self.chunk.take(limit)
    }

    /// A cursor that was asked for nothing yet has still to look ahead; from then on its input is long enough.
    fn state(&self) -> State {
        let (passed, before) = self.backlog.state(self.delivered());
        State::of([passed, self.missing]).with([before])
    }

    fn ready(&self) -> usize {
        self.chunk.remaining()
    }
}
