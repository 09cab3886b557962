//! What all resizing operations share: sizes, scales, and where an output pixel lies in the input.

use downpour_graph::{Attrs, Gradient, GradientContext, PartialShape, ShapeContext};
use downpour_runtime::OpContext;
use downpour_tensor::{
    CountedVec, DataType, RealNumber, Result, Shape, Status, Tensor, checked_elements,
    dispatch_real,
};

use crate::gradients::picked;

/// How output coordinates map to input coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corners {
    pub align: bool,
    pub half_pixel: bool,
}

impl Corners {
    pub fn of(attrs: &Attrs) -> Result<Corners> {
        let half_pixel = match attrs.get("half_pixel_centers") {
            Some(_) => attrs.bool("half_pixel_centers")?,
            None => false,
        };
        let align = attrs.bool("align_corners")?;
        if align && half_pixel {
            return Err(Status::invalid_argument(
                "If half_pixel_centers is True, align_corners must be False.",
            ));
        }
        Ok(Corners { align, half_pixel })
    }

    /// Input pixels per output pixel.
    pub fn scale(self, input: usize, output: usize) -> f32 {
        if self.align && output > 1 {
            (input - 1) as f32 / (output - 1) as f32
        } else {
            input as f32 / output as f32
        }
    }

    /// The input coordinate of output pixel `i`.
    pub fn at(self, i: usize, scale: f32) -> f32 {
        if self.half_pixel { (i as f32 + 0.5) * scale - 0.5 } else { i as f32 * scale }
    }
}

/// Checked sizes of a resize of input 0 to the size in input 1.
pub(super) struct Resize {
    pub batch: usize,
    pub channels: usize,
    pub from: [usize; 2],
    pub to: [usize; 2],
}

impl Resize {
    pub fn of(cx: &OpContext<'_>) -> Result<Resize> {
        let (images, size) = (cx.input(0), cx.input(1));
        let &[batch, height, width, channels] = images.dims() else {
            return Err(cx.bad_input(0, format!("input must be 4-dimensional {}", images.shape())));
        };
        if channels == 0 {
            return Err(cx.bad_input(0, "image must have at least one channel"));
        }
        if height == 0 || width == 0 {
            return Err(cx.bad_input(0, "input image must be of non-zero size"));
        }
        if size.rank() != 1 || size.len() != 2 {
            return Err(cx.bad_input(
                1,
                format!(
                    "shape_t must be 1-dimensional and must have two elements, got {}",
                    size.shape()
                ),
            ));
        }
        let size = size.as_slice::<i32>()?;
        if size[0] <= 0 || size[1] <= 0 {
            return Err(cx.bad_input(1, "output dimensions must be positive"));
        }
        let to = [size[0] as usize, size[1] as usize];
        checked_elements(&[batch, to[0], to[1], channels]).map_err(|_| {
            cx.bad_input(1, "is too large: Encountered overflow when multiplying the dimensions")
        })?;
        Ok(Resize { batch, channels, from: [height, width], to })
    }

    pub fn output(&self) -> Shape {
        Shape::new(&[self.batch, self.to[0], self.to[1], self.channels])
    }

    pub fn input_image(&self) -> usize {
        self.from[0] * self.from[1] * self.channels
    }

    /// Output rows per chunk worth a thread.
    pub fn grain(&self) -> usize {
        10_000 / (self.to[1] * self.channels).max(1) + 1
    }
}

/// Checked sizes of a gradient: input 0 is the resized image's, input 1 the original.
pub(super) fn gradient_sizes(cx: &OpContext<'_>) -> Result<Resize> {
    let (grads, original) = (cx.input(0), cx.input(1));
    let (&[batch, to_height, to_width, channels], &[_, height, width, _]) =
        (grads.dims(), original.dims())
    else {
        return Err(Status::invalid_argument(format!(
            "{}: input_grad and original_image must be 4-dimensional, got {} and {}",
            cx.node().op_name(),
            grads.shape(),
            original.shape()
        )));
    };
    if [to_height, to_width, height, width].contains(&0) {
        return Err(Status::invalid_argument(format!(
            "{}: resized dimensions must be positive and original dimensions must be positive",
            cx.node().op_name()
        )));
    }
    checked_elements(&[batch, height, width, channels])?;
    Ok(Resize { batch, channels, from: [height, width], to: [to_height, to_width] })
}

/// `[batch, size..., channels]`, with the size from input 1.
pub(super) fn resize_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let images = cx.with_rank(0, 4)?;
    cx.with_rank(1, 1)?;
    let size = cx.shape_from_input(1)?;
    cx.set_output(0, PartialShape::of([images.dim(0), size.dim(0), size.dim(1), images.dim(3)]));
    Ok(())
}

/// The shape of the gradient: input 1's.
pub(super) fn original_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, cx.input(1).clone());
    Ok(())
}

/// The gradient through `op(grad, original image)`.
pub(super) fn resize_gradient(cx: &mut GradientContext<'_, '_>, op: &str) -> Result<Vec<Gradient>> {
    let attrs = picked(cx.node(), &["align_corners", "half_pixel_centers"]);
    let (images, grad) = (cx.input(0), cx.grad(0)?);
    // The bicubic gradient exists for these only, and TensorFlow then has none.
    let narrow = cx.dtype(images).is_floating() && op == "ResizeBilinearGrad";
    if !narrow && !matches!(cx.dtype(images), DataType::Float | DataType::Double) {
        return Ok(vec![Gradient::None, Gradient::None]);
    }
    let dx = cx.op_with(op, &[grad, images], attrs)?;
    Ok(vec![Gradient::Dense(dx), Gradient::None])
}

/// Any real tensor in float32.
pub(super) fn to_float(operation: &str, tensor: &Tensor) -> Result<Tensor> {
    if tensor.dtype() == DataType::Float {
        return Ok(tensor.clone());
    }
    dispatch_real!(tensor.dtype(), operation, T => {
        let from = tensor.as_slice::<T>()?;
        Tensor::build(tensor.shape(), |out: &mut [f32]| {
            out.iter_mut().zip(from).for_each(|(o, v)| *o = v.to_f64_lossy() as f32);
        })
    })
}

/// Doubles in another float type.
pub(super) fn from_double<T: RealNumber>(sums: &[f64], shape: &Shape) -> Result<Tensor> {
    Tensor::build(shape, |out: &mut [T]| {
        out.iter_mut().zip(sums).for_each(|(o, &v)| *o = T::from_f64_lossy(v));
    })
}

/// What `f` gives for each of `count` output positions. The count came from outside, and may be large where the image
/// is empty: the table is counted.
pub(super) fn tabulated<T>(count: usize, mut f: impl FnMut(usize) -> T) -> Result<CountedVec<T>> {
    CountedVec::build(count, |i| Ok(f(i)))
}
