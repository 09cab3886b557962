//! The first elements only, or all but the first.

use std::sync::Arc;

use downpour_tensor::{Result, Status};

use crate::context::{Cancel, Context};
use crate::position::State;
use crate::random_access::{IndexMap, RandomAccess};
use crate::stage::{Cursor, Length, Schema, Stage};
use crate::{Block, Dataset};

impl Dataset {
    /// The first `count` elements.
    pub fn take(&self, count: u64) -> Dataset {
        Dataset::new(Limit { input: self.stage().clone(), skip: 0, take: Some(count) })
    }

    /// All but the first `count` elements.
    pub fn skip(&self, count: u64) -> Dataset {
        Dataset::new(Limit { input: self.stage().clone(), skip: count, take: None })
    }

    /// Nothing, whatever elements there are.
    pub fn skip_all(&self) -> Dataset {
        Dataset::new(Limit { input: self.stage().clone(), skip: u64::MAX, take: Some(0) })
    }
}

struct Limit {
    input: Arc<dyn Stage>,
    skip: u64,
    take: Option<u64>,
}

impl Limit {
    fn skips_all(&self) -> bool {
        self.skip == u64::MAX && self.take == Some(0)
    }
}

impl Stage for Limit {
    fn describe(&self) -> String {
        match self.take {
            Some(_) if self.skips_all() => "skip(all)".to_owned(),
            Some(count) => format!("take({count})"),
            None => format!("skip({})", self.skip),
        }
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn schema(&self) -> Option<Schema> {
        self.input.schema()
    }

    fn length(&self) -> Option<Length> {
        match (self.input.length()?, self.take) {
            (Length::Finite(n), Some(count)) => Some(Length::Finite(n.min(count))),
            (Length::Finite(n), None) => Some(Length::Finite(n.saturating_sub(self.skip))),
            (Length::Infinite, Some(count)) => Some(Length::Finite(count)),
            (Length::Infinite, None) => Some(Length::Infinite),
        }
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let (skip, take, inner) = match state {
            Some(state) => {
                let [skip, take] = state.expect()?;
                (skip, take, Some(state.input(0)?))
            }
            None => (self.skip, self.take.unwrap_or(u64::MAX), None),
        };
        let input = self.input.open(context, inner)?;
        Ok(Box::new(LimitCursor { input, cancel: context.cancel().clone(), skip, take }))
    }

    fn random_access(
        &self,
        context: &Context,
        state: Option<&State>,
    ) -> Result<Box<dyn RandomAccess>> {
        let skip = self.skip;
        // No number is asked for beyond the input's end.
        IndexMap::open(self, &*self.input, context, state, move |n| skip.saturating_add(n))
    }

    fn check_global_shuffle(&self) -> Result<()> {
        if self.skips_all() {
            return Err(Status::failed_precondition(
                "Global shuffling does not support skipping the entire dataset.",
            ));
        }
        self.input.check_global_shuffle()
    }
}

struct LimitCursor {
    input: Box<dyn Cursor>,
    cancel: Cancel,
    /// Elements still to pass over, then elements still to deliver.
    skip: u64,
    take: u64,
}

impl Cursor for LimitCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        if self.take == 0 {
            return Ok(None);
        }
        while self.skip > 0 {
            self.cancel.check()?;
            let limit = usize::try_from(self.skip).unwrap_or(usize::MAX).min(4096);
            match self.input.next(limit)? {
                Some(block) => self.skip -= block.rows() as u64,
                None => self.skip = 0,
            }
        }
        let limit = usize::try_from(self.take).unwrap_or(usize::MAX).min(limit);
        if limit == 0 {
            return Ok(None);
        }
        let block = self.input.next(limit)?;
        if self.take != u64::MAX {
            self.take -= block.as_ref().map_or(0, |b| b.rows() as u64);
        }
        Ok(block)
    }

    fn state(&self) -> State {
        State::of([self.skip, self.take]).with([self.input.state()])
    }

    fn ready(&self) -> usize {
        match self.skip {
            0 => self.input.ready().min(usize::try_from(self.take).unwrap_or(usize::MAX)),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use downpour_tensor::Code;

    use crate::Dataset;

    #[test]
    fn passing_over_elements_ends_when_it_is_cancelled() {
        let endless = Dataset::range(3).repeat();
        for data in [endless.skip(1 << 60), endless.shard(1 << 60, 1 << 59).unwrap()] {
            let mut iterator = data.iterate().unwrap();
            let canceller = iterator.canceller();
            let canceller = thread::spawn(move || {
                // By then the search has usually begun.
                thread::sleep(Duration::from_millis(20));
                canceller.cancel();
            });
            assert_eq!(iterator.next().unwrap_err().code(), Code::Cancelled);
            canceller.join().unwrap();
        }
    }
}
