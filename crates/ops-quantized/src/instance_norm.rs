//! QuantizedInstanceNorm: each channel of each image brought to mean 0 and variance 1.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, QUInt8, Result, Status, Tensor};

use crate::element::{Quantized, TYPES};
use crate::range::{Quantizer, Range};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(&format!(
            "QuantizedInstanceNorm(x: T, x_min: float, x_max: float) -> (y: T, y_min: float, y_max: float)
                T: {TYPES}
                output_range_given: bool = false
                given_y_min: float = 0.0
                given_y_max: float = 0.0
                variance_epsilon: float = 1e-05
                min_separation: float = 0.001"
        ))?
        .shape(infer),
        |build| {
            if build.input_dtype(0) != DataType::QUInt8 {
                return Err(build.unsupported("takes quint8 only"));
            }
            let given = Range { min: build.float("given_y_min")?, max: build.float("given_y_max")? };
            let is_given = build.bool("output_range_given")?;
            if is_given && given.max <= given.min {
                return Err(Status::invalid_argument(format!(
                    "given_y_min must be less than given_y_max : {} >= {}",
                    given.min, given.max
                )));
            }
            Ok(KernelBox::new(InstanceNorm {
                given: is_given.then_some(given),
                epsilon: build.float("variance_epsilon")?,
                separation: build.float("min_separation")?,
            }))
        },
    )
}

struct InstanceNorm {
    given: Option<Range>,
    epsilon: f32,
    separation: f32,
}

impl Kernel for InstanceNorm {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        let range = Range::of_inputs(cx, 1)?;
        if range.max <= range.min {
            return Err(Status::invalid_argument(format!(
                "input_min must be less than input_max : {} >= {}",
                range.min, range.max
            )));
        }
        let &[_, height, width, depth] = input.dims() else {
            return Err(Status::invalid_argument(format!(
                "x must be 4-dimensional, but has shape {}",
                input.shape()
            )));
        };
        let step = (range.max - range.min) / 255.0;
        let values = input.as_slice::<QUInt8>()?;
        let mut normed = CountedVec::filled(values.len(), 0f32)?;
        let image = height.saturating_mul(width).saturating_mul(depth).max(1);
        for (normed, values) in normed.chunks_exact_mut(image).zip(values.chunks_exact(image)) {
            cx.check_cancelled()?;
            for channel in 0..depth {
                let numbers = || values[channel..].iter().step_by(depth).map(|v| v.to_f32());
                let count = (height * width) as f32;
                let mean = numbers().sum::<f32>() / count;
                let squares = numbers().map(|v| (step * (v - mean)) * (step * (v - mean)));
                let scale = 1.0 / (squares.sum::<f32>() / count + self.epsilon).sqrt();
                let places = normed[channel..].iter_mut().step_by(depth);
                places.zip(numbers()).for_each(|(o, v)| *o = step * (v - mean) * scale);
            }
        }
        let mut output_range = self.given.unwrap_or_else(|| Range {
            min: normed.iter().copied().fold(f32::MAX, f32::min),
            max: normed.iter().copied().fold(f32::MIN, f32::max),
        });
        if output_range.max - output_range.min < self.separation {
            output_range.max = output_range.min + self.separation;
        }
        let to = Quantizer::new::<QUInt8>(output_range);
        let output = Tensor::build(input.shape().clone(), |out: &mut [QUInt8]| {
            out.iter_mut().zip(normed.iter()).for_each(|(o, &v)| *o = to.quantized(v));
        })?;
        cx.set_output(0, output);
        output_range.set_outputs(cx, 1);
        Ok(())
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape = cx.with_rank(0, 4)?;
    cx.with_rank(1, 0)?;
    cx.with_rank(2, 0)?;
    cx.set_output(0, shape);
    cx.set_output(1, PartialShape::scalar());
    cx.set_output(2, PartialShape::scalar());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bytes, of_bytes, with_range};
    use downpour_runtime::testing::OpTest;

    fn test(input: Tensor, min: f32) -> OpTest {
        with_range(OpTest::new(register, "QuantizedInstanceNorm").input(input), min, 255.0)
    }

    #[test]
    fn channels_are_normalized_each_for_itself() {
        let y = test(bytes([1, 1, 2, 2], &[0, 100, 2, 104]), 0.0).run().unwrap();
        assert_eq!(of_bytes(&y[0]), [1, 0, 255, 255]);
        assert!((y[2].to_scalar::<f32>().unwrap() - 1.0).abs() < 1e-4);
    }

    #[test]
    fn empty_images_and_ranges() {
        assert!(test(bytes([0, 1, 2, 2], &[]), 0.0).run().is_ok());
        assert!(test(bytes([1, 0, 2, 2], &[]), 0.0).run().is_ok());
        assert!(test(bytes([1, 1, 1, 1], &[1]), 255.0).run().is_err());
        assert!(test(bytes([1], &[1]), 0.0).run_values().is_err());
        let given = test(bytes([1, 1, 1, 1], &[1]), 0.0).attr("output_range_given", true);
        assert!(given.run_values().is_err());
    }
}
