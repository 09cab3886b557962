//! Tensors of feature lists.

use downpour_formats::example::{Cursor, List};
use downpour_runtime::OpContext;
use downpour_tensor::{ByteString, CountedVec, DataType, Result, Shape, Status, Tensor, excerpt};

use super::{FeaturePlaces, Source, counted};
use crate::example::merge::splits_tensor;
use crate::example::schema::Schema;
use crate::example::slots::Slots;
use crate::example::values::Values;

/// The tag of a feature in a list.
const FEATURE: u8 = 1 << 3 | 2;

/// One feature list in all examples.
struct Lists<'m> {
    /// The rows of all examples: each one's values, if any, and their number.
    rows: CountedVec<(Option<List<'m>>, usize)>,
    /// Where the rows of each example end.
    ends: CountedVec<usize>,
}

/// Returns the tensors of all feature lists in the order of the outputs.
pub(super) fn parse(
    cx: &OpContext<'_>,
    source: &Source<'_>,
    schema: &Schema<'_>,
    found: &FeaturePlaces<'_>,
    may_miss: &[bool],
) -> Result<Vec<Tensor>> {
    let mut all = Vec::with_capacity(schema.features.len());
    for slot in 0..schema.features.len() {
        cx.check_cancelled()?;
        all.push(Lists::new(source, schema, slot, found.of(slot))?);
    }
    let mut all = all.iter();
    let (mut dense_values, mut lengths) = (Vec::new(), Vec::new());
    for (slot, lists) in all.by_ref().take(schema.features.dense.len()).enumerate() {
        let is_required = !may_miss.get(slot).copied().unwrap_or(false);
        let missing = found.of(slot).iter().position(|place| is_required && place.is_none());
        let (values, length) = lists.dense(source, schema, slot, missing)?;
        dense_values.push(values);
        lengths.push(length);
    }
    let (mut indices, mut values, mut shapes) = (Vec::new(), Vec::new(), Vec::new());
    for (&dtype, lists) in schema.features.sparse.iter().zip(all.by_ref()) {
        let (i, s) = lists.indices(source.is_batch)?;
        indices.push(i);
        values.push(lists.values(source, dtype)?);
        shapes.push(s);
    }
    let (mut ragged_values, mut outer, mut inner) = (Vec::new(), Vec::new(), Vec::new());
    for (&(dtype, splits_dtype), lists) in schema.features.ragged.iter().zip(all) {
        ragged_values.push(lists.values(source, dtype)?);
        outer.push(match source.is_batch {
            true => splits_tensor(splits_dtype, &splits(lists.row_counts())?)?,
            // TensorFlow leaves the splits of a single example, which nobody needs, as a scalar of any value.
            false => Tensor::zeros(splits_dtype, [])?,
        });
        inner.push(splits_tensor(splits_dtype, &splits(lists.rows.iter().map(|row| row.1))?)?);
    }
    let outputs = [indices, values, shapes, dense_values, lengths, ragged_values, outer, inner];
    Ok(outputs.into_iter().flatten().collect())
}

impl<'m> Lists<'m> {
    fn new(
        source: &Source<'_>,
        schema: &Schema<'_>,
        slot: usize,
        found: &[Option<&'m [u8]>],
    ) -> Result<Lists<'m>> {
        let key = excerpt(schema.key(slot));
        let mut rows = CountedVec::new();
        let mut ends = CountedVec::with_capacity(found.len())?;
        for (example, list) in found.iter().enumerate() {
            let damaged = || {
                Status::invalid_argument(format!(
                    "Error in sequence feature {key} in example {}",
                    source.name(example)
                ))
            };
            let mut list = Cursor::new(list.unwrap_or_default());
            let mut row = 0;
            while !list.is_empty() {
                let feature = list.take_tag(FEATURE).then(|| list.message()).flatten();
                let feature = feature.ok_or_else(damaged)?.rest();
                let counted = counted(schema, slot, feature).ok_or_else(|| {
                    Status::invalid_argument(format!(
                        "Name: {}, Feature list: {key}, Index: {row}.  Data types don't match. Expected type: {}",
                        source.name(example),
                        schema.features.dtype(slot)
                    ))
                })?;
                if counted.0.is_some_and(|values| !values.is_all()) {
                    return Err(damaged());
                }
                rows.push(counted)?;
                row += 1;
            }
            ends.push(rows.len())?;
        }
        Ok(Lists { rows, ends })
    }

