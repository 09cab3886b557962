//! Context features and feature lists of SequenceExamples.
//!
//! First all examples are searched for all features; what is found are slices of the messages. Then the tensors of one
//! feature after the other are made. The order of checks is TensorFlow's.

mod context;
mod lists;
mod places;

use downpour_formats::example::{Kind, List};
use downpour_runtime::OpContext;
use downpour_tensor::{ByteString, Result, Status, Tensor, excerpt};

use super::schema::Schema;
pub(super) use places::FeaturePlaces;

/// The messages of a batch, or one that stands alone.
pub(super) struct Source<'a> {
    pub messages: &'a [ByteString],
    /// Names of the messages for errors; may be empty.
    pub names: &'a [ByteString],
    pub is_batch: bool,
}

impl Source<'_> {
    fn name(&self, example: usize) -> String {
        self.names.get(example).map_or_else(|| "<unknown>".to_owned(), |name| excerpt(name))
    }
}

/// Parses the messages; `may_miss` says of each dense feature list whether it may be missing. Returns the tensors in
/// the order of the outputs: of the context sparse indices, values, shapes; dense; ragged values, splits; of feature
/// lists the same, with lengths after the dense ones and with outer and inner splits.
pub(super) fn parse(
    cx: &OpContext<'_>,
    source: &Source<'_>,
    context: &Schema<'_>,
    lists: &Schema<'_>,
    may_miss: &[bool],
) -> Result<Vec<Tensor>> {
    let examples = source.messages.len();
    if !source.names.is_empty() && source.names.len() != examples {
        return Err(Status::invalid_argument(
            "example_names must be empty or have the correct number of elements",
        ));
    }
    let (in_context, in_lists) = FeaturePlaces::search(cx, source, context, lists)?;
    let mut tensors = context::parse(cx, source, context, &in_context)?;
    tensors.extend(lists::parse(cx, source, lists, &in_lists, may_miss)?);
    Ok(tensors)
}

/// Returns the list of a feature whose values are of the type of feature `slot`, and how many they are; `None` if they
/// are of another type or damaged. An empty feature has no list.
fn counted<'m>(
    schema: &Schema<'_>,
    slot: usize,
    feature: &'m [u8],
) -> Option<(Option<List<'m>>, usize)> {
    let Some(list) = List::of_feature(feature).ok()? else { return Some((None, 0)) };
    if super::values::dtype(list.kind()) != schema.features.dtype(slot) {
        return None;
    }
    let mut count = 0;
    match list.kind() {
        Kind::Bytes => list.for_each_string(|_| {
            count += 1;
            Some(())
        })?,
        Kind::Int64 => drop(list.for_each_integer(|_| count += 1)?),
        Kind::Float => count = list.floats().filter(|floats| floats.is_exact())?.len(),
    }
    Some((Some(list), count))
}
