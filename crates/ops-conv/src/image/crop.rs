//! CropAndResize: boxes of images, resized to one size.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use super::scale::to_float;
use crate::gradients::picked;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "CropAndResize(image: T, boxes: float, box_ind: int32, crop_size: int32) -> (crops: float)
                T: {uint8, uint16, int8, int16, int32, int64, half, float, double}
                method: {'bilinear', 'nearest'} = 'bilinear'
                extrapolation_value: float = 0.0",
        )?
        .shape(shape)
        .gradient(gradient),
        |build| {
            Ok(KernelBox::new(Crop {
                nearest: build.string("method")? == "nearest",
                outside: build.float("extrapolation_value")?,
            }))
        },
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (image, boxes) = (cx.with_rank(0, 4)?, cx.with_rank(1, 2)?);
    let indices = cx.with_rank(2, 1)?;
    let size = cx.shape_from_input(3)?;
    let count = cx.merge_dim(boxes.dim(0), indices.dim(0))?;
    cx.set_output(0, PartialShape::of([count, size.dim(0), size.dim(1), image.dim(3)]));
    Ok(())
}

/// Boxes as they come: `[count, 4]` in fractions of the image, and the image each is cut from.
pub(super) struct Boxes<'a> {
    pub boxes: &'a [f32],
    pub images: &'a [i32],
}

impl<'a> Boxes<'a> {
    /// Checks shapes, and that every box names one of `batch` images.
    pub fn of(
        operation: &str,
        boxes: &'a Tensor,
        indices: &'a Tensor,
        batch: usize,
    ) -> Result<Boxes<'a>> {
        let invalid = |what: String| Status::invalid_argument(format!("{operation}: {what}"));
        if !(boxes.is_empty() && indices.is_empty()) {
            if boxes.rank() != 2 {
                return Err(invalid(format!("boxes must be 2-D, got: {}", boxes.shape())));
            }
            if boxes.dims()[1] != 4 {
                return Err(invalid("boxes must have 4 columns".into()));
            }
            if indices.rank() != 1 {
                return Err(invalid(format!("box_index must be 1-D, got {}", indices.shape())));
            }
            if indices.len() != boxes.dims()[0] {
                return Err(invalid("box_index has incompatible shape".into()));
            }
        }
        let images = indices.as_slice::<i32>()?;
        if images.iter().any(|&i| i < 0 || i as usize >= batch) {
            return Err(Status::out_of_range(format!(
                "{operation}: box_index has values outside [0, batch_size)"
            )));
        }
        let boxes = boxes.as_slice::<f32>()?;
        if boxes.iter().any(|v| !v.is_finite()) {
            return Err(invalid("Boxes contains at least one element that is not finite".into()));
        }
        Ok(Boxes { boxes, images })
    }

    pub fn len(&self) -> usize {
        self.images.len()
    }
}

/// The input coordinate of position `i` of a crop from `low` to `high`; `None` outside the image.
pub(super) fn coordinate(low: f32, high: f32, size: usize, crop: usize, i: usize) -> Option<f32> {
    let last = (size - 1) as f32;
    let at = if crop > 1 {
        low * last + i as f32 * ((high - low) * last / (crop - 1) as f32)
    } else {
        (0.5 * (low + high) as f64 * last as f64) as f32
    };
    (at >= 0.0 && at <= last).then_some(at)
}

struct Crop {
    nearest: bool,
    outside: f32,
}

