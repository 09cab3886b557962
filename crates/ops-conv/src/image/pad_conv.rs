//! FusedPadConv2D and FusedResizeAndPadConv2D: images that are resized, continued by their mirror images, and convolved.
//!
//! Each image of a batch is convolved for itself. TensorFlow keeps lines of the first image for those that follow, whose
//! results are wrong there: only the first image is the same here.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{CountedVec, RealNumber, Result, Shape, Status, Tensor, dispatch_float};

use super::scale::{Corners, Resize};
use crate::convolution::{Label, convolve};
use crate::window::{Axis, Padding, WindowAttributes};

pub(super) fn register(registry: &mut Registry) -> Result<()> {
    let attributes = "mode: {'REFLECT', 'SYMMETRIC'}
                strides: list(int)
                padding: {'SAME', 'VALID'}";
    registry.add(
        OpSpec::new(&format!(
            "FusedPadConv2D(input: T, paddings: int32, filter: T) -> (output: T)
                T: {{half, bfloat16, float, double}}
                {attributes}"
        ))?
        .shape(|cx| infer(cx, 2))
        .tolerance(1e-5),
        |build| Ok(KernelBox::new(PadConv::new(build, None)?)),
    )?;
    registry.add(
        OpSpec::new(&format!(
            "FusedResizeAndPadConv2D(input: T, size: int32, paddings: int32, filter: T) -> (output: T)
                T: {{half, float, double}}
                resize_align_corners: bool = false
                {attributes}"
        ))?
        .shape(|cx| infer(cx, 3))
        .tolerance(1e-5),
        |build| {
            let align = build.bool("resize_align_corners")?;
            Ok(KernelBox::new(PadConv::new(build, Some(Corners { align, half_pixel: false }))?))
        },
    )
}

struct PadConv {
    corners: Option<Corners>,
    /// Whether the mirror stands on the border (REFLECT) and not behind it.
    on_border: bool,
    window: WindowAttributes,
}

impl PadConv {
    fn new(build: &KernelBuild<'_>, corners: Option<Corners>) -> Result<PadConv> {
        let strides = build.ints("strides")?;
        if strides.len() == 4 && (strides[0] != 1 || strides[3] != 1) {
            return Err(Status::invalid_argument(
                "Current implementation does not yet support strides in the batch and depth \
                 dimensions.",
            ));
        }
        Ok(PadConv {
            corners,
            on_border: build.string("mode")? == "REFLECT",
            window: WindowAttributes::of(build, 2)?,
        })
    }

    /// Returns how much is added before and behind rows and columns of images of this size.
    fn paddings(&self, paddings: &Tensor, size: &[usize; 4]) -> Result<[[usize; 2]; 2]> {
        let wrong = |what: String| Err(Status::invalid_argument(what));
        if paddings.rank() != 2 || paddings.dims()[1] != 2 {
            return wrong(format!(
                "paddings must be a matrix with 2 columns: {}",
                paddings.shape()
            ));
        }
        if paddings.dims()[0] != 4 {
            return wrong(format!(
                "The first dimension of paddings must be the rank of inputs: 4 {}",
                paddings.shape()
            ));
        }
        let mut amounts = [[0; 2]; 4];
        for (i, pair) in paddings.as_slice::<i32>()?.chunks_exact(2).enumerate() {
            let [Ok(before), Ok(after)] = [pair[0], pair[1]].map(usize::try_from) else {
                return wrong(format!("paddings must be non-negative: {} {}", pair[0], pair[1]));
            };
            let limit = if self.on_border { size[i].saturating_sub(1) } else { size[i] };
            if before.max(after) > limit {
                return wrong(format!(
                    "paddings must be {} the dimension size: {before}, {after}, the size is {}",
                    if self.on_border { "less than" } else { "no greater than" },
                    size[i]
                ));
            }
            amounts[i] = [before, after];
        }
        let [batch, rows, columns, channels] = amounts;
        if batch != [0; 2] || channels != [0; 2] {
            return wrong("Fused mirror padding only supports spatial padding".into());
        }
        Ok([rows, columns])
    }
}

/// The two lines of the input between which one of the padded image lies.
#[derive(Clone, Copy)]
struct Line {
    lower: usize,
    upper: usize,
    weight: f32,
}

