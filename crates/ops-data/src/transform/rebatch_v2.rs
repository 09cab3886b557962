//! RebatchDatasetV2: batches joined and cut again into batches of other sizes, which take turns.

use std::sync::Arc;

use downpour_data::{Block, Context, Cursor, Dataset, Element, Names, Stage, State};
use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use crate::component::Signature;
use crate::dataset::{self, scalar_bool};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "RebatchDatasetV2(input_dataset: variant, batch_sizes: int64, drop_remainder: bool) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(rebatch)),
    )
}

fn rebatch(cx: &mut OpContext<'_>) -> Result<()> {
    let sizes = cx.input(1);
    if sizes.rank() > 1 {
        return Err(Status::invalid_argument("`batch_sizes` must be a scalar or a vector."));
    }
    let size = |&size: &i64| {
        usize::try_from(size).map_err(|_| {
            Status::invalid_argument(format!("`batch_sizes` must not be negative, got {size}"))
        })
    };
    let sizes: Vec<usize> = sizes.as_slice::<i64>()?.iter().map(size).collect::<Result<_>>()?;
    if sizes.is_empty() {
        return Err(Status::invalid_argument("`batch_sizes` must have at least one size"));
    }
    let drops_remainder = scalar_bool(cx, 2, "drop_remainder")?;
    let signature = Signature::of(cx.node())?;
    let input = dataset::input(cx, 0)?.pipeline.stage().clone();
    let empty = sizes.contains(&0).then(|| empty_batch(&signature)).transpose()?;
    let rebatch =
        Rebatch { input, sizes: sizes.into(), drops_remainder, empty, names: signature.names() };
    dataset::finish(cx, Dataset::new(rebatch))
}

/// Returns a batch of no rows, with sizes of 0 where the graph does not know them.
fn empty_batch(signature: &Signature) -> Result<Vec<Tensor>> {
    let component = |(dtype, shape): (&_, &downpour_graph::PartialShape)| {
        let mut sizes = shape.to_i64().unwrap_or_else(|| vec![0]);
        if let Some(rows) = sizes.first_mut() {
            *rows = 0;
        }
        sizes.iter_mut().for_each(|size| *size = (*size).max(0));
        Tensor::new(*dtype, Shape::from_i64(&sizes)?)
    };
    signature.types.iter().zip(signature.shapes.iter()).map(component).collect()
}

struct Rebatch {
    input: Arc<dyn Stage>,
    sizes: Arc<[usize]>,
    drops_remainder: bool,
    /// A batch without rows, if one is asked for.
    empty: Option<Vec<Tensor>>,
    names: Names,
}

impl Stage for Rebatch {
    fn describe(&self) -> String {
        format!("rebatch({:?}, {})", self.sizes, self.drops_remainder)
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [turn, row, ended] = state.map_or(Ok([0, 0, 0]), State::expect)?;
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        let mut cursor = RebatchCursor {
            input,
            context: context.clone(),
            sizes: self.sizes.clone(),
            drops_remainder: self.drops_remainder,
            empty: self.empty.clone(),
            names: self.names.clone(),
            turn: turn as usize % self.sizes.len(),
            before: State::default(),
            batch: None,
            ended: ended != 0,
        };
        if row > 0 {
            cursor.read()?;
            if let Some((_, from)) = &mut cursor.batch {
                *from = row as usize;
            }
        }
        Ok(Box::new(cursor))
    }
}

struct RebatchCursor {
    input: Box<dyn Cursor>,
    context: Context,
    sizes: Arc<[usize]>,
    drops_remainder: bool,
    empty: Option<Vec<Tensor>>,
    names: Names,
    /// Whose turn it is among the sizes.
    turn: usize,
    /// The state of the input before the batch it gave last.
    before: State,
    /// The batch it gave last, and the first of its rows that was not given.
    batch: Option<(Element, usize)>,
    ended: bool,
}

impl RebatchCursor {
    /// Reads a batch of the input; false at the end.
    fn read(&mut self) -> Result<bool> {
        let before = self.input.state();
        let Some(block) = self.input.next(1)? else { return Ok(false) };
        let batch = block.element(0)?;
        check(batch.tensors())?;
        (self.batch, self.before) = (Some((batch, 0)), before);
        Ok(true)
    }

    /// Takes up to `limit` rows of the batch that lies here.
    fn take(&mut self, limit: usize) -> Result<Option<Block>> {
        let Some((batch, from)) = &mut self.batch else { return Ok(None) };
        let rows = batch.tensors().first().map_or(0, |component| component.dims()[0]);
        let to = from.saturating_add(limit).min(rows);
        let start = (*from).min(to);
        let parts = batch.tensors().iter().map(|component| component.rows(start, to));
        let parts =
            Block::from_columns(self.names.clone(), to - start, parts.collect::<Result<_>>()?)?;
        *from = to;
        if to == rows {
            self.batch = None;
        }
        Ok(Some(parts))
    }

