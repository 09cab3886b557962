//! QuantizeAndDequantize, versions 1 to 4.

use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext, OpSpec, ShapeContext, shapes};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Element, Result, Shape, Status, Tensor, dispatch_over};
use num_traits::Float;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let types = "T: {bfloat16, half, float, double}";
    registry.add(
        OpSpec::new(&format!(
            "QuantizeAndDequantize(input: T) -> (output: T)
                signed_input: bool = true
                num_bits: int = 8
                range_given: bool = false
                input_min: float = 0.0
                input_max: float = 0.0
                {types}"
        ))?
        .shape(shapes::unchanged)
        .gradient(straight_through),
        |build| {
            let range = [build.float("input_min")?, build.float("input_max")?];
            if build.bool("range_given")? && range[0] > range[1] {
                return Err(Status::invalid_argument(format!(
                    "Invalid range: input_min {} > input_max {}",
                    range[0], range[1]
                )));
            }
            Ok(KernelBox::new(Quantize { fixed_range: Some(range), ..Quantize::of(build)? }))
        },
    )?;
    for name in ["QuantizeAndDequantizeV2", "QuantizeAndDequantizeV4"] {
        let spec = OpSpec::new(&format!(
            "{name}(input: T, input_min: T, input_max: T) -> (output: T)
                signed_input: bool = true
                num_bits: int = 8
                range_given: bool = false
                {types}
                round_mode: {{'HALF_TO_EVEN', 'HALF_UP'}} = 'HALF_TO_EVEN'
                narrow_range: bool = false
                axis: int = -1"
        ))?
        .shape(infer)
        .gradient(if name.ends_with("V4") { clipped } else { straight_through });
        registry.add(spec, |build| Ok(KernelBox::new(Quantize::of(build)?)))?;
    }
    registry.add(
        OpSpec::new(&format!(
            "QuantizeAndDequantizeV3(input: T, input_min: T, input_max: T, num_bits: int32) -> (output: T)
                signed_input: bool = true
                range_given: bool = true
                {types}
                narrow_range: bool = false
                axis: int = -1"
        ))?
        .shape(infer)
        .gradient(straight_through),
        |build| Ok(KernelBox::new(Quantize::of(build)?)),
    )?;
    registry.add(
        OpSpec::new(&format!(
            "QuantizeAndDequantizeV4Grad(gradients: T, input: T, input_min: T, input_max: T) -> (input_backprop: T, input_min_backprop: T, input_max_backprop: T)
                {types}
                axis: int = -1"
        ))?
        .shape(infer_gradient),
        |build| Ok(KernelBox::new(QuantizeGradient { axis: build.int("axis")? })),
    )
}

struct Quantize {
    signed: bool,
    /// Absent where it is an input.
    bits: Option<i64>,
    range_given: bool,
    /// The range of the version that takes it as attributes.
    fixed_range: Option<[f32; 2]>,
    half_up: bool,
    narrow: bool,
    axis: i64,
}

impl Quantize {
    fn of(build: &KernelBuild<'_>) -> Result<Quantize> {
        let has = |name: &str| build.get(name).is_some();
        let kernel = Quantize {
            signed: build.bool("signed_input")?,
            bits: if has("num_bits") { Some(build.int("num_bits")?) } else { None },
            range_given: build.bool("range_given")?,
            fixed_range: None,
            half_up: has("round_mode") && build.string("round_mode")? == "HALF_UP",
            narrow: has("narrow_range") && build.bool("narrow_range")?,
            axis: if has("axis") { build.int("axis")? } else { -1 },
        };
        if let Some(bits) = kernel.bits {
            kernel.check_bits(bits)?;
        }
        Ok(kernel)
    }

    fn check_bits(&self, bits: i64) -> Result<()> {
        if bits <= 0 || bits >= if self.signed { 62 } else { 63 } {
            return Err(Status::invalid_argument(format!(
                "num_bits is out of range: {bits} with signed_input_ {}",
                self.signed
            )));
        }
        Ok(())
    }
}

