//! The sum itself, dense or of rows, and its average.

use downpour_graph::PartialShape;
use downpour_tensor::{
    DataType, Element, RealNumber, Result, Shape, Status, Tensor, dispatch_float,
};

use crate::elements::{add, join};

pub(crate) enum Gradient {
    Dense(Tensor),
    Sparse { indices: Vec<i64>, values: Tensor },
}

/// What has been added up so far.
pub(crate) enum Sum {
    Dense(Tensor),
    /// `counts[i]` gradients contributed to row i.
    Sparse {
        indices: Vec<i64>,
        values: Tensor,
        counts: Vec<i32>,
    },
}

fn mismatch(what: String) -> Status {
    Status::invalid_argument(format!("Shape mismatch: {what}"))
}

impl Gradient {
    /// Refuses what does not fit the sum so far or the declared shape.
    pub(crate) fn check(&self, sum: Option<&Sum>, shape: &PartialShape) -> Result<()> {
        match (self, sum) {
            (Gradient::Dense(grad), Some(Sum::Dense(sum))) if grad.shape() != sum.shape() => {
                Err(mismatch(format!("expected {}, got {}", sum.shape(), grad.shape())))
            }
            (Gradient::Dense(grad), _) if !shape.allows(grad.dims()) => {
                Err(mismatch(format!("expected {shape}, got {}", grad.shape())))
            }
            (Gradient::Dense(_), _) => Ok(()),
            (Gradient::Sparse { indices, values }, sum) => check_rows(indices, values, sum, shape),
        }
    }
}

fn check_rows(
    indices: &[i64],
    values: &Tensor,
    sum: Option<&Sum>,
    shape: &PartialShape,
) -> Result<()> {
    let declared = shape.dims().unwrap_or_default();
    if let Some(Some(rows)) = declared.first()
        && let Some(i) = indices.iter().position(|&index| index >= *rows as i64)
    {
        return Err(mismatch(format!(
            "index of slice {i} exceeded limits of shape; index is {} exceeded {rows}",
            indices[i]
        )));
    }
    let dims = values.dims();
    if let Some(Sum::Sparse { values: so_far, .. }) = sum {
        if so_far.rank() != dims.len() {
            return Err(mismatch(format!(
                "expected values rank {}, got {}",
                so_far.rank(),
                dims.len()
            )));
        }
        if let Some(i) = (1..dims.len()).find(|&i| so_far.dims()[i] != dims[i]) {
            return Err(mismatch(format!(
                "expected values dim {i} to be {}, got {}",
                so_far.dims()[i],
                dims[i]
            )));
        }
        return Ok(());
    }
    if declared.len() > dims.len() {
        return Err(mismatch(format!(
            "expected values rank at least {}, got {}",
            declared.len(),
            dims.len()
        )));
    }
    for (i, dim) in declared.iter().enumerate().skip(1) {
        if let Some(dim) = dim
            && *dim != dims[i]
        {
            return Err(mismatch(format!("expected values dim {i} to be {dim}, got {}", dims[i])));
        }
    }
    Ok(())
}

impl Sum {
    pub(crate) fn start(gradient: Gradient) -> Sum {
        match gradient {
            Gradient::Dense(grad) => Sum::Dense(grad),
            Gradient::Sparse { indices, values } => {
                let counts = vec![1; indices.len()];
                Sum::Sparse { indices, values, counts }
            }
        }
    }

    pub(crate) fn plus(self, gradient: Gradient) -> Result<Sum> {
        match (self, gradient) {
            (Sum::Dense(sum), Gradient::Dense(grad)) => Ok(Sum::Dense(add(sum, &grad)?)),
            (
                Sum::Sparse { indices, values, counts },
                Gradient::Sparse { indices: more, values: added },
            ) => merge(indices, values, counts, more, added),
            _ => Err(Status::invalid_argument(
                "a dense gradient cannot be added to a sparse one or the reverse",
            )),
        }
    }

    /// The outputs of taking: the sum, or the average over the gradients that contributed.
    pub(crate) fn take(self, mean: bool, count: i32, shape: &PartialShape) -> Result<Vec<Tensor>> {
        match self {
            Sum::Dense(mut sum) => {
                if mean {
                    sum = divide(sum, &[count])?;
                }
                Ok(vec![sum])
            }
            Sum::Sparse { indices, mut values, counts } => {
                if mean {
                    values = divide(values, &counts)?;
                }
                let rows = shape.dims().and_then(|d| d.first().copied().flatten());
                let mut dims = values.shape().to_i64();
                if let Some(first) = dims.first_mut() {
                    *first = rows.map_or(-1, |r| r as i64);
                }
                Ok(vec![Tensor::vector(&indices)?, values, Tensor::vector(&dims)?])
            }
        }
    }
}

/// Merges two lists of rows, each by increasing index.
fn merge(
    indices: Vec<i64>,
    values: Tensor,
    counts: Vec<i32>,
    more: Vec<i64>,
    added: Tensor,
) -> Result<Sum> {
    let (mut i, mut j) = (0, 0);
    let (mut rows, mut out, mut out_counts) = (Vec::new(), Vec::new(), Vec::new());
    while i < indices.len() || j < more.len() {
        let (left, right) = (indices.get(i), more.get(j));
        let (take_left, take_right) = match (left, right) {
            (Some(a), Some(b)) => (a <= b, b <= a),
            (left, right) => (left.is_some(), right.is_some()),
        };
        let mut count = 0;
        let mut row = None;
        if take_left {
            row = Some(values.rows(i, i + 1)?);
            count = counts[i];
            out.push(indices[i]);
            i += 1;
        } else {
            out.push(more[j]);
        }
        if take_right {
            let grad = added.rows(j, j + 1)?;
            row = Some(match row {
                Some(row) => add(row, &grad)?,
                None => grad,
            });
            count += 1;
            j += 1;
        }
        rows.extend(row);
        out_counts.push(count);
    }
    let mut shape: Shape = added.shape().clone();
    shape.dims_mut()[0] = rows.len();
    let values = join(values.dtype(), shape, &rows)?;
    Ok(Sum::Sparse { indices: out, values, counts: out_counts })
}

/// Divides every row (or, with one count, everything) by its count.
fn divide(tensor: Tensor, counts: &[i32]) -> Result<Tensor> {
    fn by<T: Element + RealNumber>(tensor: &mut Tensor, counts: &[i32]) {
        let Some(values) = tensor.as_mut_slice::<T>() else { return };
        if values.is_empty() || counts.is_empty() {
            return;
        }
        let row = values.len() / counts.len();
        for (values, &count) in values.chunks_exact_mut(row.max(1)).zip(counts) {
            let count = T::from_f64_lossy(count as f64);
            values.iter_mut().for_each(|v| *v = *v / count);
        }
    }
    let mut tensor = tensor.into_unique()?;
    dispatch_float!(tensor.dtype(), "Accumulator", T => {
        by::<T>(&mut tensor, counts);
        Ok(())
    })?;
    Ok(tensor)
}

/// Refuses types without a kernel.
pub(crate) fn check_dtype(dtype: DataType) -> Result<()> {
    dispatch_float!(dtype, "ConditionalAccumulator", T => {
        let _ = T::DTYPE;
        Ok(())
    })
}
