//! Elements with a random number each.

use std::sync::Arc;

use downpour_tensor::{DataType, Result, Tensor};

use super::zip::side_by_side;
use crate::context::Context;
use crate::position::State;
use crate::random::mix;
use crate::stage::{Cursor, Field, Length, Schema, Stage};
use crate::{Block, Dataset, Names};

/// The name of the numbers.
pub(crate) const KEY: &str = "key";

impl Dataset {
    /// Each element gets a random number as a first tensor `key` (int64), others in each epoch: for functions that
    /// change elements at random, like [`AugmentImage`](crate::AugmentImage), and so are the same wherever and
    /// whenever they run.
    pub fn random_keys(&self, seed: u64) -> Dataset {
        Dataset::new(RandomKeys { input: self.stage().clone(), seed })
    }
}

struct RandomKeys {
    input: Arc<dyn Stage>,
    seed: u64,
}

impl Stage for RandomKeys {
    fn describe(&self) -> String {
        format!("random_keys(seed {})", self.seed)
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn schema(&self) -> Option<Schema> {
        let mut schema = self.input.schema()?;
        schema.fields.insert(0, Field::new(KEY, DataType::Int64, &[]));
        Some(schema)
    }

    fn length(&self) -> Option<Length> {
        self.input.length()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let number = state.map(|s| s.expect::<1>()).transpose()?.map_or(0, |[n]| n);
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        let stream = mix(self.seed, context.iteration());
        Ok(Box::new(RandomKeysCursor { input, stream, number, names: Names::new([KEY]) }))
    }
}

struct RandomKeysCursor {
    input: Box<dyn Cursor>,
    stream: u64,
    /// The number of the next element.
    number: u64,
    names: Names,
}

impl Cursor for RandomKeysCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let Some(block) = self.input.next(limit)? else { return Ok(None) };
        let first = self.number;
        self.number += block.rows() as u64;
        let keys = Tensor::build([block.rows()], |out: &mut [i64]| {
            out.iter_mut().zip(first..).for_each(|(o, n)| *o = mix(self.stream, n) as i64);
        })?;
        let keys = Block::from_columns(self.names.clone(), block.rows(), vec![keys])?;
        side_by_side(vec![keys, block]).map(Some)
    }

    fn state(&self) -> State {
        State::of([self.number]).with([self.input.state()])
    }

    fn ready(&self) -> usize {
        self.input.ready()
    }
}
