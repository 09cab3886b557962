//! ExtractImagePatches and ExtractVolumePatches: sliding windows laid out along the channels.

use downpour_graph::{Attrs, Gradient, GradientContext, Node, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use crate::movement::{Axes, Moves, StridedCopy, rearrange_into, zero_scalar};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ExtractImagePatches(images: T) -> (patches: T)
                ksizes: list(int) >= 4
                strides: list(int) >= 4
                rates: list(int) >= 4
                T: {bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128, bool}
                padding: {'SAME', 'VALID'}",
        )?
        .shape(infer)
        .gradient(gradient),
        factory,
    )?;
    registry.add(
        OpSpec::new(
            "ExtractVolumePatches(input: T) -> (patches: T)
                ksizes: list(int) >= 5
                strides: list(int) >= 5
                T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}
                padding: {'SAME', 'VALID'}",
        )?
        .shape(infer)
        .gradient(gradient),
        factory,
    )
}

/// A window along one spatial axis.
struct Window {
    size: usize,
    stride: usize,
    rate: usize,
}

struct Patches {
    windows: Vec<Window>,
    same: bool,
}

fn factory(build: &KernelBuild<'_>) -> Result<KernelBox> {
    Ok(KernelBox::new(Patches::of(build)?))
}

impl Patches {
    fn of(node: &Node) -> Result<Patches> {
        let spatial = if node.op_name() == "ExtractVolumePatches" { 3 } else { 2 };
        let list = |name: &str| -> Result<Vec<usize>> {
            let values = node.ints(name)?;
            if values.len() != spatial + 2 || values[0] != 1 || values[spatial + 1] != 1 {
                return Err(Status::unimplemented(format!(
                    "Only support {name} across space: {values:?} must have {} values, of which \
                     the first and the last are 1",
                    spatial + 2
                )));
            }
            let check = |&v: &i64| {
                usize::try_from(v).ok().filter(|v| (1..=i32::MAX as usize).contains(v)).ok_or_else(
                    || Status::out_of_range(format!("{name} is out of range: {values:?}")),
                )
            };
            values[1..=spatial].iter().map(check).collect()
        };
        let (sizes, strides) = (list("ksizes")?, list("strides")?);
        let rates = if node.get("rates").is_some() { list("rates")? } else { vec![1; spatial] };
        let windows = (0..spatial)
            .map(|i| Window { size: sizes[i], stride: strides[i], rate: rates[i] })
            .collect();
        Ok(Patches { windows, same: node.string("padding")? == "SAME" })
    }

    /// How many windows fit along an axis, and how much of the first lies before it.
    fn fit(&self, window: &Window, size: usize) -> (usize, usize) {
        let reach = window.size + (window.size - 1).saturating_mul(window.rate - 1);
        if self.same {
            let count = size.div_ceil(window.stride);
            let needed = (count.saturating_sub(1) * window.stride).saturating_add(reach);
            (count, needed.saturating_sub(size) / 2)
        } else if size < reach {
            (0, 0)
        } else {
            ((size - reach) / window.stride + 1, 0)
        }
    }

    fn output(&self, input: &[usize]) -> Result<Shape> {
        if input.len() != self.windows.len() + 2 {
            return Err(Status::invalid_argument(format!(
                "input must be {}-dimensional, got shape {}",
                self.windows.len() + 2,
                Shape::new(input)
            )));
        }
        let mut dims = vec![input[0] as i64];
        let mut depth = input[input.len() - 1] as i64;
        for (window, &size) in self.windows.iter().zip(&input[1..]) {
            let (count, _) = self.fit(window, size);
            dims.push(count as i64);
            depth = depth
                .checked_mul(window.size as i64)
                .ok_or_else(|| Status::invalid_argument("ksizes: the size of a patch overflows"))?;
        }
        dims.push(depth);
        Shape::from_i64(&dims)
    }
}

impl Kernel for Patches {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.take(0);
        let shape = self.output(input.dims())?;
        // Allocated before planning, so that a huge window is refused before it is enumerated.
        let output = Tensor::new(input.dtype(), &shape)?;
        let mut moves = Moves { fill: self.same, ..Moves::default() };
        if shape.elements() > 0 {
            self.plan(input.shape(), &shape, &mut moves);
        }
        let zero = zero_scalar(input.dtype())?;
        let output = rearrange_into(cx.parallel(), output, &[&input, &zero], &moves)?;
        cx.set_output(0, output);
        Ok(())
    }
}

