//! ImageProjectiveTransformV2 and V3: images seen from another side.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{
    DataType, RealNumber, Result, Shape, Status, Tensor, bf16, checked_elements, f16,
};

use super::set_sized;

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let attrs = "dtype: {uint8, int32, int64, half, bfloat16, float, double}
            interpolation: string
            fill_mode: string = 'CONSTANT'";
    for signature in [
        format!(
            "ImageProjectiveTransformV2(images: dtype, transforms: float, output_shape: int32) -> (transformed_images: dtype)
            {attrs}"
        ),
        format!(
            "ImageProjectiveTransformV3(images: dtype, transforms: float, output_shape: int32, fill_value: float) -> (transformed_images: dtype)
            {attrs}"
        ),
    ] {
        let spec = OpSpec::new(&signature)?.shape(shape).gradient(gradient);
        registry.add(spec, |build| Ok(KernelBox::new(Transform::new(build)?)))?;
    }
    Ok(())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let images = cx.with_rank(0, 4)?;
    set_sized(cx, images.dim(0), 2, images.dim(3))
}

/// The gradient is the one of the output, transformed back.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (images, transforms, grad) = (cx.input(0), cx.input(1), cx.grad(0)?);
    let mut attrs = Attrs::new();
    for name in ["interpolation", "fill_mode"] {
        if let Some(value) = cx.node().get(name) {
            attrs.set(name, value.clone());
        }
    }
    // The ninth number of each matrix is 1, before and after.
    let paddings = cx.constant(Tensor::from_slice([2, 2], &[0i32, 0, 0, 1])?)?;
    let one = cx.scalar(1f32)?;
    let nine = cx.op("PadV2", &[transforms, paddings, one])?;
    let square = cx.constant(Tensor::vector(&[-1i32, 3, 3])?)?;
    let matrices = cx.op("Reshape", &[nine, square])?;
    let inverse = cx.op("MatrixInverse", &[matrices])?;
    let flat = cx.constant(Tensor::vector(&[-1i32, 9])?)?;
    let inverse = cx.op("Reshape", &[inverse, flat])?;
    let columns = |cx: &mut GradientContext<'_, '_>, first: i32, count: i32| {
        let begin = cx.constant(Tensor::vector(&[0, first])?)?;
        let size = cx.constant(Tensor::vector(&[-1, count])?)?;
        cx.op("Slice", &[inverse, begin, size])
    };
    let (eight, last) = (columns(cx, 0, 8)?, columns(cx, 8, 1)?);
    let back = cx.op("RealDiv", &[eight, last])?;
    let begin = cx.constant(Tensor::vector(&[1i32])?)?;
    let count = cx.constant(Tensor::vector(&[2i32])?)?;
    let shape = cx.shape(images)?;
    let size = cx.op("Slice", &[shape, begin, count])?;
    let mut inputs = vec![grad, back, size];
    let third = cx.inputs_len() == 4;
    if third {
        inputs.push(cx.scalar(0f32)?);
    }
    let name = if third { "ImageProjectiveTransformV3" } else { "ImageProjectiveTransformV2" };
    let dx = cx.op_with(name, &inputs, attrs)?;
    let mut gradients = vec![Gradient::Dense(dx)];
    gradients.resize_with(cx.inputs_len(), || Gradient::None);
    Ok(gradients)
}

/// The pixels outside of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fill {
    Reflect,
    Wrap,
    Constant,
    Nearest,
}

struct Transform {
    bilinear: bool,
    fill: Fill,
}

impl Transform {
    fn new(build: &KernelBuild<'_>) -> Result<Transform> {
        let word = build.string("interpolation")?;
        let bilinear = match word.as_str() {
            "NEAREST" => false,
            "BILINEAR" => true,
            other => {
                return Err(Status::invalid_argument(format!(
                    "Invalid interpolation {other}. Supported types: NEAREST, BILINEAR"
                )));
            }
        };
        let word = build.string("fill_mode")?;
        let fill = match word.as_str() {
            "REFLECT" => Fill::Reflect,
            "WRAP" => Fill::Wrap,
            "CONSTANT" => Fill::Constant,
            "NEAREST" => Fill::Nearest,
            other => {
                return Err(Status::invalid_argument(format!(
                    "Invalid mode {other}. Supported types: REFLECT, WRAP, CONSTANT, NEAREST"
                )));
            }
        };
        Ok(Transform { bilinear, fill })
    }
}

