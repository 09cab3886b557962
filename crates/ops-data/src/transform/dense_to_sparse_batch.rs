//! DenseToSparseBatchDataset: several dense elements of different sizes as one sparse tensor.

use std::sync::Arc;

use downpour_data::{Block, Context, Cursor, Dataset, Element, Length, Names, Stage, State};
use downpour_graph::{OpSpec, PartialShape, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use super::batch;
use crate::dataset;
use crate::sparse;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    for name in ["DenseToSparseBatchDataset", "ExperimentalDenseToSparseBatchDataset"] {
        let signature = format!(
            "{name}(input_dataset: variant, batch_size: int64, row_shape: int64) -> (handle: variant)
                output_types: list(type) >= 1
                output_shapes: list(shape) >= 1"
        );
        let spec = OpSpec::new(&signature)?.shape(shapes::scalar);
        registry.add(spec, |_| Ok(KernelBox::cheap(make)))?;
    }
    Ok(())
}

fn make(cx: &mut OpContext<'_>) -> Result<()> {
    let input = dataset::input(cx, 0)?;
    if input.signature.types.len() != 1 {
        return Err(Status::invalid_argument(
            "DenseToSparseBatchDataset only supports inputs with a single component.",
        ));
    }
    let size = batch::size(cx)?;
    let row = cx.input(2);
    if row.rank() != 1 {
        return Err(Status::invalid_argument("row_shape must be a vector"));
    }
    let row = PartialShape::from_i64(row.as_slice::<i64>()?)?;
    let input = input.pipeline.stage().clone();
    dataset::finish(cx, Dataset::new(SparseBatch { input, size, row }))
}

struct SparseBatch {
    input: Arc<dyn Stage>,
    size: usize,
    row: PartialShape,
}

impl Stage for SparseBatch {
    fn describe(&self) -> String {
        format!("sparse_batch({}, {})", self.size, self.row)
    }

    fn inputs(&self) -> Vec<Arc<dyn Stage>> {
        vec![self.input.clone()]
    }

    fn length(&self) -> Option<Length> {
        match self.input.length()? {
            Length::Finite(count) => Some(Length::Finite(count.div_ceil(self.size as u64))),
            Length::Infinite => Some(Length::Infinite),
        }
    }

    fn open(&self, context: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let input = self.input.open(context, state.map(|s| s.input(0)).transpose()?)?;
        let (size, row) = (self.size, self.row.clone());
        Ok(Box::new(SparseBatchCursor { input, size, row, names: Names::numbered(1) }))
    }
}

struct SparseBatchCursor {
    input: Box<dyn Cursor>,
    size: usize,
    row: PartialShape,
    names: Names,
}

impl SparseBatchCursor {
    /// Reads the elements of a batch. After an error the elements before it are lost, as in TensorFlow.
    fn read(&mut self) -> Result<Vec<Tensor>> {
        let mut rows = Vec::new();
        while rows.len() < self.size {
            let Some(block) = self.input.next(self.size - rows.len())? else { break };
            for i in 0..block.rows() {
                let row = block.element(i)?[0].clone();
                self.check(&row)?;
                rows.push(row);
            }
        }
        Ok(rows)
    }

    fn check(&self, row: &Tensor) -> Result<()> {
        let limits = self.row.to_i64().unwrap_or_default();
        if row.rank() != limits.len() {
            return Err(Status::invalid_argument(format!(
                "Input element had shape ({}) that is incompatible with the row shape ({}).",
                row.shape(),
                self.row
            )));
        }
        if row.dims().iter().zip(&limits).any(|(&size, &limit)| limit >= 0 && size as i64 > limit) {
            return Err(Status::data_loss(format!(
                "Input element had shape ({}) that is larger than the row shape ({}).",
                row.shape(),
                self.row
            )));
        }
        Ok(())
    }

    /// Returns the shape of a batch: sizes that are not given are the largest of its rows.
    fn dense_shape(&self, rows: &[Tensor]) -> Result<Tensor> {
        let mut sizes = vec![rows.len() as i64];
        for (axis, limit) in self.row.to_i64().unwrap_or_default().into_iter().enumerate() {
            let largest = rows.iter().map(|row| row.dims()[axis] as i64).max().unwrap_or(0);
            sizes.push(if limit < 0 { largest } else { limit });
        }
        Tensor::vector(&sizes)
    }

    fn values(&self, rows: &[Tensor]) -> Result<Tensor> {
        let column = |row: &Tensor| {
            let flat = row.reshaped([row.len()])?;
            Block::from_columns(self.names.clone(), row.len(), vec![flat])
        };
        let joined = Block::concatenate(rows.iter().map(column).collect::<Result<_>>()?)?;
        match joined.columns() {
            Some([values]) => Ok(values.clone()),
            _ => Err(Status::invalid_argument("elements of one dataset must be of one type")),
        }
    }
}

