//! Errors left out, and counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use downpour_tensor::{Code, Result, Status};
use parking_lot::Mutex;

use crate::context::Context;
use crate::position::State;
use crate::stage::{Cursor, Schema, Stage};
use crate::{Block, Dataset};

/// How many errors may be left out, and how many were. Clones share the count.
#[derive(Clone, Default)]
pub struct IgnoredErrors(Arc<Inner>);

#[derive(Default)]
struct Inner {
    most: Option<u64>,
    count: AtomicU64,
    last: Mutex<Option<Status>>,
}

impl IgnoredErrors {
    /// Any number of errors is left out.
    pub fn any() -> IgnoredErrors {
        IgnoredErrors::default()
    }

    /// One error more than `most` is an error again: data that is mostly damaged is not trained on.
    pub fn at_most(most: u64) -> IgnoredErrors {
        IgnoredErrors(Arc::new(Inner { most: Some(most), ..Inner::default() }))
    }

    /// How many errors were left out, those before a resumed position included.
    pub fn count(&self) -> u64 {
        self.0.count.load(Ordering::Relaxed)
    }

    /// The error left out last.
    pub fn last(&self) -> Option<Status> {
        self.0.last.lock().clone()
    }
}

impl Dataset {
    /// Elements that fail are left out and counted in `ignored`.
    ///
    /// ```
    /// use downpour_data::{Dataset, Element, IgnoredErrors};
    /// use downpour_tensor::Status;
    /// let ignored = IgnoredErrors::any();
    /// let data = Dataset::range(5).map(|e: Element| match e[0].to_scalar::<i64>()? {
    ///     3 => Err(Status::data_loss("three")),
    ///     _ => Ok(e),
    /// });
    /// assert_eq!(data.ignore_errors(&ignored).iterate().unwrap().count(), 4);
    /// assert_eq!(ignored.count(), 1);
    /// ```
    pub fn ignore_errors(&self, ignored: &IgnoredErrors) -> Dataset {
        Dataset::new(IgnoreErrors { input: self.stage().clone(), ignored: ignored.clone() })
    }
}

struct IgnoreErrors {
    input: Arc<dyn Stage>,
    ignored: IgnoredErrors,
}

impl Stage for IgnoreErrors {
    fn describe(&self) -> String {
        "ignore_errors".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn schema(&self) -> Option<Schema> {
        self.input.schema()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let mut seen = 0;
        if let Some(state) = state {
            [seen] = state.expect()?;
            self.ignored.0.count.fetch_max(seen, Ordering::Relaxed);
        }
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        Ok(Box::new(IgnoreErrorsCursor { input, ignored: self.ignored.clone(), seen }))
    }
}

struct IgnoreErrorsCursor {
    input: Box<dyn Cursor>,
    ignored: IgnoredErrors,
    /// Errors this cursor has left out.
    seen: u64,
}

impl Cursor for IgnoreErrorsCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        loop {
            match self.input.next(limit) {
                Err(error) if error.code() != Code::Cancelled => {
                    self.seen += 1;
                    self.ignored.0.count.fetch_add(1, Ordering::Relaxed);
                    *self.ignored.0.last.lock() = Some(error.clone());
                    if self.ignored.0.most.is_some_and(|most| self.seen > most) {
                        return Err(error.context(format_args!(
                            "{} elements failed, more than may be ignored; the last",
                            self.seen
                        )));
                    }
                }
                item => return item,
            }
        }
    }

    fn state(&self) -> State {
        State::of([self.seen]).with([self.input.state()])
    }

    fn ready(&self) -> usize {
        self.input.ready()
    }
}
