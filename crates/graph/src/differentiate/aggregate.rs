//! Sums of gradients, dense and sparse.

use downpour_tensor::{DataType, Result, Tensor};

use crate::attr::Attrs;
use crate::builder::GraphBuilder;
use crate::gradient::Gradient;
use crate::node::Endpoint;

/// How several gradients of one value are summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aggregation {
    /// All at once, when the last has arrived.
    #[default]
    AddN,
    /// One after the other, so that each is freed as soon as it has been added.
    OneByOne,
}

/// The sum of what arrived at one value. Rows stay rows as long as nothing dense is among them: adding
/// a row to a large table should not cost the table.
pub(super) fn sum(
    builder: &mut GraphBuilder<'_>,
    grads: &[Gradient],
    aggregation: Aggregation,
) -> Result<Gradient> {
    let some: Vec<Gradient> = grads.iter().copied().filter(|g| *g != Gradient::None).collect();
    match some.as_slice() {
        [] => return Ok(Gradient::None),
        [one] => return Ok(*one),
        _ => {}
    }
    if some.iter().all(|grad| matches!(grad, Gradient::Sparse { .. })) {
        return concatenate(builder, &some);
    }
    let mut dense = Vec::with_capacity(some.len());
    for grad in some {
        dense.extend(densify(builder, grad)?);
    }
    let sum = match aggregation {
        Aggregation::AddN => builder.op("AddN", &dense, Attrs::new())?,
        Aggregation::OneByOne => {
            let mut sum = dense[0];
            for grad in &dense[1..] {
                sum = builder.op("AddN", &[sum, *grad], Attrs::new())?;
            }
            sum
        }
    };
    Ok(Gradient::Dense(sum))
}

/// A gradient as one tensor: rows with the same index are added, the other rows are zero.
pub fn densify(builder: &mut GraphBuilder<'_>, grad: Gradient) -> Result<Option<Endpoint>> {
    match grad {
        Gradient::None => Ok(None),
        Gradient::Dense(end) => Ok(Some(end)),
        Gradient::Sparse { values, indices, dense_shape } => {
            let rows = first_element(builder, dense_shape)?;
            builder.op("UnsortedSegmentSum", &[values, indices, rows], Attrs::new()).map(Some)
        }
    }
}

fn first_element(builder: &mut GraphBuilder<'_>, vector: Endpoint) -> Result<Endpoint> {
    let begin = builder.constant(Tensor::vector(&[0i32])?)?;
    let end = builder.constant(Tensor::vector(&[1i32])?)?;
    let attrs = Attrs::new().with("shrink_axis_mask", 1i64);
    builder.op("StridedSlice", &[vector, begin, end, end], attrs)
}

fn concatenate(builder: &mut GraphBuilder<'_>, grads: &[Gradient]) -> Result<Gradient> {
    let mut all_values = Vec::with_capacity(grads.len());
    let mut all_indices = Vec::with_capacity(grads.len());
    let mut shape = None;
    for grad in grads {
        if let Gradient::Sparse { values, indices, dense_shape } = *grad {
            all_values.push(values);
            all_indices.push(indices);
            shape.get_or_insert(dense_shape);
        }
    }
    let Some(dense_shape) = shape else { return Ok(Gradient::None) };
    // One gradient may count in int32 and another in int64.
    let dtype_of = |builder: &GraphBuilder<'_>, end: Endpoint| builder.graph.edge_type(end).dtype;
    if all_indices.iter().any(|end| dtype_of(builder, *end) != DataType::Int32) {
        for end in &mut all_indices {
            if dtype_of(builder, *end) != DataType::Int64 {
                let attrs = Attrs::new().with("DstT", DataType::Int64);
                *end = builder.op("Cast", &[*end], attrs)?;
            }
        }
    }
    let axis = builder.constant(Tensor::scalar(0i32))?;
    let mut join = |parts: Vec<Endpoint>| {
        let inputs: Vec<Endpoint> = parts.into_iter().chain([axis]).collect();
        builder.op("ConcatV2", &inputs, Attrs::new())
    };
    Ok(Gradient::Sparse { values: join(all_values)?, indices: join(all_indices)?, dense_shape })
}
