//! Gradients of CropAndResize with respect to the image and to the boxes.

use downpour_graph::{OpSpec, PartialShape};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor, dispatch_over};

use super::crop::{Boxes, coordinate};
use super::scale::{from_double, to_float};
use crate::convolution::sizes_input;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "CropAndResizeGradImage(grads: float, boxes: float, box_ind: int32, image_size: int32) -> (output: T)
                T: {float, half, double}
                method: {'bilinear', 'nearest'} = 'bilinear'",
        )?
        .shape(|cx| {
            let shape = cx.shape_from_input(3)?;
            let known = PartialShape::of_rank(4);
            cx.set_output(0, shape.merge(&known).unwrap_or(known));
            Ok(())
        }),
        |build| {
            let nearest = build.string("method")? == "nearest";
            Ok(KernelBox::new(ImageGradient { nearest, dtype: build.dtype("T")? }))
        },
    )?;
    registry.add(
        OpSpec::new(
            "CropAndResizeGradBoxes(grads: float, image: T, boxes: float, box_ind: int32) -> (output: float)
                T: {uint8, uint16, int8, int16, int32, int64, half, float, double}
                method: {'bilinear'} = 'bilinear'",
        )?
        .shape(|cx| {
            cx.set_output(0, cx.input(2).clone());
            Ok(())
        })
        .tolerance(1e-5),
        |_| Ok(KernelBox::function(boxes_gradient)),
    )
}

/// Where each sample of each crop lies, with its position in `grads`.
fn for_samples(
    boxes: &Boxes<'_>,
    image: [usize; 2],
    crop: [usize; 2],
    mut f: impl FnMut(usize, [usize; 2], [f32; 2]),
) {
    for b in 0..boxes.len() {
        let [y1, x1, y2, x2] = std::array::from_fn(|k| boxes.boxes[b * 4 + k]);
        for y in 0..crop[0] {
            let Some(at_y) = coordinate(y1, y2, image[0], crop[0], y) else { continue };
            for x in 0..crop[1] {
                if let Some(at_x) = coordinate(x1, x2, image[1], crop[1], x) {
                    f(b, [y, x], [at_y, at_x]);
                }
            }
        }
    }
}

/// The crops' sizes: `grads` must be `[boxes, rows, columns, depth]`.
fn crop_sizes(cx: &OpContext<'_>, boxes: usize) -> Result<([usize; 2], usize)> {
    let grads = cx.input(0);
    let &[count, rows, columns, depth] = grads.dims() else {
        return Err(cx.bad_input(0, format!("grads image must be 4-D, got {}", grads.shape())));
    };
    if rows == 0 || columns == 0 {
        return Err(cx.bad_input(0, "grads dimensions must be positive"));
    }
    if count != boxes {
        return Err(cx.bad_input(0, "boxes and grads have incompatible shape"));
    }
    Ok(([rows, columns], depth))
}

struct ImageGradient {
    nearest: bool,
    dtype: DataType,
}