impl Kernel for Transform {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let invalid = |what: &str| Err(Status::invalid_argument(what));
        let (images, transforms, size) = (cx.input(0), cx.input(1), cx.input(2));
        let &[batch, height, width, channels] = images.dims() else {
            return invalid("Input images must have rank 4");
        };
        match *transforms.dims() {
            [count, 8] if count == batch || count == 1 => {}
            _ => return invalid("Input transform should be num_images x 8 or 1 x 8"),
        }
        if size.rank() != 1 {
            return invalid("output shape must be 1-dimensional");
        }
        let (rows, columns) = match *size.as_slice::<i32>()? {
            [rows, columns] if rows > 0 && columns > 0 => (rows as usize, columns as usize),
            [_, _] => return invalid("output dimensions must be positive"),
            _ => return invalid("output shape must have two elements"),
        };
        let fill_value = match cx.inputs_len() {
            3 => 0.0,
            _ if cx.input(3).rank() != 0 => return invalid("fill_value must be a scalar"),
            _ => cx.input(3).to_scalar::<f32>()?,
        };
        let shape = Shape::new(&[batch, rows, columns, channels]);
        checked_elements(&shape)?;
        let job = Job {
            transform: self,
            transforms: transforms.as_slice()?,
            from: [height, width],
            to: [rows, columns],
            channels,
        };
        let output = match images.dtype() {
            DataType::UInt8 => job.run::<u8>(cx, images, shape, fill_value as u8),
            DataType::Int32 => job.run::<i32>(cx, images, shape, fill_value as i32),
            DataType::Int64 => job.run::<i64>(cx, images, shape, fill_value as i64),
            DataType::Half => job.run::<f16>(cx, images, shape, f16::from_f32(fill_value)),
            DataType::BFloat16 => job.run::<bf16>(cx, images, shape, bf16::from_f32(fill_value)),
            DataType::Double => job.run::<f64>(cx, images, shape, fill_value as f64),
            _ => job.run::<f32>(cx, images, shape, fill_value),
        }?;
        cx.set_output(0, output);
        Ok(())
    }
}

struct Job<'a> {
    transform: &'a Transform,
    transforms: &'a [f32],
    /// Height and width of the images, and of what they become.
    from: [usize; 2],
    to: [usize; 2],
    channels: usize,
}

impl Job<'_> {
    fn run<T: RealNumber>(
        &self,
        cx: &OpContext<'_>,
        images: &Tensor,
        shape: Shape,
        fill: T,
    ) -> Result<Tensor> {
        let x = images.as_slice::<T>()?;
        let [rows, columns] = self.to;
        let row_length = columns * self.channels;
        let size = self.from[0] * self.from[1] * self.channels;
        let parallel = cx.parallel();
        Tensor::build(shape, |out: &mut [T]| {
            if out.is_empty() {
                return;
            }
            parallel.for_chunks(out, row_length, 4_000 / row_length + 1, |first, run| {
                for (i, to) in run.chunks_exact_mut(row_length).enumerate() {
                    let (n, y) = ((first + i) / rows, (first + i) % rows);
                    let image = &x[n * size..][..size];
                    for (column, to) in to.chunks_exact_mut(self.channels).enumerate() {
                        match self.source(n, y, column) {
                            Some(place) => self.sample(image, place, fill, to),
                            None => to.fill(fill),
                        }
                    }
                }
            });
        })
    }

    /// Returns where a pixel comes from, if that is not infinitely far away.
    fn source(&self, n: usize, row: usize, column: usize) -> Option<[f32; 2]> {
        let n = if self.transforms.len() == 8 { 0 } else { n };
        let t = &self.transforms[n * 8..][..8];
        let (x, y) = (column as f32, row as f32);
        let projection = t[6] * x + t[7] * y + 1.0;
        if projection == 0.0 {
            return None;
        }
        let from_x = (t[0] * x + t[1] * y + t[2]) / projection;
        let from_y = (t[3] * x + t[4] * y + t[5]) / projection;
        let fill = self.transform.fill;
        Some([fill.mapped(from_y, self.from[0]), fill.mapped(from_x, self.from[1])])
    }

    fn sample<T: RealNumber>(&self, image: &[T], [y, x]: [f32; 2], fill: T, out: &mut [T]) {
        let [height, width] = self.from;
        let read = |y: f32, x: f32, c: usize| {
            let inside = y >= 0.0 && x >= 0.0 && y < height as f32 && x < width as f32;
            if inside { image[(y as usize * width + x as usize) * self.channels + c] } else { fill }
        };
        if !self.transform.bilinear {
            let (y, x) = (y.round(), x.round());
            out.iter_mut().enumerate().for_each(|(c, to)| *to = read(y, x, c));
            return;
        }
        let (top, left) = (y.floor(), x.floor());
        let (bottom, right) = (top + 1.0, left + 1.0);
        for (c, to) in out.iter_mut().enumerate() {
            let value = |y: f32, x: f32| read(y, x, c).to_f64_lossy() as f32;
            let upper = (right - x) * value(top, left) + (x - left) * value(top, right);
            let lower = (right - x) * value(bottom, left) + (x - left) * value(bottom, right);
            let mixed = (bottom - y) * upper + (y - top) * lower;
            *to = T::from_f64_lossy(mixed as f64);
        }
    }
}

