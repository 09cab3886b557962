//! An element of a dataset as one compressed piece, TensorFlow's `CompressedElement`.

use downpour_tensor::{ByteString, CountedVec, DataType, Result, Shape, Status, Tensor};
use downpour_wire::proto::TensorProto;
use downpour_wire::proto::data::{CompressedComponentMetadata, CompressedElement};
use downpour_wire::{
    decode_counted, encode_string, shape_to_proto, tensor_from_proto, tensor_to_proto,
};

use crate::snappy::{compress, uncompress};

const VERSION: i32 = 0;

/// Compresses the components of an element together.
pub fn compress_element(components: &[Tensor]) -> Result<CompressedElement> {
    let mut metadata = Vec::with_capacity(components.len());
    let mut parts = Vec::new();
    for component in components {
        let first = parts.len();
        match component.dtype() {
            DataType::String => parts.extend(component.strings()?.iter().cloned()),
            _ => parts.push(contents(component)?),
        }
        metadata.push(CompressedComponentMetadata {
            dtype: component.dtype() as i32,
            tensor_shape: Some(shape_to_proto(component.dims())),
            uncompressed_bytes: parts[first..].iter().map(|part| part.len() as u64).collect(),
        });
    }
    let parts: Vec<&[u8]> = parts.iter().map(|part| &part[..]).collect();
    let data = compress(&parts)?.to_bytes();
    Ok(CompressedElement { data, component_metadata: metadata, version: VERSION })
}

/// Returns the components that were compressed; every claim about them is checked.
pub fn uncompress_element(compressed: &CompressedElement) -> Result<Vec<Tensor>> {
    if compressed.version != VERSION {
        return Err(Status::internal(format!(
            "Unsupported compressed element version: {}",
            compressed.version
        )));
    }
    let data = uncompress(&compressed.data)?;
    let lengths = compressed.component_metadata.iter().flat_map(|c| &c.uncompressed_bytes);
    let total = lengths.fold(0u64, |sum, &length| sum.saturating_add(length));
    if total != data.len() as u64 {
        return Err(Status::internal(format!(
            "Uncompressed size mismatch. Snappy expects {} whereas the tensor metadata suggests {total}",
            data.len()
        )));
    }
    let mut at = 0;
    let mut take = |length: u64| {
        // No more than all together.
        let start = at;
        at += length as usize;
        data.slice(start..at)
    };
    compressed.component_metadata.iter().map(|metadata| component(metadata, &mut take)).collect()
}

/// Returns the bytes of a component that is not a string.
pub(crate) fn contents(component: &Tensor) -> Result<ByteString> {
    match component.to_bytes() {
        Some(bytes) => ByteString::from_bytes(bytes),
        None => encode_string(&tensor_to_proto(component)?),
    }
}

/// Returns the component of those bytes.
pub(crate) fn from_contents(dtype: DataType, shape: Shape, bytes: ByteString) -> Result<Tensor> {
    if dtype.is_plain() {
        return Tensor::from_bytes(dtype, shape, bytes.to_bytes());
    }
    let what = "Could not parse TensorProto";
    let (proto, _charge) = decode_counted::<TensorProto>(bytes.to_bytes(), what)?;
    let tensor = tensor_from_proto(&proto)?;
    if tensor.dtype() != dtype {
        return Err(Status::data_loss(format!(
            "a compressed tensor is {}, but its metadata says {dtype}",
            tensor.dtype()
        )));
    }
    Ok(tensor)
}

fn component(
    metadata: &CompressedComponentMetadata,
    take: &mut impl FnMut(u64) -> ByteString,
) -> Result<Tensor> {
    let dtype = DataType::from_i32(metadata.dtype).ok_or_else(|| {
        Status::data_loss(format!("a compressed component has the unknown type {}", metadata.dtype))
    })?;
    let dims = metadata.tensor_shape.iter().flat_map(|shape| &shape.dim);
    let shape = Shape::from_i64(&dims.map(|dim| dim.size).collect::<Vec<_>>())?;
    let lengths = &metadata.uncompressed_bytes;
    if dtype == DataType::String {
        let elements = downpour_tensor::checked_elements(&shape)?;
        if lengths.len() != elements {
            return Err(Status::data_loss(format!(
                "a compressed component of {elements} strings has the lengths of {}",
                lengths.len()
            )));
        }
        let strings = CountedVec::build(elements, |i| Ok(take(lengths[i])))?;
        return Tensor::from_counted(shape, strings);
    }
    match lengths[..] {
        [length] => from_contents(dtype, shape, take(length)),
        // TensorFlow writes no length for a tensor without elements.
        [] => from_contents(dtype, shape, ByteString::new()),
        _ => Err(Status::data_loss("a compressed component is in more than one part")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element() -> Vec<Tensor> {
        let words = ["a", "", "bcd"].map(|word| word.into()).to_vec();
        vec![
            Tensor::vector(&[1f32, 2.0]).unwrap(),
            Tensor::from_strings([3], words).unwrap(),
            Tensor::vector::<i64>(&[]).unwrap(),
            Tensor::scalar(true),
        ]
    }

    #[test]
    fn elements_come_back() {
        let compressed = compress_element(&element()).unwrap();
        let back = uncompress_element(&compressed).unwrap();
        assert_eq!(back[0].as_slice::<f32>().unwrap(), [1.0, 2.0]);
        assert_eq!(back[1].strings().unwrap(), ["a", "", "bcd"]);
        assert_eq!(back[2].dims(), [0]);
        assert!(back[3].to_scalar::<bool>().unwrap());
        assert!(uncompress_element(&compress_element(&[]).unwrap()).unwrap().is_empty());
    }

    #[test]
    fn forged_metadata_is_refused() {
        let good = compress_element(&element()).unwrap();
        let change = |change: &dyn Fn(&mut CompressedElement)| {
            let mut forged = good.clone();
            change(&mut forged);
            uncompress_element(&forged).unwrap_err()
        };
        change(&|e| e.version = 1);
        change(&|e| e.data = Default::default());
        change(&|e| e.component_metadata[0].uncompressed_bytes[0] = u64::MAX);
        change(&|e| e.component_metadata[0].dtype = 999);
        change(&|e| e.component_metadata[1].uncompressed_bytes = vec![4]);
        change(&|e| {
            let shape = e.component_metadata[0].tensor_shape.as_mut().unwrap();
            shape.dim[0].size = i64::MAX;
        });
        change(&|e| {
            let shape = e.component_metadata[0].tensor_shape.as_mut().unwrap();
            shape.dim[0].size = -1;
        });
    }
}