impl Patches {
    /// One copy per position inside the window, over all windows for which it lies in the image.
    fn plan(&self, input: &Shape, output: &Shape, moves: &mut Moves) {
        let (from, to) = (input.strides(), output.strides());
        let spatial = self.windows.len();
        let depth = input[spatial + 1];
        let positions: usize = self.windows.iter().map(|w| w.size).product();
        for position in 0..positions {
            let mut rest = position;
            let mut inside = vec![0; spatial];
            for i in (0..spatial).rev() {
                inside[i] = (rest % self.windows[i].size) * self.windows[i].rate;
                rest /= self.windows[i].size;
            }
            let mut axes = Axes::new();
            let (mut from_start, mut to_start) = (0, position * depth);
            axes.push((input[0], from[0] as isize, to[0] as isize));
            for (i, window) in self.windows.iter().enumerate() {
                let axis = i + 1;
                let (count, before) = self.fit(window, input[axis]);
                // Window j reads j * stride + inside - before.
                let first = before.saturating_sub(inside[i]).div_ceil(window.stride);
                let end = (input[axis] + before)
                    .saturating_sub(inside[i])
                    .div_ceil(window.stride)
                    .min(count);
                let size = end.saturating_sub(first);
                if size > 0 {
                    from_start += (first * window.stride + inside[i] - before) * from[axis];
                    to_start += first * to[axis];
                }
                axes.push((size, (window.stride * from[axis]) as isize, to[axis] as isize));
            }
            axes.push((depth, 1, 1));
            moves.push(0, StridedCopy::new(axes, from_start, to_start));
        }
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let patches = Patches::of(cx.node())?;
    let rank = patches.windows.len() + 2;
    let output = match cx.with_rank(0, rank)?.to_shape() {
        Some(shape) => (&patches.output(&shape)?).into(),
        None => PartialShape::of_rank(rank),
    };
    cx.set_output(0, output);
    Ok(())
}

/// Every pixel gets the sum of what arrives at its copies. Which copies are its own is found by taking
/// patches of an image of pixel numbers, where 0 is the border.
fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (op, grad, input) = (cx.node().op_name().to_string(), cx.grad(0)?, cx.input(0));
    let axes = cx.node().ints("ksizes")?.len() as i32;
    let mut attrs = Attrs::new();
    for name in ["ksizes", "strides", "rates", "padding"] {
        if let Some(value) = cx.node().get(name) {
            attrs.set(name, value.clone());
        }
    }
    let shape = cx.shape(input)?;
    let mut part = |begin: i32, size: i32| {
        let begin = cx.constant(Tensor::vector(&[begin])?)?;
        let size = cx.constant(Tensor::vector(&[size])?)?;
        cx.op("Slice", &[shape, begin, size])
    };
    let (batch, area, channels) = (part(0, 1)?, part(1, axes - 2)?, part(axes - 1, 1)?);
    let (zero, one) = (cx.scalar(0i32)?, cx.scalar(1i32)?);
    let ones = cx.constant(Tensor::vector(&[1i32])?)?;
    let pixels = cx.op("Prod", &[area, zero])?;
    let beyond = cx.op("AddV2", &[pixels, one])?;
    let numbers = cx.op("Range", &[one, beyond, one])?;
    let plane = cx.op("ConcatV2", &[ones, area, ones, zero])?;
    let numbers = cx.op("Reshape", &[numbers, plane])?;
    let copies = cx.op_with(&op, &[numbers], attrs)?;
    let flat = cx.constant(Tensor::vector(&[-1i32])?)?;
    let copies = cx.op("Reshape", &[copies, flat])?;
    // The border's number becomes -1, which the sum leaves out.
    let owners = cx.op("Sub", &[copies, one])?;
    let count = cx.shape(owners)?;
    let by_copy = cx.op("ConcatV2", &[batch, count, channels, zero])?;
    let grad = cx.op("Reshape", &[grad, by_copy])?;
    let swap = cx.constant(Tensor::vector(&[1i32, 0, 2])?)?;
    let grad = cx.op("Transpose", &[grad, swap])?;
    let sums = cx.op("UnsortedSegmentSum", &[grad, owners, pixels])?;
    let sums = cx.op("Transpose", &[sums, swap])?;
    Ok(vec![Gradient::Dense(cx.op("Reshape", &[sums, shape])?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(k: i64, stride: i64, rate: i64, padding: &'static str) -> Result<Tensor> {
        OpTest::new(register, "ExtractImagePatches")
            .attr("ksizes", vec![1i64, k, k, 1])
            .attr("strides", vec![1i64, stride, stride, 1])
            .attr("rates", vec![1i64, rate, rate, 1])
            .attr("padding", padding)
            .input(Tensor::from_vec([1, 3, 3, 1], (1..10).collect::<Vec<i32>>()).unwrap())
            .run_one()
    }

    #[test]
    fn windows_become_channels() {
        let y = run(2, 1, 1, "VALID").unwrap();
        assert_eq!(y.dims(), &[1, 2, 2, 4]);
        assert_eq!(y.as_slice::<i32>().unwrap()[..8], [1, 2, 4, 5, 2, 3, 5, 6]);
        let y = run(2, 2, 1, "SAME").unwrap();
        assert_eq!(y.dims(), &[1, 2, 2, 4]);
        assert_eq!(y.as_slice::<i32>().unwrap()[4..], [3, 0, 6, 0, 7, 8, 0, 0, 9, 0, 0, 0]);
        let y = run(2, 1, 2, "VALID").unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[1, 3, 7, 9]);
        assert_eq!(run(4, 1, 1, "VALID").unwrap().dims(), &[1, 0, 0, 16]);
        assert!(run(0, 1, 1, "VALID").is_err());
        assert!(run(1, 0, 1, "VALID").is_err());
    }

    #[test]
    fn volumes_too() {
        let y = OpTest::new(register, "ExtractVolumePatches")
            .attr("ksizes", vec![1i64, 2, 1, 2, 1])
            .attr("strides", vec![1i64; 5])
            .attr("padding", "VALID")
            .input(Tensor::from_vec([1, 2, 1, 2, 1], vec![1f32, 2.0, 3.0, 4.0]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[1.0, 2.0, 3.0, 4.0]);
    }
}
