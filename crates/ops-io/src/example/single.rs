//! Parses a single Example.

use downpour_tensor::{ByteString, Result, Status, Tensor, excerpt};

use super::schema::Schema;
use super::slots::Slots;
use super::values::Values;

/// Parses the message into tensors in the order of the operation's outputs: sparse indices, values, shapes; dense;
/// ragged values, and splits, which are empty because a single row needs none.
pub(super) fn parse(schema: &Schema<'_>, message: &ByteString) -> Result<Vec<Tensor>> {
    let features = schema.features;
    let mut found = vec![None; features.len()];
    schema.find(message, true, &mut found)?;
    let mut dense_values = Vec::with_capacity(features.dense.len());
    for (slot, dense) in features.dense.iter().enumerate() {
        dense_values.push(match dense.is_variable {
            true => rows(schema, slot, message, found[slot])?,
            false => fixed(schema, slot, message, found[slot])?,
        });
    }
    let mut slot = features.dense.len();
    let (mut indices, mut sparse_values, mut shapes) = (Vec::new(), Vec::new(), Vec::new());
    for _ in &features.sparse {
        let found = values(schema, slot, message, found[slot])?;
        let count = found.len();
        indices.push(Tensor::build([count, 1], |out: &mut [i64]| {
            out.iter_mut().enumerate().for_each(|(i, out)| *out = i as i64);
        })?);
        sparse_values.push(found.into_tensor([count])?);
        shapes.push(Tensor::vector(&[count as i64])?);
        slot += 1;
    }
    let (mut ragged_values, mut splits) = (Vec::new(), Vec::new());
    for &(_, splits_dtype) in &features.ragged {
        let found = values(schema, slot, message, found[slot])?;
        let count = found.len();
        ragged_values.push(found.into_tensor([count])?);
        splits.push(Tensor::zeros(splits_dtype, [0])?);
        slot += 1;
    }
    let lists = [indices, sparse_values, shapes, dense_values, ragged_values, splits];
    Ok(lists.into_iter().flatten().collect())
}

/// Returns the values of a dense feature of fixed size, or its default.
fn fixed(
    schema: &Schema<'_>,
    slot: usize,
    message: &ByteString,
    feature: Option<&[u8]>,
) -> Result<Tensor> {
    let dense = &schema.features.dense[slot];
    let key = excerpt(schema.key(slot));
    let located = |what: String| Status::invalid_argument(format!("Key: {key}.  {what}"));
    let list = match feature {
        Some(feature) => schema.list(slot, feature, located)?,
        None => None,
    };
    let Some(list) = list else {
        let default = schema.defaults[slot];
        if default.is_empty() {
            return Err(Status::invalid_argument(format!(
                "Feature: {key} (data type: {}) is required but could not be found.",
                dense.dtype
            )));
        }
        return Ok(default.clone());
    };
    let mut tensor = Tensor::new(dense.dtype, dense.row.clone())?;
    match Slots::of(&mut tensor)?.read(&list, message) {
        Some(count) if count == dense.stride => Ok(tensor),
        Some(_) => Err(damaged(schema, slot, "Some values were not parsed.")),
        None => Err(damaged(schema, slot, "Parsing the list failed.")),
    }
}

/// Returns the rows of a dense feature of variable length.
fn rows(
    schema: &Schema<'_>,
    slot: usize,
    message: &ByteString,
    feature: Option<&[u8]>,
) -> Result<Tensor> {
    let dense = &schema.features.dense[slot];
    let values = values(schema, slot, message, feature)?;
    let count = values.len();
    if !count.is_multiple_of(dense.stride) {
        return Err(Status::invalid_argument(format!(
            "Error while parsing feature with key {}: number of elements should be divisible by {}, found {count} instead",
            excerpt(schema.key(slot)),
            dense.stride
        )));
    }
    let mut dims = vec![count / dense.stride];
    dims.extend_from_slice(&dense.row);
    values.into_tensor(dims)
}

/// Returns the values of a feature, as many as there are.
fn values(
    schema: &Schema<'_>,
    slot: usize,
    message: &ByteString,
    feature: Option<&[u8]>,
) -> Result<Values> {
    let mut values = Values::new(schema.features.dtype(slot))?;
    let located = |what: String| {
        Status::invalid_argument(format!("Key: {}.  {what}", excerpt(schema.key(slot))))
    };
    if let Some(feature) = feature
        && let Some(list) = schema.list(slot, feature, located)?
        && !values.append(&list, message)?
    {
        return Err(damaged(schema, slot, "Parsing the list failed."));
    }
    Ok(values)
}

fn damaged(schema: &Schema<'_>, slot: usize, what: &str) -> Status {
    Status::invalid_argument(format!(
        "Key: {}.  Can't parse serialized Example: {what}",
        excerpt(schema.key(slot))
    ))
}
