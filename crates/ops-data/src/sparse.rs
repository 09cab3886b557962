//! Sparse tensors as elements: a vector of three variants, which are the indices, the values and the dense shape.

#[cfg(test)]
use downpour_tensor::Status;
use downpour_tensor::{Result, Tensor, TensorVariant, Variant};

/// Returns the vector of variants that stands for a sparse tensor.
pub(crate) fn to_variants(parts: [Tensor; 3]) -> Result<Tensor> {
    let variants = parts.into_iter().map(|part| Variant::new(TensorVariant(part)));
    Tensor::from_variants([3], variants.collect::<Result<_>>()?)
}

/// Returns the parts of a sparse tensor.
#[cfg(test)]
pub(crate) fn from_variants(tensor: &Tensor) -> Result<[Tensor; 3]> {
    let wrong = || Status::invalid_argument("three variants with tensors were expected");
    let part = |variant: &Variant| variant.get::<TensorVariant>().map(|held| held.0.clone());
    let parts: Option<Vec<Tensor>> = tensor.variants()?.iter().map(part).collect();
    parts.ok_or_else(wrong)?.try_into().map_err(|_| wrong())
}
