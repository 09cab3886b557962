//! ScaleAndTranslate and its gradient: images resampled with a choice of filters.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{
    Charge, DataType, RealNumber, Result, Shape, Status, Tensor, checked_elements, dispatch_real,
};

use super::filter::Filter;
use super::set_sized;
use super::spans::{Placement, Spans};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ScaleAndTranslate(images: T, size: int32, scale: float, translation: float) -> (resized_images: float)
                T: {int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double}
                kernel_type: string = 'lanczos3'
                antialias: bool = true",
        )?
        .shape(shape)
        .gradient(gradient),
        |build| Ok(KernelBox::new(Resample::new(build)?)),
    )?;
    registry.add(
        OpSpec::new(
            "ScaleAndTranslateGrad(grads: T, original_image: T, scale: float, translation: float) -> (output: T)
                T: {float}
                kernel_type: string = 'lanczos3'
                antialias: bool = true",
        )?
        .shape(|cx| {
            cx.set_output(0, cx.input(1).clone());
            Ok(())
        })
        .not_differentiable(),
        |build| Ok(KernelBox::new(Back(Resample::new(build)?))),
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let images = cx.with_rank(0, 4)?;
    set_sized(cx, images.dim(0), 1, images.dim(3))
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let mut attrs = Attrs::new();
    for name in ["kernel_type", "antialias"] {
        if let Some(value) = cx.node().get(name) {
            attrs.set(name, value.clone());
        }
    }
    let (images, scale, translation, grad) = (cx.input(0), cx.input(2), cx.input(3), cx.grad(0)?);
    let images = if cx.dtype(images) == DataType::Float {
        images
    } else {
        return Ok((0..4).map(|_| Gradient::None).collect());
    };
    let dx = cx.op_with("ScaleAndTranslateGrad", &[grad, images, scale, translation], attrs)?;
    Ok(vec![Gradient::Dense(dx), Gradient::None, Gradient::None, Gradient::None])
}

struct Resample {
    filter: Filter,
    antialias: bool,
}

impl Resample {
    fn new(build: &KernelBuild<'_>) -> Result<Resample> {
        Ok(Resample {
            filter: Filter::named(&build.string("kernel_type")?)?,
            antialias: build.bool("antialias")?,
        })
    }

    /// Returns how rows and columns are placed, from the inputs `scale` and `translation`.
    fn placements(&self, cx: &OpContext<'_>) -> Result<[Placement; 2]> {
        let pair = |i: usize| -> Result<[f32; 2]> {
            let input = cx.input(i);
            if input.rank() != 1 {
                return Err(Status::invalid_argument(format!(
                    "t must be 1-dimensional{}",
                    input.shape()
                )));
            }
            match *input.as_slice::<f32>()? {
                [a, b] => Ok([a, b]),
                _ => Err(Status::invalid_argument(format!(
                    "t must have two elements{}",
                    input.shape()
                ))),
            }
        };
        let (scales, translations) = (pair(2)?, pair(3)?);
        if !scales.iter().all(|&scale| scale > 0.0) {
            return Err(Status::invalid_argument("Scale must be greater than zero."));
        }
        let Resample { filter, antialias } = *self;
        Ok([0, 1].map(|i| Placement {
            filter,
            scale: scales[i],
            translation: translations[i],
            antialias,
        }))
    }
}

