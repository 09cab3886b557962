//! Takes sparse tensors apart along their first axis and stacks them along new ones.

use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

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
    let mut indices = Vec::with_capacity(count * (outer.rank() + rank));
    for (i, part) in parts.iter().enumerate() {
        let rows = part.indices.as_slice::<i64>()?;
        for k in 0..part.values.len() {
            indices.extend(strides.iter().zip(outer.iter()).map(|(s, d)| (i / s % d) as i64));
            indices.extend_from_slice(&rows[k * rank..(k + 1) * rank]);
        }
    }
    let mut shape = outer.to_i64();
    shape.extend(dense);
    Shape::from_i64(&shape)?;
    let values: Vec<&Tensor> = parts.iter().map(|p| &p.values).collect();
    Ok(SparseParts {
        indices: Tensor::from_slice([count, shape.len()], &indices)?,
        values: join(dtype, Shape::from([count]), &values)?,
        shape: Tensor::vector(&shape)?,
    })
}

/// The sparse tensors along the first axis, empty ones among them.
pub(crate) fn unstack(coo: &Coo<'_>) -> Result<Vec<SparseParts>> {
    let rank = coo.rank();
    if rank < 2 {
        return Err(Status::invalid_argument(format!(
            "Rank of input SparseTensor should be > 1, but saw rank: {rank}"
        )));
    }
    let rows = coo.dense_shape()?[0];
    // Allocated as a tensor first: that respects the memory limit.
    drop(Tensor::new(DataType::Complex128, Shape::from([rows]))?);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); rows];
    for (i, row) in coo.rows().enumerate() {
        let b = row[0];
        let group = usize::try_from(b).ok().and_then(|b| members.get_mut(b)).ok_or_else(|| {
            Status::invalid_argument(format!(
                "Received unexpected column 0 value in input SparseTensor: {b} < 0 or >= N (= \
                 {rows})"
            ))
        })?;
        group.push(i);
    }
    let shape = Tensor::vector(&coo.shape[1..])?;
    members
        .iter()
        .map(|own| {
            let mut indices = Vec::with_capacity(own.len() * (rank - 1));
            own.iter().for_each(|&i| indices.extend_from_slice(&coo.row(i)[1..]));
            Ok(SparseParts {
                indices: Tensor::from_slice([own.len(), rank - 1], &indices)?,
                values: pick_values(coo.values, own)?,
                shape: shape.clone(),
            })
        })
        .collect()
}
