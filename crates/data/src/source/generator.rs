//! Elements that a closure makes.

use std::sync::Arc;

use downpour_tensor::{Result, Status};

use crate::context::Context;
use crate::position::State;
use crate::stage::{Cursor, Schema, Stage};
use crate::{Block, Dataset, Element};

type Made = Box<dyn FnMut() -> Option<Result<Element>> + Send>;

struct Generator {
    name: String,
    start: Arc<dyn Fn() -> Result<Made> + Send + Sync>,
    schema: Option<Schema>,
}

impl Dataset {
    /// What the iterators made by `start` give. Each pass over the dataset starts one; a resumed
    /// pass starts one and drops what was delivered before, so it must give the same again.
    ///
    /// ```
    /// use downpour_data::{Dataset, Element};
    /// use downpour_tensor::Tensor;
    /// let squares = Dataset::generator("squares", || {
    ///     Ok((0..4i64).map(|v| Ok(Element::named([("square", Tensor::scalar(v * v))]))))
    /// });
    /// let sum: i64 = squares.iterate().unwrap().map(|e| e.unwrap()[0].to_scalar::<i64>().unwrap()).sum();
    /// assert_eq!(sum, 14);
    /// ```
    pub fn generator<I>(
        name: impl Into<String>,
        start: impl Fn() -> Result<I> + Send + Sync + 'static,
    ) -> Dataset
    where
        I: Iterator<Item = Result<Element>> + Send + 'static,
    {
        Dataset::new(Generator {
            name: name.into(),
            start: Arc::new(move || {
                let mut made = start()?;
                Ok(Box::new(move || made.next()) as Made)
            }),
            schema: None,
        })
    }
}

impl Stage for Generator {
    fn describe(&self) -> String {
        format!("generator({})", self.name)
    }

    fn schema(&self) -> Option<Schema> {
        self.schema.clone()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let delivered = state.map(|s| s.expect::<1>()).transpose()?.map_or(0, |[n]| n);
        let mut next = (self.start)().map_err(|e| e.context(self.describe()))?;
        for number in 0..delivered {
            context.cancel().check()?;
            if next().is_none() {
                return Err(Status::failed_precondition(format!(
                    "{} ended after {number} elements, but {delivered} had been delivered when the position was saved; \
                     a generator must give the same elements each time to be resumed",
                    self.describe()
                )));
            }
        }
        Ok(Box::new(GeneratorCursor { name: self.describe(), next: Some(next), delivered }))
    }
}

struct GeneratorCursor {
    name: String,
    next: Option<Made>,
    delivered: u64,
}

impl Cursor for GeneratorCursor {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        let Some(made) = self.next.as_mut().and_then(|next| next()) else {
            self.next = None;
            return Ok(None);
        };
        self.delivered += 1;
        let element = made.map_err(|e| {
            e.context(format_args!("{}, element {}", self.name, self.delivered - 1))
        })?;
        Ok(Some(Block::from_element(element)))
    }

    fn state(&self) -> State {
        State::of([self.delivered])
    }
}
