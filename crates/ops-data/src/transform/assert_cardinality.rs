//! AssertCardinalityDataset: the elements of a dataset that must be as many as the program says.

use std::sync::Arc;

use downpour_data::{Block, Context, Cursor, Dataset, Length, RandomAccess, Stage, State};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::dataset::{self, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "AssertCardinalityDataset(input_dataset: variant, cardinality: int64) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(assert)),
    )
}

fn assert(cx: &mut OpContext<'_>) -> Result<()> {
    let cardinality = scalar_i64(cx, 1, "cardinality")?;
    let input = dataset::input(cx, 0)?.pipeline.stage().clone();
    dataset::finish(cx, Dataset::new(AssertCardinality { input, cardinality }))
}

const INFINITE: i64 = -1;

struct AssertCardinality {
    input: Arc<dyn Stage>,
    cardinality: i64,
}

impl Stage for AssertCardinality {
    fn describe(&self) -> String {
        format!("assert_cardinality({})", self.cardinality)
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn length(&self) -> Option<Length> {
        match self.cardinality {
            INFINITE => Some(Length::Infinite),
            count => u64::try_from(count).ok().map(Length::Finite),
        }
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [seen, failed] = state.map_or(Ok([0, 0]), State::expect)?;
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        let cardinality = self.cardinality;
        Ok(Box::new(CountCursor { input, cardinality, seen, failed: failed != 0 }))
    }

    /// Nobody counts elements that are asked for by number.
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

struct CountCursor {
    input: Box<dyn Cursor>,
    cardinality: i64,
    seen: u64,
    /// The number was wrong, which is said once.
    failed: bool,
}

impl CountCursor {
    fn wrong(&mut self, found: &str) -> Status {
        self.failed = true;
        Status::failed_precondition(format!(
            "Input dataset was expected to contain {} but contained {found} {}.",
            elements(self.cardinality),
            elements(i64::try_from(self.seen).unwrap_or(i64::MAX))
        ))
    }

    /// Elements that may come until there is one too many.
    fn remaining(&self) -> usize {
        match self.cardinality {
            INFINITE => usize::MAX,
            count => {
                let left = u64::try_from(count).unwrap_or(0).saturating_sub(self.seen);
                usize::try_from(left).unwrap_or(usize::MAX)
            }
        }
    }
}

fn elements(count: i64) -> String {
    match count {
        INFINITE => "an infinite number of elements".to_owned(),
        1 => "1 element".to_owned(),
        count => format!("{count} elements"),
    }
}

impl Cursor for CountCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        if self.failed {
            return Ok(None);
        }
        let remaining = self.remaining();
        let Some(block) = self.input.next(limit.min(remaining.max(1)))? else {
            let is_right = u64::try_from(self.cardinality).is_ok_and(|count| count == self.seen);
            return if is_right { Ok(None) } else { Err(self.wrong("only")) };
        };
        self.seen += block.rows() as u64;
        if remaining == 0 {
            return Err(self.wrong("at least"));
        }
        Ok(Some(block))
    }

    fn state(&self) -> State {
        State::of([self.seen, u64::from(self.failed)]).with([self.input.state()])
    }

    fn ready(&self) -> usize {
        if self.failed { 0 } else { self.input.ready().min(self.remaining()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asserted(count: u64, cardinality: i64) -> Dataset {
        let input = Dataset::range(count).stage().clone();
        Dataset::new(AssertCardinality { input, cardinality })
    }

    #[test]
    fn a_right_number_changes_nothing() {
        assert_eq!(asserted(5, 5).iterate().unwrap().filter_map(Result::ok).count(), 5);
        assert_eq!(asserted(0, 0).iterate().unwrap().count(), 0);
        assert_eq!(asserted(5, 7).length(), Some(Length::Finite(7)));
        assert_eq!(asserted(5, -1).length(), Some(Length::Infinite));
        assert_eq!(asserted(5, -2).length(), None);
    }

    #[test]
    fn a_wrong_number_is_said_once_and_ends_the_dataset() {
        for (count, cardinality, expected) in [
            (5, 20, "contain 20 elements but contained only 5 elements."),
            (5, 1, "contain 1 element but contained at least 2 elements."),
            (1, -1, "contain an infinite number of elements but contained only 1 element."),
            (2, 0, "contain 0 elements but contained at least 1 element."),
        ] {
            let items: Vec<_> = asserted(count, cardinality).iterate().unwrap().collect();
            let error = items.last().unwrap().as_ref().unwrap_err();
            assert!(error.message().ends_with(expected), "{error}");
            assert_eq!(items.iter().filter(|item| item.is_err()).count(), 1);
        }
    }

    #[test]
    fn a_resumed_count_goes_on() {
        let dataset = asserted(6, 9);
        for stop in 0..=7 {
            let mut iterator = dataset.iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            let rest = dataset.iterate_from(&iterator.position()).unwrap();
            assert_eq!(rest.count(), 7 - stop);
        }
    }
}
