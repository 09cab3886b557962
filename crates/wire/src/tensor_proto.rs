//! Tensors to and from `TensorProto`, in all its encodings.
//!
//! A plain tensor arrives either as `tensor_content` (packed little-endian bytes, used in place) or as
//! one of the repeated value fields. A value list shorter than the tensor repeats its last value, an
//! empty one means zeros, and values beyond the tensor's end are ignored; handles and variants are not
//! repeated, the missing ones are empty. We send `tensor_content`,
//! and `string_val` for strings.

use bytes::Bytes;
use downpour_tensor::{
    ByteString, Charge, Complex64, Complex128, CountedVec, DataType, Element, MAX_VARIANT_DEPTH,
    Result, Shape, Status, Tensor, bf16, f16,
};

use crate::expansion::decode_counted;
use crate::object;
use crate::proto::{
    ResourceHandleProto, TensorProto, TensorShapeProto, VariantTensorDataProto,
    tensor_shape_proto::Dim,
};

/// A shape message of known dimensions.
pub fn shape_to_proto(dims: &[usize]) -> TensorShapeProto {
    let dim = dims.iter().map(|&d| Dim { size: d as i64, ..Dim::default() }).collect();
    TensorShapeProto { dim, unknown_rank: false }
}

/// The message of a tensor. Plain contents are shared with the tensor, not copied.
pub fn tensor_to_proto(tensor: &Tensor) -> Result<TensorProto> {
    Ok(counted_proto(tensor)?.0)
}

/// The message of a tensor, and what its structures take. A variant that is shared is written wherever it stands: a list
/// of two lists of two lists and so on, thirty deep, takes a kilobyte and its message a hundred gigabytes. So they are
/// counted while they are made.
pub fn counted_proto(tensor: &Tensor) -> Result<(TensorProto, Charge)> {
    let mut charge = Charge::default();
    let proto = write_tensor(tensor, &mut charge)?;
    Ok((proto, charge))
}

/// The same inside another message.
pub(crate) fn write_tensor(tensor: &Tensor, charge: &mut Charge) -> Result<TensorProto> {
    let per_element = match tensor.dtype() {
        DataType::String => size_of::<Bytes>(),
        DataType::Resource => size_of::<ResourceHandleProto>(),
        DataType::Variant => size_of::<VariantTensorDataProto>(),
        _ => 0,
    };
    charge.grow(tensor.len().saturating_mul(per_element))?;
    let mut proto = TensorProto {
        dtype: tensor.dtype() as i32,
        tensor_shape: Some(shape_to_proto(tensor.dims())),
        ..TensorProto::default()
    };
    match tensor.dtype() {
        DataType::String => {
            proto.string_val = tensor.strings()?.iter().map(ByteString::to_bytes).collect()
        }
        DataType::Resource => {
            proto.resource_handle_val.reserve_exact(tensor.len());
            for handle in tensor.handles()? {
                proto.resource_handle_val.push(object::handle_to_proto(handle, charge)?);
            }
        }
        DataType::Variant => {
            proto.variant_val.reserve_exact(tensor.len());
            for value in tensor.variants()? {
                proto.variant_val.push(object::variant_to_proto(value, charge)?);
            }
        }
        _ => proto.tensor_content = tensor.to_bytes().unwrap_or_default(),
    }
    Ok(proto)
}

/// The tensor of a message from outside: every claim in it is checked.
pub fn tensor_from_proto(proto: &TensorProto) -> Result<Tensor> {
    nested_tensor(proto, 0)
}

/// The tensor of a message in the form that [`tensor_to_proto`] gives it, with every element in the message.
///
/// The general form announces a tensor of any size with one value that is repeated: a few bytes become gigabytes. Between
/// tasks nobody sends that, so a receiver that takes what a stranger sends reads this form alone.
pub fn whole_tensor_from_proto(proto: &TensorProto) -> Result<Tensor> {
    all_elements_are_there(proto)?;
    tensor_from_proto(proto)
}

