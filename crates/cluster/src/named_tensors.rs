//! Tensors with names, as requests and replies carry them.

use downpour_tensor::{Result, Status, Tensor};
use downpour_wire::proto::NamedTensorProto;
use downpour_wire::{tensor_from_proto, tensor_to_proto};

pub fn to_named<'a>(
    pairs: impl IntoIterator<Item = (&'a String, &'a Tensor)>,
) -> Result<Vec<NamedTensorProto>> {
    let named = |(name, tensor): (&String, &Tensor)| {
        Ok(NamedTensorProto { name: name.clone(), tensor: Some(tensor_to_proto(tensor)?) })
    };
    pairs.into_iter().map(named).collect()
}

pub fn from_named(named: &[NamedTensorProto]) -> Result<Vec<(String, Tensor)>> {
    let pair = |named: &NamedTensorProto| {
        let proto = named.tensor.as_ref().ok_or_else(|| {
            Status::invalid_argument(format!("feed {} has no tensor", named.name))
        })?;
        let tensor =
            tensor_from_proto(proto).map_err(|e| e.context(format!("feed {}", named.name)))?;
        Ok((named.name.clone(), tensor))
    };
    named.iter().map(pair).collect()
}
