//! Row splits: checks, and tensors of them.

use std::ops::Range;

use downpour_tensor::{CountedVec, DataType, Result, Status, Tensor};

use crate::indices::index_vector;
use crate::units::{Unit, dispatch_units};

/// Row splits that start at 0 and do not decrease; with `rows`, that many values behind them.
pub(crate) fn checked(splits: &Tensor, rows: Option<usize>) -> Result<Vec<i64>> {
    let bad = |what: String| Status::invalid_argument(format!("Invalid ragged splits: {what}"));
    if splits.rank() != 1 {
        return Err(bad(format!("ragged splits must be rank 1 but is rank {}", splits.rank())));
    }
    let values = splits.to_i64_vec()?;
    let (Some(&first), Some(&last)) = (values.first(), values.last()) else {
        return Err(bad("ragged splits must have at least one splits, but is empty".into()));
    };
    if first != 0 {
        return Err(bad(format!("first element of ragged splits  must be 0 but is {first}")));
    }
    if let Some(j) = values.windows(2).position(|w| w[1] < w[0]) {
        return Err(bad(format!(
            "ragged splits must be monotonically increasing, but ragged_splits[{}]={} is smaller \
             than row_splits[{j}]={}",
            j + 1,
            values[j + 1],
            values[j]
        )));
    }
    match rows {
        Some(rows) if last as u64 != rows as u64 => Err(bad(format!(
            "last element of ragged splits must be the number of ragged values({rows}) but is {last}"
        ))),
        _ => Ok(values),
    }
}

/// The splits of `rows` rows of `length` values each. Counted: the rows of an empty tensor take no memory however
/// many they are.
pub(crate) fn uniform(rows: usize, length: usize) -> Result<CountedVec<i64>> {
    CountedVec::build(rows.saturating_add(1), |row| Ok(row.saturating_mul(length) as i64))
}

/// Appends rows of the same lengths as those between these splits.
pub(crate) fn append(splits: &mut CountedVec<i64>, rows: &[i64]) -> Result<()> {
    let [first, rest @ ..] = rows else { return Ok(()) };
    let base = splits.last().map_or(0, |last| last.wrapping_sub(*first));
    splits.reserve(rest.len())?;
    rest.iter().try_for_each(|split| splits.push(split.wrapping_add(base)))
}

/// A vector of row splits.
pub(crate) fn tensor(dtype: DataType, values: &[i64]) -> Result<Tensor> {
    index_vector(dtype, [values.len()], values.iter().copied())
}

/// Row ranges of one tensor (of rank one or more), one behind the other.
pub(crate) fn take_rows(values: &Tensor, ranges: &[Range<usize>]) -> Result<Tensor> {
    let mut shape = values.shape().clone();
    let row: usize = values.dims()[1..].iter().product();
    shape.dims_mut()[0] = ranges.iter().map(|r| r.len()).sum();
    dispatch_units!(values.dtype(), T => {
        let source = T::view(values)?;
        T::build(values.dtype(), shape, |out| {
            let mut at = 0;
            for range in ranges {
                let part = &source[range.start * row..range.end * row];
                out[at..at + part.len()].clone_from_slice(part);
                at += part.len();
            }
            Ok(())
        })
    })
}

/// The elements of several tensors one behind the other, in a tensor of the given shape.
pub(crate) fn join(
    dtype: DataType,
    shape: downpour_tensor::Shape,
    parts: &[&Tensor],
) -> Result<Tensor> {
    dispatch_units!(dtype, T => {
        T::build(dtype, shape, |out| {
            let mut rest = out;
            for part in parts {
                let part = T::view(part)?;
                let (head, tail) = rest.split_at_mut_checked(part.len()).ok_or_else(|| {
                    Status::invalid_argument("the parts have more values than their whole")
                })?;
                head.clone_from_slice(part);
                rest = tail;
            }
            Ok(())
        })
    })
}
