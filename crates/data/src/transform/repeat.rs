//! The same dataset several times over.
//!
//! A round is opened as soon as the one before has ended, and the first at once: its state then says which seeds it has
//! drawn, also when it has not delivered anything.

use std::sync::Arc;

use downpour_tensor::{Result, Status};

use crate::context::Context;
use crate::position::State;
use crate::random_access::{IndexMap, RandomAccess, countable};
use crate::stage::{Cursor, Length, Schema, Stage};
use crate::{Block, Dataset};

impl Dataset {
    /// The dataset without end; each round is another iteration for shuffles before it.
    pub fn repeat(&self) -> Dataset {
        Dataset::new(Repeat { input: self.stage().clone(), count: None })
    }

    /// The dataset `count` times.
    pub fn repeat_times(&self, count: u64) -> Dataset {
        Dataset::new(Repeat { input: self.stage().clone(), count: Some(count) })
    }
}

struct Repeat {
    input: Arc<dyn Stage>,
    count: Option<u64>,
}

impl Stage for Repeat {
    fn describe(&self) -> String {
        self.count.map_or("repeat".to_owned(), |n| format!("repeat({n})"))
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn schema(&self) -> Option<Schema> {
        self.input.schema()
    }

    fn length(&self) -> Option<Length> {
        match (self.input.length(), self.count) {
            (Some(Length::Finite(0)), _) | (_, Some(0)) => Some(Length::Finite(0)),
            (Some(Length::Finite(n)), Some(count)) => n.checked_mul(count).map(Length::Finite),
            // An input of unknown length is taken for one that has elements.
            (Some(Length::Infinite), _) | (_, None) => Some(Length::Infinite),
            (None, Some(_)) => None,
        }
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let mut cursor = RepeatCursor {
            stage: self.input.clone(),
            context: context.clone(),
            rounds: self.count.unwrap_or(u64::MAX),
            round: 0,
            delivered: false,
            current: None,
        };
        if let Some(state) = state {
            let [round, delivered] = state.expect()?;
            (cursor.round, cursor.delivered) = (round, delivered != 0);
            if let Some(inner) = state.inputs.first() {
                cursor.current = Some(self.input.open(&context.repeated(round), Some(inner))?);
            }
        } else if cursor.rounds > 0 {
            cursor.current = Some(self.input.open(&context.repeated(0), None)?);
        }
        Ok(Box::new(cursor))
    }

    /// All rounds are of the same elements.
    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        countable(self)?;
        // An empty input has no number to divide.
        let round = countable(&*self.input)?.max(1);
        IndexMap::open(self, &*self.input, context, state, move |number| number % round)
    }

    fn check_global_shuffle(&self) -> Result<()> {
        self.input.check_global_shuffle()?;
        match self.count {
            Some(1..) => Ok(()),
            none => Err(Status::failed_precondition(format!(
                "`repeat({})` does not support random access of tf.data datasets.",
                none.map_or(-1, |_| 0)
            ))),
        }
    }
}

struct RepeatCursor {
    stage: Arc<dyn Stage>,
    context: Context,
    rounds: u64,
    round: u64,
    /// Whether this round had an element: rounds without any would never end.
    delivered: bool,
    current: Option<Box<dyn Cursor>>,
}

impl Cursor for RepeatCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        loop {
            self.context.cancel().check()?;
            if self.round >= self.rounds {
                return Ok(None);
            }
            if self.current.is_none() {
                self.delivered = false;
                let context = self.context.repeated(self.round);
                self.current = Some(self.stage.open(&context, None)?);
            }
            if let Some(cursor) = &mut self.current
                && let Some(block) = cursor.next(limit)?
            {
                self.delivered = true;
                return Ok(Some(block));
            }
            self.current = None;
            self.round = if self.delivered { self.round + 1 } else { self.rounds };
        }
    }

    fn state(&self) -> State {
        let inner: Vec<State> = self.current.iter().map(|c| c.state()).collect();
        State::of([self.round, u64::from(self.delivered)]).with(inner)
    }

    fn ready(&self) -> usize {
        self.current.as_ref().map_or(0, |c| c.ready())
    }
}
