//! RGBToHSV, HSVToRGB, AdjustHue and AdjustSaturation.

use downpour_graph::{OpSpec, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Parallel, Registry};
use downpour_tensor::{DataType, RealNumber, Result, Status, Tensor, unsupported_dtype};

use crate::convolution::{narrowed, widened};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let types = "T: {half, bfloat16, float, double} = float";
    let spec = OpSpec::new(&format!("RGBToHSV(images: T) -> (output: T)\n {types}"))?;
    registry.add(
        spec.shape(shape).gradient(super::color_gradient::rgb_to_hsv).tolerance(1e-5),
        |_| Ok(KernelBox::function(rgb_to_hsv)),
    )?;
    let spec = OpSpec::new(&format!("HSVToRGB(images: T) -> (output: T)\n {types}"))?;
    registry.add(spec.shape(shape).not_differentiable().tolerance(1e-5), |_| {
        Ok(KernelBox::function(hsv_to_rgb))
    })?;
    let spec = OpSpec::new(
        "AdjustHue(images: T, delta: float) -> (output: T)\n T: {half, float} = float",
    )?;
    registry.add(spec.shape(shape).tolerance(1e-5), |_| Ok(KernelBox::function(adjust_hue)))?;
    let spec = OpSpec::new(
        "AdjustSaturation(images: T, scale: float) -> (output: T)\n T: {half, float} = float",
    )?;
    registry.add(spec.shape(shape).tolerance(1e-5), |_| Ok(KernelBox::function(adjust_saturation)))
}

/// The input's shape, whose last axis holds three channels.
fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let images = cx.with_rank_at_least(0, 1)?;
    cx.set_output(0, images.clone());
    Ok(())
}

fn channels(cx: &OpContext<'_>, rank: usize) -> Result<()> {
    let images = cx.input(0);
    if images.rank() < rank {
        return Err(cx.bad_input(
            0,
            format!("input must be at least {rank}-D, got shape {}", images.shape()),
        ));
    }
    match images.dims().last() {
        Some(3) => Ok(()),
        other => {
            let message = format!(
                "{}: input must have 3 channels but input only has {} channels.",
                cx.node().op_name(),
                other.copied().unwrap_or(0)
            );
            // TensorFlow gives the two groups of operations different codes.
            Err(if rank == 1 {
                Status::failed_precondition(message)
            } else {
                Status::invalid_argument(message)
            })
        }
    }
}

/// `f` of every pixel.
fn map_pixels<T: RealNumber>(
    images: &Tensor,
    parallel: &Parallel,
    f: impl Fn([T; 3]) -> [T; 3] + Sync,
) -> Result<Tensor> {
    let from = images.as_slice::<T>()?;
    Tensor::build(images.shape(), |out: &mut [T]| {
        parallel.for_chunks(out, 3, 4096, |first, run| {
            for (i, to) in run.chunks_exact_mut(3).enumerate() {
                let at = (first + i) * 3;
                to.copy_from_slice(&f([from[at], from[at + 1], from[at + 2]]));
            }
        });
    })
}

/// Pixels in double or float32, half types through float32.
fn map_any(
    cx: &OpContext<'_>,
    double: impl Fn([f64; 3]) -> [f64; 3] + Sync,
    single: impl Fn([f32; 3]) -> [f32; 3] + Sync,
) -> Result<Tensor> {
    let images = cx.input(0);
    match images.dtype() {
        DataType::Double => map_pixels(images, cx.parallel(), double),
        DataType::Float => map_pixels(images, cx.parallel(), single),
        dtype @ (DataType::Half | DataType::BFloat16) => {
            narrowed(&map_pixels(&widened(images)?, cx.parallel(), single)?, dtype)
        }
        other => Err(unsupported_dtype(cx.node().op_name(), other)),
    }
}

macro_rules! color_functions {
    ($float:ident, $to_hsv:ident, $to_rgb:ident) => {
        fn $to_hsv([r, g, b]: [$float; 3]) -> [$float; 3] {
            let value = r.max(g).max(b);
            let range = value - r.min(g).min(b);
            let saturation = if value > 0.0 { range / value } else { 0.0 };
            let norm = (1.0 / range) * (1.0 / 6.0);
            let hue = if r == value {
                norm * (g - b)
            } else if g == value {
                norm * (b - r) + 2.0 / 6.0
            } else {
                norm * (r - g) + 4.0 / 6.0
            };
            let hue = if range > 0.0 { hue } else { 0.0 };
            [if hue < 0.0 { hue + 1.0 } else { hue }, saturation, value]
        }

        fn $to_rgb([h, s, v]: [$float; 3]) -> [$float; 3] {
            let sixth = h * 6.0;
            let red = ((sixth - 3.0).abs() - 1.0).clamp(0.0, 1.0);
            let green = (2.0 - (sixth - 2.0).abs()).clamp(0.0, 1.0);
            let blue = (2.0 - (sixth - 4.0).abs()).clamp(0.0, 1.0);
            [red, green, blue].map(|c| ((1.0 - s) + s * c) * v)
        }
    };
}
color_functions!(f32, to_hsv_f32, to_rgb_f32);
color_functions!(f64, to_hsv_f64, to_rgb_f64);

fn rgb_to_hsv(cx: &mut OpContext<'_>) -> Result<()> {
    channels(cx, 1)?;
    let output = map_any(cx, to_hsv_f64, to_hsv_f32)?;
    cx.set_output(0, output);
    Ok(())
}

fn hsv_to_rgb(cx: &mut OpContext<'_>) -> Result<()> {
    channels(cx, 1)?;
    let output = map_any(cx, to_rgb_f64, to_rgb_f32)?;
    cx.set_output(0, output);
    Ok(())
}

