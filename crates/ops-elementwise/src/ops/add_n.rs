//! AddN and AccumulateNV2: the sum of several tensors of one shape.

use downpour_graph::{Gradient, GradientContext, OpSpec, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Complex64, Complex128, DataType, Element, Result, Status, Tensor};

use super::strings::variant_sum;
use crate::driver::{computed_type, narrow, widen};
use crate::gradients::Rule;
use crate::number::Number;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "AddN(inputs: N * T) -> (sum: T) @commutative @aggregate
                N: int >= 1
                T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, variant}",
        )?
        .shape(add_n_shape)
        .gradient(gradient),
        kernel,
    )?;
    registry.add(
        OpSpec::new(
            "AccumulateNV2(inputs: N * T) -> (sum: T) @commutative @aggregate
                N: int >= 1
                T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}
                shape: shape",
        )?
        .shape(shapes::from_shape_attr)
        .gradient(gradient),
        kernel,
    )
}

/// Variants may hold anything; their own shapes still agree.
fn add_n_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    shapes::all_equal(cx)
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    Ok(vec![Gradient::Dense(grad); cx.inputs_len()])
}

fn kernel(build: &KernelBuild<'_>) -> Result<KernelBox> {
    macro_rules! kernels {
        ($($t:ident)*) => {
            match computed_type(build.input_dtype(0)) {
                DataType::Variant => Ok(KernelBox::function(add_variants)),
                $(<$t as Element>::DTYPE => Ok(KernelBox::new(AddN::<$t> { add: add_into::<$t> })),)*
                other => Err(downpour_tensor::unsupported_dtype(build.op_name(), other)),
            }
        };
    }
    kernels!(f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 Complex64 Complex128)
}

struct AddN<T> {
    add: fn(&mut [T], &[T]),
}

fn add_into<T: Number>(sum: &mut [T], values: &[T]) {
    for (s, &v) in sum.iter_mut().zip(values) {
        *s = s.plus(v);
    }
}

fn check_shapes(cx: &OpContext<'_>) -> Result<()> {
    let first = cx.input(0).shape();
    for i in 1..cx.inputs_len() {
        if cx.input(i).shape() != first {
            return Err(Status::invalid_argument(format!(
                "Inputs to operation {} of type {} must have the same size and shape. \
                 Input 0: {first} != input {i}: {}",
                cx.node().name,
                cx.node().op_name(),
                cx.input(i).shape()
            )));
        }
    }
    Ok(())
}

/// Elements of the sum that stay in cache while every input is added to them.
const BLOCK: usize = 4096;

impl<T: Element> Kernel for AddN<T> {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        check_shapes(cx)?;
        let count = cx.inputs_len();
        let output = cx.node().output_dtype(0);
        if count == 1 {
            let only = cx.take(0);
            cx.set_output(0, only);
            return Ok(());
        }
        let mut inputs = Vec::with_capacity(count);
        for i in 0..count {
            inputs.push(widen(cx.take(i), cx.parallel())?);
        }
        let reusable = inputs.iter_mut().position(Tensor::is_unique).unwrap_or(0);
        let mut sum = inputs.swap_remove(reusable).into_unique()?;
        let values = inputs.iter().map(Tensor::as_slice::<T>).collect::<Result<Vec<&[T]>>>()?;
        let out = sum
            .as_mut_slice::<T>()
            .ok_or_else(|| Status::internal("a tensor of our own cannot be written"))?;
        cx.parallel().for_chunks(out, 1, 16 * 1024, |first, run| {
            let mut start = first;
            for piece in run.chunks_mut(BLOCK) {
                for input in &values {
                    (self.add)(piece, &input[start..start + piece.len()]);
                }
                start += piece.len();
            }
        });
        let sum = narrow(sum, output, cx.parallel())?;
        cx.set_output(0, sum);
        Ok(())
    }
}

fn add_variants(cx: &mut OpContext<'_>) -> Result<()> {
    check_shapes(cx)?;
    let mut sum = cx.take(0);
    for i in 1..cx.inputs_len() {
        let next = cx.input(i).variants()?;
        let values = sum.variants()?.iter().zip(next).map(|(a, b)| variant_sum(a, b));
        sum = Tensor::from_variants(sum.shape(), values.collect::<Result<_>>()?)?;
    }
    cx.set_output(0, sum);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::bf16;

    #[test]
    fn sums() {
        let x = Tensor::vector(&[1f32, 2.0]).unwrap();
        let test = OpTest::new(register, "AddN").input(x.clone()).input(x.clone()).input(x.clone());
        assert_eq!(test.run_one().unwrap().as_slice::<f32>().unwrap(), &[3.0, 6.0]);
        assert_eq!(x.as_slice::<f32>().unwrap(), &[1.0, 2.0], "a shared input stays");
        let b = Tensor::scalar(bf16::from_f32(1.5));
        let out = OpTest::new(register, "AddN").input(b.clone()).input(b).run_one().unwrap();
        assert_eq!(out.to_scalar::<bf16>().unwrap(), bf16::from_f32(3.0));
    }

    #[test]
    fn shapes_must_agree() {
        let test = OpTest::new(register, "AddN").input(Tensor::scalar(1i32));
        let error = test.input(Tensor::vector(&[1i32]).unwrap()).run().unwrap_err();
        assert!(error.message().contains("must have the same size and shape"), "{error}");
    }
}
