//! Datasets that an error of a certain kind ends.

use std::sync::Arc;

use downpour_tensor::{Result, Status};

use crate::context::Context;
use crate::position::State;
use crate::random_access::RandomAccess;
use crate::stage::{Cursor, Length, Schema, Stage};
use crate::{Block, Dataset};

type IsEnd = Arc<dyn Fn(&Status) -> bool + Send + Sync>;

impl Dataset {
    /// The elements before the first error of which `is_end` says that it is the end of the dataset.
    ///
    /// ```
    /// use downpour_data::{Dataset, Element};
    /// use downpour_tensor::{Code, Status};
    /// let data = Dataset::range(9).map(|e: Element| match e[0].to_scalar::<i64>()? {
    ///     4 => Err(Status::out_of_range("no more")),
    ///     _ => Ok(e),
    /// });
    /// assert_eq!(data.until_error(|e| e.code() == Code::OutOfRange).iterate().unwrap().count(), 4);
    /// ```
    pub fn until_error(&self, is_end: impl Fn(&Status) -> bool + Send + Sync + 'static) -> Dataset {
        Dataset::new(UntilError { input: self.stage().clone(), is_end: Arc::new(is_end) })
    }
}

struct UntilError {
    input: Arc<dyn Stage>,
    is_end: IsEnd,
}

impl Stage for UntilError {
    fn describe(&self) -> String {
        "until_error".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn schema(&self) -> Option<Schema> {
        self.input.schema()
    }

    fn length(&self) -> Option<Length> {
        self.input.length().filter(|length| *length == Length::Finite(0))
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [is_over] = state.map_or(Ok([0]), State::expect)?;
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        let is_end = self.is_end.clone();
        Ok(Box::new(UntilErrorCursor { input, is_end, is_over: is_over != 0 }))
    }

    /// An element that is asked for by its number comes, whatever became of those before it.
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

struct UntilErrorCursor {
    input: Box<dyn Cursor>,
    is_end: IsEnd,
    is_over: bool,
}

impl Cursor for UntilErrorCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        if self.is_over {
            return Ok(None);
        }
        match self.input.next(limit) {
            Err(error) if (self.is_end)(&error) => {
                self.is_over = true;
                Ok(None)
            }
            item => item,
        }
    }

    fn state(&self) -> State {
        State::of([u64::from(self.is_over)]).with([self.input.state()])
    }

    fn ready(&self) -> usize {
        if self.is_over { 0 } else { self.input.ready() }
    }
}
