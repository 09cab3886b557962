//! What a message takes in memory once it is decoded.
//!
//! Two bytes of a message can become a structure of hundreds: an empty element of a repeated field. Whoever decodes
//! what a client made up counts the structures first, by the lengths and field numbers alone, and charges for them, so
//! that a forged message is refused before it exists.

use bytes::Bytes;
use downpour_tensor::{Charge, Result, Status};
use prost::Message;

use crate::proto::data::experimental::{SnapshotRecord, SnapshotTensorMetadata, TensorMetadata};
use crate::proto::data::{CompressedComponentMetadata, CompressedElement};
use crate::proto::{
    Feature, FeatureList, HistogramProto, ResourceHandleProto, SequenceExample, Summary,
    SummaryMetadata, TensorProto, TensorShapeProto, VariantTensorDataProto,
    resource_handle_proto::DtypeAndShape, summary, tensor_shape_proto::Dim,
};

/// What the count has to know about a type of message.
pub struct Layout {
    /// The size of its structure.
    size: usize,
    /// The fields that are messages themselves.
    messages: &'static [(u64, &'static Layout)],
    /// The fields of bytes that the decoder does not copy.
    shared: &'static [u64],
}

/// A message whose decoded size can be told in advance.
pub trait Countable: Message + Default {
    const LAYOUT: &'static Layout;
}

static DIM: Layout = Layout { size: size_of::<Dim>(), messages: &[], shared: &[] };
static SHAPE: Layout =
    Layout { size: size_of::<TensorShapeProto>(), messages: &[(2, &DIM)], shared: &[] };
static DTYPE_AND_SHAPE: Layout =
    Layout { size: size_of::<DtypeAndShape>(), messages: &[(2, &SHAPE)], shared: &[] };
static HANDLE: Layout = Layout {
    size: size_of::<ResourceHandleProto>(),
    messages: &[(6, &DTYPE_AND_SHAPE)],
    shared: &[],
};
static VARIANT: Layout =
    Layout { size: size_of::<VariantTensorDataProto>(), messages: &[(3, &TENSOR)], shared: &[2] };
static TENSOR: Layout = Layout {
    size: size_of::<TensorProto>(),
    messages: &[(2, &SHAPE), (14, &HANDLE), (15, &VARIANT)],
    shared: &[4, 8, 18],
};
static HISTOGRAM: Layout = Layout { size: size_of::<HistogramProto>(), messages: &[], shared: &[] };
static METADATA: Layout = Layout { size: size_of::<SummaryMetadata>(), messages: &[], shared: &[] };
static VALUE: Layout = Layout {
    size: size_of::<summary::Value>(),
    messages: &[(5, &HISTOGRAM), (8, &TENSOR), (9, &METADATA)],
    shared: &[],
};
static SUMMARY: Layout =
    Layout { size: size_of::<Summary>(), messages: &[(1, &VALUE)], shared: &[] };
static VALUES: Layout = Layout { size: 0, messages: &[], shared: &[1] };
static FEATURE: Layout =
    Layout { size: size_of::<Feature>(), messages: &[(1, &VALUES)], shared: &[] };
static FEATURE_LIST: Layout =
    Layout { size: size_of::<FeatureList>(), messages: &[(1, &FEATURE)], shared: &[] };
/// An entry of a map, its place in the table included.
static CONTEXT_ENTRY: Layout =
    Layout { size: 2 * size_of::<(String, Feature)>(), messages: &[(2, &FEATURE)], shared: &[] };
static LIST_ENTRY: Layout = Layout {
    size: 2 * size_of::<(String, FeatureList)>(),
    messages: &[(2, &FEATURE_LIST)],
    shared: &[],
};
static CONTEXT: Layout = Layout { size: 0, messages: &[(1, &CONTEXT_ENTRY)], shared: &[] };
static LISTS: Layout = Layout { size: 0, messages: &[(1, &LIST_ENTRY)], shared: &[] };
static SEQUENCE: Layout = Layout {
    size: size_of::<SequenceExample>(),
    messages: &[(1, &CONTEXT), (2, &LISTS)],
    shared: &[],
};

static RECORD: Layout =
    Layout { size: size_of::<SnapshotRecord>(), messages: &[(1, &TENSOR)], shared: &[] };
static TENSOR_METADATA: Layout =
    Layout { size: size_of::<TensorMetadata>(), messages: &[(2, &SHAPE)], shared: &[] };
static RECORD_METADATA: Layout = Layout {
    size: size_of::<SnapshotTensorMetadata>(),
    messages: &[(1, &TENSOR_METADATA)],
    shared: &[],
};
static COMPONENT: Layout = Layout {
    size: size_of::<CompressedComponentMetadata>(),
    messages: &[(2, &SHAPE)],
    shared: &[],
};
static COMPRESSED: Layout =
    Layout { size: size_of::<CompressedElement>(), messages: &[(2, &COMPONENT)], shared: &[1] };

