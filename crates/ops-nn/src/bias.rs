//! BiasAdd adds a vector along the channels of a tensor; BiasAddGrad sums the gradient over all else.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{
    Complex64, Complex128, DataType, Element, RealNumber, Result, Shape, Status, Tensor, bf16, f16,
    unsupported_dtype,
};

use crate::columns::{column_sums, lane_sum};

const NUMBERS: &str = "{float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}";

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(&format!(
            "BiasAdd(value: T, bias: T) -> (output: T)
                T: {NUMBERS}
                data_format: {{'NHWC', 'NCHW'}} = 'NHWC'"
        ))?
        .shape(shape)
        .gradient(gradient),
        |build| Ok(KernelBox::new(BiasAdd { channels_first: channels_first(build)? })),
    )?;
    registry.add(
        OpSpec::new(&format!(
            "BiasAddV1(value: T, bias: T) -> (output: T)
                T: {NUMBERS}"
        ))?
        .shape(shape)
        .gradient(gradient_v1),
        |_| Ok(KernelBox::new(BiasAdd { channels_first: false })),
    )?;
    registry.add(
        OpSpec::new(&format!(
            "BiasAddGrad(out_backprop: T) -> (output: T)
                T: {NUMBERS}
                data_format: {{'NHWC', 'NCHW'}} = 'NHWC'"
        ))?
        .shape(grad_shape)
        .gradient(grad_gradient),
        |build| Ok(KernelBox::new(BiasAddGrad { channels_first: channels_first(build)? })),
    )
}

fn channels_first(attrs: &Attrs) -> Result<bool> {
    Ok(attrs.get("data_format").is_some() && attrs.string("data_format")? == "NCHW")
}

/// An element that can be added up: its accumulator is wider where its own precision is poor.
trait Summand: Element {
    type Sum: Copy + Default + Send + Sync;
    fn plus(self, other: Self) -> Self;
    fn widen(self) -> Self::Sum;
    fn add(a: Self::Sum, b: Self::Sum) -> Self::Sum;
    fn finish(sum: Self::Sum) -> Self;
}

macro_rules! summands {
    ($($ty:ty, $sum:ty, $plus:expr, $widen:expr, $add:expr, $finish:expr;)*) => {$(
        impl Summand for $ty {
            type Sum = $sum;
            #[inline(always)]
            fn plus(self, other: $ty) -> $ty { $plus(self, other) }
            #[inline(always)]
            fn widen(self) -> $sum { $widen(self) }
            #[inline(always)]
            fn add(a: $sum, b: $sum) -> $sum { $add(a, b) }
            #[inline(always)]
            fn finish(sum: $sum) -> $ty { $finish(sum) }
        }
    )*};
}
macro_rules! plain_summands {
    ($($ty:ty),*) => { summands! {$(
        $ty, $ty, <$ty>::add_w, |v| v, <$ty>::add_w, |v| v;
    )*}};
}
plain_summands!(f32, f64, i8, i16, i32, i64, u8, u16, u32, u64);
summands! {
    f16, f32, |a, b| a + b, f16::to_f32, |a, b| a + b, f16::from_f32;
    bf16, f32, |a, b| a + b, bf16::to_f32, |a, b| a + b, bf16::from_f32;
    Complex64, Complex64, |a, b| a + b, |v| v, |a, b| a + b, |v| v;
    Complex128, Complex128, |a, b| a + b, |v| v, |a, b| a + b, |v| v;
}

macro_rules! dispatch_summand {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {{
        macro_rules! case {
            ($ty:ty) => {{
                type $t = $ty;
                $body
            }};
        }
        match $dtype {
            DataType::Float => case!(f32),
            DataType::Double => case!(f64),
            DataType::Half => case!(f16),
            DataType::BFloat16 => case!(bf16),
            DataType::Int8 => case!(i8),
            DataType::Int16 => case!(i16),
            DataType::Int32 => case!(i32),
            DataType::Int64 => case!(i64),
            DataType::UInt8 => case!(u8),
            DataType::UInt16 => case!(u16),
            DataType::UInt32 => case!(u32),
            DataType::UInt64 => case!(u64),
            DataType::Complex64 => case!(Complex64),
            DataType::Complex128 => case!(Complex128),
            other => Err(unsupported_dtype($op, other)),
        }
    }};
}

