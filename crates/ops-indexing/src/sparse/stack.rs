//! Takes sparse tensors apart along their first axis and stacks them along new ones.

use downpour_tensor::{CountedVec, DataType, Result, Shape, Status, Tensor};

use super::coo::{Coo, pick_values};
use crate::ragged::join;

/// The three tensors of a sparse tensor.
#[derive(Clone, Debug)]
pub(crate) struct SparseParts {
    pub indices: Tensor,
    pub values: Tensor,
    pub shape: Tensor,
}

/// Checks that three tensors of unknown origin make sparse tensor number `i` of type `dtype`.
/// `source` names where they came from.
pub(crate) fn check(parts: &SparseParts, i: usize, dtype: DataType, source: &str) -> Result<()> {
    let SparseParts { indices, values, shape } = parts;
    for (column, tensor) in [(0, indices), (2, shape)] {
        if tensor.dtype() != DataType::Int64 {
            return Err(Status::invalid_argument(format!(
                "Expected {source}[{i}, {column}] to be of DT_INT64 but received dtype {}",
                tensor.dtype()
            )));
        }
    }
    if indices.rank() != 2 {
        return Err(Status::invalid_argument(format!(
            "Expected {source}[{i}, 0] to represent an index matrix but received shape {}",
            indices.shape()
        )));
    }
    if values.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "Expected {source}[{i}, 1] to represent a values vector but received shape {}",
            values.shape()
        )));
    }
    if values.dtype() != dtype {
        return Err(Status::invalid_argument(format!(
            "Requested SparseTensor of type {dtype} but SparseTensor[{i}].values.dtype() == {}",
            values.dtype()
        )));
    }
    if indices.dims()[0] != values.len() {
        return Err(Status::invalid_argument(format!(
            "Expected row counts of SparseTensor[{i}].indices and SparseTensor[{i}].values to match \
             but they do not: {} vs. {}",
            indices.dims()[0],
            values.len()
        )));
    }
    if shape.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "Expected {source}[{i}, 1] to be a shape vector but its shape is {}",
            shape.shape()
        )));
    }
    if indices.dims()[1] != shape.len() {
        return Err(Status::invalid_argument(format!(
            "Expected column counts of SparseTensor[{i}].indices to match size of \
             SparseTensor[{i}].shape but they do not: {} vs. {}",
            indices.dims()[1],
            shape.len()
        )));
    }
    Ok(())
}

/// Checked sparse tensors under new leading axes of sizes `outer`; the dense shape is the smallest
/// that holds all of them.
pub(crate) fn stack(
    outer: &[usize],
    parts: &[SparseParts],
    dtype: DataType,
) -> Result<SparseParts> {
    let Some(first) = parts.first() else {
        return Err(Status::invalid_argument("there are no sparse tensors to stack"));
    };
    let rank = first.shape.len();
    let mut dense = vec![0i64; rank];
    let mut count = 0;
    for (i, part) in parts.iter().enumerate() {
        let own = part.shape.as_slice::<i64>()?;
        if own.len() != rank {
            return Err(Status::invalid_argument(format!(
                "Inconsistent shape across SparseTensors: rank prior to SparseTensor[{i}] was: \
                 {rank} but rank of SparseTensor[{i}] is: {}",
                own.len()
            )));
        }
        Shape::from_i64(own)?;
        dense.iter_mut().zip(own).for_each(|(d, &o)| *d = (*d).max(o));
        count += part.values.len();
    }
    let outer = Shape::new(outer);
    let strides = outer.strides();
    let width = outer.rank() + rank;
    let mut indices = CountedVec::filled(count.saturating_mul(width), 0i64)?;
    let mut places = indices.chunks_exact_mut(width.max(1));
    for (i, part) in parts.iter().enumerate() {
        let rows = part.indices.as_slice::<i64>()?;
        for (k, place) in places.by_ref().take(part.values.len()).enumerate() {
            let (ahead, own) = place.split_at_mut(outer.rank());
            for (place, (s, d)) in ahead.iter_mut().zip(strides.iter().zip(outer.iter())) {
                *place = (i / s % d) as i64;
            }
            own.copy_from_slice(&rows[k * rank..(k + 1) * rank]);
        }
    }
    let mut shape = outer.to_i64();
    shape.extend(dense);
    Shape::from_i64(&shape)?;
    let values = CountedVec::build(parts.len(), |i| Ok(&parts[i].values))?;
    Ok(SparseParts {
        indices: Tensor::from_slice([count, shape.len()], &indices)?,
        values: join(dtype, Shape::from([count]), &values)?,
        shape: Tensor::vector(&shape)?,
    })
}

/// The sparse tensors along the first axis, empty ones among them.
pub(crate) fn unstack(coo: &Coo<'_>) -> Result<CountedVec<SparseParts>> {
    let rank = coo.rank();
    if rank < 2 {
        return Err(Status::invalid_argument(format!(
            "Rank of input SparseTensor should be > 1, but saw rank: {rank}"
        )));
    }
    let rows = coo.dense_shape()?[0];
    // Where the values of each row begin among all values sorted by row: counted one place further on, then summed.
    let mut starts = CountedVec::filled(rows.saturating_add(2), 0usize)?;
    for row in coo.rows() {
        let b = row[0];
        let group = usize::try_from(b).ok().filter(|&b| b < rows).ok_or_else(|| {
            Status::invalid_argument(format!(
                "Received unexpected column 0 value in input SparseTensor: {b} < 0 or >= N (= \
                 {rows})"
            ))
        })?;
        starts[group + 2] += 1;
    }
    (2..rows + 2).for_each(|i| starts[i] += starts[i - 1]);
    let mut sorted = CountedVec::filled(coo.len(), 0usize)?;
    for (i, row) in coo.rows().enumerate() {
        let next = &mut starts[row[0] as usize + 1];
        sorted[*next] = i;
        *next += 1;
    }
    let shape = Tensor::vector(&coo.shape[1..])?;
    CountedVec::build(rows, |row| {
        let own = &sorted[starts[row]..starts[row + 1]];
        let indices = Tensor::build([own.len(), rank - 1], |out: &mut [i64]| {
            for (out, &i) in out.chunks_exact_mut(rank - 1).zip(own) {
                out.copy_from_slice(&coo.row(i)[1..]);
            }
        })?;
        Ok(SparseParts { indices, values: pick_values(coo.values, own)?, shape: shape.clone() })
    })
}
