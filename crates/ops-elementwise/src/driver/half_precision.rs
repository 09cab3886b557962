//! half and bfloat16 are computed in float, block after block rounded once, as TensorFlow's CPU
//! kernels do: no operation needs code of its own for them.

use downpour_runtime::Parallel;
use downpour_tensor::{DataType, Result, Tensor, bf16, f16};
use half::slice::HalfFloatSliceExt;

/// The type in which values of `dtype` are computed.
pub(crate) fn computed_type(dtype: DataType) -> DataType {
    match dtype {
        DataType::Half | DataType::BFloat16 => DataType::Float,
        other => other,
    }
}

const GRAIN: usize = 16 * 1024;

/// A float tensor from a half or bfloat16 one; anything else as it is.
pub(crate) fn widen(tensor: Tensor, parallel: &Parallel) -> Result<Tensor> {
    let mut wide = match tensor.dtype() {
        DataType::Half | DataType::BFloat16 => Tensor::new(DataType::Float, tensor.shape())?,
        _ => return Ok(tensor),
    };
    let out = wide.as_mut_slice::<f32>().expect("a new float tensor has one owner");
    if let Ok(values) = tensor.as_slice::<f16>() {
        parallel.for_chunks(out, 1, GRAIN, |start, run| {
            values[start..start + run.len()].convert_to_f32_slice(run);
        });
    } else if let Ok(values) = tensor.as_slice::<bf16>() {
        parallel.for_chunks(out, 1, GRAIN, |start, run| {
            for (o, v) in run.iter_mut().zip(&values[start..]) {
                *o = f32::from_bits((v.to_bits() as u32) << 16);
            }
        });
    }
    Ok(wide)
}

/// The inverse of `widen`: rounds a float tensor to `dtype` if that is half or bfloat16.
pub(crate) fn narrow(tensor: Tensor, dtype: DataType, parallel: &Parallel) -> Result<Tensor> {
    if !matches!(dtype, DataType::Half | DataType::BFloat16) || tensor.dtype() == dtype {
        return Ok(tensor);
    }
    let values = tensor.as_slice::<f32>()?;
    let mut narrow = Tensor::new(dtype, tensor.shape())?;
    if let Some(out) = narrow.as_mut_slice::<f16>() {
        parallel.for_chunks(out, 1, GRAIN, |start, run| {
            run.convert_from_f32_slice(&values[start..start + run.len()]);
        });
    } else if let Some(out) = narrow.as_mut_slice::<bf16>() {
        parallel.for_chunks(out, 1, GRAIN, |start, run| {
            for (o, &v) in run.iter_mut().zip(&values[start..]) {
                *o = bf16::from_f32(v);
            }
        });
    }
    Ok(narrow)
}
