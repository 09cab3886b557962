//! Putting rows of tensors together.

use downpour_tensor::{Result, Shape, Status, Tensor};

use crate::elements::join;

/// Returns the rows of several tensors in one, behind each other.
pub(super) fn concatenate(parts: &[Tensor]) -> Result<Tensor> {
    let Some(first) = parts.first() else {
        return Err(Status::internal("there is nothing to put together"));
    };
    let mut rows = 0usize;
    for part in parts {
        let fits = part.dtype() == first.dtype()
            && part.rank() > 0
            && first.rank() > 0
            && part.dims()[1..] == first.dims()[1..];
        if !fits {
            return Err(Status::invalid_argument(format!(
                "tensors of one batch must be alike but for their number of rows: {} {} and {} {}",
                first.dtype(),
                first.shape(),
                part.dtype(),
                part.shape()
            )));
        }
        rows += part.dims()[0];
    }
    let dims: Vec<usize> = [rows].into_iter().chain(first.dims()[1..].iter().copied()).collect();
    join(first.dtype(), Shape::from(&dims[..]), parts)
}

/// Returns a tensor like this one without rows.
pub(super) fn no_rows(tensor: &Tensor) -> Result<Tensor> {
    let dims: Vec<usize> = [0].into_iter().chain(tensor.dims().iter().skip(1).copied()).collect();
    Tensor::zeros(tensor.dtype(), Shape::from(&dims[..]))
}
