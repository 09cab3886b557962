//! Tensors to and from `TensorProto`, in all its encodings.
//!
//! A plain tensor arrives either as `tensor_content` (packed little-endian bytes, used in place) or as
//! one of the repeated value fields. A value list shorter than the tensor repeats its last value, an
//! empty one means zeros, and values beyond the tensor's end are ignored. We send `tensor_content`,
//! and `string_val` for strings.

use bytes::Bytes;
use downpour_tensor::{
    Complex64, Complex128, DataType, Element, Result, Shape, Status, Tensor, bf16, f16,
};

use crate::object;
use crate::proto::{TensorProto, TensorShapeProto, tensor_shape_proto::Dim};

/// A shape message of known dimensions.
pub fn shape_to_proto(dims: &[usize]) -> TensorShapeProto {
    let dim = dims.iter().map(|&d| Dim { size: d as i64, ..Dim::default() }).collect();
    TensorShapeProto { dim, unknown_rank: false }
}

/// The message of a tensor. Plain contents are shared with the tensor, not copied.
pub fn tensor_to_proto(tensor: &Tensor) -> Result<TensorProto> {
    let mut proto = TensorProto {
        dtype: tensor.dtype() as i32,
        tensor_shape: Some(shape_to_proto(tensor.dims())),
        ..TensorProto::default()
    };
    match tensor.dtype() {
        DataType::String => proto.string_val = tensor.strings()?.to_vec(),
        DataType::Resource => {
            let handles = tensor.handles()?.iter();
            proto.resource_handle_val = handles.map(object::handle_to_proto).collect();
        }
        DataType::Variant => {
            let values = tensor.variants()?.iter();
            proto.variant_val = values.map(object::variant_to_proto).collect::<Result<_>>()?;
        }
        _ => proto.tensor_content = tensor.to_bytes().unwrap_or_default(),
    }
    Ok(proto)
}

/// The tensor of a message from outside: every claim in it is checked.
pub fn tensor_from_proto(proto: &TensorProto) -> Result<Tensor> {
    let dtype = DataType::from_i32(proto.dtype).ok_or_else(|| {
        Status::invalid_argument(format!("TensorProto has an unknown dtype {}", proto.dtype))
    })?;
    let shape = known_shape(proto.tensor_shape.as_ref())?;
    if dtype.is_plain() && !proto.tensor_content.is_empty() {
        return Tensor::from_bytes(dtype, shape, proto.tensor_content.clone());
    }
    let elements = shape.elements();
    if !proto.tensor_content.is_empty() {
        return from_encoded_list(dtype, shape, &proto.tensor_content);
    }
    match dtype {
        DataType::String => {
            let values = fill_list(&proto.string_val, elements, Bytes::new(), Bytes::clone)?;
            Tensor::from_strings(shape, values)
        }
        DataType::Resource => {
            let handles = proto.resource_handle_val.iter().map(object::handle_from_proto);
            let handles = handles.collect::<Result<Vec<_>>>()?;
            Tensor::from_handles(
                shape,
                fill_list(&handles, elements, Default::default(), Clone::clone)?,
            )
        }
        DataType::Variant => {
            let values = proto.variant_val.iter().map(object::variant_from_proto);
            let values = values.collect::<Result<Vec<_>>>()?;
            Tensor::from_variants(
                shape,
                fill_list(&values, elements, Default::default(), Clone::clone)?,
            )
        }
        _ => from_values(dtype, shape, proto),
    }
}

/// Strings and messages inside `tensor_content`: all lengths as varints, then all contents.
fn from_encoded_list(dtype: DataType, shape: Shape, content: &Bytes) -> Result<Tensor> {
    let broken = || {
        Status::invalid_argument(format!("TensorProto has broken contents for a {dtype} tensor"))
    };
    let mut rest = content.clone();
    let mut lengths = Vec::new();
    // Each length takes a byte at least: a forged element count cannot make us reserve more.
    for _ in 0..shape.elements() {
        let length = prost::encoding::decode_varint(&mut rest).map_err(|_| broken())?;
        lengths.push(usize::try_from(length).map_err(|_| broken())?);
    }
    let mut items = Vec::with_capacity(lengths.len());
    for length in lengths {
        if length > rest.len() {
            return Err(broken());
        }
        items.push(rest.split_to(length));
    }
    match dtype {
        DataType::String => Tensor::from_strings(shape, items),
        DataType::Resource => {
            let handles = items.into_iter().map(|bytes| {
                let proto = prost::Message::decode(bytes).map_err(|_| broken())?;
                object::handle_from_proto(&proto)
            });
            Tensor::from_handles(shape, handles.collect::<Result<_>>()?)
        }
        _ => {
            let values = items.into_iter().map(|bytes| {
                let proto = prost::Message::decode(bytes).map_err(|_| broken())?;
                object::variant_from_proto(&proto)
            });
            Tensor::from_variants(shape, values.collect::<Result<_>>()?)
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
        QInt8 | QUInt8 => one_byte(dtype, shape, &p.int_val),
        QInt16 => repeat(shape, &p.int_val, |&v| downpour_tensor::QInt16(v as i16)),
        QUInt16 => repeat(shape, &p.int_val, |&v| downpour_tensor::QUInt16(v as u16)),
        QInt32 => repeat(shape, &p.int_val, |&v| downpour_tensor::QInt32(v)),
        Int4 | UInt4 | Int2 | UInt2 => one_byte(dtype, shape, &p.int_val),
        Float8E5M2 | Float8E4M3FN | Float8E4M3FNUZ | Float8E4M3B11FNUZ | Float8E5M2FNUZ
        | Float4E2M1FN => float8(dtype, shape, &p.float8_val),
        String | Resource | Variant => Err(Status::internal("not a plain type")),
    }
}

/// The value for each element: given, the last one repeated, or zero.
fn repeat<S, T: Element>(shape: Shape, values: &[S], convert: impl Fn(&S) -> T) -> Result<Tensor> {
    Tensor::build(shape, |out: &mut [T]| {
        let last = values.last().map_or(T::default(), &convert);
        for (i, slot) in out.iter_mut().enumerate() {
            *slot = values.get(i).map_or(last, &convert);
        }
    })
}

fn pairs<T>(values: &[T]) -> Result<&[[T; 2]]> {
    match values.as_chunks::<2>() {
        (pairs, []) => Ok(pairs),
        _ => Err(Status::invalid_argument("TensorProto has half a complex number")),
    }
}

fn one_byte(dtype: DataType, shape: Shape, values: &[i32]) -> Result<Tensor> {
    let bytes: Vec<u8> = values.iter().map(|&v| v as u8).collect();
    float8(dtype, shape, &bytes)
}

fn float8(dtype: DataType, shape: Shape, values: &[u8]) -> Result<Tensor> {
    let filled = fill_list(values, shape.elements(), 0, |v| *v)?;
    Tensor::from_bytes(dtype, shape, Bytes::from(filled))
}

fn fill_list<S, T: Clone>(
    values: &[S],
    elements: usize,
    empty: T,
    convert: impl Fn(&S) -> T,
) -> Result<Vec<T>> {
    let mut out: Vec<T> = Vec::new();
    out.try_reserve_exact(elements).map_err(|_| {
        Status::resource_exhausted(format!("TensorProto claims {elements} elements, too many"))
    })?;
    out.extend(values.iter().take(elements).map(&convert));
    let last = out.last().cloned().unwrap_or(empty);
    out.resize(elements, last);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
