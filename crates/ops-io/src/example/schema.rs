//! Features with their keys and defaults: all that parsing needs.

use downpour_formats::example::{List, for_each_feature};
use downpour_tensor::{ByteString, DataType, Result, Status, Tensor, excerpt};

use super::features::{Dense, Features};
use super::key_index::KeyIndex;
use super::values;

/// The features to look for in an Example.
pub(super) struct Schema<'a> {
    pub features: &'a Features,
    keys: KeyIndex<'a>,
    /// For each dense feature what stands for a missing one, or for missing values.
    pub defaults: &'a [&'a Tensor],
}

impl<'a> Schema<'a> {
    /// Puts features and their keys together; dense ones come first, then sparse, then ragged. A key that stands for
    /// two features is refused, as TensorFlow means to (it ends up with finding no feature at all).
    pub fn new(
        features: &'a Features,
        keys: Vec<&'a [u8]>,
        defaults: &'a [&'a Tensor],
    ) -> Result<Schema<'a>> {
        if keys.len() != features.len() {
            return Err(Status::internal(format!(
                "{} keys cannot stand for {} features",
                keys.len(),
                features.len()
            )));
        }
        let repeated = keys.clone();
        let keys = KeyIndex::new(keys).map_err(|place| {
            Status::invalid_argument(format!(
                "The key '{}' stands for two features",
                excerpt(repeated[place])
            ))
        })?;
        Ok(Schema { features, keys, defaults })
    }

    /// Returns the number of the feature with this key.
    pub fn place(&self, key: &[u8]) -> Option<usize> {
        self.keys.place(key)
    }

    /// Returns the key of a feature.
    pub fn key(&self, slot: usize) -> &'a [u8] {
        self.keys.key(slot)
    }

    /// Returns the dense feature of this number, if it is one.
    pub fn dense(&self, slot: usize) -> Option<&'a Dense> {
        self.features.dense.get(slot)
    }

    /// Finds the features of an Example; of those with the same key the last one counts. An empty dense feature counts
    /// as missing, and with `is_single` so does every empty one.
    pub fn find<'m>(
        &self,
        example: &'m ByteString,
        is_single: bool,
        found: &mut [Option<&'m [u8]>],
    ) -> Result<()> {
        found.fill(None);
        let dense = if is_single { found.len() } else { self.features.dense.len() };
        for_each_feature(example, |key, feature| {
            if let Some(slot) = self.keys.place(key)
                && (slot >= dense || !feature.is_empty())
            {
                found[slot] = Some(feature);
            }
        })
        .ok_or_else(|| {
            Status::invalid_argument(format!(
                "Could not parse example input, value: '{}'",
                excerpt(example)
            ))
        })
    }

    /// Returns the values of a feature that was found, `None` if it is empty. They must be of the feature's type;
    /// `located` makes an error of what is wrong with them.
    pub fn list<'m>(
        &self,
        slot: usize,
        feature: &'m [u8],
        located: impl Fn(String) -> Status,
    ) -> Result<Option<List<'m>>> {
        let list = List::of_feature(feature).map_err(Status::invalid_argument)?;
        let Some(list) = list else { return Ok(None) };
        let (actual, expected) = (values::dtype(list.kind()), self.features.dtype(slot));
        if actual == expected {
            return Ok(Some(list));
        }
        Err(located(mismatch(actual, expected, self.dense(slot).is_some())))
    }
}

fn mismatch(actual: DataType, expected: DataType, is_dense: bool) -> String {
    match is_dense {
        true => {
            format!("Data types don't match. Data type: {actual} but expected type: {expected}")
        }
        false => {
            format!("Data types don't match. Expected type: {expected}, Actual type: {actual}")
        }
    }
}
