//! ResizeArea: each output pixel is the mean of the input area it covers.

use downpour_graph::OpSpec;
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Charge, CountedVec, DataType, Result, Tensor};

use super::scale::{Corners, Resize, resize_shape, tabulated, to_float};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ResizeArea(images: T, size: int32) -> (resized_images: float)
                T: {int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16}
                align_corners: bool = false",
        )?
        .shape(resize_shape)
        .tolerance(1e-5),
        |build| Ok(KernelBox::new(Area(Corners::of(build)?))),
    )
}

/// The input positions an output position covers, and how much of each.
fn coverage(from: usize, to: usize, scale: f32) -> Result<CountedVec<Vec<(usize, f32)>>> {
    let last = from as i64 - 1;
    tabulated(to, |i| {
        let (start, end) = (i as f32 * scale, (i + 1) as f32 * scale);
        (start.floor() as i64..end.ceil() as i64)
            .map(|p| {
                let (low, high) = (p as f32, (p + 1) as f32);
                let part = match (low < start, high > end) {
                    (true, true) => scale,
                    (true, false) => high - start,
                    (false, true) => end - low,
                    (false, false) => 1.0,
                };
                (p.clamp(0, last) as usize, part)
            })
            .collect()
    })
}

struct Area(Corners);

impl Kernel for Area {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let sizes = Resize::of(cx)?;
        if sizes.output().elements() == 0 {
            // The images are none, however large each of them is said to be.
            cx.set_output(0, Tensor::zeros(DataType::Float, sizes.output())?);
            return Ok(());
        }
        // Each input position lies in one or two output positions.
        let positions = (0..2).map(|a| sizes.from[a].saturating_add(2 * sizes.to[a]));
        let positions = positions.fold(0usize, usize::saturating_add);
        let _tables = Charge::new(positions.saturating_mul(size_of::<(usize, f32)>()))?;
        let images = to_float("ResizeArea", cx.input(0))?;
        let x = images.as_slice::<f32>()?;
        let scales: [f32; 2] = std::array::from_fn(|a| self.0.scale(sizes.from[a], sizes.to[a]));
        let rows = coverage(sizes.from[0], sizes.to[0], scales[0])?;
        let columns = coverage(sizes.from[1], sizes.to[1], scales[1])?;
        let mean = 1.0 / (scales[0] * scales[1]);
        let channels = sizes.channels;
        let (in_row, out_row) = (sizes.from[1] * channels, sizes.to[1] * channels);
        let parallel = cx.parallel();
        let output = Tensor::build(sizes.output(), |out: &mut [f32]| {
            parallel.for_chunks(out, out_row, sizes.grain(), |first, run| {
                for (i, to) in run.chunks_exact_mut(out_row).enumerate() {
                    let (n, y) = ((first + i) / sizes.to[0], (first + i) % sizes.to[0]);
                    let image = &x[n * sizes.input_image()..];
                    for (to, column) in to.chunks_exact_mut(channels).zip(columns.iter()) {
                        for (c, to) in to.iter_mut().enumerate() {
                            let mut sum = 0f32;
                            for &(row, weight) in &rows[y] {
                                let at = row * in_row + c;
                                let across: f32 =
                                    column.iter().map(|&(x, w)| image[at + x * channels] * w).sum();
                                sum += across * weight;
                            }
                            *to = sum * mean;
                        }
                    }
                }
            });
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn means_of_whole_and_partial_pixels() {
        let resize = |size: [i32; 2]| {
            OpTest::new(register, "ResizeArea")
                .input(Tensor::from_vec([1, 2, 3, 1], vec![0u8, 6, 12, 0, 6, 12]).unwrap())
                .input(Tensor::vector(&size).unwrap())
                .run_one()
                .unwrap()
        };
        assert_eq!(resize([1, 1]).as_slice::<f32>().unwrap(), &[6.0]);
        assert_eq!(resize([1, 2]).as_slice::<f32>().unwrap(), &[2.0, 10.0]);
    }

    #[test]
    fn no_image_however_large_is_no_image() {
        let images = Tensor::from_vec([0, 1 << 40, 4, 2], Vec::<f32>::new()).unwrap();
        let out = OpTest::new(register, "ResizeArea")
            .input(images)
            .input(Tensor::vector(&[3i32, 3]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(out.dims(), &[0, 3, 3, 2]);
    }
}
