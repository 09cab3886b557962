//! SparseTensorSliceDataset: every row of a sparse tensor as a sparse tensor.

use downpour_data::{Block, Context, Cursor, Dataset, Element, Length, Names, Stage, State};
use downpour_graph::{OpSpec, PartialShape, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor, checked_elements};

use crate::component::Signature;
use crate::dataset::GraphDataset;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SparseTensorSliceDataset(indices: int64, values: Tvalues, dense_shape: int64) -> (handle: variant) @stateful
                Tvalues: type",
        )?
        .shape(shapes::scalar),
        |_| Ok(KernelBox::cheap(make)),
    )
}

fn make(cx: &mut OpContext<'_>) -> Result<()> {
    let slices = SparseSlices::new(cx.input(0), cx.input(1), cx.input(2))?;
    let rank = slices.shape.len();
    let types = [DataType::Int64, slices.values.dtype(), DataType::Int64];
    let shapes = [
        PartialShape::of([None, Some(rank)]),
        PartialShape::vector(None),
        PartialShape::vector(Some(rank)),
    ];
    let signature = Signature { types: types.into(), shapes: shapes.into() };
    let made = GraphDataset::with_signature(signature, Dataset::new(slices), &[])?;
    cx.set_output(0, made.into_tensor()?);
    Ok(())
}

/// A sparse tensor whose entries are in the order of their rows.
#[derive(Clone)]
struct SparseSlices {
    indices: Tensor,
    values: Tensor,
    /// How many rows there are, with and without entries.
    rows: u64,
    /// The shape of a row.
    shape: Tensor,
    names: Names,
}

impl SparseSlices {
    fn new(indices: &Tensor, values: &Tensor, dense_shape: &Tensor) -> Result<SparseSlices> {
        let wanted = [
            ("indices", indices, 2, "matrix"),
            ("values", values, 1, "vector"),
            ("shape", dense_shape, 1, "vector"),
        ];
        for (name, tensor, rank, kind) in wanted {
            if tensor.rank() != rank {
                return Err(Status::invalid_argument(format!(
                    "Input {name} must be a {kind}. Got: {}",
                    tensor.shape()
                )));
            }
        }
        if values.len() != indices.dims()[0] {
            return Err(Status::invalid_argument(format!(
                "Number of values must match first dimension of indices. Got {} values, indices shape: {}",
                values.len(),
                indices.shape()
            )));
        }
        if dense_shape.len() != indices.dims()[1] {
            return Err(Status::invalid_argument(format!(
                "Number of dimensions must match second dimension of indices. Got {} dimensions, indices shape: {}",
                dense_shape.len(),
                indices.shape()
            )));
        }
        let sizes = dense_shape.as_slice::<i64>()?;
        let Some((&rows, inner)) = sizes.split_first() else {
            return Err(Status::invalid_argument(
                "The shape argument requires at least one element.",
            ));
        };
        checked_elements(Shape::from_i64(sizes)?.dims())?;
        let slices = SparseSlices {
            indices: indices.clone(),
            values: values.clone(),
            rows: rows as u64,
            shape: Tensor::vector(inner)?,
            names: Names::numbered(3),
        };
        slices.check_order()?;
        Ok(slices)
    }

    fn check_order(&self) -> Result<()> {
        let rows = (0..self.values.len()).map(|entry| self.row_of(entry));
        let mut previous = 0;
        for row in rows {
            let row = row?;
            if row < 0 {
                return Err(Status::invalid_argument(format!(
                    "an index of the sparse tensor is negative: {row}"
                )));
            }
            if row < previous {
                return Err(Status::unimplemented(
                    "The SparseTensor must be ordered in the batch dimension; handling arbitrarily ordered input is \
                     not currently supported.",
                ));
            }
            previous = row;
        }
        Ok(())
    }

    fn row_of(&self, entry: usize) -> Result<i64> {
        Ok(self.indices.as_slice::<i64>()?[entry * self.indices.dims()[1]])
    }

