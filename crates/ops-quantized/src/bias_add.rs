//! QuantizedBiasAdd: a vector added to each row, in a range in which both have room.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, QInt8, QInt32, QUInt8, Result, Status, Tensor, dispatch_over};

use crate::element::TYPES;
use crate::range::{Dequantizer, Quantizer, Range};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(&format!(
            "QuantizedBiasAdd(input: T1, bias: T2, min_input: float, max_input: float, min_bias: float, max_bias: float) -> (output: out_type, min_out: float, max_out: float)
                T1: {TYPES}
                T2: {TYPES}
                out_type: {TYPES}"
        ))?
        .shape(infer),
        |build| {
            let same = build.input_dtype(0) == build.input_dtype(1);
            if !same || build.output_dtype(0) != DataType::QInt32 {
                return Err(build.unsupported("adds two tensors of one type to qint32 only"));
            }
            Ok(KernelBox::function(compute))
        },
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let (input, bias) = (cx.input(0), cx.input(1));
    let (range, bias_range) = (Range::of_inputs(cx, 2)?, Range::of_inputs(cx, 4)?);
    let Some(&last) = input.dims().get(1..).and_then(|dims| dims.last()) else {
        return Err(Status::invalid_argument(format!(
            "Input tensor must be at least 2D: {}",
            input.shape()
        )));
    };
    if bias.rank() != 1 {
        return Err(Status::invalid_argument(format!("Biases must be 1D: {}", bias.shape())));
    }
    if bias.len() != last {
        return Err(Status::invalid_argument(format!(
            "Must provide as many biases as the last dimension of the input tensor: {} vs. {}",
            bias.shape(),
            input.shape()
        )));
    }
    if bias.is_empty() {
        return Err(Status::invalid_argument("Must provide at least 1 bias"));
    }
    let largest = range.max.max((-range.min).max(bias_range.max.max(-bias_range.min)));
    let total = Range { min: -(largest * (1 << 17) as f32), max: largest * (1 << 17) as f32 };
    let zero = total.quantized::<QInt32>(0.0).0;
    let to = Quantizer::new::<QInt32>(total);
    let output = dispatch_over!(input.dtype(), "QuantizedBiasAdd", T => {
        let (from, from_bias) = (Dequantizer::new::<T>(range), Dequantizer::new::<T>(bias_range));
        let (values, biases) = (input.as_slice::<T>()?, bias.as_slice::<T>()?);
        Tensor::build(input.shape().clone(), |out: &mut [QInt32]| {
            for (out, values) in out.chunks_exact_mut(last).zip(values.chunks_exact(last)) {
                for ((o, &value), &bias) in out.iter_mut().zip(values).zip(biases) {
                    let value = to.quantized::<QInt32>(from.number(value)).0;
                    let bias = to.quantized::<QInt32>(from_bias.number(bias)).0;
                    o.0 = value.wrapping_add(bias.wrapping_add(zero));
                }
            }
        })
    }, QUInt8: QUInt8, QInt8: QInt8)?;
    cx.set_output(0, output);
    total.set_outputs(cx, 1);
    Ok(())
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank_at_least(0, 2)?;
    cx.with_rank(1, 1)?;
    (2..6).try_for_each(|i| cx.with_rank(i, 0).map(drop))?;
    cx.set_output(0, cx.input(0).clone());
    cx.set_output(1, PartialShape::scalar());
    cx.set_output(2, PartialShape::scalar());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bytes, with_range};
    use downpour_runtime::testing::OpTest;

    fn test(input: Tensor, bias: Tensor) -> OpTest {
        let test = OpTest::new(register, "QuantizedBiasAdd").input(input).input(bias);
        with_range(with_range(test, 0.0, 255.0), 0.0, 510.0).attr("out_type", DataType::QInt32)
    }

    #[test]
    fn sums_are_of_the_numbers() {
        let y = test(bytes([2, 2], &[1, 2, 3, 4]), bytes([2], &[10, 20])).run().unwrap();
        let range = Range::of(&y[1], &y[2]).unwrap();
        let values = y[0].as_slice::<QInt32>().unwrap();
        // Sums are as exact as a float near 2^31 is.
        for (&value, expected) in values.iter().zip([21.0, 42.0, 23.0, 44.0]) {
            assert!((range.number(value) - expected).abs() < 10.0, "{value:?}, not {expected}");
        }
    }

    #[test]
    fn other_shapes_are_refused() {
        assert!(test(bytes([2, 2], &[1, 2, 3, 4]), bytes([1], &[1])).run().is_err());
        assert!(test(bytes([2], &[1, 2]), bytes([2], &[1, 2])).run().is_err());
        assert!(test(bytes([2, 0], &[]), bytes([0], &[])).run().is_err());
        assert!(test(bytes([1, 1], &[1]), bytes([1, 1], &[1])).run().is_err());
    }
}
