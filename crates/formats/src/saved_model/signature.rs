//! What a model can be asked: named inputs and outputs.

use std::collections::BTreeMap;

use downpour_tensor::{DataType, Result, Status};
use downpour_wire::proto::tensor_shape_proto::Dim;
use downpour_wire::proto::{SignatureDef, TensorInfo, TensorShapeProto, tensor_info};

/// A tensor of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorSpec {
    /// As in `x:0`; for the result of an initialization, a node.
    pub name: String,
    /// The type of its elements.
    pub dtype: DataType,
    /// Dimensions, -1 for one that may be any; `None` if even their number may.
    pub shape: Option<Vec<i64>>,
}

/// Inputs and outputs by the names callers know them by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// What it takes.
    pub inputs: BTreeMap<String, TensorSpec>,
    /// What it gives.
    pub outputs: BTreeMap<String, TensorSpec>,
    /// As TensorFlow Serving knows it.
    pub method: String,
}

impl Default for Signature {
    fn default() -> Signature {
        Signature {
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
            method: "tensorflow/serving/predict".into(),
        }
    }
}

impl Signature {
    /// Adds an input.
    pub fn input(
        mut self,
        key: &str,
        name: &str,
        dtype: DataType,
        shape: Option<&[i64]>,
    ) -> Signature {
        self.inputs.insert(key.into(), TensorSpec::new(name, dtype, shape));
        self
    }

    /// Adds an output.
    pub fn output(
        mut self,
        key: &str,
        name: &str,
        dtype: DataType,
        shape: Option<&[i64]>,
    ) -> Signature {
        self.outputs.insert(key.into(), TensorSpec::new(name, dtype, shape));
        self
    }

    pub(super) fn to_proto(&self) -> SignatureDef {
        let infos = |specs: &BTreeMap<String, TensorSpec>| {
            specs.iter().map(|(key, spec)| (key.clone(), spec.to_proto())).collect()
        };
        SignatureDef {
            inputs: infos(&self.inputs),
            outputs: infos(&self.outputs),
            method_name: self.method.clone(),
            ..Default::default()
        }
    }

    /// Signatures with sparse or composite tensors are refused: nothing of ours could feed them.
    pub(super) fn from_proto(proto: &SignatureDef) -> Result<Signature> {
        let specs = |infos: &BTreeMap<String, TensorInfo>| -> Result<BTreeMap<String, TensorSpec>> {
            let spec = |(key, info): (&String, &TensorInfo)| {
                let spec = TensorSpec::from_proto(info).map_err(|e| e.context(key))?;
                Ok((key.clone(), spec))
            };
            infos.iter().map(spec).collect()
        };
        Ok(Signature {
            inputs: specs(&proto.inputs)?,
            outputs: specs(&proto.outputs)?,
            method: proto.method_name.clone(),
        })
    }
}

impl TensorSpec {
    /// A tensor by its name, type and shape.
    pub fn new(name: &str, dtype: DataType, shape: Option<&[i64]>) -> TensorSpec {
        TensorSpec { name: name.into(), dtype, shape: shape.map(<[i64]>::to_vec) }
    }

    pub(super) fn to_proto(&self) -> TensorInfo {
        let shape = match &self.shape {
            None => TensorShapeProto { unknown_rank: true, ..Default::default() },
            Some(dims) => TensorShapeProto {
                dim: dims.iter().map(|size| Dim { size: *size, ..Default::default() }).collect(),
                ..Default::default()
            },
        };
        TensorInfo {
            encoding: Some(tensor_info::Encoding::Name(self.name.clone())),
            dtype: self.dtype as i32,
            tensor_shape: Some(shape),
        }
    }

    fn from_proto(info: &TensorInfo) -> Result<TensorSpec> {
        let Some(tensor_info::Encoding::Name(name)) = &info.encoding else {
            return Err(Status::unimplemented("sparse and composite tensors in signatures"));
        };
        let dtype = DataType::from_i32(info.dtype)
            .ok_or_else(|| Status::data_loss(format!("an unknown dtype {}", info.dtype)))?;
        let shape = info.tensor_shape.as_ref().filter(|shape| !shape.unknown_rank);
        let shape = shape.map(|shape| shape.dim.iter().map(|dim| dim.size.max(-1)).collect());
        Ok(TensorSpec { name: name.clone(), dtype, shape })
    }
}