/// The channel axis, if there is one, as (outer, channels, inner) sizes.
fn channels(shape: &Shape, axis: i64) -> Result<[usize; 3]> {
    if axis == -1 {
        return Ok([1, 1, shape.elements()]);
    }
    let Ok(at) = usize::try_from(axis) else {
        return Err(Status::invalid_argument(format!("Axis must be at least -1. Found {axis}")));
    };
    if at >= shape.rank() {
        return Err(Status::invalid_argument(format!(
            "Shape must be at least rank {} but is rank {}",
            at.saturating_add(1),
            shape.rank()
        )));
    }
    Ok([shape[..at].iter().product(), shape[at], shape[at + 1..].iter().product()])
}

/// Checks that a bound has one value, or one per channel.
fn check_bound(name: &str, bound: &Tensor, axis: i64, depth: usize) -> Result<()> {
    if axis == -1 {
        if bound.rank() != 0 {
            return Err(Status::invalid_argument(format!("{name} must be a scalar.")));
        }
    } else if bound.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "Shape must be rank 1 for {name}_tensor when the axis is specified"
        )));
    } else if bound.len() != depth {
        return Err(Status::invalid_argument(format!(
            "{name}_tensor has incorrect size, was {} expected {depth} to match dim {axis} of the \
             input",
            bound.len()
        )));
    }
    Ok(())
}

impl Kernel for Quantize {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let bits = match self.bits {
            Some(bits) => bits,
            None => {
                let bits = cx.input(3);
                if bits.rank() != 0 {
                    return Err(Status::invalid_argument(format!(
                        "Invalid shape. The `num_bits` tensor should be a scalar. Got dimensions: {}",
                        bits.rank()
                    )));
                }
                let bits = bits.to_i64_scalar()?;
                self.check_bits(bits)?;
                bits
            }
        };
        let sizes = channels(cx.input(0).shape(), self.axis)?;
        if self.range_given && self.fixed_range.is_none() {
            check_bound("input_min", cx.input(1), self.axis, sizes[1])?;
            check_bound("input_max", cx.input(2), self.axis, sizes[1])?;
        }
        let input = cx.take(0);
        let output = dispatch_over!(input.dtype(), cx.node().op_name(), T => {
            let mut ranges = Vec::with_capacity(sizes[1]);
            if let (true, Some([low, high])) = (self.range_given, self.fixed_range) {
                ranges.push((low as T, high as T));
            } else if self.range_given {
                let (low, high) = (cx.input(1).as_slice::<T>()?, cx.input(2).as_slice::<T>()?);
                ranges.extend(low.iter().copied().zip(high.iter().copied()));
                if let (-1, Some((low, high))) = (self.axis, ranges.iter().find(|r| r.0 > r.1)) {
                    return Err(Status::invalid_argument(format!(
                        "Invalid range: input_min {low} > input_max {high}"
                    )));
                }
            }
            self.quantize::<T>(input, sizes, bits, ranges)
        }, Float: f32, Double: f64)?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// What rounding in one channel takes.
struct Scale<T> {
    low: T,
    high: T,
    scale: T,
    inverse: T,
}

impl Quantize {
    fn quantize<T: Float + Element>(
        &self,
        input: Tensor,
        [outer, depth, inner]: [usize; 3],
        bits: i64,
        mut ranges: Vec<(T, T)>,
    ) -> Result<Tensor> {
        if input.is_empty() {
            return Ok(input);
        }
        let mut output = input.into_unique()?;
        let values = output
            .as_mut_slice::<T>()
            .ok_or_else(|| Status::internal("a tensor made unique is shared"))?;
        if !self.range_given {
            ranges = vec![(T::max_value(), T::min_value()); depth];
            for (i, run) in values.chunks_exact(inner).enumerate() {
                let range = &mut ranges[i % depth];
                for &v in run {
                    *range = (range.0.min(v), range.1.max(v));
                }
            }
        }
        let scales: Vec<Scale<T>> =
            ranges.into_iter().map(|(low, high)| self.scale(bits, low, high)).collect();
        let half = T::from(0.5).unwrap_or_else(T::one);
        for i in 0..outer * depth {
            let Scale { low, high, scale, inverse } = scales[i % depth];
            for v in &mut values[i * inner..(i + 1) * inner] {
                let clamped = if self.range_given { v.min(high).max(low) } else { *v };
                let scaled = clamped * scale;
                let rounded = if self.half_up { (scaled + half).floor() } else { to_even(scaled) };
                *v = rounded * inverse;
            }
        }
        Ok(output)
    }

