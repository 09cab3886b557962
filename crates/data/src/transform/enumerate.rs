//! Elements with their numbers.

use std::sync::Arc;

use downpour_tensor::{DataType, Result, Tensor};

use super::zip::side_by_side;
use crate::context::Context;
use crate::position::State;
use crate::stage::{Cursor, Field, Length, Schema, Stage};
use crate::{Block, Dataset, Names};

impl Dataset {
    /// Each element gets its number as a first tensor `index` (int64).
    pub fn enumerate(&self) -> Dataset {
        Dataset::new(Enumerate { input: self.stage().clone() })
    }
}

struct Enumerate {
    input: Arc<dyn Stage>,
}

impl Stage for Enumerate {
    fn describe(&self) -> String {
        "enumerate".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn schema(&self) -> Option<Schema> {
        let mut schema = self.input.schema()?;
        schema.fields.insert(0, Field::new("index", DataType::Int64, &[]));
        Some(schema)
    }

    fn length(&self) -> Option<Length> {
        self.input.length()
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let number = state.map(|s| s.expect::<1>()).transpose()?.map_or(0, |[n]| n);
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        Ok(Box::new(EnumerateCursor { input, number, names: Names::new(["index"]) }))
    }
}

struct EnumerateCursor {
    input: Box<dyn Cursor>,
    number: u64,
    names: Names,
}

impl Cursor for EnumerateCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let Some(block) = self.input.next(limit)? else { return Ok(None) };
        let first = self.number;
        self.number += block.rows() as u64;
        let numbers = Tensor::build([block.rows()], |out: &mut [i64]| {
            out.iter_mut().zip(first..).for_each(|(o, n)| *o = n as i64);
        })?;
        let numbers = Block::from_columns(self.names.clone(), block.rows(), vec![numbers])?;
        side_by_side(vec![numbers, block]).map(Some)
    }

    fn state(&self) -> State {
        State::of([self.number]).with([self.input.state()])
    }

    fn ready(&self) -> usize {
        self.input.ready()
    }
}
