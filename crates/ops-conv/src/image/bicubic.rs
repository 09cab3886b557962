//! ResizeBicubic and its gradient.

use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, DataType, Result, Tensor, dispatch_over};

use super::scale::{
    Corners, Resize, from_double, gradient_sizes, original_shape, resize_gradient, resize_shape,
    tabulated, to_float,
};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ResizeBicubic(images: T, size: int32) -> (resized_images: float)
                T: {int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16}
                align_corners: bool = false
                half_pixel_centers: bool = false",
        )?
        .shape(resize_shape)
        .gradient(|cx| resize_gradient(cx, "ResizeBicubicGrad"))
        .tolerance(1e-5),
        |build| Ok(KernelBox::new(Bicubic(Corners::of(build)?))),
    )?;
    registry.add(
        OpSpec::new(
            "ResizeBicubicGrad(grads: float, original_image: T) -> (output: T)
                T: {float, double}
                align_corners: bool = false
                half_pixel_centers: bool = false",
        )?
        .shape(original_shape)
        .tolerance(1e-5),
        |build| Ok(KernelBox::new(BicubicGradient(Corners::of(build)?))),
    )
}

/// Steps in which TensorFlow tabulates the cubic.
const STEPS: f32 = 1024.0;

/// Four input positions and their weights.
struct Cubic {
    at: [usize; 4],
    weights: [f32; 4],
}

/// The cubic convolution kernel within one pixel and between one and two.
fn kernel(step: f32, a: f64) -> [f32; 2] {
    let x = (step / STEPS) as f64;
    let near = ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
    let x = x + 1.0;
    [near as f32, (((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a) as f32]
}

fn cubics(corners: Corners, from: usize, to: usize) -> Result<CountedVec<Cubic>> {
    let scale = corners.scale(from, to);
    let last = from as i64 - 1;
    // Half-pixel resizing uses Keys' cubic and ignores what lies outside; the legacy one repeats edges.
    let a = if corners.half_pixel { -0.5 } else { -0.75 };
    tabulated(to, |i| {
        let position = corners.at(i, scale);
        let below = position.floor();
        let step = ((position - below) * STEPS).round_ties_even();
        let (low, high) = (kernel(step, a), kernel(STEPS - step, a));
        let mut weights = [low[1], low[0], high[0], high[1]];
        let wanted: [i64; 4] = std::array::from_fn(|k| below as i64 - 1 + k as i64);
        let at = wanted.map(|w| w.clamp(0, last) as usize);
        if corners.half_pixel {
            for k in 0..4 {
                if at[k] as i64 != wanted[k] {
                    weights[k] = 0.0;
                }
            }
            let sum: f32 = weights.iter().sum();
            if sum.abs() >= 1000.0 * f32::MIN_POSITIVE {
                weights = weights.map(|w| w * (1.0 / sum));
            }
        }
        Cubic { at, weights }
    })
}

struct Bicubic(Corners);

impl Kernel for Bicubic {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let sizes = Resize::of(cx)?;
        let images = to_float("ResizeBicubic", cx.input(0))?;
        let x = images.as_slice::<f32>()?;
        let rows = cubics(self.0, sizes.from[0], sizes.to[0])?;
        let columns = cubics(self.0, sizes.from[1], sizes.to[1])?;
        let channels = sizes.channels;
        let (in_row, out_row) = (sizes.from[1] * channels, sizes.to[1] * channels);
        let parallel = cx.parallel();
        let output = Tensor::build(sizes.output(), |out: &mut [f32]| {
            parallel.for_chunks(out, out_row, sizes.grain(), |first, run| {
                let mut mixed = vec![0f32; in_row];
                for (i, to) in run.chunks_exact_mut(out_row).enumerate() {
                    let (n, y) = ((first + i) / sizes.to[0], (first + i) % sizes.to[0]);
                    let image = &x[n * sizes.input_image()..];
                    let row = &rows[y];
                    let source: [&[f32]; 4] = row.at.map(|at| &image[at * in_row..][..in_row]);
                    for (i, m) in mixed.iter_mut().enumerate() {
                        *m = (0..4).map(|k| source[k][i] * row.weights[k]).sum();
                    }
                    for (to, column) in to.chunks_exact_mut(channels).zip(columns.iter()) {
                        for (c, to) in to.iter_mut().enumerate() {
                            let at = |k: usize| mixed[column.at[k] * channels + c];
                            *to = (0..4).map(|k| at(k) * column.weights[k]).sum();
                        }
                    }
                }
            });
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

struct BicubicGradient(Corners);

impl Kernel for BicubicGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let sizes = gradient_sizes(cx)?;
        let grads = cx.input(0).as_slice::<f32>()?;
        let rows = cubics(self.0, sizes.from[0], sizes.to[0])?;
        let columns = cubics(self.0, sizes.from[1], sizes.to[1])?;
        let channels = sizes.channels;
        let shape = [sizes.batch, sizes.from[0], sizes.from[1], channels].into();
        let mut sums = Tensor::zeros(DataType::Double, &shape)?;
        let dx = sums.as_mut_slice::<f64>().expect("a new tensor has one owner");
        for (i, dy) in grads.chunks_exact(channels.max(1)).enumerate() {
            let (x, y) = (i % sizes.to[1], i / sizes.to[1] % sizes.to[0]);
            let n = i / (sizes.to[0] * sizes.to[1]);
            let image = &mut dx[n * sizes.input_image()..][..sizes.input_image()];
            for (&at_y, &weight_y) in rows[y].at.iter().zip(&rows[y].weights) {
                for (&at_x, &weight_x) in columns[x].at.iter().zip(&columns[x].weights) {
                    let at = (at_y * sizes.from[1] + at_x) * channels;
                    for (d, &g) in image[at..at + channels].iter_mut().zip(dy) {
                        *d += (g * weight_y * weight_x) as f64;
                    }
                }
            }
        }
        let sums = sums.as_slice::<f64>()?;
        let output = dispatch_over!(cx.input(1).dtype(), "ResizeBicubicGrad", T => {
            from_double::<T>(sums, &shape)
        }, Float: f32, Double: f64)?;
        cx.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn the_same_size_changes_nothing_and_constants_stay() {
        for half_pixel in [false, true] {
            let resize = |size: [i32; 2], values: Vec<f32>| {
                OpTest::new(register, "ResizeBicubic")
                    .input(Tensor::from_vec([1, 2, 3, 1], values).unwrap())
                    .input(Tensor::vector(&size).unwrap())
                    .attr("half_pixel_centers", half_pixel)
                    .run_one()
                    .unwrap()
            };
            let values: Vec<f32> = (0..6).map(|v| v as f32).collect();
            assert_eq!(resize([2, 3], values.clone()).as_slice::<f32>().unwrap(), &values[..]);
            let wide = resize([5, 7], vec![2.0; 6]);
            assert!(wide.as_slice::<f32>().unwrap().iter().all(|v| (v - 2.0).abs() < 1e-5));
        }
    }
}