/// Refuses a message, and the messages of variants within it, that has fewer values than its tensor has elements. The
/// decoder's limit on nesting bounds how deep this goes.
fn all_elements_are_there(proto: &TensorProto) -> Result<()> {
    let elements = known_shape(proto.tensor_shape.as_ref())?.elements();
    let values = match DataType::from_i32(proto.dtype) {
        // Those bytes would be lists of messages, which nothing here has looked into.
        Some(DataType::String | DataType::Resource | DataType::Variant)
            if !proto.tensor_content.is_empty() =>
        {
            None
        }
        Some(DataType::String) => Some(proto.string_val.len()),
        Some(DataType::Resource) => Some(proto.resource_handle_val.len()),
        Some(DataType::Variant) => Some(proto.variant_val.len()),
        // How many bytes it needs is checked where they are read.
        _ if !proto.tensor_content.is_empty() => Some(elements),
        _ => Some(0),
    };
    if values.is_none_or(|values| values < elements) {
        return Err(Status::invalid_argument(format!(
            "a tensor of {elements} elements was sent, and the message does not have them all: tasks send every element"
        )));
    }
    proto
        .variant_val
        .iter()
        .flat_map(|variant| &variant.tensors)
        .try_for_each(all_elements_are_there)
}

/// Variants hold tensors that may hold variants. Inside `tensor_content` each is a message of its own,
/// which the decoder's limit on nesting does not see.
const MAX_DEPTH: usize = MAX_VARIANT_DEPTH;

/// The tensor of a message inside `depth` variants.
pub(crate) fn nested_tensor(proto: &TensorProto, depth: usize) -> Result<Tensor> {
    if depth > MAX_DEPTH {
        return Err(Status::invalid_argument(format!(
            "TensorProto has variants nested more than {MAX_DEPTH} deep"
        )));
    }
    let dtype = DataType::from_i32(proto.dtype).ok_or_else(|| {
        Status::invalid_argument(format!("TensorProto has an unknown dtype {}", proto.dtype))
    })?;
    let shape = known_shape(proto.tensor_shape.as_ref())?;
    if !proto.tensor_content.is_empty() {
        return match dtype.is_plain() {
            true => Tensor::from_bytes(dtype, shape, proto.tensor_content.clone()),
            false => from_encoded_list(dtype, shape, &proto.tensor_content, depth),
        };
    }
    match dtype {
        DataType::String => {
            let mut last = ByteString::new();
            let mut given = counted_strings(&proto.string_val)?;
            Tensor::build_strings(shape, |_| {
                if let Some(next) = given.next() {
                    last = next?;
                }
                Ok(last.clone())
            })
        }
        DataType::Resource => {
            let mut tensor = Tensor::new(dtype, shape)?;
            let handles = tensor.handles_mut().unwrap_or_default();
            for (slot, proto) in handles.iter_mut().zip(&proto.resource_handle_val) {
                *slot = object::handle_from_proto(proto)?;
            }
            Ok(tensor)
        }
        DataType::Variant => {
            let mut tensor = Tensor::new(dtype, shape)?;
            let variants = tensor.variants_mut().unwrap_or_default();
            for (slot, proto) in variants.iter_mut().zip(&proto.variant_val) {
                *slot = object::variant_from_proto(proto, depth)?;
            }
            Ok(tensor)
        }
        _ => from_values(dtype, shape, proto),
    }
}

/// Strings shorter than this on average are copied out of their message.
const SHORT: usize = 4096;

/// The strings of a message, counted against the memory limit. Short ones are copied into one allocation, so that they
/// neither keep the message nor take an allocation each; long ones stay where they are.
fn counted_strings(values: &[Bytes]) -> Result<impl Iterator<Item = Result<ByteString>> + use<'_>> {
    let total: usize = values.iter().map(Bytes::len).sum();
    let copy = match total / SHORT < values.len() {
        true => Some(ByteString::joined(values.iter().map(|value| &value[..]), b"")?),
        false => None,
    };
    let mut start = 0;
    Ok(values.iter().map(move |value| match &copy {
        Some(copy) => {
            let end = start + value.len();
            Ok(copy.slice(std::mem::replace(&mut start, end)..end))
        }
        None => ByteString::from_bytes(value.clone()),
    }))
}

