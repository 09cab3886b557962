//! QuantizeV2: floats as integers, for the whole tensor or for each slice along an axis.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, Result, Status, Tensor};

use crate::element::{Quantized, TYPES, dispatch_quantized};
use crate::range::{Quantizer, Range};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(&format!(
            "QuantizeV2(input: float, min_range: float, max_range: float) -> (output: T, output_min: float, output_max: float)
                T: {TYPES}
                mode: {{'MIN_COMBINED', 'MIN_FIRST', 'SCALED'}} = 'MIN_COMBINED'
                round_mode: {{'HALF_AWAY_FROM_ZERO', 'HALF_TO_EVEN'}} = 'HALF_AWAY_FROM_ZERO'
                narrow_range: bool = false
                axis: int = -1
                ensure_minimum_range: float = 0.01"
        ))?
        .shape(infer),
        |build| Ok(KernelBox::new(QuantizeV2::new(build)?)),
    )
}

/// How integers stand for numbers.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Mode {
    MinCombined,
    MinFirst,
    Scaled,
}

impl Mode {
    pub(crate) fn new(build: &KernelBuild<'_>) -> Result<Mode> {
        match build.string("mode")?.as_str() {
            "MIN_COMBINED" => Ok(Mode::MinCombined),
            "MIN_FIRST" => Ok(Mode::MinFirst),
            "SCALED" => Ok(Mode::Scaled),
            other => Err(Status::invalid_argument(format!(
                "Mode string must be 'MIN_COMBINED', 'MIN_FIRST', or 'SCALED', is '{other}'"
            ))),
        }
    }
}

/// Reads the attribute `axis`; none means the whole tensor.
pub(crate) fn axis_attribute(build: &KernelBuild<'_>) -> Result<Option<usize>> {
    match build.int("axis")? {
        -1 => Ok(None),
        axis => usize::try_from(axis).map(Some).map_err(|_| {
            Status::invalid_argument(format!("axis should be at least -1, got {axis}"))
        }),
    }
}

struct QuantizeV2 {
    dtype: DataType,
    mode: Mode,
    to_even: bool,
    narrow: bool,
    axis: Option<usize>,
    least: f32,
}

impl QuantizeV2 {
    fn new(build: &KernelBuild<'_>) -> Result<QuantizeV2> {
        let mode = Mode::new(build)?;
        let to_even = build.string("round_mode")? == "HALF_TO_EVEN";
        if to_even && mode != Mode::Scaled {
            return Err(Status::invalid_argument(
                "Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED'",
            ));
        }
        Ok(QuantizeV2 {
            dtype: build.output_dtype(0),
            mode,
            to_even,
            narrow: build.bool("narrow_range")?,
            axis: axis_attribute(build)?,
            least: build.float("ensure_minimum_range")?,
        })
    }

    /// Returns the number of slices and of values that lie together in one.
    fn slices(&self, cx: &OpContext<'_>) -> Result<(usize, usize)> {
        let dims = cx.input(0).dims();
        let Some(axis) = self.axis else {
            for (i, name) in [(1, "min_range"), (2, "max_range")] {
                let count = cx.input(i).len();
                if count != 1 {
                    return Err(Status::invalid_argument(format!(
                        "If axis is not specified, {name} must contain a single float element, but \
                         it contains {count} elements"
                    )));
                }
            }
            return Ok((1, cx.input(0).len()));
        };
        if axis >= dims.len() {
            return Err(Status::invalid_argument(format!(
                "Axis is on a zero-based index, so its value must always be less than number of \
                 input's dims, but given axis value was {axis} and input's dims was {}",
                dims.len()
            )));
        }
        for (i, name) in [(1, "min_range"), (2, "max_range")] {
            let bound = cx.input(i);
            if bound.dims() != [dims[axis]] {
                return Err(Status::invalid_argument(format!(
                    "If axis is specified, {name} must be a 1-D tensor whose size matches the axis \
                     dimension of the input and output tensors, but {name} has shape {} and \
                     input's axis dimension is of size {}",
                    bound.shape(),
                    dims[axis]
                )));
            }
        }
        Ok((dims[axis], dims[axis + 1..].iter().product()))
    }