impl Kernel for ImageGradient {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let operation = "CropAndResizeGradImage";
        let shape = sizes_input(operation, "image_size", cx.input(3))?;
        if shape.rank() != 4 {
            return Err(cx.bad_input(3, "image_size must have 4 elements"));
        }
        let [height, width] = [shape[1], shape[2]];
        if height == 0 || width == 0 {
            return Err(cx.bad_input(3, "image dimensions must be positive"));
        }
        let boxes = Boxes::of(operation, cx.input(1), cx.input(2), shape[0])?;
        let (crop, depth) = crop_sizes(cx, boxes.len())?;
        if depth != shape[3] {
            return Err(cx.bad_input(3, "image_size and grads are incompatible"));
        }
        let grads = cx.input(0).as_slice::<f32>()?;
        let mut sums = Tensor::zeros(DataType::Double, &shape)?;
        let out = sums.as_mut_slice::<f64>().expect("a new tensor has one owner");
        for_samples(&boxes, [height, width], crop, |b, [y, x], [at_y, at_x]| {
            let dy = &grads[((b * crop[0] + y) * crop[1] + x) * depth..][..depth];
            let base = boxes.images[b] as usize * height;
            let mut add = |y: f32, x: f32, weight: f32| {
                let at = ((base + y as usize) * width + x as usize) * depth;
                for (o, g) in out[at..at + depth].iter_mut().zip(dy) {
                    *o += (g * weight) as f64;
                }
            };
            if self.nearest {
                add(at_y.round(), at_x.round(), 1.0);
                return;
            }
            let (top, left) = (at_y.floor(), at_x.floor());
            let (weight_y, weight_x) = (at_y - top, at_x - left);
            add(top, left, (1.0 - weight_y) * (1.0 - weight_x));
            add(top, at_x.ceil(), (1.0 - weight_y) * weight_x);
            add(at_y.ceil(), left, weight_y * (1.0 - weight_x));
            add(at_y.ceil(), at_x.ceil(), weight_y * weight_x);
        });
        let sums = sums.as_slice::<f64>()?;
        let output = dispatch_over!(self.dtype, operation, T => from_double::<T>(sums, &shape),
            Float: f32, Double: f64, Half: downpour_tensor::f16)?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn boxes_gradient(cx: &mut OpContext<'_>) -> Result<()> {
    let operation = "CropAndResizeGradBoxes";
    let image = cx.input(1);
    let &[batch, height, width, channels] = image.dims() else {
        return Err(cx.bad_input(1, format!("input image must be 4-D, got {}", image.shape())));
    };
    if height == 0 || width == 0 {
        return Err(cx.bad_input(1, "image dimensions must be positive"));
    }
    let boxes = Boxes::of(operation, cx.input(2), cx.input(3), batch)?;
    let (crop, depth) = crop_sizes(cx, boxes.len())?;
    if depth != channels {
        return Err(Status::invalid_argument(format!("{operation}: image, grads depth differ")));
    }
    let pixels = to_float(operation, image)?;
    let (pixels, grads) = (pixels.as_slice::<f32>()?, cx.input(0).as_slice::<f32>()?);
    let mut output = Tensor::zeros(DataType::Float, [boxes.len(), 4])?;
    let out = output.as_mut_slice::<f32>().expect("a new tensor has one owner");
    let last = [(height - 1) as f32, (width - 1) as f32];
    // How far a coordinate moves when the box's near and far edge move.
    let shares = |axis: usize, i: usize| {
        if crop[axis] > 1 {
            let far = i as f32 * (last[axis] / (crop[axis] - 1) as f32);
            (last[axis] - far, far)
        } else {
            (0.5 * last[axis], 0.5 * last[axis])
        }
    };
    for_samples(&boxes, [height, width], crop, |b, [y, x], [at_y, at_x]| {
        let dy = &grads[((b * crop[0] + y) * crop[1] + x) * depth..][..depth];
        let base = boxes.images[b] as usize * height;
        let pixel =
            |y: f32, x: f32| &pixels[((base + y as usize) * width + x as usize) * depth..][..depth];
        let (top, left, bottom, right) = (at_y.floor(), at_x.floor(), at_y.ceil(), at_x.ceil());
        let (weight_y, weight_x) = (at_y - top, at_x - left);
        let corners =
            [pixel(top, left), pixel(top, right), pixel(bottom, left), pixel(bottom, right)];
        let (near_y, far_y) = shares(0, y);
        let (near_x, far_x) = shares(1, x);
        for (c, g) in dy.iter().enumerate() {
            let [tl, tr, bl, br] = corners.map(|p| p[c]);
            let slope_y = ((1.0 - weight_x) * (bl - tl) + weight_x * (br - tr)) * g;
            let slope_x = ((1.0 - weight_y) * (tr - tl) + weight_y * (br - bl)) * g;
            out[b * 4] += slope_y * near_y;
            out[b * 4 + 1] += slope_x * near_x;
            out[b * 4 + 2] += slope_y * far_y;
            out[b * 4 + 3] += slope_x * far_x;
        }
    });
    cx.set_output(0, output);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn gradients_of_one_sample() {
        let boxes = Tensor::from_vec([1, 4], vec![0f32, 0.0, 1.0, 1.0]).unwrap();
        let grads = Tensor::from_vec([1, 1, 1, 1], vec![4f32]).unwrap();
        let dx = OpTest::new(register, "CropAndResizeGradImage")
            .input(grads.clone())
            .input(boxes.clone())
            .input(Tensor::vector(&[0i32]).unwrap())
            .input(Tensor::vector(&[1i32, 2, 2, 1]).unwrap())
            .attr("T", DataType::Double)
            .run_one()
            .unwrap();
        assert_eq!(dx.as_slice::<f64>().unwrap(), &[1.0; 4]);
        let db = OpTest::new(register, "CropAndResizeGradBoxes")
            .input(grads)
            .input(Tensor::from_vec([1, 2, 2, 1], vec![1f32, 2.0, 3.0, 4.0]).unwrap())
            .input(boxes)
            .input(Tensor::vector(&[0i32]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(db.as_slice::<f32>().unwrap(), &[4.0, 2.0, 4.0, 2.0]);
    }
}
