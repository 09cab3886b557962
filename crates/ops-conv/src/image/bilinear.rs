//! ResizeBilinear and its gradient.

use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, OpContext, Parallel, Registry};
use downpour_tensor::{Charge, CountedVec, Result, Tensor, dispatch_float, dispatch_real};

use super::scale::{
    Corners, Resize, from_double, gradient_sizes, original_shape, resize_gradient, resize_shape,
    tabulated,
};
use super::stretched::{Between, Rows, Stretched, convert, mix};

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
        let images = cx.input(0);
        let output = dispatch_real!(images.dtype(), "ResizeBilinear", T => {
            let from = images.as_slice::<T>()?;
            let rows = Rows {
                floats: images.as_slice::<f32>().ok(),
                convert: &|start, to| convert(&from[start..], to),
                columns: sizes.from[1],
                channels: sizes.channels,
            };
            self.resize(&sizes, &rows, cx.parallel())
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

impl Bilinear {
    fn resize(&self, sizes: &Resize, from: &Rows<'_>, parallel: &Parallel) -> Result<Tensor> {
        let rows = between(self.0, sizes.from[0], sizes.to[0])?;
        let columns = between(self.0, sizes.from[1], sizes.to[1])?;
        let out_row = sizes.to[1] * sizes.channels;
        let bytes = Stretched::bytes(from, sizes.to[1]);
        let _scratch = Charge::new(bytes.saturating_mul(parallel.limit().max(1)))?;
        Tensor::build(sizes.output(), |out: &mut [f32]| {
            parallel.for_chunks(out, out_row, sizes.grain(), |first, run| {
                let mut stretched = Stretched::new(from, &columns);
                for (i, to) in run.chunks_exact_mut(out_row).enumerate() {
                    let (n, y) = ((first + i) / sizes.to[0], (first + i) % sizes.to[0]);
                    let around = [rows[y].lower, rows[y].upper].map(|row| n * sizes.from[0] + row);
                    let [lower, upper] = stretched.rows(around);
                    mix(&rows[y], lower, upper, to);
                }
            });
        })
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
    fn pixels_of_any_kind_are_mixed_across_and_then_down() {
        for channels in [1, 2, 3, 4, 5, 9] {
            let (from, to) = ([5, 7], [9usize, 4]);
            let values: Vec<i16> =
                (0..2 * 35 * channels as i64).map(|i| (i * 7919 % 30_011) as i16).collect();
            let ints = Tensor::from_slice([2, from[0], from[1], channels], &values).unwrap();
            let floats: Vec<f32> = values.iter().map(|&v| v as f32).collect();
            let corners = Corners { align: false, half_pixel: true };
            let scale = |axis: usize| corners.scale(from[axis], to[axis]);
            // A pixel from its coordinates in the output.
            let expected = |n: usize, y: usize, x: usize, c: usize| {
                let around = |i: usize, axis: usize| {
                    let at = corners.at(i, scale(axis));
                    let last = from[axis] as f32 - 1.0;
                    let [low, high] = [at.floor(), at.ceil()].map(|v| v.clamp(0.0, last) as usize);
                    (low, high, at - at.floor())
                };
                let ((top, bottom, down), (left, right, across)) = (around(y, 0), around(x, 1));
                let row = |row: usize| {
                    let at = |x: usize| floats[((n * from[0] + row) * from[1] + x) * channels + c];
                    at(left) + (at(right) - at(left)) * across
                };
                row(top) + (row(bottom) - row(top)) * down
            };
            let size = to.map(|size| size as i32);
            let same = Tensor::from_slice(ints.shape().clone(), &floats).unwrap();
            for images in [ints, same] {
                let out = OpTest::new(register, "ResizeBilinear")
                    .input(images)
                    .input(Tensor::vector(&size).unwrap())
                    .attr("half_pixel_centers", true)
                    .run_one()
                    .unwrap();
                for (i, &v) in out.as_slice::<f32>().unwrap().iter().enumerate() {
                    let (pixel, c) = (i / channels, i % channels);
                    let (line, x) = (pixel / to[1], pixel % to[1]);
                    assert_eq!(v, expected(line / to[0], line % to[0], x, c), "{channels}: {i}");
                }
            }
        }
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