    /// Returns how many rows each example has.
    fn row_counts(&self) -> impl Iterator<Item = usize> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(self.ends.iter()).map(|(start, end)| end - start)
    }

    /// Returns each example's rows.
    fn examples(&self) -> impl Iterator<Item = &[(Option<List<'m>>, usize)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(self.ends.iter()).map(|(start, &end)| &self.rows[start..end])
    }

    /// Returns a vector of the values of all rows.
    fn values(&self, source: &Source<'_>, dtype: DataType) -> Result<Tensor> {
        let mut values = Values::new(dtype)?;
        for (rows, message) in self.examples().zip(source.messages) {
            for list in rows.iter().filter_map(|(list, _)| list.as_ref()) {
                values.append(list, message)?;
            }
        }
        let count = values.len();
        values.into_tensor([count])
    }

    /// Returns indices and shape of a sparse tensor of examples, rows and values, or of rows and values only.
    fn indices(&self, is_batch: bool) -> Result<(Tensor, Tensor)> {
        let total: usize = self.rows.iter().map(|row| row.1).sum();
        let rank = if is_batch { 3 } else { 2 };
        let indices = Tensor::build([total, rank], |out: &mut [i64]| {
            let mut places = out.chunks_exact_mut(rank);
            for (e, rows) in self.examples().enumerate() {
                for (r, (_, count)) in rows.iter().enumerate() {
                    for (i, place) in places.by_ref().take(*count).enumerate() {
                        place.copy_from_slice(&[e as i64, r as i64, i as i64][3 - rank..]);
                    }
                }
            }
        })?;
        let most_rows = self.row_counts().max().unwrap_or(0) as i64;
        let longest = self.rows.iter().map(|row| row.1).max().unwrap_or(0) as i64;
        let shape = [self.ends.len() as i64, most_rows, longest];
        Ok((indices, Tensor::vector(&shape[3 - rank..])?))
    }

    /// Returns a dense tensor in which shorter lists are padded with zeros, and the lengths of the lists. `missing` is
    /// the first example without a list, if none may be.
    fn dense(
        &self,
        source: &Source<'_>,
        schema: &Schema<'_>,
        slot: usize,
        missing: Option<usize>,
    ) -> Result<(Tensor, Tensor)> {
        let dense = &schema.features.dense[slot];
        let key = excerpt(schema.key(slot));
        let sizes = self.examples().map(|rows| rows.iter().map(|row| row.1).sum::<usize>());
        let most = sizes.max().unwrap_or(0);
        if dense.stride == 0 || !most.is_multiple_of(dense.stride) {
            let inner = &dense.shape.to_string()[1..];
            return Err(Status::invalid_argument(format!(
                "Feature list '{key}' has an unexpected number of values.  Total values size: {most} is not \
                 consistent with output shape: [?,{inner}"
            )));
        }
        let mut batch = Shape::new(&[self.ends.len()]);
        if !source.is_batch {
            batch = Shape::scalar();
        }
        let mut shape = batch.clone();
        shape.push(most / dense.stride);
        dense.row.iter().for_each(|&dim| shape.push(dim));
        let mut tensor = Tensor::zeros(dense.dtype, shape)?;
        let mut slots = Slots::of(&mut tensor)?;
        for (example, rows) in self.examples().enumerate() {
            if missing == Some(example) {
                return Err(Status::invalid_argument(format!(
                    "Name: {}, Feature list '{key}' is required but could not be found.  Did you mean to include it \
                     in feature_list_dense_missing_assumed_empty or feature_list_dense_defaults?",
                    source.name(example)
                )));
            }
            for (r, (list, count)) in rows.iter().enumerate() {
                if *count != dense.stride {
                    return Err(Status::invalid_argument(format!(
                        "Name: {}, Key: {key}, Index: {r}.  Number of values != expected.  values size: {count} but \
                         output shape: {}",
                        source.name(example),
                        dense.shape
                    )));
                }
                let start = example * most + r * dense.stride;
                read(list.as_ref(), slots.range(start, dense.stride), &source.messages[example]);
            }
        }
        let lengths = Tensor::build(batch, |out: &mut [i64]| {
            out.iter_mut().zip(self.row_counts()).for_each(|(out, rows)| *out = rows as i64);
        })?;
        Ok((tensor, lengths))
    }
}

/// Writes the values of a row that was counted before.
fn read(list: Option<&List<'_>>, place: Slots<'_>, message: &ByteString) {
    if let Some(list) = list {
        place.read(list, message);
    }
}

/// Returns the row splits of rows with these lengths.
fn splits(lengths: impl Iterator<Item = usize>) -> Result<CountedVec<i64>> {
    let mut splits = CountedVec::new();
    let mut end = 0;
    splits.push(0)?;
    for length in lengths {
        end += length as i64;
        splits.push(end)?;
    }
    Ok(splits)
}
