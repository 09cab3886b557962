//! Datasets side by side, and one behind the other.

mod access;

use std::sync::Arc;

use downpour_tensor::Result;

use crate::block::Contents;
use crate::context::Context;
use crate::position::{State, malformed};
use crate::random_access::RandomAccess;
use crate::stage::{Cursor, Length, Schema, Stage};
use crate::{Block, Dataset};

impl Dataset {
    /// Elements of both side by side, as long as both have some.
    pub fn zip(&self, other: &Dataset) -> Dataset {
        let inputs = vec![self.stage().clone(), other.stage().clone()];
        Dataset::new(Zip { inputs })
    }

    /// The elements of this dataset, then those of the other.
    pub fn concatenate(&self, other: &Dataset) -> Dataset {
        let inputs = vec![self.stage().clone(), other.stage().clone()];
        Dataset::new(Concatenate { inputs })
    }
}

struct Zip {
    inputs: Vec<Arc<dyn Stage>>,
}

impl Stage for Zip {
    fn describe(&self) -> String {
        "zip".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        self.inputs.clone()
    }

    fn schema(&self) -> Option<Schema> {
        let schemas = self.inputs.iter().map(|i| i.schema()).collect::<Option<Vec<_>>>()?;
        Some(Schema { fields: schemas.into_iter().flat_map(|s| s.fields).collect() })
    }

    fn length(&self) -> Option<Length> {
        let mut shortest = Length::Infinite;
        for input in &self.inputs {
            shortest = match (shortest, input.length()?) {
                (Length::Finite(a), Length::Finite(b)) => Length::Finite(a.min(b)),
                (Length::Infinite, other) | (other, Length::Infinite) => other,
            };
        }
        Some(shortest)
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let ended = state.map(|s| s.expect::<1>()).transpose()?.is_some_and(|[e]| e != 0);
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for (i, stage) in self.inputs.iter().enumerate() {
            inputs.push(stage.open(context, state.map(|s| s.input(i)).transpose()?)?);
        }
        Ok(Box::new(ZipCursor { inputs, ended }))
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        access::side_by_side(self, context, state)
    }

    fn check_global_shuffle(&self) -> Result<()> {
        self.inputs.iter().try_for_each(|input| input.check_global_shuffle())
    }
}

struct ZipCursor {
    inputs: Vec<Box<dyn Cursor>>,
    ended: bool,
}

impl Cursor for ZipCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        if self.ended {
            return Ok(None);
        }
        // More than one at a time only when all inputs have them at hand: they stay in step.
        let count = self.ready().clamp(1, limit);
        let items: Vec<_> = self.inputs.iter_mut().map(|input| input.next(count)).collect();
        let mut blocks = Vec::with_capacity(items.len());
        let mut failed = None;
        for item in items {
            match item {
                Ok(Some(block)) => blocks.push(block),
                Ok(None) => self.ended = true,
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        match failed {
            Some(error) => Err(error),
            None if self.ended => Ok(None),
            None => side_by_side(blocks).map(Some),
        }
    }

    fn state(&self) -> State {
        let inputs: Vec<State> = self.inputs.iter().map(|i| i.state()).collect();
        State::of([u64::from(self.ended)]).with(inputs)
    }

    fn ready(&self) -> usize {
        if self.ended { 0 } else { self.inputs.iter().map(|i| i.ready()).min().unwrap_or(0) }
    }
}

/// Blocks of equally many elements as one whose elements have the tensors of all.
pub(crate) fn side_by_side(blocks: Vec<Block>) -> Result<Block> {
    let mut blocks = blocks.into_iter();
    let Some(mut all) = blocks.next() else { return Block::from_elements(Vec::new()) };
    for block in blocks {
        let names = all.names().joined(block.names());
        if let (Some(left), Some(right)) = (all.columns(), block.columns()) {
            let columns = left.iter().chain(right).cloned().collect();
            all = Block::from_columns(names, all.rows(), columns)?;
            continue;
        }
        let (left, right) = (list(all)?, list(block)?);
        let join = |(mut l, r): (Vec<_>, Vec<_>)| {
            l.extend(r);
            l
        };
        all = Block::of_list(names, left.into_iter().zip(right).map(join).collect());
    }
    Ok(all)
}

