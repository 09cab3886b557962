//! RebatchDataset: every batch cut into one part for each replica.

use std::sync::Arc;

use downpour_data::{Block, Context, Cursor, Dataset, Element, Stage, State};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};

use crate::dataset::{self, scalar_i64};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["RebatchDataset", "ExperimentalRebatchDataset"] {
        let signature = format!(
            "{name}(input_dataset: variant, num_replicas: int64) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1
                use_fallback: bool = true"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(rebatch)))?;
    }
    Ok(())
}

fn rebatch(cx: &mut OpContext<'_>) -> Result<()> {
    let replicas = u64::try_from(scalar_i64(cx, 1, "num_replicas")?).unwrap_or(0);
    if replicas == 0 {
        return Err(Status::invalid_argument("num_replicas must be greater than zero."));
    }
    let input = dataset::input(cx, 0)?.pipeline.stage().clone();
    dataset::finish(cx, Dataset::new(Rebatch { input, replicas }))
}

struct Rebatch {
    input: Arc<dyn Stage>,
    replicas: u64,
}

impl Stage for Rebatch {
    fn describe(&self) -> String {
        format!("rebatch({} replicas)", self.replicas)
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [given] = state.map_or(Ok([0]), State::expect)?;
        let before = state.map(|s| s.input(0)).transpose()?;
        let input = self.input.open(context, before)?;
        let before = before.cloned().unwrap_or_default();
        let mut cursor = Parts { input, replicas: self.replicas, before, whole: None, given: 0 };
        if given > 0 {
            cursor.read()?;
            cursor.given = given;
        }
        Ok(Box::new(cursor))
    }
}

struct Parts {
    input: Box<dyn Cursor>,
    replicas: u64,
    /// The state of the input before the batch that is being cut.
    before: State,
    whole: Option<Element>,
    /// Parts of it that were given.
    given: u64,
}

impl Parts {
    /// Reads a batch; false at the end.
    fn read(&mut self) -> Result<bool> {
        let before = self.input.state();
        let Some(block) = self.input.next(1)? else { return Ok(false) };
        let whole = block.element(0)?;
        if let Some(i) = whole.tensors().iter().position(|component| component.rank() == 0) {
            return Err(Status::invalid_argument(format!(
                "Cannot rebatch dataset: All components must have at least one dimension. Perhaps your input dataset \
                 is not batched? Component {i} is scalar."
            )));
        }
        (self.whole, self.given, self.before) = (Some(whole), 0, before);
        Ok(true)
    }

    /// Returns the rows of a component for the next replica. Each component is cut by its own size.
    fn part(&self, component: &Tensor) -> Result<Tensor> {
        let rows = component.dims()[0];
        let share = (rows as u64).div_ceil(self.replicas);
        let row = |part: u64| usize::try_from(share.saturating_mul(part)).unwrap_or(rows).min(rows);
        component.rows(row(self.given), row(self.given + 1))
    }
}

impl Cursor for Parts {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        if self.whole.is_none() && !self.read()? {
            return Ok(None);
        }
        let Some(whole) = &self.whole else { return Ok(None) };
        let parts = whole.tensors().iter().map(|component| self.part(component));
        let part = whole.with(parts.collect::<Result<_>>()?);
        self.given += 1;
        if self.given >= self.replicas {
            self.whole = None;
        }
        Ok(Some(Block::from_element(part)))
    }

    fn state(&self) -> State {
        match self.whole {
            Some(_) => State::of([self.given]).with([self.before.clone()]),
            None => State::of([0]).with([self.input.state()]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_data::Remainder;

    fn rebatched(count: u64, size: usize, replicas: u64) -> Dataset {
        let input = Dataset::range(count).batch(size, Remainder::Keep).unwrap();
        Dataset::new(Rebatch { input: input.stage().clone(), replicas })
    }

    fn batches(dataset: downpour_data::DatasetIterator) -> Vec<Vec<i64>> {
        dataset.map(|e| e.unwrap()[0].as_slice::<i64>().unwrap().to_vec()).collect()
    }

    #[test]
    fn parts_are_equal_but_for_the_last() {
        let of =
            |count, size, replicas| batches(rebatched(count, size, replicas).iterate().unwrap());
        assert_eq!(of(8, 4, 2), [[0, 1], [2, 3], [4, 5], [6, 7]]);
        assert_eq!(of(8, 4, 3), [vec![0, 1], vec![2, 3], vec![], vec![4, 5], vec![6, 7], vec![]]);
        assert_eq!(of(2, 2, 4), [vec![0], vec![1], vec![], vec![]]);
        assert!(of(0, 2, 4).is_empty());
    }

    #[test]
    fn a_batch_that_was_given_in_part_is_resumed() {
        let dataset = rebatched(10, 4, 3);
        let all = batches(dataset.iterate().unwrap());
        for stop in 0..=all.len() {
            let mut iterator = dataset.iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            assert_eq!(batches(dataset.iterate_from(&iterator.position()).unwrap()), all[stop..]);
        }
    }

    #[test]
    fn scalars_cannot_be_cut() {
        let input = Dataset::range(3).stage().clone();
        let mut iterator = Dataset::new(Rebatch { input, replicas: 2 }).iterate().unwrap();
        let error = iterator.next().unwrap_err();
        assert!(error.message().contains("Component 0 is scalar"), "{error}");
    }
}