    /// The largest factor that keeps the range inside the integers and zero at zero.
    fn scale<T: Float>(&self, bits: i64, mut low: T, mut high: T) -> Scale<T> {
        let (least, most) = if self.signed {
            let half = 1i64 << (bits - 1);
            (if self.narrow { 1 - half } else { -half }, half - 1)
        } else {
            (0, (1i64 << bits) - 1)
        };
        let number = |v: i64| T::from(v).unwrap_or_else(T::zero);
        let (least, most) = (number(least), number(most));
        let limit = |bound: T, value: T| {
            if bound * value > T::zero() { bound / value } else { T::max_value() }
        };
        let (from_low, from_high) = (limit(least, low), limit(most, high));
        let (scale, inverse);
        if from_low < from_high {
            scale = from_low;
            inverse = low / least;
            high = most * inverse;
        } else {
            scale = from_high;
            inverse = high / most;
            low = least * inverse;
        }
        Scale { low, high, scale, inverse }
    }
}

/// Rounds halves to the even neighbour.
fn to_even<T: Float>(v: T) -> T {
    let two = T::one() + T::one();
    let rounded = v.round();
    // `round` takes halves away from zero; an odd result one half away has an even neighbour.
    if (rounded - v).abs() * two == T::one() && (rounded % two) != T::zero() {
        rounded - v.signum()
    } else {
        rounded
    }
}

struct QuantizeGradient {
    axis: i64,
}

impl Kernel for QuantizeGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (grad, input) = (cx.input(0), cx.input(1));
        if grad.shape() != input.shape() {
            return Err(Status::invalid_argument("gradient and input must be the same size"));
        }
        let [_, depth, inner] = channels(input.shape(), self.axis)?;
        for (i, name) in [(2, "input_min"), (3, "input_max")] {
            check_bound(name, cx.input(i), self.axis, depth)?;
        }
        let dtype = input.dtype();
        let output = dispatch_over!(dtype, "QuantizeAndDequantizeV4Grad", T => {
            let (low, high) = (cx.input(2).as_slice::<T>()?, cx.input(3).as_slice::<T>()?);
            let (grad, values) = (grad.as_slice::<T>()?, input.as_slice::<T>()?);
            Tensor::build(input.shape(), |out: &mut [T]| {
                for (i, o) in out.iter_mut().enumerate() {
                    let channel = i / inner.max(1) % depth;
                    let inside = values[i] >= low[channel] && values[i] <= high[channel];
                    *o = if inside { grad[i] } else { grad[i] * 0.0 };
                }
            })
        }, Float: f32, Double: f64)?;
        let bounds = cx.input(2).shape().clone();
        cx.set_output(0, output);
        cx.set_output(1, Tensor::zeros(dtype, &bounds)?);
        cx.set_output(2, Tensor::zeros(dtype, &bounds)?);
        Ok(())
    }
}

fn check_axis(cx: &ShapeContext<'_>) -> Result<i64> {
    let axis = cx.node().int("axis")?;
    if axis < -1 {
        return Err(Status::invalid_argument(format!("axis should be at least -1, got {axis}")));
    }
    if axis >= i32::MAX as i64 {
        return Err(Status::invalid_argument(format!(
            "Axis cannot be >= kint32max value, got {axis}"
        )));
    }
    Ok(axis)
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let axis = check_axis(cx)?;
    if axis >= 0 {
        cx.with_rank_at_least(0, axis as usize + 1)?;
    }
    shapes::unchanged(cx)
}

