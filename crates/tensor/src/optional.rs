//! A tuple of tensors or nothing, as the value of a variant.

use std::any::Any;

use crate::{Result, Status, Tensor, Variant, VariantValue, add_tensors, zeros_like};

/// The value of a `tf.experimental.Optional`: a tuple of tensors or nothing.
#[derive(Clone, Debug)]
pub struct Optional(pub Option<Vec<Tensor>>);

impl Optional {
    /// The name under which TensorFlow encodes optionals.
    pub const TYPE_NAME: &str = "tensorflow::data::Optional";

    /// Returns the optional that was encoded.
    pub fn decode(metadata: &[u8], tensors: Vec<Tensor>) -> Result<Variant> {
        match metadata {
            [0] if tensors.is_empty() => Variant::new(Optional(None)),
            [1] => Variant::new(Optional(Some(tensors))),
            _ => Err(Status::data_loss("an optional is damaged: its metadata is neither 0 nor 1")),
        }
    }
}

impl VariantValue for Optional {
    fn type_name(&self) -> &str {
        Optional::TYPE_NAME
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn inner_depth(&self) -> usize {
        self.0.iter().flatten().map(Tensor::variant_depth).max().unwrap_or(0)
    }

    fn encode(&self) -> Result<(Vec<u8>, Vec<Tensor>)> {
        Ok((vec![self.0.is_some() as u8], self.0.clone().unwrap_or_default()))
    }

    fn zeros_like(&self) -> Result<Variant> {
        let zeros = match &self.0 {
            Some(values) => Some(values.iter().map(zeros_like).collect::<Result<_>>()?),
            None => None,
        };
        Variant::new(Optional(zeros))
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let Some(other) = other.get::<Optional>() else {
            return Err(Status::invalid_argument("an optional can only be added to an optional"));
        };
        let sum = match (&self.0, &other.0) {
            (None, None) => None,
            (Some(a), Some(b)) if a.len() == b.len() => {
                let pairs = a.iter().zip(b);
                Some(pairs.map(|(a, b)| add_tensors(a.clone(), b)).collect::<Result<_>>()?)
            }
            (Some(a), Some(b)) => {
                return Err(Status::invalid_argument(format!(
                    "Cannot add optionals because they have different numbers of components ({} \
                     vs. {}).",
                    a.len(),
                    b.len()
                )));
            }
            _ => {
                return Err(Status::invalid_argument(
                    "Cannot add optionals because one has a value and the other doesn't.",
                ));
            }
        };
        Variant::new(Optional(sum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optionals_survive_encoding() {
        for optional in [Optional(None), Optional(Some(vec![Tensor::scalar(2i32)]))] {
            let (metadata, tensors) = optional.encode().unwrap();
            let read = Optional::decode(&metadata, tensors).unwrap();
            let read = read.get::<Optional>().unwrap();
            assert_eq!(read.0.as_ref().map(Vec::len), optional.0.as_ref().map(Vec::len));
        }
        assert!(Optional::decode(&[], Vec::new()).is_err());
        assert!(Optional::decode(&[0], vec![Tensor::scalar(1f32)]).is_err());
    }
}
