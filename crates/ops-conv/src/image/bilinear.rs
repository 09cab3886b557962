//! ResizeBilinear and its gradient.

use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, Result, Tensor, dispatch_float};

use super::scale::{
    Corners, Resize, from_double, gradient_sizes, original_shape, resize_gradient, resize_shape,
    tabulated, to_float,
};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ResizeBilinear(images: T, size: int32) -> (resized_images: float)
                T: {int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double, bfloat16}
                align_corners: bool = false
                half_pixel_centers: bool = false",
        )?
        .shape(resize_shape)
        .gradient(|cx| resize_gradient(cx, "ResizeBilinearGrad")),
        |build| Ok(KernelBox::new(Bilinear(Corners::of(build)?))),
    )?;
    registry.add(
        OpSpec::new(
            "ResizeBilinearGrad(grads: float, original_image: T) -> (output: T)
                T: {float, bfloat16, half, double}
                align_corners: bool = false
                half_pixel_centers: bool = false",
        )?
        .shape(original_shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(BilinearGradient(Corners::of(build)?))),
    )
}

/// The two input positions around an output position.
struct Between {
    lower: usize,
    upper: usize,
    /// Distance from `lower`.
    weight: f32,
}

fn between(corners: Corners, from: usize, to: usize) -> Result<CountedVec<Between>> {
    let scale = corners.scale(from, to);
    let last = from as i64 - 1;
    tabulated(to, |i| {
        let at = corners.at(i, scale);
        let below = at.floor();
        Between {
            lower: (below as i64).clamp(0, last) as usize,
            upper: (at.ceil() as i64).clamp(0, last) as usize,
            weight: at - below,
        }
    })
}

struct Bilinear(Corners);

impl Kernel for Bilinear {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let sizes = Resize::of(cx)?;
        let images = to_float("ResizeBilinear", cx.input(0))?;
        let x = images.as_slice::<f32>()?;
        let rows = between(self.0, sizes.from[0], sizes.to[0])?;
        let columns = between(self.0, sizes.from[1], sizes.to[1])?;
        let channels = sizes.channels;
        let (in_row, out_row) = (sizes.from[1] * channels, sizes.to[1] * channels);
        let parallel = cx.parallel();
        let output = Tensor::build(sizes.output(), |out: &mut [f32]| {
            parallel.for_chunks(out, out_row, sizes.grain(), |first, run| {
                for (i, to) in run.chunks_exact_mut(out_row).enumerate() {
                    let (n, y) = ((first + i) / sizes.to[0], (first + i) % sizes.to[0]);
                    let image = &x[n * sizes.input_image()..];
                    let top = &image[rows[y].lower * in_row..][..in_row];
                    let bottom = &image[rows[y].upper * in_row..][..in_row];
                    for (to, column) in to.chunks_exact_mut(channels).zip(columns.iter()) {
                        let (left, right) = (column.lower * channels, column.upper * channels);
                        for (c, to) in to.iter_mut().enumerate() {
                            let mix = |row: &[f32]| {
                                row[left + c] + (row[right + c] - row[left + c]) * column.weight
                            };
                            let (top, bottom) = (mix(top), mix(bottom));
                            *to = top + (bottom - top) * rows[y].weight;
                        }
                    }
                }
            });
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

struct BilinearGradient(Corners);

impl Kernel for BilinearGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let sizes = gradient_sizes(cx)?;
        let grads = cx.input(0).as_slice::<f32>()?;
        let rows = between(self.0, sizes.from[0], sizes.to[0])?;
        let columns = between(self.0, sizes.from[1], sizes.to[1])?;
        let channels = sizes.channels;
        let shape = [sizes.batch, sizes.from[0], sizes.from[1], channels].into();
        let mut sums = Tensor::zeros(downpour_tensor::DataType::Double, &shape)?;
        let dx = sums.as_mut_slice::<f64>().expect("a new tensor has one owner");
        let (in_row, out_row) = (sizes.from[1] * channels, sizes.to[1] * channels);
        for (i, dy) in grads.chunks_exact(out_row.max(1)).enumerate() {
            let (n, y) = (i / sizes.to[0], i % sizes.to[0]);
            let image = &mut dx[n * sizes.input_image()..][..sizes.input_image()];
            let row = &rows[y];
            for (dy, column) in dy.chunks_exact(channels).zip(columns.iter()) {
                for (at, weight) in [(row.lower, 1.0 - row.weight), (row.upper, row.weight)] {
                    for (to, part) in
                        [(column.lower, 1.0 - column.weight), (column.upper, column.weight)]
                    {
                        let to = &mut image[at * in_row + to * channels..][..channels];
                        for (t, &g) in to.iter_mut().zip(dy) {
                            *t += (g * weight * part) as f64;
                        }
                    }
                }
            }
        }
        let sums = sums.as_slice::<f64>()?;
        let output = dispatch_float!(cx.input(1).dtype(), "ResizeBilinearGrad", T => {
            from_double::<T>(sums, &shape)
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn resize(values: &[u8], dims: [usize; 4], size: [i32; 2]) -> OpTest {
        OpTest::new(register, "ResizeBilinear")
            .input(Tensor::from_slice(dims, values).unwrap())
            .input(Tensor::vector(&size).unwrap())
    }

    #[test]
    fn legacy_and_half_pixel() {
        let y = resize(&[0, 10, 20, 30], [1, 2, 2, 1], [1, 4]).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[0.0, 5.0, 10.0, 10.0]);
        let y = resize(&[0, 10], [1, 1, 2, 1], [1, 4]).attr("half_pixel_centers", true);
        assert_eq!(y.run_one().unwrap().as_slice::<f32>().unwrap(), &[0.0, 2.5, 7.5, 10.0]);
        let y = resize(&[0, 10], [1, 1, 2, 1], [1, 3]).attr("align_corners", true);
        assert_eq!(y.run_one().unwrap().as_slice::<f32>().unwrap(), &[0.0, 5.0, 10.0]);
    }

    #[test]
    fn gradients_are_shared_and_bad_sizes_refused() {
        let dx = OpTest::new(register, "ResizeBilinearGrad")
            .input(Tensor::from_vec([1, 1, 4, 1], vec![1f32; 4]).unwrap())
            .input(Tensor::from_vec([1, 1, 2, 1], vec![0f64; 2]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(dx.as_slice::<f64>().unwrap(), &[1.5, 2.5]);
        for size in [[0, 1], [-1, 2], [i32::MAX, i32::MAX]] {
            assert!(resize(&[0, 10], [1, 1, 2, 1], size).run().is_err());
        }
        let both = resize(&[0, 10], [1, 1, 2, 1], [1, 1]);
        assert!(both.attr("align_corners", true).attr("half_pixel_centers", true).run().is_err());
    }
}