/// Channel count and the number of elements that lie side by side within one channel.
fn layout(shape: &Shape, channels_first: bool) -> Result<(usize, usize)> {
    let rank = shape.rank();
    if rank < 2 {
        return Err(Status::invalid_argument(format!("Input tensor must be at least 2D: {shape}")));
    }
    Ok(match channels_first {
        true => (shape[1], shape[2..].iter().product()),
        false => (shape[rank - 1], 1),
    })
}

struct BiasAdd {
    channels_first: bool,
}

impl Kernel for BiasAdd {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let value = cx.take(0);
        let bias = cx.input(1);
        let (channels, inner) = layout(value.shape(), self.channels_first)?;
        if bias.rank() != 1 {
            return Err(Status::invalid_argument(format!("Biases must be 1D: {}", bias.shape())));
        }
        if bias.len() != channels {
            return Err(Status::invalid_argument(format!(
                "Must provide as many biases as the last dimension of the input tensor: {} vs. {}",
                bias.shape(),
                value.shape()
            )));
        }
        let output = if value.is_empty() {
            value
        } else {
            dispatch_summand!(value.dtype(), "BiasAdd", T => add_bias::<T>(cx, value, inner))?
        };
        cx.set_output(0, output);
        Ok(())
    }
}

fn add_bias<T: Summand>(cx: &OpContext<'_>, value: Tensor, inner: usize) -> Result<Tensor> {
    let bias = cx.input(1).as_slice::<T>()?;
    // A unit is one run of all channels, so that the bias is walked from its start.
    let unit = bias.len() * inner;
    let grain = (8192 / unit).max(1);
    let mut output = value.into_unique()?;
    let out = output.as_mut_slice::<T>().expect("the tensor was just made unique");
    cx.parallel().for_chunks(out, unit, grain, |_, run| {
        for image in run.chunks_exact_mut(unit) {
            if inner == 1 {
                for (o, b) in image.iter_mut().zip(bias) {
                    *o = o.plus(*b);
                }
            } else {
                for (plane, b) in image.chunks_exact_mut(inner).zip(bias) {
                    for o in plane {
                        *o = o.plus(*b);
                    }
                }
            }
        }
    });
    Ok(output)
}

struct BiasAddGrad {
    channels_first: bool,
}