    /// Returns the first entry that belongs to `row` or to one behind it.
    fn first_of(&self, row: u64) -> Result<usize> {
        let rank = self.indices.dims()[1];
        let indices = self.indices.as_slice::<i64>()?;
        let (mut low, mut high) = (0, self.values.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match (indices[middle * rank] as u64) < row {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        Ok(low)
    }

    fn row(&self, row: u64) -> Result<Element> {
        let (start, end) = (self.first_of(row)?, self.first_of(row + 1)?);
        let rank = self.indices.dims()[1];
        let inner: Vec<i64> = self.indices.as_slice::<i64>()?[start * rank..end * rank]
            .chunks_exact(rank)
            .flat_map(|index| index[1..].iter().copied())
            .collect();
        let indices = Tensor::from_vec([end - start, rank - 1], inner)?;
        let parts = vec![indices, self.values.rows(start, end)?, self.shape.clone()];
        Element::from_parts(self.names.clone(), parts)
    }
}

impl Stage for SparseSlices {
    fn describe(&self) -> String {
        format!("sparse_slices({})", self.rows)
    }

    fn length(&self) -> Option<Length> {
        Some(Length::Finite(self.rows))
    }

    fn open(&self, _: &Context, state: Option<&State>) -> Result<Box<dyn Cursor>> {
        let [at] = state.map_or(Ok([0]), State::expect)?;
        Ok(Box::new(SliceCursor { slices: self.clone(), at: at.min(self.rows) }))
    }
}

struct SliceCursor {
    slices: SparseSlices,
    at: u64,
}

/// Rows that are made at once.
const BLOCK: u64 = 64;

impl Cursor for SliceCursor {
    fn next(&mut self, limit: usize) -> Result<Option<Block>> {
        let count = limit.min(self.ready()) as u64;
        if count == 0 {
            return Ok(None);
        }
        let rows = (self.at..self.at + count).map(|row| self.slices.row(row));
        let block = Block::from_elements(rows.collect::<Result<_>>()?)?;
        self.at += count;
        Ok(Some(block))
    }

    fn state(&self) -> State {
        State::of([self.at])
    }

    fn ready(&self) -> usize {
        (self.slices.rows - self.at).min(BLOCK) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_tensor::Code;

    fn slices(indices: &[[i64; 2]], shape: &[i64]) -> Result<Dataset> {
        let values = Tensor::vector(&(0..indices.len() as i32).collect::<Vec<_>>())?;
        let indices = Tensor::from_vec([indices.len(), 2], indices.concat())?;
        Ok(Dataset::new(SparseSlices::new(&indices, &values, &Tensor::vector(shape)?)?))
    }

    #[test]
    fn rows_without_entries_are_empty() {
        let dataset = slices(&[[1, 0], [1, 2], [3, 1]], &[5, 4]).unwrap();
        let rows: Vec<(Vec<i64>, Vec<i32>)> = dataset
            .iterate()
            .unwrap()
            .map(|row| {
                let row = row.unwrap();
                assert_eq!(row[2].as_slice::<i64>().unwrap(), [4]);
                (row[0].as_slice().unwrap().to_vec(), row[1].as_slice().unwrap().to_vec())
            })
            .collect();
        let none = || (vec![], vec![]);
        assert_eq!(rows, [none(), (vec![0, 2], vec![0, 1]), none(), (vec![1], vec![2]), none()]);
    }

    #[test]
    fn a_resumed_iteration_goes_on_with_the_next_row() {
        let dataset = slices(&[[0, 0], [2, 2]], &[3, 4]).unwrap();
        let mut iterator = dataset.iterate().unwrap();
        iterator.next().unwrap();
        let rest: Vec<_> = dataset.iterate_from(&iterator.position()).unwrap().collect();
        assert_eq!(rest.len(), 2);
        assert_eq!(rest[1].as_ref().unwrap()[1].as_slice::<i32>().unwrap(), [1]);
    }

    #[test]
    fn what_is_no_sparse_tensor_is_refused() {
        let code = |made: Result<Dataset>| made.unwrap_err().code();
        assert_eq!(code(slices(&[[2, 0], [1, 0]], &[3, 4])), Code::Unimplemented);
        assert_eq!(code(slices(&[[-1, 0]], &[3, 4])), Code::InvalidArgument);
        assert_eq!(code(slices(&[[0, 0]], &[3])), Code::InvalidArgument);
        assert_eq!(code(slices(&[[0, 0]], &[-3, 4])), Code::InvalidArgument);
        let empty = Tensor::from_vec([0, 2], Vec::<i64>::new()).unwrap();
        let values = Tensor::vector(&[1f32]).unwrap();
        let shape = Tensor::vector(&[2i64, 2]).unwrap();
        assert!(SparseSlices::new(&empty, &values, &shape).is_err());
        let none = Tensor::from_vec([0, 0], Vec::<i64>::new()).unwrap();
        let nothing = Tensor::vector(&[0f32; 0]).unwrap();
        let scalar = Tensor::vector(&[0i64; 0]).unwrap();
        assert!(SparseSlices::new(&none, &nothing, &scalar).is_err());
    }
}
