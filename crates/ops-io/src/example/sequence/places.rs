//! Where the features of SequenceExamples lie in their messages.

use downpour_formats::example::for_each_entry;
use downpour_runtime::OpContext;
use downpour_tensor::{CountedVec, Result, Status};

use super::Source;
use crate::example::schema::Schema;

/// Messages between two looks at the cancellation.
const MESSAGES_PER_CHECK: usize = 256;

/// The bytes of each feature in each example, where it is there.
pub(in crate::example) struct FeaturePlaces<'m> {
    /// The examples of one feature stand together.
    places: CountedVec<Option<&'m [u8]>>,
    examples: usize,
}

impl<'m> FeaturePlaces<'m> {
    fn new(features: usize, examples: usize) -> Result<FeaturePlaces<'m>> {
        let count = features.checked_mul(examples).ok_or_else(|| {
            Status::invalid_argument(format!(
                "{features} features of {examples} examples are too many"
            ))
        })?;
        Ok(FeaturePlaces { places: CountedVec::filled(count, None)?, examples })
    }

    /// Returns the bytes of a feature in each example.
    pub fn of(&self, slot: usize) -> &[Option<&'m [u8]>] {
        &self.places[slot * self.examples..(slot + 1) * self.examples]
    }

    /// Searches all messages for the context features and feature lists of two schemas.
    pub fn search(
        cx: &OpContext<'_>,
        source: &Source<'m>,
        context: &Schema<'_>,
        lists: &Schema<'_>,
    ) -> Result<(FeaturePlaces<'m>, FeaturePlaces<'m>)> {
        let examples = source.messages.len();
        let mut in_context = FeaturePlaces::new(context.features.len(), examples)?;
        let mut in_lists = FeaturePlaces::new(lists.features.len(), examples)?;
        for (example, message) in source.messages.iter().enumerate() {
            if example % MESSAGES_PER_CHECK == MESSAGES_PER_CHECK - 1 {
                cx.check_cancelled()?;
            }
            for_each_entry(message, |is_list, key, value| {
                let (schema, found) = match is_list {
                    true => (lists, &mut in_lists),
                    false => (context, &mut in_context),
                };
                if let Some(slot) = schema.place(key) {
                    found.places[slot * examples + example] = Some(value);
                }
            })
            .ok_or_else(|| {
                Status::invalid_argument(format!(
                    "Invalid protocol message input, example id: {}",
                    source.name(example)
                ))
            })?;
        }
        Ok((in_context, in_lists))
    }
}
