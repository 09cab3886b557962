//! Floating-point element types and the wider types their kernels compute in.

use downpour_tensor::{Element, Result, Tensor, bf16, f16};

/// A floating-point element; half and bfloat16 compute in float, as their own precision would
/// lose what sums and exponentials need.
pub(crate) trait Float: Element {
    type Wide: num_traits::Float + num_traits::NumAssign + Send + Sync + Default + 'static;
    fn wide(self) -> Self::Wide;
    fn narrow(value: Self::Wide) -> Self;
}

macro_rules! floats {
    ($($ty:ty, $wide:ty, $to:expr, $from:expr;)*) => {$(
        impl Float for $ty {
            type Wide = $wide;
            #[inline(always)]
            fn wide(self) -> $wide { $to(self) }
            #[inline(always)]
            fn narrow(value: $wide) -> $ty { $from(value) }
        }
    )*};
}

floats! {
    f32, f32, |v| v, |v| v;
    f64, f64, |v| v, |v| v;
    f16, f32, f16::to_f32, f16::from_f32;
    bf16, f32, bf16::to_f32, bf16::from_f32;
}

/// A float tensor as float32: itself, or a converted copy of a half or bfloat16 tensor.
pub(crate) fn to_f32(tensor: &Tensor) -> Result<Tensor> {
    fn convert<T: Float<Wide = f32>>(tensor: &Tensor) -> Result<Tensor> {
        let values = tensor.as_slice::<T>()?;
        Tensor::build(tensor.shape(), |out: &mut [f32]| {
            for (o, v) in out.iter_mut().zip(values) {
                *o = v.wide();
            }
        })
    }
    match tensor.dtype() {
        downpour_tensor::DataType::Half => convert::<f16>(tensor),
        downpour_tensor::DataType::BFloat16 => convert::<bf16>(tensor),
        _ => Ok(tensor.clone()),
    }
}

/// A float32 tensor rounded to half or bfloat16, or itself for any other type.
pub(crate) fn from_f32(tensor: Tensor, dtype: downpour_tensor::DataType) -> Result<Tensor> {
    fn convert<T: Float<Wide = f32>>(tensor: &Tensor) -> Result<Tensor> {
        let values = tensor.as_slice::<f32>()?;
        Tensor::build(tensor.shape(), |out: &mut [T]| {
            for (o, v) in out.iter_mut().zip(values) {
                *o = T::narrow(*v);
            }
        })
    }
    match dtype {
        downpour_tensor::DataType::Half => convert::<f16>(&tensor),
        downpour_tensor::DataType::BFloat16 => convert::<bf16>(&tensor),
        _ => Ok(tensor),
    }
}