impl Fill {
    /// Maps a coordinate to one within an axis of this length, unless what lies outside is constant.
    fn mapped(self, at: f32, length: usize) -> f32 {
        // It stays as it is, NaN too, which is then outside.
        if self == Fill::Constant {
            return at;
        }
        let last = length as f32 - 1.0;
        let (size, outside) = (length as i64, at < 0.0 || at > last);
        let mapped = match self {
            _ if !outside || self == Fill::Nearest => at,
            _ if length <= 1 => 0.0,
            Fill::Reflect => {
                let twice = 2 * size;
                let periods = |v: f32| (v / twice as f32) as i64;
                if at < 0.0 {
                    let at = twice.wrapping_mul(periods(-at)) as f32 + at;
                    if at < -(length as f32) { at + twice as f32 } else { -at - 1.0 }
                } else {
                    let at = at - twice.wrapping_mul(periods(at)) as f32;
                    if at >= length as f32 { twice as f32 - at - 1.0 } else { at }
                }
            }
            _ => {
                let periods = |v: f32| (v / last) as i64;
                if at < 0.0 {
                    at + size.wrapping_mul(periods(-at).wrapping_add(1)) as f32
                } else {
                    at - size.wrapping_mul(periods(at)) as f32
                }
            }
        };
        if mapped < 0.0 { 0.0 } else { mapped.min(last) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn transform(matrix: [f32; 8], fill: &'static str) -> OpTest {
        OpTest::new(register, "ImageProjectiveTransformV3")
            .attr("interpolation", "NEAREST")
            .attr("fill_mode", fill)
            .input(Tensor::from_slice([1, 1, 4, 1], &[1f32, 2.0, 3.0, 4.0]).unwrap())
            .input(Tensor::from_slice([1, 8], &matrix).unwrap())
            .input(Tensor::vector(&[1i32, 4]).unwrap())
            .input(Tensor::scalar(9f32))
    }

    #[test]
    fn what_lies_outside_is_filled() {
        let shifted = [1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        for (fill, expected) in [
            ("CONSTANT", [3f32, 4.0, 9.0, 9.0]),
            ("NEAREST", [3.0, 4.0, 4.0, 4.0]),
            ("REFLECT", [3.0, 4.0, 4.0, 3.0]),
        ] {
            let out = transform(shifted, fill).run_one().unwrap();
            assert_eq!(out.as_slice::<f32>().unwrap(), expected, "{fill}");
        }
    }

    #[test]
    fn strange_transforms_and_bad_arguments() {
        for value in [f32::NAN, f32::INFINITY, -1e30] {
            for fill in ["CONSTANT", "NEAREST", "REFLECT", "WRAP"] {
                assert!(transform([value; 8], fill).run().is_ok());
                assert!(
                    transform([value; 8], fill).attr("interpolation", "BILINEAR").run().is_ok()
                );
            }
        }
        assert!(transform([0.0; 8], "ELSEWHERE").run().is_err());
    }
}