impl Kernel for Crop {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let operation = "CropAndResize";
        let (image, size) = (cx.input(0), cx.input(3));
        let &[batch, height, width, depth] = image.dims() else {
            return Err(cx.bad_input(0, format!("input image must be 4-D, got {}", image.shape())));
        };
        if height == 0 || width == 0 {
            return Err(cx.bad_input(0, "image dimensions must be positive"));
        }
        if cx.input(1).rank() != 2 {
            return Err(cx.bad_input(1, format!("boxes must be 2-D, got: {}", cx.input(1).shape())));
        }
        if cx.input(2).rank() != 1 {
            let shape = cx.input(2).shape();
            return Err(cx.bad_input(2, format!("box_indices must be rank 1 but is shape {shape}")));
        }
        let size = match (size.rank(), size.as_slice::<i32>()?) {
            (1, &[rows, columns]) if rows > 0 && columns > 0 => [rows as usize, columns as usize],
            (1, &[_, _]) => return Err(cx.bad_input(3, "crop dimensions must be positive")),
            _ => {
                return Err(
                    cx.bad_input(3, "crop_size must be 1-D and crop_size must have two elements")
                );
            }
        };
        let boxes = Boxes::of(operation, cx.input(1), cx.input(2), batch)?;
        let shape = Shape::new(&[boxes.len(), size[0], size[1], depth]);
        downpour_tensor::checked_elements(&shape)?;
        let pixels = to_float(operation, image)?;
        let x = pixels.as_slice::<f32>()?;
        let row_length = size[1] * depth;
        let parallel = cx.parallel();
        let output = Tensor::build(shape, |out: &mut [f32]| {
            if out.is_empty() {
                return;
            }
            parallel.for_chunks(out, row_length, 10_000 / row_length + 1, |first, run| {
                for (i, to) in run.chunks_exact_mut(row_length).enumerate() {
                    let (b, y) = ((first + i) / size[0], (first + i) % size[0]);
                    let [y1, x1, y2, x2] = std::array::from_fn(|k| boxes.boxes[b * 4 + k]);
                    let Some(at_y) = coordinate(y1, y2, height, size[0], y) else {
                        to.fill(self.outside);
                        continue;
                    };
                    let image = &x[boxes.images[b] as usize * height * width * depth..];
                    for (column, to) in to.chunks_exact_mut(depth).enumerate() {
                        match coordinate(x1, x2, width, size[1], column) {
                            Some(at_x) => self.sample(image, width, [at_y, at_x], to),
                            None => to.fill(self.outside),
                        }
                    }
                }
            });
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

impl Crop {
    fn sample(&self, image: &[f32], width: usize, [y, x]: [f32; 2], out: &mut [f32]) {
        let depth = out.len();
        let pixel = |y: f32, x: f32| &image[(y as usize * width + x as usize) * depth..][..depth];
        if self.nearest {
            out.copy_from_slice(pixel(y.round(), x.round()));
            return;
        }
        let (top, left, bottom, right) = (y.floor(), x.floor(), y.ceil(), x.ceil());
        let (weight_y, weight_x) = (y - top, x - left);
        let corners =
            [pixel(top, left), pixel(top, right), pixel(bottom, left), pixel(bottom, right)];
        for (c, to) in out.iter_mut().enumerate() {
            let [tl, tr, bl, br] = corners.map(|p| p[c]);
            let (top, bottom) = (tl + (tr - tl) * weight_x, bl + (br - bl) * weight_x);
            *to = top + (bottom - top) * weight_y;
        }
    }
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let method = picked(cx.node(), &["method"]);
    let (image, boxes, indices, grad) = (cx.input(0), cx.input(1), cx.input(2), cx.grad(0)?);
    let dtype = cx.dtype(image);
    let first = if matches!(dtype, DataType::Float | DataType::Half | DataType::Double) {
        let shape = cx.shape(image)?;
        let attrs = method.clone().with("T", dtype);
        Gradient::Dense(cx.op_with(
            "CropAndResizeGradImage",
            &[grad, boxes, indices, shape],
            attrs,
        )?)
    } else {
        Gradient::None
    };
    // The boxes' gradient is bilinear whatever the method, as in TensorFlow.
    let second = cx.op("CropAndResizeGradBoxes", &[grad, image, boxes, indices])?;
    Ok(vec![first, Gradient::Dense(second), Gradient::None, Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn crop(boxes: &[f32], index: i32, size: [i32; 2]) -> OpTest {
        OpTest::new(register, "CropAndResize")
            .input(Tensor::from_vec([1, 2, 2, 1], vec![1f32, 2.0, 3.0, 4.0]).unwrap())
            .input(Tensor::from_slice([1, 4], boxes).unwrap())
            .input(Tensor::vector(&[index]).unwrap())
            .input(Tensor::vector(&size).unwrap())
    }

    #[test]
    fn crops_and_what_lies_outside() {
        let values = |t: OpTest| t.run_one().unwrap().as_slice::<f32>().unwrap().to_vec();
        assert_eq!(values(crop(&[0.0, 0.0, 1.0, 1.0], 0, [1, 1])), [2.5]);
        let whole = values(crop(&[0.0, 0.0, 1.0, 1.0], 0, [3, 3]));
        assert_eq!(whole, [1.0, 1.5, 2.0, 2.0, 2.5, 3.0, 3.0, 3.5, 4.0]);
        let outside = crop(&[-1.0, 0.0, 0.0, 1.0], 0, [2, 2]).attr("extrapolation_value", -1f32);
        assert_eq!(values(outside), [-1.0, -1.0, 1.0, 2.0]);
        let nearest = crop(&[1.0, 1.0, 0.0, 0.0], 0, [2, 2]).attr("method", "nearest");
        assert_eq!(values(nearest), [4.0, 3.0, 2.0, 1.0]);
    }

    #[test]
    fn bad_boxes_are_refused() {
        assert!(crop(&[0.0, 0.0, 1.0, 1.0], 1, [1, 1]).run().is_err());
        assert!(crop(&[0.0, f32::NAN, 1.0, 1.0], 0, [1, 1]).run().is_err());
        assert!(crop(&[0.0, 0.0, 1.0, 1.0], 0, [0, 1]).run().is_err());
        assert!(crop(&[0.0, 0.0, 1.0, 1.0], 0, [i32::MAX, i32::MAX]).run().is_err());
    }
}