    /// Returns the range that contains zero and is not too narrow.
    fn widened(&self, given: Range) -> Result<Range> {
        if given.max < given.min {
            return Err(Status::invalid_argument(
                "input_max_range must be larger than input_min_range.",
            ));
        }
        let min = given.min.min(0.0);
        let epsilon = given.min.abs().max(given.max.abs()).max(1.0) * self.least;
        Ok(Range { min, max: given.max.max(min + epsilon).max(0.0) })
    }

    /// Returns the conversion and the range it is for.
    fn conversion<T: Quantized>(&self, range: Range) -> (Conversion, Range) {
        match self.mode {
            Mode::MinFirst => (Conversion::MinFirst(Quantizer::new::<T>(range)), range),
            Mode::MinCombined => {
                let steps = (T::HIGHEST as f64) - (T::LOWEST as f64);
                let scale = (steps / f64::from(range.max - range.min)) as f32;
                let half = if T::LOWEST < 0 { ((steps + 1.0) / 2.0) as f32 } else { 0.0 };
                (Conversion::MinCombined { scale, half, signed: T::LOWEST < 0, range }, range)
            }
            Mode::Scaled => {
                let lowest = (T::LOWEST + i64::from(self.narrow)) as f32;
                let highest = T::HIGHEST as f32;
                let from = |integer: f32, number: f32| {
                    if integer * number > 0.0 { integer / number } else { f32::MAX }
                };
                let scale = from(lowest, range.min).min(from(highest, range.max));
                let range = Range { min: flushed(lowest / scale), max: flushed(highest / scale) };
                (Conversion::Scaled { scale, to_even: self.to_even, range }, range)
            }
        }
    }
}

/// Returns zero for numbers so small that TensorFlow's kernels make them zero.
fn flushed(number: f32) -> f32 {
    if number.is_subnormal() { 0.0 } else { number }
}

#[derive(Clone, Copy)]
enum Conversion {
    MinFirst(Quantizer),
    MinCombined { scale: f32, half: f32, signed: bool, range: Range },
    Scaled { scale: f32, to_even: bool, range: Range },
}

impl Conversion {
    fn quantized<T: Quantized>(self, number: f32) -> T {
        match self {
            Conversion::MinFirst(quantizer) => quantizer.quantized(number),
            Conversion::MinCombined { scale, half, signed, range } => {
                let above = (number.min(range.max).max(range.min) - range.min) * scale;
                let value = if signed { (above - half).round() } else { above + 0.5 };
                T::clamped(value as i64)
            }
            Conversion::Scaled { scale, to_even, range } => {
                let value = number.min(range.max).max(range.min) * scale;
                let value = if to_even { value.round_ties_even() } else { value.round() };
                T::clamped(value as i64)
            }
        }
    }
}