fn adjust_hue(cx: &mut OpContext<'_>) -> Result<()> {
    channels(cx, 3)?;
    let delta = cx.scalar_input(1)?.to_scalar::<f32>()? * 6.0;
    let output = map_any(cx, |pixel| pixel, |pixel| turned(pixel, delta))?;
    cx.set_output(0, output);
    Ok(())
}

/// A pixel with its hue, of which the circle has six, turned by `delta`.
fn turned([r, g, b]: [f32; 3], delta: f32) -> [f32; 3] {
    let low = r.min(g).min(b);
    let high = r.max(g).max(b);
    if high == low {
        return hue_to_rgb(wrapped(delta), low, high);
    }
    let middle = r.max(g).min(r.min(g).max(b));
    let ratio = (middle - low) / (high - low);
    // The sixth of the circle, by the order of the channels; odd ones run backwards.
    let sixth = match (r < g, b < r.min(g), b > r.max(g)) {
        (true, true, _) => 1,
        (true, _, true) => 3,
        (true, _, _) => 2,
        (false, true, _) => 0,
        (false, _, true) => 4,
        (false, _, _) => 5,
    };
    let hue = sixth as f32 + if sixth % 2 == 0 { ratio } else { 1.0 - ratio };
    hue_to_rgb(wrapped(hue + delta), low, high)
}

/// Brings a hue into `0..6`.
fn wrapped(hue: f32) -> f32 {
    let hue = hue.rem_euclid(6.0);
    // A tiny negative hue rounds up to the full circle.
    if hue >= 6.0 { 0.0 } else { hue }
}

fn hue_to_rgb(hue: f32, low: f32, high: f32) -> [f32; 3] {
    let sixth = hue as i32;
    let ratio = hue - sixth as f32;
    let ratio = if sixth % 2 == 0 { ratio } else { 1.0 - ratio };
    let middle = low + ratio * (high - low);
    match sixth {
        0 => [high, middle, low],
        1 => [middle, high, low],
        2 => [low, high, middle],
        3 => [low, middle, high],
        4 => [middle, low, high],
        _ => [high, low, middle],
    }
}

fn adjust_saturation(cx: &mut OpContext<'_>) -> Result<()> {
    channels(cx, 3)?;
    let scale = cx.scalar_input(1)?.to_scalar::<f32>()?;
    let single = |pixel: [f32; 3]| {
        let [h, s, v] = to_hsv_f32(pixel);
        #[expect(clippy::manual_clamp, reason = "a NaN becomes zero here, as in TensorFlow")]
        let s = f32::min(f32::max(s * scale, 0.0), 1.0);
        saturated(h, s, v)
    };
    let output = map_any(cx, |pixel| pixel, single)?;
    cx.set_output(0, output);
    Ok(())
}

/// The colour of hue, saturation and value, by chroma.
fn saturated(h: f32, s: f32, v: f32) -> [f32; 3] {
    let chroma = s * v;
    let rest = v - chroma;
    let sixth = h * 6.0;
    let x = chroma * (1.0 - (sixth.rem_euclid(2.0) - 1.0).abs());
    let color = match sixth as i32 {
        0 => [chroma, x, 0.0],
        1 => [x, chroma, 0.0],
        2 => [0.0, chroma, x],
        3 => [0.0, x, chroma],
        4 => [x, 0.0, chroma],
        5 => [chroma, 0.0, x],
        _ => [0.0; 3],
    };
    color.map(|c| c + rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use proptest::prelude::*;

    #[test]
    fn known_colors() {
        assert_eq!(to_hsv_f32([1.0, 0.0, 0.0]), [0.0, 1.0, 1.0]);
        assert_eq!(to_hsv_f32([0.5, 0.5, 0.5]), [0.0, 0.0, 0.5]);
        assert_eq!(to_hsv_f64([0.0, 0.0, 2.0]), [4.0 / 6.0, 1.0, 2.0]);
        assert_eq!(turned([1.0, 0.0, 0.0], 2.0), [0.0, 1.0, 0.0]);
        assert_eq!(turned([1.0, 0.0, 0.0], f32::INFINITY).len(), 3);
    }

    #[test]
    fn three_channels_are_needed() {
        let run = |op: &str, dims: &[usize]| {
            let count = dims.iter().product();
            let test =
                OpTest::new(register, op).input(Tensor::from_vec(dims, vec![1f32; count]).unwrap());
            if op.starts_with("Adjust") {
                test.input(Tensor::scalar(0.5f32)).run()
            } else {
                test.run()
            }
        };
        assert!(run("RGBToHSV", &[2, 3]).is_ok());
        assert!(run("RGBToHSV", &[2, 4]).is_err());
        assert!(run("AdjustHue", &[2, 2, 3]).is_ok());
        assert!(run("AdjustHue", &[2, 3]).is_err());
        assert!(run("AdjustSaturation", &[2, 2, 1]).is_err());
    }

    proptest! {
        #[test]
        fn there_and_back(r in 0f32..1.0, g in 0f32..1.0, b in 0f32..1.0) {
            let close = |p: [f32; 3]| {
                p.iter().zip([r, g, b]).all(|(a, b)| (a - b).abs() < 1e-4)
            };
            let hsv = to_hsv_f32([r, g, b]);
            prop_assert!(close(to_rgb_f32(hsv)));
            prop_assert!(close(saturated(hsv[0], hsv[1], hsv[2])));
            prop_assert!(close(turned([r, g, b], 0.0)));
            prop_assert!(close(turned([r, g, b], 6.0)));
        }
    }
}