impl Countable for SnapshotRecord {
    const LAYOUT: &'static Layout = &RECORD;
}

impl Countable for SnapshotTensorMetadata {
    const LAYOUT: &'static Layout = &RECORD_METADATA;
}

impl Countable for CompressedElement {
    const LAYOUT: &'static Layout = &COMPRESSED;
}

impl Countable for TensorProto {
    const LAYOUT: &'static Layout = &TENSOR;
}

impl Countable for VariantTensorDataProto {
    const LAYOUT: &'static Layout = &VARIANT;
}

impl Countable for ResourceHandleProto {
    const LAYOUT: &'static Layout = &HANDLE;
}

impl Countable for Summary {
    const LAYOUT: &'static Layout = &SUMMARY;
}

impl Countable for SequenceExample {
    const LAYOUT: &'static Layout = &SEQUENCE;
}

/// A list grows by doubling, so up to twice its elements are reserved.
const GROWTH: usize = 2;
/// The most that a byte of a packed list takes: a varint of one byte is a number of eight.
const PER_PACKED_BYTE: usize = 8;
/// The place of a field of bytes or text in a list.
const PER_FIELD: usize = size_of::<Bytes>();
/// Deeper nesting is refused by the decoder.
const MAX_DEPTH: usize = 100;

/// Decodes a message somebody sent. What it takes counts against the memory limit while the charge lives.
pub fn decode_counted<M: Countable>(bytes: Bytes, what: &str) -> Result<(M, Charge)> {
    let charge = Charge::new(expansion(&bytes, M::LAYOUT, 0))?;
    let message = M::decode(bytes).map_err(|_| Status::invalid_argument(what))?;
    Ok((message, charge))
}

/// The most bytes that the decoded message takes besides its own. Ends at what the decoder will refuse.
fn expansion(mut rest: &[u8], layout: &Layout, depth: usize) -> usize {
    let mut sum = layout.size.saturating_mul(GROWTH);
    if depth > MAX_DEPTH {
        return sum;
    }
    let mut next = || -> Option<usize> {
        let key = varint(&mut rest)?;
        let (field, wire_type) = (key >> 3, key & 7);
        let fixed = match wire_type {
            0 => {
                varint(&mut rest)?;
                0
            }
            1 => 8,
            5 => 4,
            2 => {
                let length = usize::try_from(varint(&mut rest)?).ok()?;
                let content = rest.get(..length)?;
                rest = &rest[length..];
                let nested = layout.messages.iter().find(|(number, _)| *number == field);
                return Some(match nested {
                    Some((_, nested)) => expansion(content, nested, depth + 1),
                    None if layout.shared.contains(&field) => PER_FIELD * GROWTH,
                    None => PER_FIELD * GROWTH + length.saturating_mul(PER_PACKED_BYTE),
                });
            }
            _ => return None,
        };
        rest = rest.get(fixed..)?;
        Some(PER_PACKED_BYTE * GROWTH)
    };
    while let Some(more) = next() {
        sum = sum.saturating_add(more);
    }
    sum
}

fn varint(rest: &mut &[u8]) -> Option<u64> {
    prost::encoding::decode_varint(rest).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted<M: Countable>(bytes: &[u8]) -> usize {
        decode_counted::<M>(Bytes::copy_from_slice(bytes), "broken").unwrap().1.bytes()
    }

    #[test]
    fn empty_messages_count_as_the_structures_they_become() {
        let values = counted::<Summary>(&b"\n\0".repeat(1000));
        assert!(values >= 1000 * size_of::<summary::Value>());
        let handles = counted::<TensorProto>(&b"\x72\0".repeat(1000));
        assert!(handles >= 1000 * size_of::<ResourceHandleProto>());
        let dims = counted::<TensorProto>(&b"\x12\x02\x12\0".repeat(1000));
        assert!(dims >= 1000 * size_of::<Dim>());
        // A variant of a tensor of a variant of a tensor.
        let inner = counted::<TensorProto>(b"\x7a\x06\x1a\x04\x7a\x02\x1a\0");
        assert!(inner >= 3 * size_of::<TensorProto>());
    }

    #[test]
    fn contents_that_stay_where_they_are_count_as_nothing() {
        let content = TensorProto { tensor_content: vec![1; 1 << 20].into(), ..Default::default() };
        assert!(counted::<TensorProto>(&content.encode_to_vec()) < 4096);
    }

    #[test]
    fn what_would_pass_the_limit_is_refused_and_broken_messages_are_invalid() {
        let limit = downpour_tensor::memory_limit();
        assert!(expansion(&b"\n\0".repeat(1000), &SUMMARY, 0) < limit);
        let broken = decode_counted::<Summary>(Bytes::from_static(b"\n\x05a"), "broken");
        assert_eq!(broken.unwrap_err().message(), "broken");
    }
}
