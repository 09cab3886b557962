//! A tensor as an element of a variant tensor.

use std::any::Any;

use crate::{Result, Tensor, VariantValue};

/// A tensor inside a variant: how sparse tensors travel as one vector of three.
#[derive(Debug)]
pub struct TensorVariant(pub Tensor);

impl TensorVariant {
    /// The name under which TensorFlow encodes a tensor inside a variant.
    pub const TYPE_NAME: &str = "tensorflow::Tensor";
}

impl VariantValue for TensorVariant {
    fn type_name(&self) -> &str {
        TensorVariant::TYPE_NAME
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn inner_depth(&self) -> usize {
        self.0.variant_depth()
    }

    fn encode(&self) -> Result<(Vec<u8>, Vec<Tensor>)> {
        Ok((Vec::new(), vec![self.0.clone()]))
    }
}