impl Kernel for BiasAddGrad {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let grad = cx.input(0);
        let (channels, inner) = layout(grad.shape(), self.channels_first)?;
        let output = dispatch_summand!(grad.dtype(), "BiasAddGrad", T => {
            sum_over_channels::<T>(cx, channels, inner)
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn sum_over_channels<T: Summand>(
    cx: &OpContext<'_>,
    channels: usize,
    inner: usize,
) -> Result<Tensor> {
    let grad = cx.input(0).as_slice::<T>()?;
    if grad.is_empty() {
        return Tensor::zeros(T::DTYPE, [channels]);
    }
    let rows = grad.len() / (channels * inner);
    let sums = column_sums(
        cx.parallel(),
        rows,
        channels * inner,
        channels,
        |range, sums: &mut [T::Sum]| {
            for r in range {
                let image = &grad[r * channels * inner..(r + 1) * channels * inner];
                if inner == 1 {
                    for (s, v) in sums.iter_mut().zip(image) {
                        *s = T::add(*s, v.widen());
                    }
                } else {
                    for (s, plane) in sums.iter_mut().zip(image.chunks_exact(inner)) {
                        *s = T::add(*s, lane_sum(plane, T::widen, T::add));
                    }
                }
            }
        },
        T::add,
    );
    Tensor::build([channels], |out: &mut [T]| {
        for (o, s) in out.iter_mut().zip(sums) {
            *o = T::finish(s);
        }
    })
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let first = channels_first(&cx.node().attrs)?;
    let value = cx.with_rank_at_least(0, if first { 3 } else { 2 })?;
    let bias = cx.with_rank(1, 1)?;
    if let Some(dims) = value.dims() {
        let axis = if first { 1 } else { dims.len() - 1 };
        let mut dims = dims.to_vec();
        dims[axis] = cx.merge_dim(dims[axis], bias.dim(0))?;
        cx.set_output(0, PartialShape::of(dims));
    }
    Ok(())
}

fn grad_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let first = channels_first(&cx.node().attrs)?;
    let grad = cx.with_rank_at_least(0, if first { 3 } else { 2 })?;
    let dim = match grad.rank() {
        Some(rank) => grad.dim(if first { 1 } else { rank - 1 }),
        None => None,
    };
    cx.set_output(0, PartialShape::vector(dim));
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let attrs = Attrs::new().with("data_format", cx.node().string("data_format")?);
    let bias = cx.op_with("BiasAddGrad", &[grad], attrs)?;
    Ok(vec![Gradient::Dense(grad), Gradient::Dense(bias)])
}

fn gradient_v1(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let bias = cx.op("BiasAddGrad", &[grad])?;
    Ok(vec![Gradient::Dense(grad), Gradient::Dense(bias)])
}

/// The gradient of the sum over all but the channels repeats what arrives along them: adding it as
/// a bias to zeros of the input's shape does that for either layout.
fn grad_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let attrs = Attrs::new().with("data_format", cx.node().string("data_format")?);
    let zeros = cx.op("ZerosLike", &[cx.input(0)])?;
    Ok(vec![Gradient::Dense(cx.op_with("BiasAdd", &[zeros, grad], attrs)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn add(format: &'static str, value: Tensor, bias: Tensor) -> Result<Tensor> {
        let test = OpTest::new(register, "BiasAdd").attr("data_format", format);
        test.input(value).input(bias).run_one()
    }

    #[test]
    fn both_layouts() {
        let value = Tensor::from_slice([1, 2, 3], &[0f32; 6]).unwrap();
        let last = add("NHWC", value.clone(), Tensor::vector(&[1f32, 2.0, 3.0]).unwrap()).unwrap();
        assert_eq!(last.as_slice::<f32>().unwrap(), &[1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
        let first = add("NCHW", value, Tensor::vector(&[1f32, 2.0]).unwrap()).unwrap();
        assert_eq!(first.as_slice::<f32>().unwrap(), &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    }

    #[test]
    fn gradients_sum_over_all_but_the_channels() {
        let values: Vec<i32> = (0..24).collect();
        let grad = |format: &'static str| {
            OpTest::new(register, "BiasAddGrad")
                .attr("data_format", format)
                .input(Tensor::from_slice([2, 3, 4], &values).unwrap())
                .run_one()
                .unwrap()
        };
        assert_eq!(grad("NHWC").as_slice::<i32>().unwrap(), &[60, 66, 72, 78]);
        assert_eq!(grad("NCHW").as_slice::<i32>().unwrap(), &[60, 92, 124]);
        let empty = OpTest::new(register, "BiasAddGrad")
            .input(Tensor::zeros(DataType::Half, [0, 2]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(empty.as_slice::<f16>().unwrap(), &[f16::ZERO; 2]);
    }

    #[test]
    fn wrong_sizes_are_refused() {
        let bias = || Tensor::vector(&[1f32, 2.0]).unwrap();
        let run = |value| OpTest::new(register, "BiasAdd").input(value).input(bias()).run_values();
        assert!(run(Tensor::vector(&[1f32]).unwrap()).is_err());
        assert!(run(Tensor::zeros(DataType::Float, [2, 3]).unwrap()).is_err());
        assert!(run(Tensor::zeros(DataType::Float, [0, 2]).unwrap()).is_ok());
    }
}
