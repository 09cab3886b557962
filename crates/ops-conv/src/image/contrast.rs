//! AdjustContrastv2: every channel of every image is moved away from its mean.

use downpour_graph::{OpSpec, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Tensor};

use crate::convolution::{narrowed, widened};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "AdjustContrastv2(images: T, contrast_factor: float) -> (output: T)
                T: {half, float} = float",
        )?
        .shape(shape)
        .tolerance(1e-5),
        |_| Ok(KernelBox::function(adjust)),
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let images = cx.with_rank_at_least(0, 3)?;
    cx.set_output(0, images.clone());
    Ok(())
}

fn adjust(cx: &mut OpContext<'_>) -> Result<()> {
    let images = cx.input(0);
    let rank = images.rank();
    if rank < 3 {
        let shape = images.shape();
        return Err(cx.bad_input(0, format!("input must be at least 3-D, got shape {shape}")));
    }
    if cx.input(1).rank() != 0 {
        return Err(cx.bad_input(1, format!("must be scalar: {}", cx.input(1).shape())));
    }
    let factor = cx.input(1).to_scalar::<f32>()?;
    let dtype = images.dtype();
    let (channels, image) = {
        let dims = images.dims();
        (dims[rank - 1], dims[rank - 3] * dims[rank - 2] * dims[rank - 1])
    };
    let wide = widened(images)?;
    let from = wide.as_slice::<f32>()?;
    let parallel = cx.parallel();
    let output = Tensor::build(wide.shape(), |out: &mut [f32]| {
        if out.is_empty() {
            return;
        }
        parallel.for_chunks(out, image, 20_000 / image + 1, |first, run| {
            // Means in double: a float32 sum over a large image would lose its low bits.
            let mut means = vec![0f64; channels];
            for (i, to) in run.chunks_exact_mut(image).enumerate() {
                let from = &from[(first + i) * image..(first + i + 1) * image];
                means.fill(0.0);
                for pixel in from.chunks_exact(channels) {
                    means.iter_mut().zip(pixel).for_each(|(m, &v)| *m += v as f64);
                }
                let pixels = (image / channels) as f64;
                for (to, pixel) in to.chunks_exact_mut(channels).zip(from.chunks_exact(channels)) {
                    for ((t, &v), &m) in to.iter_mut().zip(pixel).zip(&means) {
                        let mean = (m / pixels) as f32;
                        *t = (v - mean) * factor + mean;
                    }
                }
            }
        });
    })?;
    let output = if dtype == DataType::Half { narrowed(&output, dtype)? } else { output };
    cx.set_output(0, output);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn distances_from_the_mean_scale() {
        let run = |dims: &[usize], values: Vec<f32>| {
            OpTest::new(register, "AdjustContrastv2")
                .input(Tensor::from_vec(dims, values).unwrap())
                .input(Tensor::scalar(2f32))
                .run()
        };
        let out = run(&[1, 2, 1], vec![1.0, 3.0]).unwrap();
        assert_eq!(out[0].as_slice::<f32>().unwrap(), &[0.0, 4.0]);
        assert!(run(&[0, 2, 1], vec![]).is_ok());
        assert!(run(&[2, 1], vec![1.0, 3.0]).is_err());
    }
}
