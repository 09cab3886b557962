//! Addition, subtraction and multiplication.

use downpour_graph::{GradientContext, OpSpec, shapes};
use downpour_runtime::{KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Complex64, Complex128, DataType, Result, bf16, f16};

use super::strings;
use crate::driver::Cost;
use crate::gradients::{self, Rule, conj, with_number};
use crate::number::Number;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let binary = |signature| Ok(OpSpec::new(signature)?.shape(shapes::broadcast_binary));
    registry.add(
        binary(
            "Add(x: T, y: T) -> (z: T)
                T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128, string}",
        )?
        .gradient(add_gradient),
        add,
    )?;
    // Beyond TensorFlow's list, whose client never emits AddV2 for them, strings and variants work here too.
    registry.add(
        binary(
            "AddV2(x: T, y: T) -> (z: T) @commutative @aggregate
                T: {bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16, int32, int64, complex64, complex128, string, variant}",
        )?
        .gradient(add_gradient),
        add,
    )?;
    registry.add(
        binary(
            "Sub(x: T, y: T) -> (z: T)
                T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, complex128, uint32, uint64}",
        )?
        .gradient(sub_gradient),
        |build| {
            elementwise!(build, Cost::Cheap, number, |x, y| x.minus(y))
        },
    )?;
    registry.add(
        binary(
            "Mul(x: T, y: T) -> (z: T) @commutative
                T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128}",
        )?
        .gradient(mul_gradient),
        |build| elementwise!(build, Cost::Cheap, number, |x, y| x.times(y)),
    )?;
    registry.add(
        binary(
            "MulNoNan(x: T, y: T) -> (z: T)
                T: {bfloat16, half, float, double, complex64, complex128}",
        )?
        .gradient(mul_no_nan_gradient),
        |build| {
            elementwise!(build, Cost::Cheap, float_complex, |x, y| {
                if y.is_zero_value() { T::default() } else { x.times(y) }
            })
        },
    )?;
    registry.add(
        binary(
            "SquaredDifference(x: T, y: T) -> (z: T) @commutative
                T: {bfloat16, half, float, double, int32, int64, complex64, complex128}",
        )?
        .gradient(squared_difference_gradient),
        |build| {
            elementwise!(build, Cost::Cheap, stepwise_signed_complex, |x, y| {
                let d = x.minus(y);
                d.times(d.conjugate())
            })
        },
    )
}

fn add(build: &KernelBuild<'_>) -> Result<KernelBox> {
    match build.input_dtype(0) {
        DataType::String => Ok(KernelBox::function(|cx: &mut OpContext<'_>| {
            let sum = strings::concatenated(cx.input(0), cx.input(1))?;
            cx.set_output(0, sum);
            Ok(())
        })),
        DataType::Variant => Ok(KernelBox::function(|cx: &mut OpContext<'_>| {
            let sum = strings::variants_added(cx.input(0), cx.input(1))?;
            cx.set_output(0, sum);
            Ok(())
        })),
        _ => elementwise!(build, Cost::Cheap, number, |x, y| x.plus(y)),
    }
}

fn add_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    gradients::binary(cx, grad, grad)
}

fn sub_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let negative = cx.op("Neg", &[grad])?;
    gradients::binary(cx, grad, negative)
}

fn mul_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let x = conj(cx, cx.input(0))?;
    let y = conj(cx, cx.input(1))?;
    let to_x = cx.op("Mul", &[grad, y])?;
    let to_y = cx.op("Mul", &[x, grad])?;
    gradients::binary(cx, to_x, to_y)
}

/// Without conjugates, as TensorFlow has it for this operation, even where the numbers are complex.
fn mul_no_nan_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let to_x = cx.op("MulNoNan", &[grad, cx.input(1)])?;
    let to_y = cx.op("MulNoNan", &[cx.input(0), grad])?;
    gradients::binary(cx, to_x, to_y)
}