impl Kernel for QuantizeV2 {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (count, inner) = self.slices(cx)?;
        if count != 1 && self.mode == Mode::MinFirst {
            return Err(Status::unimplemented(
                "MIN_FIRST mode is not implemented for Quantize with axis != -1.",
            ));
        }
        let (input, min, max) = (cx.input(0), cx.input(1), cx.input(2));
        let numbers = input.as_slice::<f32>()?;
        let given = min.as_slice::<f32>()?.iter().zip(max.as_slice::<f32>()?);
        let (output, ranges) = dispatch_quantized!(self.dtype, "QuantizeV2", T => {
            let mut conversions = CountedVec::with_capacity(count)?;
            let mut ranges = CountedVec::with_capacity(count)?;
            for (&min, &max) in given {
                let (conversion, range) = self.conversion::<T>(self.widened(Range { min, max })?);
                conversions.push(conversion)?;
                ranges.push(range)?;
            }
            let mut output = Tensor::new(self.dtype, input.shape().clone())?;
            let out = output
                .as_mut_slice::<T>()
                .ok_or_else(|| Status::internal("a new tensor is shared"))?;
            cx.parallel().for_chunks(out, inner, (1 << 13) / inner.max(1) + 1, |first, run| {
                for (i, out) in run.chunks_mut(inner.max(1)).enumerate() {
                    let unit = first + i;
                    let conversion = conversions[unit % count];
                    let numbers = &numbers[unit * inner..][..out.len()];
                    out.iter_mut().zip(numbers).for_each(|(o, &v)| *o = conversion.quantized(v));
                }
            });
            Ok((output, ranges))
        })?;
        let shape = if count == 1 { downpour_tensor::Shape::scalar() } else { min.shape().clone() };
        let ends = |end: fn(&Range) -> f32| {
            Tensor::from_vec(shape.clone(), ranges.iter().map(end).collect())
        };
        let (min, max) = (ends(|r| r.min)?, ends(|r| r.max)?);
        cx.set_output(0, output);
        cx.set_output(1, min);
        cx.set_output(2, max);
        Ok(())
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, cx.input(0).clone());
    if cx.node().int("axis")? == -1 {
        cx.set_output(1, PartialShape::scalar());
        cx.set_output(2, PartialShape::scalar());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{of_bytes, with_range};
    use downpour_runtime::testing::OpTest;

    fn test(dtype: DataType, mode: &'static str, values: &[f32]) -> OpTest {
        let test = OpTest::new(register, "QuantizeV2").attr("T", dtype).attr("mode", mode);
        test.input(Tensor::vector(values).unwrap())
    }

    #[test]
    fn each_mode_has_its_grid() {
        let values = [-1.0, 0.0, 0.5, 2.0, 300.0];
        for (mode, expected, max) in [
            ("MIN_COMBINED", [0, 0, 1, 2, 255], 255.0),
            ("MIN_FIRST", [0, 0, 1, 2, 255], 255.0),
            ("SCALED", [0, 0, 1, 2, 255], 255.0),
        ] {
            let out = with_range(test(DataType::QUInt8, mode, &values), 0.0, 255.0).run().unwrap();
            assert_eq!(of_bytes(&out[0]), expected, "{mode}");
            assert_eq!(out[2].to_scalar::<f32>().unwrap(), max);
        }
    }

    #[test]
    fn slices_have_ranges_of_their_own() {
        let out = OpTest::new(register, "QuantizeV2")
            .attr("T", DataType::QUInt8)
            .attr("mode", "SCALED")
            .attr("axis", 1i64)
            .input(Tensor::from_vec([2, 2], vec![255f32, 1.0, 100.0, 255.0]).unwrap())
            .input(Tensor::vector(&[0f32, 0.0]).unwrap())
            .input(Tensor::vector(&[255f32, 1.0]).unwrap())
            .run()
            .unwrap();
        assert_eq!(of_bytes(&out[0]), [255, 255, 100, 255]);
        assert_eq!(out[1].dims(), &[2]);
    }

    #[test]
    fn bad_arguments_are_refused() {
        let x = || test(DataType::QUInt8, "MIN_COMBINED", &[1.0]);
        assert!(with_range(x(), 2.0, 1.0).run().is_err());
        assert!(with_range(x(), 0.0, 1.0).attr("axis", -2i64).run().is_err());
        assert!(with_range(x(), 0.0, 1.0).attr("axis", 1i64).run().is_err());
        assert!(with_range(x(), 0.0, 1.0).attr("axis", 0i64).run().is_err());
        assert!(with_range(x(), 0.0, 1.0).attr("round_mode", "HALF_TO_EVEN").run().is_err());
        let empty = Tensor::vector::<f32>(&[]).unwrap();
        assert!(x().input(empty.clone()).input(empty).run().is_err());
    }
}