impl Kernel for Resample {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let invalid = |what: &str| Err(Status::invalid_argument(what));
        let (images, size) = (cx.input(0), cx.input(1));
        let &[batch, height, width, channels] = images.dims() else {
            return invalid("input must be 4-dimensional");
        };
        if size.rank() != 1 {
            return invalid("output_shape_t must be 1-dimensional");
        }
        let &[rows, columns] = size.as_slice::<i32>()? else {
            return invalid("output_shape_t must have two elements");
        };
        if height.max(width) >= i32::MAX as usize {
            return invalid("input sizes must be between 0 and max int32");
        }
        if rows <= 0 || columns <= 0 {
            return invalid("output dimensions must be positive");
        }
        if channels == 0 {
            return invalid("image must have at least one channel");
        }
        if height == 0 || width == 0 {
            return invalid("input image must be of non-zero size");
        }
        let placements = self.placements(cx)?;
        let (rows, columns) = (rows as usize, columns as usize);
        let shape = Shape::new(&[batch, rows, columns, channels]);
        // An output for which there is no room is refused before its weights are computed.
        drop(Charge::new(checked_elements(&shape)?.saturating_mul(4))?);
        if batch == 0 {
            cx.set_output(0, Tensor::zeros(DataType::Float, shape)?);
            return Ok(());
        }
        let spans =
            [Spans::new(rows, height, placements[0])?, Spans::new(columns, width, placements[1])?];
        let output = dispatch_real!(images.dtype(), "ScaleAndTranslate", T => {
            gather::<T>(cx, images, &spans)
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// The gradient with regard to the images.
struct Back(Resample);

impl Kernel for Back {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let invalid = |what: &str| Err(Status::invalid_argument(what));
        let (grads, original) = (cx.input(0), cx.input(1));
        let &[batch, rows, columns, channels] = grads.dims() else {
            return invalid("input_grad must be 4-dimensional");
        };
        let &[_, height, width, _] = original.dims() else {
            return invalid("original_image must be 4-dimensional");
        };
        let placements = self.0.placements(cx)?;
        let shape = Shape::new(&[batch, height, width, channels]);
        if checked_elements(&shape)? == 0 || rows == 0 || columns == 0 {
            cx.set_output(0, Tensor::zeros(DataType::Float, shape)?);
            return Ok(());
        }
        let spans = [
            Spans::new(rows, height, placements[0])?.transposed(height)?,
            Spans::new(columns, width, placements[1])?.transposed(width)?,
        ];
        let output = gather::<f32>(cx, grads, &spans)?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// Gathers rows first, columns then.
fn gather<T: RealNumber>(
    cx: &OpContext<'_>,
    images: &Tensor,
    [row_spans, column_spans]: &[Spans; 2],
) -> Result<Tensor> {
    let &[batch, height, width, channels] = images.dims() else {
        return Err(Status::internal("images have four axes here"));
    };
    let x = images.as_slice::<T>()?;
    let (rows, columns) = (row_spans.len(), column_spans.len());
    let parallel = cx.parallel();
    let length = width * channels;
    let between = Shape::new(&[batch, rows, width, channels]);
    checked_elements(&between)?;
    let between = Tensor::build(between, |out: &mut [f32]| {
        parallel.for_chunks(out, length, 4_000 / length + 1, |first, run| {
            for (i, to) in run.chunks_exact_mut(length).enumerate() {
                let (n, y) = ((first + i) / rows, (first + i) % rows);
                let (start, weights) = row_spans.span(y, height);
                to.fill(0.0);
                for (k, &weight) in weights.iter().enumerate() {
                    let from = &x[(n * height + start + k) * length..][..length];
                    for (to, v) in to.iter_mut().zip(from) {
                        *to += weight * v.to_f64_lossy() as f32;
                    }
                }
            }
        });
    })?;
    cx.check_cancelled()?;
    let y = between.as_slice::<f32>()?;
    let out_length = columns * channels;
    Tensor::build([batch, rows, columns, channels], |out: &mut [f32]| {
        parallel.for_chunks(out, out_length, 4_000 / out_length + 1, |first, run| {
            for (i, to) in run.chunks_exact_mut(out_length).enumerate() {
                let row = &y[(first + i) * length..][..length];
                for (column, to) in to.chunks_exact_mut(channels).enumerate() {
                    let (start, weights) = column_spans.span(column, width);
                    to.fill(0.0);
                    for (k, &weight) in weights.iter().enumerate() {
                        let from = &row[(start + k) * channels..][..channels];
                        to.iter_mut().zip(from).for_each(|(to, &v)| *to += weight * v);
                    }
                }
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn resample(size: [i32; 2], scale: [f32; 2], translation: [f32; 2]) -> OpTest {
        OpTest::new(register, "ScaleAndTranslate")
            .attr("kernel_type", "triangle")
            .input(Tensor::from_slice([1, 1, 4, 1], &[1f32, 2.0, 3.0, 4.0]).unwrap())
            .input(Tensor::vector(&size).unwrap())
            .input(Tensor::vector(&scale).unwrap())
            .input(Tensor::vector(&translation).unwrap())
    }

    #[test]
    fn images_are_scaled_and_moved() {
        let out = resample([1, 2], [1.0, 0.5], [0.0, 0.0]).run_one().unwrap();
        let values = out.as_slice::<f32>().unwrap();
        assert!(
            (values[0] - 1.7143).abs() < 1e-3 && (values[1] - 3.2857).abs() < 1e-3,
            "{values:?}"
        );
        let out = resample([1, 4], [1.0, 1.0], [0.0, 2.0]).run_one().unwrap();
        assert_eq!(out.as_slice::<f32>().unwrap(), &[0.0, 0.0, 1.0, 2.0]);
    }

    #[test]
    fn bad_and_strange_arguments() {
        assert!(resample([1, 0], [1.0; 2], [0.0; 2]).run().is_err());
        assert!(resample([1, 1], [0.0; 2], [0.0; 2]).run().is_err());
        assert!(resample([1, 1], [f32::NAN; 2], [0.0; 2]).run().is_err());
        assert!(resample([1, 1], [1.0; 2], [f32::NAN; 2]).run().is_ok());
        assert!(resample([1, 1], [f32::MIN_POSITIVE; 2], [0.0; 2]).run().is_ok());
        assert!(resample([1, 1], [f32::INFINITY; 2], [f32::INFINITY; 2]).run().is_ok());
        assert!(resample([i32::MAX, i32::MAX], [1.0; 2], [0.0; 2]).run().is_err());
    }
}