/// Returns where each element of the rows stands in the batch.
fn indices(rows: &[Tensor], rank: usize) -> Result<Tensor> {
    let total = rows.iter().map(Tensor::len).sum::<usize>();
    let columns = rank + 1;
    let mut at = rows.iter().enumerate().flat_map(|(number, row)| {
        let strides = row.shape().strides();
        (0..row.len()).map(move |element| (number, row.dims(), strides.clone(), element))
    });
    Tensor::build(Shape::new(&[total, columns]), |out: &mut [i64]| {
        for (out, (number, dims, strides, element)) in out.chunks_exact_mut(columns).zip(&mut at) {
            out[0] = number as i64;
            for (axis, out) in out[1..].iter_mut().enumerate() {
                // A row that has elements has no size of 0.
                *out = (element / strides[axis] % dims[axis]) as i64;
            }
        }
    })
}

impl Cursor for SparseBatchCursor {
    fn next(&mut self, _: usize) -> Result<Option<Block>> {
        let rows = self.read()?;
        if rows.is_empty() {
            return Ok(None);
        }
        let rank = self.row.rank().unwrap_or(0);
        let parts = [indices(&rows, rank)?, self.values(&rows)?, self.dense_shape(&rows)?];
        let batch = Element::from_parts(self.names.clone(), vec![sparse::to_variants(parts)?])?;
        Ok(Some(Block::from_element(batch)))
    }

    fn state(&self) -> State {
        State::default().with([self.input.state()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_tensor::Code;

    fn batches(shapes: &[&[usize]], size: usize, row: &[i64]) -> Dataset {
        let rows: Vec<Element> = shapes
            .iter()
            .map(|shape| {
                let count = shape.iter().product::<usize>() as i32;
                let values = Tensor::from_vec(Shape::new(shape), (0..count).collect()).unwrap();
                Element::new(vec![values])
            })
            .collect();
        let input = Dataset::from_block(Block::from_elements(rows).unwrap()).stage().clone();
        let row = PartialShape::from_i64(row).unwrap();
        Dataset::new(SparseBatch { input, size, row })
    }

    #[test]
    fn rows_become_one_sparse_tensor() {
        let dataset = batches(&[&[2], &[0], &[3]], 2, &[-1]);
        let mut iterator = dataset.iterate().unwrap();
        let mut parts = || {
            let element = iterator.next().unwrap().unwrap();
            sparse::from_variants(&element[0]).unwrap()
        };
        let [indices, values, shape] = parts();
        assert_eq!(indices.as_slice::<i64>().unwrap(), [0, 0, 0, 1]);
        assert_eq!(values.as_slice::<i32>().unwrap(), [0, 1]);
        assert_eq!(shape.as_slice::<i64>().unwrap(), [2, 2]);
        let [indices, _, shape] = parts();
        assert_eq!(indices.dims(), [3, 2]);
        assert_eq!(shape.as_slice::<i64>().unwrap(), [1, 3]);
        assert!(iterator.next().unwrap().is_none());
        assert_eq!(dataset.length(), Some(Length::Finite(2)));
    }

    #[test]
    fn places_have_an_index_for_every_axis() {
        let element = batches(&[&[2, 2]], 1, &[5, -1]).iterate().unwrap().next().unwrap().unwrap();
        let [indices, _, shape] = sparse::from_variants(&element[0]).unwrap();
        assert_eq!(indices.as_slice::<i64>().unwrap(), [0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1]);
        assert_eq!(shape.as_slice::<i64>().unwrap(), [1, 5, 2]);
    }

    #[test]
    fn rows_of_other_ranks_or_beyond_the_shape_are_refused() {
        let error = |shapes: &[&[usize]], row: &[i64]| {
            batches(shapes, 4, row).iterate().unwrap().next().unwrap_err()
        };
        assert_eq!(error(&[&[2], &[1, 2]], &[-1]).code(), Code::InvalidArgument);
        assert_eq!(error(&[&[2], &[5]], &[4]).code(), Code::DataLoss);
    }

    #[test]
    fn a_resumed_iteration_goes_on_with_the_next_batch() {
        let dataset = batches(&[&[1], &[2], &[3], &[4], &[5]], 2, &[-1]);
        for stop in 0..=3 {
            let mut iterator = dataset.iterate().unwrap();
            iterator.by_ref().take(stop).for_each(drop);
            let rest = dataset.iterate_from(&iterator.position()).unwrap();
            assert_eq!(rest.count(), 3 - stop);
        }
    }
}
