//! A ragged tensor inside a variant.

use std::any::Any;

use downpour_tensor::{Result, Status, Tensor, Variant, VariantValue};

use crate::numbers::{Number, dispatch_number};

/// The name under which TensorFlow encodes it.
const TYPE_NAME: &str = "RaggedTensorVariant";

#[derive(Clone, Debug)]
pub(crate) struct RaggedVariant {
    pub splits: Vec<Tensor>,
    pub values: Tensor,
}

impl VariantValue for RaggedVariant {
    fn type_name(&self) -> &str {
        TYPE_NAME
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn inner_depth(&self) -> usize {
        self.splits.iter().chain([&self.values]).map(Tensor::variant_depth).max().unwrap_or(0)
    }

    fn encode(&self) -> Result<(Vec<u8>, Vec<Tensor>)> {
        let mut tensors = self.splits.clone();
        tensors.push(self.values.clone());
        Ok((Vec::new(), tensors))
    }

    fn zeros_like(&self) -> Result<Variant> {
        let values = Tensor::zeros(self.values.dtype(), self.values.shape())?;
        Variant::new(RaggedVariant { splits: self.splits.clone(), values })
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let Some(other) = other.get::<RaggedVariant>() else {
            return Err(Status::invalid_argument("a ragged tensor can only be added to another"));
        };
        let (a, b) = (&self.values, &other.values);
        let same_rows = self.splits.len() == other.splits.len()
            && self.splits.iter().zip(&other.splits).all(|(x, y)| x.bytes() == y.bytes());
        if a.dtype() != b.dtype() || a.shape() != b.shape() || !same_rows {
            return Err(Status::invalid_argument(format!(
                "Can only add values with the same row_splits and shape, got {} and {}",
                a.shape(),
                b.shape()
            )));
        }
        let values = dispatch_number!(a.dtype(), "AddN", T => {
            let (x, y) = (a.as_slice::<T>()?, b.as_slice::<T>()?);
            Tensor::build(a.shape(), |out: &mut [T]| {
                out.iter_mut().zip(x.iter().zip(y)).for_each(|(o, (&x, &y))| *o = x.plus(y));
            })
        })?;
        Variant::new(RaggedVariant { splits: self.splits.clone(), values })
    }
}

/// Lets ragged tensors arrive from other tasks.
pub(crate) fn register_decoder() {
    downpour_wire::register_variant_decoder(TYPE_NAME, |_, mut tensors| {
        let values = tensors
            .pop()
            .ok_or_else(|| Status::invalid_argument("a RaggedTensorVariant without tensors"))?;
        Variant::new(RaggedVariant { splits: tensors, values })
    });
}
