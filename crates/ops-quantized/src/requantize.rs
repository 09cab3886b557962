//! Requantize, RequantizationRange and QuantizeDownAndShrinkRange: from integers of 32 bits to 8, in the range that is
//! used.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{DataType, QInt8, QInt32, QUInt8, Result, Status, Tensor};

use crate::element::{Quantized, TYPES};
use crate::range::{Dequantizer, Quantizer, Range};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(&format!(
            "Requantize(input: Tinput, input_min: float, input_max: float, requested_output_min: float, requested_output_max: float) -> (output: out_type, output_min: float, output_max: float)
                Tinput: {TYPES}
                out_type: {TYPES}"
        ))?
        .shape(infer_same),
        |build| kernel(build, requantize, &[DataType::QUInt8, DataType::QInt8]),
    )?;
    registry.add(
        OpSpec::new(&format!(
            "QuantizeDownAndShrinkRange(input: Tinput, input_min: float, input_max: float) -> (output: out_type, output_min: float, output_max: float)
                Tinput: {TYPES}
                out_type: {TYPES}"
        ))?
        .shape(infer_same),
        |build| kernel(build, shrink, &[DataType::QUInt8]),
    )?;
    registry.add(
        OpSpec::new(&format!(
            "RequantizationRange(input: Tinput, input_min: float, input_max: float) -> (output_min: float, output_max: float)
                Tinput: {TYPES}"
        ))?
        .shape(infer_range),
        |build| kernel(build, range, &[DataType::Float]),
    )
}