fn list(block: Block) -> Result<Vec<Vec<downpour_tensor::Tensor>>> {
    if block.columns().is_some() {
        return (0..block.rows()).map(|r| Ok(block.element(r)?.into_tensors())).collect();
    }
    match block.into_contents().2 {
        Contents::List(list) => Ok(list),
        Contents::Columns(_) => Ok(Vec::new()),
    }
}

struct Concatenate {
    inputs: Vec<Arc<dyn Stage>>,
}

impl Stage for Concatenate {
    fn describe(&self) -> String {
        "concatenate".to_owned()
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        self.inputs.clone()
    }

    fn schema(&self) -> Option<Schema> {
        let first = self.inputs.first()?.schema()?;
        self.inputs.iter().all(|i| i.schema().as_ref() == Some(&first)).then_some(first)
    }

    fn length(&self) -> Option<Length> {
        let lengths: Vec<Option<Length>> = self.inputs.iter().map(|input| input.length()).collect();
        // A part that never ends makes the whole endless, whatever the others have.
        if lengths.contains(&Some(Length::Infinite)) {
            return Some(Length::Infinite);
        }
        let mut sum = 0u64;
        for length in lengths {
            let Some(Length::Finite(n)) = length else { return None };
            sum = sum.checked_add(n)?;
        }
        Some(Length::Finite(sum))
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let (index, inner, shared) = match state {
            Some(state) => ConcatenateCursor::parts(state)?,
            None => (0, None, &[][..]),
        };
        if !shared.is_empty() {
            let mut states = shared.iter();
            self.inputs.iter().try_for_each(|input| input.restore_shared(&mut states))?;
        }
        let stage = self.inputs.get(index);
        let current = match (stage, inner) {
            (Some(stage), inner) => Some(stage.open(context, inner)?),
            (None, None) => None,
            (None, Some(_)) => return Err(malformed()),
        };
        let (inputs, context) = (self.inputs.clone(), context.clone());
        let shares = !self.shared().is_empty();
        Ok(Box::new(ConcatenateCursor { inputs, context, index, current, shares }))
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        access::behind_each_other(self, context, state)
    }

    fn check_global_shuffle(&self) -> Result<()> {
        self.inputs.iter().try_for_each(|input| input.check_global_shuffle())
    }
}

struct ConcatenateCursor {
    inputs: Vec<Arc<dyn Stage>>,
    context: Context,
    index: usize,
    current: Option<Box<dyn Cursor>>,
    /// Whether the iterations of the inputs share something, which inputs that are not open go on from.
    shares: bool,
}

impl ConcatenateCursor {
    /// The input that is read, its state if it is open, and the states of what is shared.
    fn parts(state: &State) -> Result<(usize, Option<&State>, &[State])> {
        let (index, inner, shared) = match state.numbers[..] {
            [index] => (index, state.inputs.first(), &[][..]),
            [index, 0] => (index, None, &state.inputs[..]),
            [index, 1] => (index, Some(state.input(0)?), &state.inputs[1..]),
            _ => return Err(malformed()),
        };
        Ok((usize::try_from(index).map_err(|_| malformed())?, inner, shared))
    }
}

impl Cursor for ConcatenateCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        loop {
            if self.current.is_none() {
                let Some(stage) = self.inputs.get(self.index) else { return Ok(None) };
                self.current = Some(stage.open(&self.context, None)?);
            }
            if let Some(cursor) = &mut self.current
                && let Some(block) = cursor.next(limit)?
            {
                return Ok(Some(block));
            }
            self.current = None;
            self.index += 1;
        }
    }

    fn state(&self) -> State {
        let mut inner: Vec<State> = self.current.iter().map(|c| c.state()).collect();
        if !self.shares {
            return State::of([self.index as u64]).with(inner);
        }
        let is_open = inner.len() as u64;
        inner.extend(self.inputs.iter().flat_map(|input| input.shared()));
        State::of([self.index as u64, is_open]).with(inner)
    }

    fn ready(&self) -> usize {
        self.current.as_ref().map_or(0, |c| c.ready())
    }
}