fn lines(
    from: usize,
    to: usize,
    [before, after]: [usize; 2],
    on_border: bool,
    corners: Option<Corners>,
) -> Result<CountedVec<Line>> {
    let scale = corners.map_or(1.0, |corners| corners.scale(from, to));
    let offset = f32::from(u8::from(on_border));
    CountedVec::build(before + to + after, |i| {
        let mut at = i as f32 - before as f32;
        if at < 0.0 {
            at = -(at + 1.0 - offset);
        } else if at >= to as f32 {
            at = to as f32 * 2.0 - (at + 1.0 + offset);
        }
        at *= scale;
        let lower = (at.floor() as usize).min(from - 1);
        Ok(Line { lower, upper: (at.ceil() as usize).min(from - 1), weight: at - at.floor() })
    })
}

impl Kernel for PadConv {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.input(0);
        let &[batch, height, width, channels] = input.dims() else {
            return Err(cx.bad_input(0, format!("must be 4-dimensional: {}", input.shape())));
        };
        if input.is_empty() {
            return Err(Status::invalid_argument("Input tensor can't be empty"));
        }
        let (to, next) = match self.corners {
            Some(_) => (Resize::of(cx)?.to, 2),
            None => ([height, width], 1),
        };
        let paddings = self.paddings(cx.input(next), &[batch, to[0], to[1], channels])?;
        let rows = lines(height, to[0], paddings[0], self.on_border, self.corners)?;
        let columns = lines(width, to[1], paddings[1], self.on_border, self.corners)?;
        let filter = cx.input(next + 1);
        let &[filter_rows, filter_columns, depth, _] = filter.dims() else {
            return Err(Status::invalid_argument(format!(
                "filter must be 4-dimensional: {}",
                filter.shape()
            )));
        };
        if filter.is_empty() {
            return Err(Status::invalid_argument("Output tensor can't be empty"));
        }
        if depth != channels {
            return Err(Status::invalid_argument(format!(
                "input and filter must have the same depth: {channels} vs {depth}"
            )));
        }
        let rows = self.placed(rows, 0, filter_rows)?;
        let columns = self.placed(columns, 1, filter_columns)?;
        let shape = [batch, rows.len(), columns.len(), channels].map(|size| size as i64);
        let shape = Shape::from_i64(&shape)?;
        let padded = dispatch_float!(input.dtype(), cx.node().op_name(), T => {
            sampled::<T>(cx, [&rows, &columns], shape)
        })?;
        let window = WindowAttributes { padding: vec![Padding::Valid; 2], ..self.window.clone() };
        let label = Label { operation: cx.node().op_name(), spatial: 2 };
        let output = convolve(label, &window, &padded, filter, cx.parallel(), None)?;
        cx.set_output(0, output);
        Ok(())
    }
}

impl PadConv {
    /// Returns the lines that the windows pass over. Where these are beyond the image there are none, only zeros.
    ///
    /// As in TensorFlow windows that leave lines over are put in the middle.
    fn placed(
        &self,
        lines: CountedVec<Line>,
        axis: usize,
        filter: usize,
    ) -> Result<CountedVec<Option<Line>>> {
        let padding = self.window.padding[axis];
        let stride = self.window.strides[axis];
        let windows = Axis::new(lines.len(), filter, stride, 1, padding)?.output;
        if windows == 0 {
            return Err(Status::invalid_argument("Output tensor can't be empty"));
        }
        let reach = (windows - 1).saturating_mul(stride).saturating_add(filter);
        let over = reach as i64 - lines.len() as i64;
        let before = if padding == Padding::Same { over / 2 } else { (over + 1) / 2 };
        CountedVec::build(reach, |i| {
            let at = usize::try_from(i as i64 - before).ok();
            Ok(at.and_then(|at| lines.get(at)).copied())
        })
    }
}