/// Strings and messages inside `tensor_content`: all lengths as varints, then all contents.
fn from_encoded_list(
    dtype: DataType,
    shape: Shape,
    content: &Bytes,
    depth: usize,
) -> Result<Tensor> {
    let broken = || {
        Status::invalid_argument(format!("TensorProto has broken contents for a {dtype} tensor"))
    };
    let mut rest = content.clone();
    // Each length takes a byte at least; in memory a place, which counts before it is taken.
    let mut lengths = CountedVec::new();
    for _ in 0..shape.elements() {
        let length = prost::encoding::decode_varint(&mut rest).map_err(|_| broken())?;
        lengths.push(usize::try_from(length).map_err(|_| broken())?)?;
    }
    let items = CountedVec::build(lengths.len(), |i| {
        if lengths[i] > rest.len() {
            return Err(broken());
        }
        Ok(rest.split_to(lengths[i]))
    })?;
    match dtype {
        DataType::String => {
            let mut strings = counted_strings(&items)?;
            Tensor::build_strings(shape, |_| strings.next().unwrap_or_else(|| Err(broken())))
        }
        DataType::Resource => {
            let mut tensor = Tensor::new(dtype, shape)?;
            for (slot, bytes) in tensor.handles_mut().unwrap_or_default().iter_mut().zip(&*items) {
                let (proto, _charge) =
                    decode_counted::<ResourceHandleProto>(bytes.clone(), broken().message())?;
                *slot = object::handle_from_proto(&proto)?;
            }
            Ok(tensor)
        }
        _ => {
            let mut tensor = Tensor::new(dtype, shape)?;
            for (slot, bytes) in tensor.variants_mut().unwrap_or_default().iter_mut().zip(&*items) {
                let (proto, _charge) =
                    decode_counted::<VariantTensorDataProto>(bytes.clone(), broken().message())?;
                *slot = object::variant_from_proto(&proto, depth)?;
            }
            Ok(tensor)
        }
    }
}

fn known_shape(proto: Option<&TensorShapeProto>) -> Result<Shape> {
    let Some(proto) = proto else { return Ok(Shape::scalar()) };
    if proto.unknown_rank {
        return Err(Status::invalid_argument("TensorProto has a shape of unknown rank"));
    }
    let dims: Vec<i64> = proto.dim.iter().map(|d| d.size).collect();
    Shape::from_i64(&dims).map_err(|e| e.context("TensorProto has an impossible shape"))
}

fn from_values(dtype: DataType, shape: Shape, proto: &TensorProto) -> Result<Tensor> {
    use DataType::*;
    let p = proto;
    match dtype {
        Float => repeat(shape, &p.float_val, |&v| v),
        Double => repeat(shape, &p.double_val, |&v| v),
        Int32 => repeat(shape, &p.int_val, |&v| v),
        Int16 => repeat(shape, &p.int_val, |&v| v as i16),
        Int8 => repeat(shape, &p.int_val, |&v| v as i8),
        UInt8 => repeat(shape, &p.int_val, |&v| v as u8),
        UInt16 => repeat(shape, &p.int_val, |&v| v as u16),
        Int64 => repeat(shape, &p.int64_val, |&v| v),
        UInt32 => repeat(shape, &p.uint32_val, |&v| v),
        UInt64 => repeat(shape, &p.uint64_val, |&v| v),
        Bool => repeat(shape, &p.bool_val, |&v| v),
        Half => repeat(shape, &p.half_val, |&v| f16::from_bits(v as u16)),
        BFloat16 => repeat(shape, &p.half_val, |&v| bf16::from_bits(v as u16)),
        Complex64 => repeat(shape, pairs(&p.scomplex_val)?, |v| self::Complex64::new(v[0], v[1])),
        Complex128 => repeat(shape, pairs(&p.dcomplex_val)?, |v| self::Complex128::new(v[0], v[1])),
        QInt8 | QUInt8 => one_byte(dtype, shape, &p.int_val, |&v| v as u8),
        QInt16 => repeat(shape, &p.int_val, |&v| downpour_tensor::QInt16(v as i16)),
        QUInt16 => repeat(shape, &p.int_val, |&v| downpour_tensor::QUInt16(v as u16)),
        QInt32 => repeat(shape, &p.int_val, |&v| downpour_tensor::QInt32(v)),
        Int4 | UInt4 | Int2 | UInt2 => one_byte(dtype, shape, &p.int_val, |&v| v as u8),
        Float8E5M2 | Float8E4M3FN | Float8E4M3FNUZ | Float8E4M3B11FNUZ | Float8E5M2FNUZ
        | Float4E2M1FN => one_byte(dtype, shape, &p.float8_val, |&v| v),
        String | Resource | Variant => Err(Status::internal("not a plain type")),
    }
}