/// Without conjugates, as TensorFlow has it for this operation, even where the numbers are complex.
fn squared_difference_gradient(cx: &mut GradientContext<'_, '_>) -> Rule {
    let grad = cx.grad(0)?;
    let difference = cx.op("Sub", &[cx.input(0), cx.input(1)])?;
    let twice = with_number(cx, "Mul", grad, 2.0)?;
    let to_x = cx.op("Mul", &[twice, difference])?;
    let to_y = cx.op("Neg", &[to_x])?;
    gradients::binary(cx, to_x, to_y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{ByteString, Element, Shape, Tensor};
    use proptest::prelude::*;

    fn run<T: Element>(op: &str, a: Tensor, b: Tensor) -> Vec<T> {
        let out = OpTest::new(register, op).input(a).input(b).run_one().unwrap();
        out.as_slice::<T>().unwrap().to_vec()
    }

    #[test]
    fn scalars_vectors_and_rows() {
        assert_eq!(run::<f32>("AddV2", Tensor::scalar(1f32), Tensor::scalar(2f32)), [3.0]);
        let v = Tensor::vector(&[1i32, 2, 3]).unwrap();
        assert_eq!(run::<i32>("Sub", v.clone(), Tensor::scalar(1i32)), [0, 1, 2]);
        assert_eq!(run::<i32>("Sub", Tensor::scalar(1i32), v.clone()), [0, -1, -2]);
        let m = Tensor::from_slice([2, 3], &[1i32, 2, 3, 4, 5, 6]).unwrap();
        assert_eq!(run::<i32>("Mul", m.clone(), v.clone()), [1, 4, 9, 4, 10, 18]);
        let column = Tensor::from_slice([2, 1], &[10i32, 20]).unwrap();
        assert_eq!(run::<i32>("AddV2", column.clone(), v), [11, 12, 13, 21, 22, 23]);
        assert_eq!(run::<i32>("AddV2", m, column), [11, 12, 13, 24, 25, 26]);
    }

    #[test]
    fn integers_wrap_and_small_floats_round_once() {
        assert_eq!(run::<u8>("AddV2", Tensor::scalar(200u8), Tensor::scalar(100u8)), [44]);
        let h = Tensor::vector(&[f16::from_f32(2048.0), f16::from_f32(1.0)]).unwrap();
        let got = run::<f16>("AddV2", h.clone(), h);
        assert_eq!(got, [f16::from_f32(4096.0), f16::from_f32(2.0)]);
        let b = Tensor::scalar(bf16::from_f32(1.5));
        assert_eq!(run::<bf16>("Mul", b.clone(), b), [bf16::from_f32(2.25)]);
    }

    #[test]
    fn strings_are_joined() {
        let a =
            Tensor::from_strings([2], vec![ByteString::from("a"), ByteString::from("b")]).unwrap();
        let out =
            OpTest::new(register, "Add").input(a).input(Tensor::string("x")).run_one().unwrap();
        assert_eq!(out.strings().unwrap(), &[ByteString::from("ax"), ByteString::from("bx")]);
    }

    #[test]
    fn zero_wins_over_infinity_and_the_conjugate_is_used() {
        let x = Tensor::vector(&[f32::INFINITY, f32::NAN, 3.0]).unwrap();
        let y = Tensor::vector(&[0f32, 0.0, 2.0]).unwrap();
        assert_eq!(run::<f32>("MulNoNan", x, y), [0.0, 0.0, 6.0]);
        let z = Tensor::scalar(Complex64::new(1.0, 2.0));
        let zero = Tensor::scalar(Complex64::new(0.0, 0.0));
        assert_eq!(run::<Complex64>("SquaredDifference", z, zero), [Complex64::new(5.0, 0.0)]);
    }

    #[test]
    fn compositions_round_each_step_in_sixteen_bits() {
        let (x, y) = (bf16::from_f32(3.015625), bf16::from_f32(0.1));
        let out = run::<bf16>("SquaredDifference", Tensor::scalar(x), Tensor::scalar(y));
        let difference = bf16::from_f32(x.to_f32() - y.to_f32());
        assert_eq!(out, [difference * difference]);
    }

    #[test]
    fn shapes_that_do_not_fit_are_refused() {
        let a = Tensor::vector(&[1f32, 2.0]).unwrap();
        let b = Tensor::vector(&[1f32, 2.0, 3.0]).unwrap();
        let error = OpTest::new(register, "AddV2").input(a).input(b).run_one().unwrap_err();
        assert!(error.message().contains("Incompatible shapes: [2] vs. [3]"), "{error}");
    }

    #[test]
    fn empty_operands_give_empty_results() {
        let a = Tensor::new(DataType::Float, [0, 3]).unwrap();
        let out = OpTest::new(register, "AddV2").input(a).input(Tensor::scalar(1f32)).run_one();
        assert_eq!(out.unwrap().dims(), &[0, 3]);
    }

    /// Values 0, 1, 2, ... in a shape.
    fn counted(dims: &[usize]) -> Tensor {
        let n: usize = dims.iter().product();
        Tensor::from_vec(dims, (0..n as i64).collect()).unwrap()
    }

    fn at(t: &Tensor, out: &Shape, mut flat: usize) -> i64 {
        let mut index = vec![0; out.rank()];
        for i in (0..out.rank()).rev() {
            index[i] = flat % out[i];
            flat /= out[i];
        }
        let missing = out.rank() - t.rank();
        let offset =
            t.dims().iter().enumerate().fold(0, |offset, (i, &d)| {
                offset * d + if d == 1 { 0 } else { index[i + missing] }
            });
        t.as_slice::<i64>().unwrap()[offset]
    }

    proptest! {
        #[test]
        fn any_broadcast_matches_plain_indexing(
            dims in prop::collection::vec(prop::sample::select(vec![0usize, 1, 2, 3, 9, 40]), 0..4),
            ones in prop::collection::vec((any::<bool>(), any::<bool>()), 4),
            drop in 0usize..4,
            keep in any::<(bool, bool)>(),
        ) {
            let a: Vec<usize> = dims.iter().zip(&ones).map(|(&d, o)| if o.0 { 1 } else { d }).collect();
            let b: Vec<usize> = dims.iter().zip(&ones).map(|(&d, o)| if o.1 { 1 } else { d })
                .skip(drop.min(dims.len())).collect();
            let (a, b) = (counted(&a), counted(&b));
            // A second owner forbids working in place.
            let holders = (keep.0.then(|| a.clone()), keep.1.then(|| b.clone()));
            let (a_copy, b_copy) = (a.deep_copy().unwrap(), b.deep_copy().unwrap());
            let out = OpTest::new(register, "Sub").input(a).input(b).run_one().unwrap();
            let expected: Vec<i64> = (0..out.len())
                .map(|i| at(&a_copy, out.shape(), i) - at(&b_copy, out.shape(), i)).collect();
            prop_assert_eq!(out.as_slice::<i64>().unwrap(), &expected[..]);
            drop_all(holders);
        }
    }

    fn drop_all<T>(_: T) {}
}