fn infer_gradient(cx: &mut ShapeContext<'_>) -> Result<()> {
    check_axis(cx)?;
    let input = cx.merge(cx.input(0), cx.input(1))?;
    let bound = cx.merge(cx.input(2), cx.input(3))?;
    cx.set_output(0, input);
    cx.set_output(1, bound.clone());
    cx.set_output(2, bound);
    Ok(())
}

fn straight_through(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let mut grads = vec![Gradient::None; cx.inputs_len()];
    grads[0] = Gradient::Dense(cx.grad(0)?);
    Ok(grads)
}

fn clipped(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let attrs = Attrs::new().with("axis", cx.node().int("axis")?);
    let inputs = [grad, cx.input(0), cx.input(1), cx.input(2)];
    let node = cx.node_with("QuantizeAndDequantizeV4Grad", &inputs, attrs)?;
    Ok((0..3).map(|port| Gradient::Dense(Endpoint { node, port })).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn v2(x: Tensor, given: bool, low: f32, high: f32) -> OpTest {
        OpTest::new(register, "QuantizeAndDequantizeV2")
            .attr("range_given", given)
            .input(x)
            .input(Tensor::scalar(low))
            .input(Tensor::scalar(high))
    }

    #[test]
    fn values_are_rounded_to_the_grid() {
        let x = Tensor::vector(&[-1.0f32, -0.5, 0.0, 0.3]).unwrap();
        let y = v2(x, false, 0.0, 0.0).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[-1.0, -0.5, 0.0, 38.0 / 128.0]);
        let x = Tensor::vector(&[-2.0f32, 0.5, 2.0]).unwrap();
        let y = v2(x, true, -1.0, 1.0).run_one().unwrap();
        let y = y.as_slice::<f32>().unwrap();
        assert!((y[0] + 128.0 / 127.0).abs() < 1e-6 || (y[0] + 1.0).abs() < 1e-6);
        assert!((y[2] - 1.0).abs() < 0.01);
    }

    #[test]
    fn each_channel_has_its_scale() {
        let x = Tensor::from_vec([2, 2], vec![-1.0f32, 0.3, -2.0, 0.6]).unwrap();
        let bounds = Tensor::vector(&[0f32, 0.0]).unwrap();
        let y = OpTest::new(register, "QuantizeAndDequantizeV4")
            .attr("axis", 0i64)
            .input(x)
            .input(bounds.clone())
            .input(bounds)
            .run_one()
            .unwrap();
        let expected = [-1.0, 38.0 / 128.0, -2.0, 76.0 / 128.0];
        assert_eq!(y.as_slice::<f32>().unwrap(), &expected);
    }

    #[test]
    fn bad_arguments_are_refused() {
        let x = || Tensor::vector(&[1.0f32]).unwrap();
        assert!(v2(x(), true, 1.0, 0.0).run().is_err());
        let status = v2(x(), false, 0.0, 0.0).attr("axis", 10i64).run().unwrap_err();
        assert!(status.message().contains("Shape must be at least rank 11 but is rank 1"));
        assert!(v2(x(), false, 0.0, 0.0).attr("axis", -2i64).run().is_err());
        assert!(v2(x(), false, 0.0, 0.0).attr("num_bits", 63i64).run().is_err());
        assert!(v2(x(), false, 0.0, 0.0).attr("num_bits", 0i64).run().is_err());
    }

    #[test]
    fn gradients_stop_outside_the_range() {
        let y = OpTest::new(register, "QuantizeAndDequantizeV4Grad")
            .input(Tensor::vector(&[1.0f32, 2.0, 3.0]).unwrap())
            .input(Tensor::vector(&[-2.0f32, 0.0, 2.0]).unwrap())
            .input(Tensor::scalar(-1.0f32))
            .input(Tensor::scalar(2.0f32))
            .run()
            .unwrap();
        assert_eq!(y[0].as_slice::<f32>().unwrap(), &[0.0, 2.0, 3.0]);
    }

    #[test]
    fn halves_go_to_the_even_neighbour() {
        let cases = [(0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, 0.0), (-1.5, -2.0), (2.4, 2.0)];
        for (value, expected) in cases {
            assert_eq!(to_even(value), expected);
        }
    }
}
