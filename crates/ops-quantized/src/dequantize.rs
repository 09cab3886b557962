//! Dequantize: the numbers that integers stand for, for the whole tensor or for each slice along an axis.

use downpour_graph::{OpSpec, shapes};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, Result, Status, Tensor, bf16};

use crate::element::{Quantized, TYPES, dispatch_quantized};
use crate::quantize::{Mode, axis_attribute};
use crate::range::{Dequantizer, Range};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(&format!(
            "Dequantize(input: T, min_range: float, max_range: float) -> (output: dtype)
                T: {TYPES}
                mode: {{'MIN_COMBINED', 'MIN_FIRST', 'SCALED'}} = 'MIN_COMBINED'
                narrow_range: bool = false
                axis: int = -1
                dtype: {{bfloat16, float}} = float"
        ))?
        .shape(shapes::unchanged),
        |build| {
            let mode = Mode::new(build)?;
            let dtype = build.output_dtype(0);
            if dtype == DataType::BFloat16 && mode != Mode::MinCombined {
                return Err(Status::invalid_argument(
                    "When output type is bfloat16, Mode string must be 'MIN_COMBINED'",
                ));
            }
            Ok(KernelBox::new(Dequantize {
                mode,
                narrow: build.bool("narrow_range")?,
                axis: axis_attribute(build)?,
                dtype,
            }))
        },
    )
}

struct Dequantize {
    mode: Mode,
    narrow: bool,
    axis: Option<usize>,
    dtype: DataType,
}

/// number = (integer + shift) * scale + min, or as a `Dequantizer` says.
#[derive(Clone, Copy)]
enum Conversion {
    Linear { shift: f32, scale: f32, min: f32 },
    MinFirst(Dequantizer),
}

impl Conversion {
    fn number<T: Quantized>(self, value: T) -> f32 {
        match self {
            Conversion::Linear { shift, scale, min } => (value.to_f32() + shift) * scale + min,
            Conversion::MinFirst(dequantizer) => dequantizer.number(value),
        }
    }
}

impl Dequantize {
    fn conversion<T: Quantized>(&self, range: Range) -> Conversion {
        match self.mode {
            Mode::MinFirst => Conversion::MinFirst(Dequantizer::new::<T>(range)),
            Mode::MinCombined => {
                let steps = T::HIGHEST as f32 - T::LOWEST as f32;
                let shift = if T::LOWEST < 0 { (steps + 1.0) / 2.0 } else { 0.0 };
                Conversion::Linear { shift, scale: (range.max - range.min) / steps, min: range.min }
            }
            Mode::Scaled => {
                let from_max = range.max / T::HIGHEST as f32;
                let lowest = T::LOWEST + i64::from(self.narrow);
                let scale = match T::LOWEST {
                    0 => from_max,
                    _ => larger(range.min / lowest as f32, from_max),
                };
                Conversion::Linear { shift: 0.0, scale, min: 0.0 }
            }
        }
    }
}

/// Returns the larger number, or the first if that is not to be said.
fn larger(a: f32, b: f32) -> f32 {
    if a < b { b } else { a }
}

impl Kernel for Dequantize {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (input, min, max) = (cx.input(0), cx.input(1), cx.input(2));
        let (count, inner) = match self.axis {
            None => (1, input.len()),
            Some(axis) if axis < input.rank() => {
                (input.dims()[axis], input.dims()[axis + 1..].iter().product())
            }
            Some(axis) => {
                return Err(Status::invalid_argument(format!(
                    "Axis must be less than input dimension({}), got {axis}",
                    input.rank()
                )));
            }
        };
        for (name, bound) in [("input_min_tensor", min), ("input_max_tensor", max)] {
            if bound.len() != count {
                return Err(Status::invalid_argument(format!(
                    "{name} must have as many elements as input on the dequantization axis ({}), \
                     got {}, expected {count}",
                    self.axis.map_or(-1, |axis| axis as i64),
                    bound.len()
                )));
            }
        }
        if count != 1 && self.mode == Mode::MinFirst {
            return Err(Status::unimplemented(
                "MIN_FIRST mode is not implemented for Dequantize with axis != -1.",
            ));
        }
        let (mins, maxes) = (min.as_slice::<f32>()?, max.as_slice::<f32>()?);
        let output = dispatch_quantized!(input.dtype(), "Dequantize", T => {
            let values = input.as_slice::<T>()?;
            let conversions = CountedVec::build(count, |i| {
                Ok(self.conversion::<T>(Range { min: mins[i], max: maxes[i] }))
            })?;
            let number =
                |i: usize| conversions[i / inner.max(1) % count.max(1)].number(values[i]);
            let shape = input.shape().clone();
            match self.dtype {
                DataType::BFloat16 => Tensor::build(shape, |out: &mut [bf16]| {
                    cx.parallel().for_chunks(out, 1, 1 << 13, |first, run| {
                        run.iter_mut().enumerate().for_each(|(i, o)| *o = bf16::from_f32(number(first + i)));
                    });
                }),
                _ => Tensor::build(shape, |out: &mut [f32]| {
                    cx.parallel().for_chunks(out, 1, 1 << 13, |first, run| {
                        run.iter_mut().enumerate().for_each(|(i, o)| *o = number(first + i));
                    });
                }),
            }
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bytes, with_range};
    use downpour_runtime::testing::OpTest;

    fn test(mode: &'static str) -> OpTest {
        OpTest::new(register, "Dequantize").attr("mode", mode)
    }

    #[test]
    fn each_mode_gives_the_numbers_back() {
        for mode in ["MIN_COMBINED", "MIN_FIRST", "SCALED"] {
            let y = with_range(test(mode).input(bytes([3], &[0, 51, 255])), 0.0, 510.0);
            assert_eq!(y.run_one().unwrap().as_slice::<f32>().unwrap(), &[0.0, 102.0, 510.0]);
        }
    }

    #[test]
    fn slices_have_ranges_of_their_own() {
        let y = test("SCALED")
            .attr("axis", 0i64)
            .input(bytes([2, 1], &[255, 255]))
            .input(Tensor::vector(&[0f32, 0.0]).unwrap())
            .input(Tensor::vector(&[1f32, 2.0]).unwrap());
        assert_eq!(y.run_one().unwrap().as_slice::<f32>().unwrap(), &[1.0, 2.0]);
    }

    #[test]
    fn bad_arguments_are_refused() {
        let x = |mode: &'static str| test(mode).input(bytes([2], &[0, 1]));
        assert!(with_range(x("SCALED").attr("axis", 1i64), 0.0, 1.0).run().is_err());
        assert!(with_range(x("SCALED").attr("axis", 0i64), 0.0, 1.0).run().is_err());
        assert!(with_range(x("SCALED").attr("axis", -2i64), 0.0, 1.0).run().is_err());
        let half = x("SCALED").attr("dtype", DataType::BFloat16);
        assert!(with_range(half, 0.0, 1.0).run().is_err());
    }
}
