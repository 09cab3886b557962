//! Resource handles and variants to and from their messages.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use bytes::Bytes;
use downpour_tensor::{
    Charge, DataType, DtypeAndShape, ResourceHandle, Result, Status, Tensor, Variant,
};

use prost::Message;

use crate::expansion::decode_counted;
use crate::proto::{
    ResourceHandleProto, TensorProto, TensorShapeProto, VariantTensorDataProto,
    resource_handle_proto, tensor_shape_proto::Dim,
};
use crate::tensor_proto::{nested_tensor, write_tensor};

pub(crate) fn handle_to_proto(
    handle: &ResourceHandle,
    charge: &mut Charge,
) -> Result<ResourceHandleProto> {
    let names = [&handle.device, &handle.container, &handle.name, &handle.type_name];
    charge.grow(names.iter().map(|name| name.len()).sum())?;
    Ok(ResourceHandleProto {
        device: handle.device.clone(),
        container: handle.container.clone(),
        name: handle.name.clone(),
        hash_code: handle.hash_code,
        maybe_type_name: handle.type_name.clone(),
        dtypes_and_shapes: handle
            .dtypes_and_shapes
            .iter()
            .map(|d| resource_handle_proto::DtypeAndShape {
                dtype: d.dtype as i32,
                shape: Some(match &d.shape {
                    None => TensorShapeProto { unknown_rank: true, dim: Vec::new() },
                    Some(dims) => TensorShapeProto {
                        unknown_rank: false,
                        dim: dims.iter().map(|&size| Dim { size, ..Dim::default() }).collect(),
                    },
                }),
            })
            .collect(),
    })
}

pub(crate) fn handle_from_proto(proto: &ResourceHandleProto) -> Result<ResourceHandle> {
    let mut dtypes_and_shapes = Vec::new();
    for entry in &proto.dtypes_and_shapes {
        let dtype = DataType::from_i32(entry.dtype).ok_or_else(|| {
            Status::invalid_argument(format!("a resource handle has unknown dtype {}", entry.dtype))
        })?;
        let shape = entry
            .shape
            .as_ref()
            .filter(|s| !s.unknown_rank)
            .map(|s| s.dim.iter().map(|d| d.size).collect());
        dtypes_and_shapes.push(DtypeAndShape { dtype, shape });
    }
    Ok(ResourceHandle {
        device: proto.device.clone(),
        container: proto.container.clone(),
        name: proto.name.clone(),
        hash_code: proto.hash_code,
        type_name: proto.maybe_type_name.clone(),
        dtypes_and_shapes,
    })
}

/// Returns a resource handle as TensorFlow serializes it.
pub fn encode_handle(handle: &ResourceHandle) -> Result<Vec<u8>> {
    Ok(handle_to_proto(handle, &mut Charge::default())?.encode_to_vec())
}

/// Returns the resource handle that was serialized.
pub fn decode_handle(bytes: Bytes) -> Result<ResourceHandle> {
    handle_from_proto(&decode_counted::<ResourceHandleProto>(bytes, "a resource handle")?.0)
}

/// What the allocator takes for the parts of a variant's message, and the reference count of its metadata.
const ALLOCATIONS: usize = 128;

/// What `charge` counts is what the message takes besides its place in a list.
pub(crate) fn variant_to_proto(
    variant: &Variant,
    charge: &mut Charge,
) -> Result<VariantTensorDataProto> {
    let Some(value) = variant.value() else { return Ok(VariantTensorDataProto::default()) };
    let (metadata, tensors) = value.encode()?;
    let structure = |tensor: &Tensor| size_of::<TensorProto>() + tensor.rank() * size_of::<Dim>();
    let structures: usize = tensors.iter().map(structure).sum();
    let text = value.type_name().len() + metadata.len();
    charge.grow(structures.saturating_add(text).saturating_add(ALLOCATIONS))?;
    // Of exactly this size, as it is counted: a list that grows has room for four at least.
    let mut written = Vec::with_capacity(tensors.len());
    for tensor in &tensors {
        written.push(write_tensor(tensor, charge)?);
    }
    Ok(VariantTensorDataProto {
        type_name: value.type_name().to_string(),
        metadata: Bytes::from(metadata),
        tensors: written,
    })
}

/// Returns a variant as TensorFlow serializes it.
pub fn encode_variant(variant: &Variant) -> Result<Vec<u8>> {
    Ok(variant_to_proto(variant, &mut Charge::default())?.encode_to_vec())
}

/// Returns the variant that was serialized.
pub fn decode_variant(bytes: Bytes) -> Result<Variant> {
    variant_from_proto(&decode_counted::<VariantTensorDataProto>(bytes, "a variant")?.0, 0)
}

/// Rebuilds a variant's value from its metadata and tensors.
pub type VariantDecoder = fn(&[u8], Vec<Tensor>) -> Result<Variant>;

fn decoders() -> &'static Mutex<HashMap<String, VariantDecoder>> {
    static DECODERS: OnceLock<Mutex<HashMap<String, VariantDecoder>>> = OnceLock::new();
    DECODERS.get_or_init(Mutex::default)
}

/// Makes variants of this type readable from the wire; the crate that owns the type calls it when it
/// registers its operations.
pub fn register_variant_decoder(type_name: &str, decoder: VariantDecoder) {
    let mut map = decoders().lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    map.insert(type_name.to_string(), decoder);
}

/// The variant of a message inside `depth` others.
pub(crate) fn variant_from_proto(proto: &VariantTensorDataProto, depth: usize) -> Result<Variant> {
    if proto.type_name.is_empty() {
        return Ok(Variant::empty());
    }
    let decoder = {
        let map = decoders().lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        map.get(&proto.type_name).copied()
    };
    let decoder = decoder.ok_or_else(|| {
        Status::unimplemented(format!("a variant of type {} cannot be read here", proto.type_name))
    })?;
    let tensors = proto.tensors.iter().map(|tensor| nested_tensor(tensor, depth + 1));
    let tensors = tensors.collect::<Result<Vec<_>>>()?;
    decoder(&proto.metadata, tensors)
}