fn kernel(
    build: &KernelBuild<'_>,
    compute: fn(&mut OpContext<'_>) -> Result<()>,
    outputs: &[DataType],
) -> Result<KernelBox> {
    if build.input_dtype(0) != DataType::QInt32 || !outputs.contains(&build.output_dtype(0)) {
        return Err(build.unsupported("takes qint32 to quint8, and Requantize to qint8, only"));
    }
    Ok(KernelBox::function(compute))
}

fn requantize(cx: &mut OpContext<'_>) -> Result<()> {
    let (given, requested) = (Range::of_inputs(cx, 1)?, Range::of_inputs(cx, 3)?);
    if requested.min > 0.0 {
        return Err(Status::invalid_argument(format!(
            "requested_output_min must be <= 0, but got {}",
            requested.min
        )));
    }
    if requested.max < requested.min {
        return Err(Status::invalid_argument(format!(
            "requested_output_max must be >= requested_output_min, but got {} and {}",
            requested.max, requested.min
        )));
    }
    let input = cx.input(0);
    let output = if cx.node().dtype("out_type")? == DataType::QUInt8 {
        to_bytes(input, given, requested)?
    } else {
        let (from, to) = (Dequantizer::new::<QInt32>(given), Quantizer::new::<QInt8>(requested));
        let values = input.as_slice::<QInt32>()?;
        Tensor::build(input.shape().clone(), |out: &mut [QInt8]| {
            out.iter_mut().zip(values).for_each(|(o, &v)| *o = to.quantized(from.number(v)));
        })?
    };
    cx.set_output(0, output);
    requested.set_outputs(cx, 1);
    Ok(())
}

fn shrink(cx: &mut OpContext<'_>) -> Result<()> {
    let given = Range::of_inputs(cx, 1)?;
    let used = used(cx.input(0), given)?;
    let output = to_bytes(cx.input(0), given, used)?;
    cx.set_output(0, output);
    used.set_outputs(cx, 1);
    Ok(())
}

fn range(cx: &mut OpContext<'_>) -> Result<()> {
    let first = |i: usize, name: &str| {
        cx.input(i)
            .as_slice::<f32>()?
            .first()
            .copied()
            .ok_or_else(|| Status::invalid_argument(format!("Input {name} must not be empty.")))
    };
    let given = Range { min: first(1, "min")?, max: first(2, "max")? };
    used(cx.input(0), given)?.set_outputs(cx, 0);
    Ok(())
}

/// Returns the range of the numbers that are there, and of zero.
fn used(input: &Tensor, given: Range) -> Result<Range> {
    let values = input.as_slice::<QInt32>()?.iter().map(|v| v.0);
    let lowest = values.clone().min().unwrap_or(i32::MAX);
    let highest = values.max().unwrap_or(i32::MIN);
    Ok(Range { min: given.number(QInt32(lowest)).min(0.0), max: given.number(QInt32(highest)) })
}

/// Returns the same numbers in a range of bytes, in fixed-point arithmetic with 16 bits behind the point.
fn to_bytes(input: &Tensor, from: Range, to: Range) -> Result<Tensor> {
    const SHIFT: u32 = 16;
    const ONE: f64 = (1 << SHIFT) as f64;
    let (input_range, output_range) = (from.max - from.min, to.max - to.min);
    let (reciprocal, scale, output_offset) = if output_range == 0.0 {
        (0.0, 0, 0)
    } else {
        let range = f64::from(output_range);
        let offset = (ONE * (f64::from(to.min) * 255.0) / range).round() as i64;
        let scale = (255.0 * ONE * f64::from(input_range) / range) as i64;
        ((255.0 / range) as f32, scale, offset)
    };
    let middle = (f64::from(from.min + from.max) / 2.0) as f32;
    let input_offset = (middle * reciprocal * (1 << SHIFT) as f32) as i64;
    let offset = input_offset.wrapping_sub(output_offset).wrapping_add(1 << (SHIFT - 1));
    let values = input.as_slice::<QInt32>()?;
    Tensor::build(input.shape().clone(), |out: &mut [QUInt8]| {
        for (o, v) in out.iter_mut().zip(values) {
            let value = i64::from(v.0).wrapping_mul(scale) >> 32;
            *o = QUInt8::clamped(value.wrapping_add(offset) >> SHIFT);
        }
    })
}

fn infer_same(cx: &mut ShapeContext<'_>) -> Result<()> {
    for i in 1..cx.inputs().len() {
        cx.with_rank(i, 0)?;
    }
    cx.set_output(0, cx.input(0).clone());
    cx.set_output(1, PartialShape::scalar());
    cx.set_output(2, PartialShape::scalar());
    Ok(())
}

fn infer_range(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(1, 0)?;
    cx.with_rank(2, 0)?;
    cx.set_output(0, PartialShape::scalar());
    cx.set_output(1, PartialShape::scalar());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{of_bytes, with_range, words};
    use downpour_runtime::testing::OpTest;

    fn test(op: &str, values: &[i32]) -> OpTest {
        with_range(OpTest::new(register, op).input(words([values.len()], values)), -256.0, 256.0)
    }

    #[test]
    fn bytes_take_the_range_that_is_used() {
        let values = [-(1 << 23), 0, 127 << 23];
        let out = test("RequantizationRange", &values).run().unwrap();
        let used = Range::of(&out[0], &out[1]).unwrap();
        assert!((used.min + 1.0).abs() < 1e-3 && (used.max - 127.0).abs() < 1e-3, "{used:?}");
        let out = test("QuantizeDownAndShrinkRange", &values).attr("out_type", DataType::QUInt8);
        assert_eq!(of_bytes(&out.run().unwrap()[0]), [0, 2, 255]);
        let out = test("Requantize", &values).attr("out_type", DataType::QUInt8);
        let out = with_range(out, 0.0, 255.0).run().unwrap();
        assert_eq!(of_bytes(&out[0]), [0, 0, 127]);
    }

    #[test]
    fn nothing_and_one_number() {
        let shrink =
            |values| test("QuantizeDownAndShrinkRange", values).attr("out_type", DataType::QUInt8);
        assert!(shrink(&[]).run().is_ok());
        assert_eq!(of_bytes(&shrink(&[0]).run().unwrap()[0]).len(), 1);
        let refused = |min, max| {
            let test = test("Requantize", &[1]).attr("out_type", DataType::QInt8);
            with_range(test, min, max).run()
        };
        assert!(refused(0.0, 1.0).is_ok());
        assert!(refused(1.0, 2.0).is_err());
        assert!(refused(-1.0, -2.0).is_err());
    }
}
