//! Fills tensors with values of a distribution, on several threads, the same on any number of them.

use std::marker::PhantomData;

use downpour_runtime::Parallel;
use downpour_tensor::{DataType, Result, Shape, Status, Tensor, bf16, f16, unsupported_dtype};

use crate::distributions::{Distribution, FullInt, Normal, TruncatedNormal, Uniform, UniformInt};
use crate::philox::Philox;

/// A distribution without parameters, for a type chosen at run time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Uniform,
    Normal,
    TruncatedNormal,
    FullInt,
}

/// Writes group g of `out` from the block g * BLOCKS after `philox`.
pub(crate) fn fill<D: Distribution>(
    parallel: &Parallel,
    philox: Philox,
    distribution: D,
    out: &mut [D::Value],
) {
    let whole = out.len() / D::GROUP * D::GROUP;
    let (groups, tail) = out.split_at_mut(whole);
    parallel.for_chunks(groups, D::GROUP, 1024, |first, run| {
        let mut local = philox.skipped((first as u64).wrapping_mul(D::BLOCKS));
        for (i, group) in run.chunks_exact_mut(D::GROUP).enumerate() {
            if D::BLOCKS > 1 {
                local = philox.skipped(((first + i) as u64).wrapping_mul(D::BLOCKS));
            }
            let values = distribution.group(&mut local);
            group.copy_from_slice(&values[..D::GROUP]);
        }
    });
    if !tail.is_empty() {
        let group = (whole / D::GROUP) as u64;
        let values = distribution.group(&mut philox.skipped(group.wrapping_mul(D::BLOCKS)));
        tail.copy_from_slice(&values[..tail.len()]);
    }
}

fn tensor<D: Distribution>(
    parallel: &Parallel,
    philox: Philox,
    distribution: D,
    shape: &Shape,
) -> Result<Tensor> {
    Tensor::build(shape, |out: &mut [D::Value]| fill(parallel, philox, distribution, out))
}

/// A new tensor of the given distribution and type.
pub(crate) fn fill_kind(
    operation: &str,
    kind: Kind,
    dtype: DataType,
    parallel: &Parallel,
    philox: Philox,
    shape: &Shape,
) -> Result<Tensor> {
    macro_rules! of {
        ($distribution:ident) => {
            match dtype {
                DataType::Float => {
                    tensor(parallel, philox, $distribution::<f32>(PhantomData), shape)
                }
                DataType::Double => {
                    tensor(parallel, philox, $distribution::<f64>(PhantomData), shape)
                }
                DataType::Half => {
                    tensor(parallel, philox, $distribution::<f16>(PhantomData), shape)
                }
                DataType::BFloat16 => {
                    tensor(parallel, philox, $distribution::<bf16>(PhantomData), shape)
                }
                other => Err(unsupported_dtype(operation, other)),
            }
        };
    }
    match kind {
        Kind::Uniform => of!(Uniform),
        Kind::Normal => of!(Normal),
        Kind::TruncatedNormal => of!(TruncatedNormal),
        Kind::FullInt => match dtype {
            DataType::Int32 => tensor(parallel, philox, FullInt::<i32>(PhantomData), shape),
            DataType::UInt32 => tensor(parallel, philox, FullInt::<u32>(PhantomData), shape),
            DataType::Int64 => tensor(parallel, philox, FullInt::<i64>(PhantomData), shape),
            DataType::UInt64 => tensor(parallel, philox, FullInt::<u64>(PhantomData), shape),
            other => Err(unsupported_dtype(operation, other)),
        },
    }
}

/// The bounds of a uniform integer distribution, checked.
pub(crate) enum Bounds {
    Int32(UniformInt<i32, u32>),
    Int64(UniformInt<i64, u64>),
}

impl Bounds {
    pub fn new(operation: &str, low: &Tensor, high: &Tensor) -> Result<Bounds> {
        expect_scalars(low, high)?;
        let refused = |low: i64, high: i64| {
            Status::invalid_argument(format!("Need minval < maxval, got {low} >= {high}"))
        };
        match low.dtype() {
            DataType::Int32 => {
                let (low, high) = (low.to_scalar::<i32>()?, high.to_scalar::<i32>()?);
                if low >= high {
                    return Err(refused(low.into(), high.into()));
                }
                Ok(Bounds::Int32(UniformInt { low, range: high.wrapping_sub(low) as u32 }))
            }
            DataType::Int64 => {
                let (low, high) = (low.to_scalar::<i64>()?, high.to_scalar::<i64>()?);
                if low >= high {
                    return Err(refused(low, high));
                }
                Ok(Bounds::Int64(UniformInt { low, range: high.wrapping_sub(low) as u64 }))
            }
            other => Err(unsupported_dtype(operation, other)),
        }
    }

    pub fn fill(&self, parallel: &Parallel, philox: Philox, shape: &Shape) -> Result<Tensor> {
        match self {
            Bounds::Int32(bounds) => tensor(parallel, philox, *bounds, shape),
            Bounds::Int64(bounds) => tensor(parallel, philox, *bounds, shape),
        }
    }
}

pub(crate) fn expect_scalars(low: &Tensor, high: &Tensor) -> Result<()> {
    for (name, tensor) in [("minval", low), ("maxval", high)] {
        if tensor.rank() != 0 {
            return Err(Status::invalid_argument(format!(
                "{name} must be 0-D, got shape {}",
                tensor.shape()
            )));
        }
    }
    Ok(())
}