fn sampled<T: RealNumber>(
    cx: &OpContext<'_>,
    [rows, columns]: [&[Option<Line>]; 2],
    shape: Shape,
) -> Result<Tensor> {
    let input = cx.input(0);
    let (height, width, channels) = (input.dims()[1], input.dims()[2], input.dims()[3]);
    let values = input.as_slice::<T>()?;
    let run = columns.len() * channels;
    let mut padded = Tensor::zeros(T::DTYPE, shape)?;
    let out =
        padded.as_mut_slice::<T>().ok_or_else(|| Status::internal("a new tensor is shared"))?;
    cx.parallel().for_chunks(out, run, 10_000 / run.max(1) + 1, |first, out| {
        for (i, out) in out.chunks_exact_mut(run.max(1)).enumerate() {
            let image = (first + i) / rows.len();
            let Some(row) = rows[(first + i) % rows.len()] else { continue };
            let line =
                |y: usize| &values[(image * height + y) * width * channels..][..width * channels];
            let (top, bottom) = (line(row.lower), line(row.upper));
            let down = T::from_f64_lossy(row.weight.into());
            for (out, column) in out.chunks_exact_mut(channels).zip(columns) {
                let Some(column) = column else { continue };
                let across = T::from_f64_lossy(column.weight.into());
                let (left, right) = (column.lower * channels, column.upper * channels);
                let between = |a: T, b: T, weight: T| a.add_w(b.sub_w(a).mul_w(weight));
                for (c, out) in out.iter_mut().enumerate() {
                    let top = between(top[left + c], top[right + c], across);
                    let bottom = between(bottom[left + c], bottom[right + c], across);
                    *out = between(top, bottom, down);
                }
            }
        }
    });
    Ok(padded)
}

fn infer(cx: &mut ShapeContext<'_>, filter: usize) -> Result<()> {
    let input = cx.with_rank(0, 4)?;
    cx.with_rank(filter - 1, 2)?;
    let filter = cx.with_rank(filter, 4)?;
    cx.merge_dim(input.dim(3), filter.dim(2))?;
    cx.set_output(0, PartialShape::of([input.dim(0), None, None, filter.dim(3)]));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn test(mode: &'static str, paddings: &[i32]) -> OpTest {
        OpTest::new(register, "FusedPadConv2D")
            .attr("mode", mode)
            .attr("strides", vec![1i64, 1, 1, 1])
            .attr("padding", "VALID")
            .input(Tensor::from_vec([1, 1, 3, 1], vec![1f32, 2.0, 3.0]).unwrap())
            .input(Tensor::from_slice([paddings.len() / 2, 2], paddings).unwrap())
            .input(Tensor::from_vec([1, 1, 1, 1], vec![10f32]).unwrap())
    }

    #[test]
    fn images_are_continued_on_both_sides() {
        let y = test("SYMMETRIC", &[0, 0, 0, 0, 1, 2, 0, 0]).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[10.0, 10.0, 20.0, 30.0, 30.0, 20.0]);
        let y = test("REFLECT", &[0, 0, 0, 0, 2, 1, 0, 0]).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[30.0, 20.0, 10.0, 20.0, 30.0, 20.0]);
    }

    #[test]
    fn images_are_resized_first() {
        let y = OpTest::new(register, "FusedResizeAndPadConv2D")
            .attr("mode", "REFLECT")
            .attr("strides", vec![1i64, 1, 1, 1])
            .attr("padding", "VALID")
            .attr("resize_align_corners", true)
            .input(Tensor::from_vec([1, 1, 2, 1], vec![0f32, 4.0]).unwrap())
            .input(Tensor::vector(&[1i32, 3]).unwrap())
            .input(Tensor::from_vec([4, 2], vec![0i32, 0, 0, 0, 0, 1, 0, 0]).unwrap())
            .input(Tensor::from_vec([1, 1, 1, 1], vec![1f32]).unwrap());
        assert_eq!(y.run_one().unwrap().as_slice::<f32>().unwrap(), &[0.0, 2.0, 4.0, 2.0]);
    }

    #[test]
    fn bad_paddings_are_refused() {
        assert!(test("REFLECT", &[0, 0, 0, 0, 3, 0, 0, 0]).run().is_err());
        assert!(test("SYMMETRIC", &[0, 0, 0, 0, 4, 0, 0, 0]).run().is_err());
        assert!(test("SYMMETRIC", &[0, 0, 0, 0, -1, 0, 0, 0]).run().is_err());
        assert!(test("SYMMETRIC", &[1, 0, 0, 0, 0, 0, 0, 0]).run().is_err());
        assert!(test("SYMMETRIC", &[0, 0, 0, 0]).run().is_err());
    }
}