fn repeat<S, T: Element>(shape: Shape, values: &[S], convert: impl Fn(&S) -> T) -> Result<Tensor> {
    Tensor::build(shape, |out: &mut [T]| {
        if values.is_empty() {
            out.fill(T::default());
        }
        fill(out, values, convert);
    })
}

/// The value for each element: given, or the last one repeated. Without any, elements stay as they are.
fn fill<S, T: Clone>(out: &mut [T], values: &[S], convert: impl Fn(&S) -> T) {
    let given = values.len().min(out.len());
    let (head, tail) = out.split_at_mut(given);
    for (slot, value) in head.iter_mut().zip(values) {
        *slot = convert(value);
    }
    if let Some(last) = head.last() {
        tail.fill(last.clone());
    }
}

fn pairs<T>(values: &[T]) -> Result<&[[T; 2]]> {
    match values.as_chunks::<2>() {
        (pairs, []) => Ok(pairs),
        _ => Err(Status::invalid_argument("TensorProto has half a complex number")),
    }
}

/// Types of one byte that no Rust type stands for.
fn one_byte<S>(
    dtype: DataType,
    shape: Shape,
    values: &[S],
    convert: impl Fn(&S) -> u8,
) -> Result<Tensor> {
    let mut tensor = Tensor::zeros(dtype, shape)?;
    fill(tensor.bytes_mut().unwrap_or_default(), values, convert);
    Ok(tensor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::{ResourceHandleProto, VariantTensorDataProto};
    use downpour_tensor::Variant;
    use prost::Message;

    fn proto(dtype: DataType, dims: &[i64]) -> TensorProto {
        let dim = dims.iter().map(|&size| Dim { size, ..Dim::default() }).collect();
        TensorProto {
            dtype: dtype as i32,
            tensor_shape: Some(TensorShapeProto { dim, unknown_rank: false }),
            ..TensorProto::default()
        }
    }

    #[test]
    fn packed_contents_are_shared_both_ways() {
        let t = Tensor::from_vec([5, 8], vec![1.5f32; 40]).unwrap();
        let p = tensor_to_proto(&t).unwrap();
        assert_eq!(p.tensor_content.as_ptr(), t.bytes().unwrap().as_ptr());
        let back = tensor_from_proto(&p).unwrap();
        assert_eq!(back.bytes().unwrap().as_ptr(), t.bytes().unwrap().as_ptr());
    }

    #[test]
    fn short_lists_repeat_their_last_value_and_empty_ones_are_zero() {
        let mut p = proto(DataType::Int64, &[4]);
        assert_eq!(tensor_from_proto(&p).unwrap().as_slice::<i64>().unwrap(), &[0; 4]);
        p.int64_val = vec![1, 2];
        assert_eq!(tensor_from_proto(&p).unwrap().as_slice::<i64>().unwrap(), &[1, 2, 2, 2]);
        let mut p = proto(DataType::Complex64, &[2]);
        p.scomplex_val = vec![1.0, -1.0];
        let t = tensor_from_proto(&p).unwrap();
        assert_eq!(t.as_slice::<Complex64>().unwrap()[1], Complex64::new(1.0, -1.0));
    }

    #[test]
    fn forged_messages_are_refused() {
        let mut p = proto(DataType::Float, &[2]);
        p.float_val = vec![1.0; 3];
        assert_eq!(tensor_from_proto(&p).unwrap().len(), 2, "as TensorFlow reads it");
        p.tensor_content = Bytes::from_static(&[0; 7]);
        assert!(tensor_from_proto(&p).is_err());
        assert!(tensor_from_proto(&proto(DataType::Float, &[-1])).is_err());
        assert!(tensor_from_proto(&proto(DataType::String, &[1 << 60])).is_err());
        assert!(tensor_from_proto(&TensorProto { dtype: 77, ..TensorProto::default() }).is_err());
        assert!(tensor_from_proto(&TensorProto { dtype: 101, ..TensorProto::default() }).is_err());
    }

    #[test]
    fn strings_inside_the_content_are_read_and_checked() {
        let mut p = proto(DataType::String, &[2]);
        p.tensor_content = Bytes::from_static(b"\x01\x02abc");
        let t = tensor_from_proto(&p).unwrap();
        assert_eq!(t.strings().unwrap(), &["a", "bc"]);
        p.tensor_content = Bytes::from_static(b"\x01\x7fabc");
        assert!(tensor_from_proto(&p).is_err());
    }

    #[test]
    fn strings_and_handles_survive() {
        let t = Tensor::from_strings([2], vec!["a".into(), "bc".into()]).unwrap();
        let back = tensor_from_proto(&tensor_to_proto(&t).unwrap()).unwrap();
        assert_eq!(back.strings().unwrap(), t.strings().unwrap());
        let handle = downpour_tensor::ResourceHandle { name: "v".into(), ..Default::default() };
        let t = Tensor::handle(handle);
        let back = tensor_from_proto(&tensor_to_proto(&t).unwrap()).unwrap();
        assert_eq!(back.handles().unwrap(), t.handles().unwrap());
    }

    /// A value that holds the same tensor many times.
    #[derive(Debug)]
    struct Many(Tensor, usize);

    impl downpour_tensor::VariantValue for Many {
        fn type_name(&self) -> &str {
            "many"
        }
        fn as_any(&self) -> &dyn std::any::Any {
            self
        }
        fn inner_depth(&self) -> usize {
            self.0.variant_depth()
        }
        fn encode(&self) -> Result<(Vec<u8>, Vec<Tensor>)> {
            Ok((Vec::new(), vec![self.0.clone(); self.1]))
        }
    }

    #[test]
    fn shared_variants_are_counted_wherever_they_are_written() {
        let many = |inner: Tensor, count| Variant::new(Many(inner, count)).unwrap().into_tensor();
        let (proto, charge) = counted_proto(&many(many(Tensor::scalar(1f32), 100), 100)).unwrap();
        assert!(charge.bytes() >= 10_000 * size_of::<TensorProto>(), "{}", charge.bytes());
        assert_eq!(proto.variant_val[0].tensors[99].variant_val[0].tensors.len(), 100);
    }

    #[test]
    fn handles_and_variants_that_are_not_given_are_empty() {
        let mut p = proto(DataType::Resource, &[2]);
        p.resource_handle_val.push(ResourceHandleProto { name: "v".into(), ..Default::default() });
        let t = tensor_from_proto(&p).unwrap();
        assert_eq!(t.handles().unwrap()[0].name, "v");
        assert_eq!(t.handles().unwrap()[1], Default::default(), "as TensorFlow reads it");
        let t = tensor_from_proto(&proto(DataType::Variant, &[3])).unwrap();
        assert!(t.variants().unwrap().iter().all(|v| v.value().is_none()));
    }

    #[test]
    fn claims_beyond_the_memory_limit_are_refused_for_every_type() {
        for &dtype in DataType::ALL {
            let claimed = downpour_tensor::memory_limit() as i64 + 1;
            let refused = tensor_from_proto(&proto(dtype, &[claimed])).unwrap_err();
            assert_eq!(refused.code(), downpour_tensor::Code::ResourceExhausted, "{dtype}");
        }
    }

    /// Each level is a message of its own inside `tensor_content`, so that no decoder sees the depth.
    #[test]
    fn variants_inside_contents_cannot_nest_without_end() {
        crate::register_variant_decoder("nested", |_, _| Ok(Variant::empty()));
        let nested = |depth: usize| {
            let mut innermost = proto(DataType::Float, &[]);
            for _ in 0..depth {
                let variant = VariantTensorDataProto {
                    type_name: "nested".into(),
                    tensors: vec![innermost],
                    ..Default::default()
                };
                let message = variant.encode_to_vec();
                let mut content = Vec::new();
                prost::encoding::encode_varint(message.len() as u64, &mut content);
                content.extend(message);
                innermost = proto(DataType::Variant, &[]);
                innermost.tensor_content = content.into();
            }
            tensor_from_proto(&innermost)
        };
        assert!(nested(MAX_DEPTH).is_ok());
        assert!(nested(5_000).unwrap_err().message().contains("nested more than"));
    }
}
