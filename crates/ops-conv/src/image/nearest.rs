//! ResizeNearestNeighbor and its gradient.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, RealNumber, Result, Shape, Status, Tensor, dispatch_over};

use super::scale::{Corners, Resize, resize_shape, tabulated};
use crate::gradients::picked;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ResizeNearestNeighbor(images: T, size: int32) -> (resized_images: T)
                T: {int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16}
                align_corners: bool = false
                half_pixel_centers: bool = false",
        )?
        .shape(resize_shape)
        .gradient(gradient),
        |build| {
            // Unlike its siblings this operation allows both ways of placing pixels at once.
            let align = build.bool("align_corners")?;
            let half_pixel = build.bool("half_pixel_centers")?;
            Ok(KernelBox::new(Nearest(Corners { align, half_pixel })))
        },
    )?;
    registry.add(
        OpSpec::new(
            "ResizeNearestNeighborGrad(grads: T, size: int32) -> (output: T)
                T: {uint8, int8, int32, half, float, double, bfloat16}
                align_corners: bool = false
                half_pixel_centers: bool = false",
        )?
        .shape(gradient_shape),
        |build| {
            let align = build.bool("align_corners")?;
            let half_pixel = build.bool("half_pixel_centers")?;
            Ok(KernelBox::new(NearestGradient(Corners { align, half_pixel })))
        },
    )
}

/// For each of `to` positions the nearest of `from`.
fn nearest(corners: Corners, from: usize, to: usize) -> Result<CountedVec<usize>> {
    let scale = corners.scale(from, to);
    tabulated(to, |i| {
        // The half pixel is not subtracted again: rounding down does it.
        let at = if corners.half_pixel { (i as f32 + 0.5) * scale } else { i as f32 * scale };
        let at = if corners.align { at.round() } else { at.floor() };
        (at as i64).clamp(0, from as i64 - 1) as usize
    })
}

struct Nearest(Corners);

impl Kernel for Nearest {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        if self.0.align && self.0.half_pixel {
            return Err(Status::invalid_argument(
                "If half_pixel_centers is True, align_corners must be False.",
            ));
        }
        let sizes = Resize::of(cx)?;
        if sizes.from.iter().any(|&s| s >= 1 << 24) {
            return Err(cx.bad_input(0, "nearest neighbor requires max height & width of 2^24"));
        }
        let images = cx.input(0);
        let rows = nearest(self.0, sizes.from[0], sizes.to[0])?;
        let columns = nearest(self.0, sizes.from[1], sizes.to[1])?;
        let pixel = sizes.channels * images.dtype().size();
        let Some(source) = images.bytes() else {
            return Err(cx.bad_input(0, "must be numbers"));
        };
        let mut output = Tensor::new(images.dtype(), sizes.output())?;
        let out = output.bytes_mut().expect("a new tensor has one owner");
        let (in_row, out_row) = (sizes.from[1] * pixel, sizes.to[1] * pixel);
        cx.parallel().for_chunks(out, out_row, sizes.grain(), |first, run| {
            for (i, to) in run.chunks_exact_mut(out_row).enumerate() {
                let (n, y) = ((first + i) / sizes.to[0], (first + i) % sizes.to[0]);
                let row = &source[(n * sizes.from[0] + rows[y]) * in_row..][..in_row];
                for (to, &x) in to.chunks_exact_mut(pixel).zip(columns.iter()) {
                    to.copy_from_slice(&row[x * pixel..(x + 1) * pixel]);
                }
            }
        });
        cx.set_output(0, output);
        Ok(())
    }
}

struct NearestGradient(Corners);

impl Kernel for NearestGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (grads, size) = (cx.input(0), cx.input(1));
        let &[batch, height, width, channels] = grads.dims() else {
            return Err(cx.bad_input(0, format!("must be 4-dimensional, got {}", grads.shape())));
        };
        let size = match (size.rank(), size.as_slice::<i32>()?) {
            (1, &[rows, columns]) if rows > 0 && columns > 0 => [rows as i64, columns as i64],
            _ => return Err(cx.bad_input(1, "shape_t must be two positive elements")),
        };
        if [batch, height, width].contains(&0) {
            return Err(cx.bad_input(0, "dimensions must be positive"));
        }
        let shape = Shape::from_i64(&[batch as i64, size[0], size[1], channels as i64])?;
        let rows = nearest(self.0, shape[1], height)?;
        let columns = nearest(self.0, shape[2], width)?;
        fn run<T: RealNumber>(
            grads: &Tensor,
            shape: &Shape,
            rows: &[usize],
            columns: &[usize],
        ) -> Result<Tensor> {
            let grads = grads.as_slice::<T>()?;
            let channels = shape[3];
            let mut output = Tensor::zeros(T::DTYPE, shape)?;
            let out = output.as_mut_slice::<T>().expect("a new tensor has one owner");
            for (i, dy) in grads.chunks_exact(channels.max(1)).enumerate() {
                let (y, x) = (i / columns.len(), i % columns.len());
                let (n, y) = (y / rows.len(), rows[y % rows.len()]);
                let at = ((n * shape[1] + y) * shape[2] + columns[x]) * channels;
                for (o, &g) in out[at..at + channels].iter_mut().zip(dy) {
                    *o = o.add_w(g);
                }
            }
            Ok(output)
        }
        let output = dispatch_over!(grads.dtype(), "ResizeNearestNeighborGrad", T => {
            run::<T>(grads, &shape, &rows, &columns)
        }, UInt8: u8, Int8: i8, Int32: i32, Half: downpour_tensor::f16,
            BFloat16: downpour_tensor::bf16, Float: f32, Double: f64)?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn gradient_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let grads = cx.with_rank(0, 4)?;
    let size = cx.shape_from_input(1)?;
    let dims = [grads.dim(0), size.dim(0), size.dim(1), grads.dim(3)];
    cx.set_output(0, PartialShape::of(dims));
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let attrs = picked(cx.node(), &["align_corners", "half_pixel_centers"]);
    let (images, grad) = (cx.input(0), cx.grad(0)?);
    let shape = cx.shape(images)?;
    let (begin, size) =
        (cx.constant(Tensor::vector(&[1i32])?)?, cx.constant(Tensor::vector(&[2i32])?)?);
    let size = cx.op("Slice", &[shape, begin, size])?;
    let dx = cx.op_with("ResizeNearestNeighborGrad", &[grad, size], attrs)?;
    Ok(vec![Gradient::Dense(dx), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn pixels_repeat_and_their_gradients_sum() {
        let y = OpTest::new(register, "ResizeNearestNeighbor")
            .input(Tensor::from_vec([1, 1, 2, 1], vec![3i16, 7]).unwrap())
            .input(Tensor::vector(&[2i32, 4]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<i16>().unwrap(), &[3, 3, 7, 7, 3, 3, 7, 7]);
        let dx = OpTest::new(register, "ResizeNearestNeighborGrad")
            .input(Tensor::from_vec([1, 1, 3, 1], vec![1f32, 2.0, 4.0]).unwrap())
            .input(Tensor::vector(&[1i32, 2]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(dx.as_slice::<f32>().unwrap(), &[3.0, 4.0]);
    }
}
