//! Tensors of context features.

use downpour_formats::example::List;
use downpour_runtime::OpContext;
use downpour_tensor::{CountedVec, Result, Status, Tensor, excerpt};

use super::{FeaturePlaces, Source, counted};
use crate::example::merge::splits_tensor;
use crate::example::schema::Schema;
use crate::example::slots::Slots;
use crate::example::values::Values;

/// The lists of one feature in all examples.
struct Feature<'m> {
    /// For each example: its list, if it has values, and their number.
    lists: CountedVec<(Option<List<'m>>, usize)>,
}

/// Returns the tensors of all context features in the order of the outputs.
pub(super) fn parse(
    cx: &OpContext<'_>,
    source: &Source<'_>,
    schema: &Schema<'_>,
    found: &FeaturePlaces<'_>,
) -> Result<Vec<Tensor>> {
    let mut features = Vec::with_capacity(schema.features.len());
    for slot in 0..schema.features.len() {
        cx.check_cancelled()?;
        features.push(Feature::new(source, schema, slot, found.of(slot))?);
    }
    let mut features = features.iter();
    let mut dense_values = Vec::with_capacity(schema.features.dense.len());
    for (slot, feature) in features.by_ref().take(schema.features.dense.len()).enumerate() {
        dense_values.push(dense(source, schema, slot, feature, found.of(slot))?);
    }
    let (mut indices, mut values, mut shapes) = (Vec::new(), Vec::new(), Vec::new());
    for (&dtype, feature) in schema.features.sparse.iter().zip(features.by_ref()) {
        let (i, s) = feature.indices(source.is_batch)?;
        indices.push(i);
        values.push(feature.values(source, dtype)?);
        shapes.push(s);
    }
    let (mut ragged_values, mut splits) = (Vec::new(), Vec::new());
    for (&(dtype, splits_dtype), feature) in schema.features.ragged.iter().zip(features) {
        ragged_values.push(feature.values(source, dtype)?);
        splits.push(match source.is_batch {
            true => splits_tensor(splits_dtype, &feature.splits()?)?,
            // TensorFlow leaves the splits of a single example, which nobody needs, as a scalar of any value.
            false => Tensor::zeros(splits_dtype, [])?,
        });
    }
    let lists = [indices, values, shapes, dense_values, ragged_values, splits];
    Ok(lists.into_iter().flatten().collect())
}

impl<'m> Feature<'m> {
    fn new(
        source: &Source<'_>,
        schema: &Schema<'_>,
        slot: usize,
        found: &[Option<&'m [u8]>],
    ) -> Result<Feature<'m>> {
        let lists = CountedVec::build(found.len(), |example| {
            counted(schema, slot, found[example].unwrap_or_default()).ok_or_else(|| {
                Status::invalid_argument(format!(
                    "Name: {}, Context feature: {}.  Data types don't match. Expected type: {}",
                    source.name(example),
                    excerpt(schema.key(slot)),
                    schema.features.dtype(slot)
                ))
            })
        })?;
        Ok(Feature { lists })
    }

    fn counts(&self) -> impl Iterator<Item = usize> {
        self.lists.iter().map(|(_, count)| *count)
    }

    /// Returns a vector of the values of all examples.
    fn values(&self, source: &Source<'_>, dtype: downpour_tensor::DataType) -> Result<Tensor> {
        let mut values = Values::new(dtype)?;
        for ((list, _), message) in self.lists.iter().zip(source.messages) {
            if let Some(list) = list {
                values.append(list, message)?;
            }
        }
        let count = values.len();
        values.into_tensor([count])
    }

    /// Returns indices and shape of a sparse tensor with a row for each example, or of only one row.
    fn indices(&self, is_batch: bool) -> Result<(Tensor, Tensor)> {
        let total = self.counts().sum();
        let longest = self.counts().max().unwrap_or(0) as i64;
        let places = self.counts().enumerate();
        let places = places.flat_map(|(e, count)| (0..count).map(move |i| [e as i64, i as i64]));
        if !is_batch {
            let indices = Tensor::build([total, 1], |out: &mut [i64]| {
                out.iter_mut().zip(places).for_each(|(out, place)| *out = place[1]);
            })?;
            return Ok((indices, Tensor::vector(&[longest])?));
        }
        let indices = Tensor::build([total, 2], |out: &mut [i64]| {
            out.as_chunks_mut::<2>().0.iter_mut().zip(places).for_each(|(out, place)| *out = place);
        })?;
        Ok((indices, Tensor::vector(&[self.lists.len() as i64, longest])?))
    }

    fn splits(&self) -> Result<CountedVec<i64>> {
        let mut splits = CountedVec::with_capacity(self.lists.len() + 1)?;
        let mut end = 0;
        splits.push(0)?;
        for count in self.counts() {
            end += count as i64;
            splits.push(end)?;
        }
        Ok(splits)
    }
}

fn dense(
    source: &Source<'_>,
    schema: &Schema<'_>,
    slot: usize,
    feature: &Feature<'_>,
    found: &[Option<&[u8]>],
) -> Result<Tensor> {
    let dense = &schema.features.dense[slot];
    let default = schema.defaults[slot];
    let key = excerpt(schema.key(slot));
    let most = feature.counts().max().unwrap_or(0).max(default.len());
    if most != dense.stride {
        return Err(Status::invalid_argument(format!(
            "Inconsistent max number of elements for feature {key}: expected {}, but found {most}",
            dense.stride
        )));
    }
    let mut dims = if source.is_batch { vec![found.len()] } else { Vec::new() };
    dims.extend_from_slice(&dense.row);
    let mut tensor = Tensor::new(dense.dtype, dims)?;
    let mut slots = Slots::of(&mut tensor)?;
    for (example, (list, _)) in feature.lists.iter().enumerate() {
        let place = slots.range(example * dense.stride, dense.stride);
        let count = match (found[example], list) {
            (None, _) if default.is_empty() => {
                return Err(Status::invalid_argument(format!(
                    "Feature: {key} (data type: {}) is required but could not be found.",
                    dense.dtype
                )));
            }
            (None, _) => {
                place.copy_from(default)?;
                dense.stride
            }
            (Some(_), None) => 0,
            (Some(_), Some(list)) => place.read(list, &source.messages[example]).unwrap_or(0),
        };
        if count != dense.stride {
            return Err(Status::invalid_argument(format!(
                "Unexpected number of elements in example {}",
                source.name(example)
            )));
        }
    }
    Ok(tensor)
}