    fn joined(&self, parts: Vec<Block>) -> Result<Block> {
        let joined = Block::concatenate(parts)?;
        let columns = joined.columns().ok_or_else(|| {
            Status::invalid_argument(
                "Cannot rebatch batches whose components differ in shape or type behind the first axis",
            )
        })?;
        Ok(Block::from_element(Element::from_parts(self.names.clone(), columns.to_vec())?))
    }
}

fn check(components: &[Tensor]) -> Result<()> {
    let rows = |component: &Tensor| component.dims().first().copied();
    let scalar = || {
        Status::invalid_argument("Input element must have a non-scalar value in each component.")
    };
    let Some(first) = components.first() else { return Ok(()) };
    let first = rows(first).ok_or_else(scalar)?;
    for (i, component) in components.iter().enumerate() {
        let own = rows(component).ok_or_else(scalar)?;
        if own != first {
            return Err(Status::invalid_argument(format!(
                "Input element must have the same batch size in each component. Component 0 had size {first} but \
                 component {i} had size, {own}."
            )));
        }
    }
    Ok(())
}

impl Cursor for RebatchCursor {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        if self.ended {
            return Ok(None);
        }
        let wanted = self.sizes[self.turn];
        let (mut rows, mut parts) = (0, Vec::new());
        while rows < wanted {
            // Batches without rows may go on without end.
            self.context.cancel().check()?;
            if self.batch.is_none() && !self.read()? {
                self.ended = true;
                break;
            }
            if let Some(part) = self.take(wanted - rows)? {
                rows += part.rows();
                parts.push(part);
            }
        }
        self.turn = (self.turn + 1) % self.sizes.len();
        match &self.empty {
            Some(empty) if wanted == 0 => {
                let empty = Element::from_parts(self.names.clone(), empty.clone())?;
                Ok(Some(Block::from_element(empty)))
            }
            _ if rows == 0 || (self.drops_remainder && rows < wanted) => Ok(None),
            _ => self.joined(parts).map(Some),
        }
    }

    fn state(&self) -> State {
        let (turn, ended) = (self.turn as u64, u64::from(self.ended));
        match &self.batch {
            Some((_, from)) => State::of([turn, *from as u64, ended]).with([self.before.clone()]),
            None => State::of([turn, 0, ended]).with([self.input.state()]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_data::Remainder;
    use downpour_graph::PartialShape;
    use downpour_tensor::DataType;

    fn rebatched(count: u64, size: usize, sizes: &[usize], drops_remainder: bool) -> Dataset {
        let input = Dataset::range(count).batch(size, Remainder::Keep).unwrap();
        let shapes = [PartialShape::from_i64(&[-1]).unwrap()];
        let signature = Signature { types: [DataType::Int64].into(), shapes: shapes.into() };
        Dataset::new(Rebatch {
            input: input.stage().clone(),
            sizes: sizes.into(),
            drops_remainder,
            empty: Some(empty_batch(&signature).unwrap()),
            names: signature.names(),
        })
    }

    fn batches(dataset: downpour_data::DatasetIterator) -> Vec<Vec<i64>> {
        dataset.map(|e| e.unwrap()[0].as_slice::<i64>().unwrap().to_vec()).collect()
    }

    #[test]
    fn sizes_take_turns_over_the_borders_of_batches() {
        let of = |count, size, sizes: &[usize], drops| {
            batches(rebatched(count, size, sizes, drops).iterate().unwrap())
        };
        assert_eq!(of(7, 3, &[2], false), [vec![0, 1], vec![2, 3], vec![4, 5], vec![6]]);
        assert_eq!(of(7, 3, &[2], true), [vec![0, 1], vec![2, 3], vec![4, 5]]);
        assert_eq!(of(6, 2, &[1, 0, 5], false), [vec![0], vec![], vec![1, 2, 3, 4, 5]]);
        assert_eq!(of(4, 4, &[100], false), [vec![0, 1, 2, 3]]);
        assert!(of(0, 4, &[3], false).is_empty());
    }

    #[test]
    fn rows_that_were_not_given_are_resumed() {
        for sizes in [&[2][..], &[1, 3], &[5, 0]] {
            let dataset = rebatched(11, 4, sizes, false);
            let all = batches(dataset.iterate().unwrap());
            for stop in 0..=all.len() {
                let mut iterator = dataset.iterate().unwrap();
                iterator.by_ref().take(stop).for_each(drop);
                let rest = dataset.iterate_from(&iterator.position()).unwrap();
                assert_eq!(batches(rest), all[stop..]);
            }
        }
    }

    #[test]
    fn components_must_be_batches_of_one_size() {
        let whole = |tensors: &[Tensor]| check(tensors).unwrap_err().message().to_owned();
        assert!(whole(&[Tensor::scalar(1i64)]).contains("non-scalar"));
        let uneven = [Tensor::vector(&[1i64]).unwrap(), Tensor::vector(&[1i64, 2]).unwrap()];
        assert!(whole(&uneven).contains("Component 0 had size 1 but component 1 had size, 2."));
    }
}
