//! Every n-th element, so that several tasks share a dataset without overlap.

use std::sync::Arc;

use downpour_tensor::{Result, Status};

use crate::context::{Cancel, Context};
use crate::position::State;
use crate::random_access::{IndexMap, RandomAccess};
use crate::stage::{Cursor, Length, Schema, Stage};
use crate::{Block, Dataset};

impl Dataset {
    /// The elements whose number is `index` modulo `count`: one of `count` disjoint parts that
    /// together are the whole.
    pub fn shard(&self, count: u64, index: u64) -> Result<Dataset> {
        if index >= count {
            return Err(Status::invalid_argument(format!(
                "shard {index} of {count} does not exist; indices are 0..{count}"
            )));
        }
        Ok(Dataset::new(Shard { input: self.stage().clone(), count, index }))
    }
}

struct Shard {
    input: Arc<dyn Stage>,
    count: u64,
    index: u64,
}

impl Stage for Shard {
    fn describe(&self) -> String {
        format!("shard({} of {})", self.index, self.count)
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn schema(&self) -> Option<Schema> {
        self.input.schema()
    }

    fn length(&self) -> Option<Length> {
        match self.input.length()? {
            Length::Finite(n) if n > self.index => {
                Some(Length::Finite((n - self.index - 1) / self.count + 1))
            }
            Length::Finite(_) => Some(Length::Finite(0)),
            Length::Infinite => Some(Length::Infinite),
        }
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let phase = match state {
            Some(state) => state.expect::<1>()?[0] % self.count,
            None => 0,
        };
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        let cancel = context.cancel().clone();
        Ok(Box::new(ShardCursor { input, cancel, count: self.count, index: self.index, phase }))
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        let (count, index) = (self.count, self.index);
        IndexMap::open(self, &*self.input, context, state, move |n| index + n * count)
    }

    fn check_global_shuffle(&self) -> Result<()> {
        self.input.check_global_shuffle()
    }
}

struct ShardCursor {
    input: Box<dyn Cursor>,
    cancel: Cancel,
    count: u64,
    index: u64,
    /// The number of the input's next element, modulo `count`.
    phase: u64,
}

impl Cursor for ShardCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        loop {
            self.cancel.check()?;
            // So many elements that the last is ours and no more than `limit` are.
            let to_ours = (self.index + self.count - self.phase) % self.count;
            let wanted = (limit as u64 - 1).saturating_mul(self.count).saturating_add(to_ours + 1);
            let most = self.input.ready().max(1 << 16);
            let wanted = usize::try_from(wanted).unwrap_or(usize::MAX).min(most);
            let Some(block) = self.input.next(wanted)? else { return Ok(None) };
            let step = usize::try_from(self.count).unwrap_or(usize::MAX);
            let first = usize::try_from(to_ours).unwrap_or(usize::MAX);
            let ours: Vec<usize> = (first..block.rows()).step_by(step).collect();
            self.phase = (self.phase + block.rows() as u64) % self.count;
            if !ours.is_empty() {
                return block.gather(&ours).map(Some);
            }
        }
    }

    fn state(&self) -> State {
        State::of([self.phase]).with([self.input.state()])
    }

    fn ready(&self) -> usize {
        let to_ours = (self.index + self.count - self.phase) % self.count;
        let ready = self.input.ready() as u64;
        if ready <= to_ours { 0 } else { ((ready - to_ours - 1) / self.count + 1) as usize }
    }
}
