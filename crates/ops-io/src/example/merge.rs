//! Puts the values of a feature that were parsed in several parts together.

use downpour_tensor::{DataType, Result, Tensor};

use super::batch::ExampleRows;
use super::features::Dense;
use super::slots::Slots;
use super::values::join;

impl ExampleRows {
    /// Returns where the values of each example start and how many there are.
    fn rows(&self) -> impl Iterator<Item = (usize, usize)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(self.ends.iter()).map(|(start, &end)| (start, end - start))
    }
}

fn longest(parts: &[ExampleRows]) -> usize {
    parts.iter().flat_map(ExampleRows::rows).map(|(_, count)| count).max().unwrap_or(0)
}

/// Returns a dense tensor with the values of each of `rows` examples, padded to the longest.
pub(super) fn padded(
    dense: &Dense,
    padding: &Tensor,
    rows: usize,
    parts: &[ExampleRows],
) -> Result<Tensor> {
    let length = longest(parts);
    let mut dims = vec![rows, length / dense.stride];
    dims.extend_from_slice(&dense.row);
    let mut tensor = Tensor::new(dense.dtype, dims)?;
    let mut rest = Slots::of(&mut tensor)?;
    for part in parts {
        for (start, count) in part.rows() {
            let (own, others) = rest.split(length);
            own.store_padded(&part.values, start, count, padding)?;
            rest = others;
        }
    }
    Ok(tensor)
}

/// Returns indices, values and shape of a sparse tensor with a row for each example; `starts` has the first example of
/// each part.
pub(super) fn sparse(
    dtype: DataType,
    rows: usize,
    parts: Vec<ExampleRows>,
    starts: &[usize],
) -> Result<[Tensor; 3]> {
    let total = parts.iter().map(|part| part.values.len()).sum();
    let indices = Tensor::build([total, 2], |out: &mut [i64]| {
        let mut places = out.as_chunks_mut::<2>().0.iter_mut();
        for (part, start) in parts.iter().zip(starts) {
            for (row, (_, count)) in part.rows().enumerate() {
                for (column, place) in places.by_ref().take(count).enumerate() {
                    *place = [(start + row) as i64, column as i64];
                }
            }
        }
    })?;
    let shape = Tensor::vector(&[rows as i64, longest(&parts) as i64])?;
    let values = join(dtype, parts.into_iter().map(|part| part.values).collect())?;
    Ok([indices, values, shape])
}

/// Returns values and row splits of a ragged tensor with a row for each example.
pub(super) fn ragged(
    dtype: DataType,
    splits_dtype: DataType,
    rows: usize,
    parts: Vec<ExampleRows>,
) -> Result<[Tensor; 2]> {
    let mut splits = downpour_tensor::CountedVec::with_capacity(rows + 1)?;
    splits.push(0)?;
    let mut before = 0;
    for part in &parts {
        part.ends.iter().try_for_each(|end| splits.push((before + end) as i64))?;
        before += part.values.len();
    }
    let splits = splits_tensor(splits_dtype, &splits)?;
    let values = join(dtype, parts.into_iter().map(|part| part.values).collect())?;
    Ok([values, splits])
}

/// Returns a vector of row splits of type int32 or int64.
pub(super) fn splits_tensor(dtype: DataType, splits: &[i64]) -> Result<Tensor> {
    match dtype {
        DataType::Int32 => Tensor::build([splits.len()], |out: &mut [i32]| {
            out.iter_mut().zip(splits).for_each(|(out, &split)| *out = split as i32);
        }),
        _ => Tensor::vector(splits),
    }
}
