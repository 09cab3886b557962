//! Zeros in the shape of a value.

use downpour_tensor::{DataType, Result, Shape, Tensor};

use crate::attr::Attrs;
use crate::builder::GraphBuilder;
use crate::node::Endpoint;

/// Zeros as a gradient of `value`, which has elements of `dtype` (a handle's variable has that type).
/// Only the value's shape is asked for, so that a loop need not keep the value.
pub(super) fn zeros_of(
    builder: &mut GraphBuilder<'_>,
    value: Endpoint,
    dtype: DataType,
) -> Result<Endpoint> {
    let shape = match builder.graph.edge_type(value).dtype {
        DataType::Variant => return builder.op("ZerosLike", &[value], Attrs::new()),
        DataType::Resource => builder.op("VariableShape", &[value], Attrs::new())?,
        _ => builder.op("Shape", &[value], Attrs::new())?,
    };
    let zero = builder.constant(Tensor::zeros(dtype, Shape::scalar())?)?;
    builder.op("Fill", &[shape, zero], Attrs::new())
}
