//! SpaceToDepth and DepthToSpace: blocks of space move into the channels and back.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status};

use crate::movement::{StridedCopy, move_one};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    let signature = |name: &str| {
        OpSpec::new(&format!(
            "{name}(input: T) -> (output: T)
                T: type
                block_size: int >= 2
                data_format: {{'NHWC', 'NCHW', 'NCHW_VECT_C'}} = 'NHWC'"
        ))
    };
    registry.add(
        signature("SpaceToDepth")?
            .shape(|cx| infer(cx, true))
            .gradient(|cx| gradient(cx, "DepthToSpace")),
        |build| factory(build, true),
    )?;
    registry.add(
        signature("DepthToSpace")?
            .shape(|cx| infer(cx, false))
            .gradient(|cx| gradient(cx, "SpaceToDepth")),
        |build| factory(build, false),
    )
}

struct SpaceDepth {
    block: usize,
    to_depth: bool,
}

/// Largest block whose square still fits an int32.
const MAX_BLOCK: i64 = 46_340;

fn factory(build: &KernelBuild<'_>, to_depth: bool) -> Result<KernelBox> {
    let block = build.int("block_size")?;
    if !(2..=MAX_BLOCK).contains(&block) {
        return Err(Status::invalid_argument(format!(
            "Block size should be > 1 and <= {MAX_BLOCK} but was: {block}"
        )));
    }
    let format = build.string("data_format")?;
    // TensorFlow's CPU kernel refuses the other layouts, and clients rely on it.
    if format != "NHWC" {
        return Err(Status::invalid_argument(format!(
            "No OpKernel was registered to support Op '{}' with data_format {format}: Only NHWC data_format \
             supported on CPU. Transpose the input with perm=[0, 2, 3, 1] first.",
            build.op_name()
        )));
    }
    Ok(KernelBox::new(SpaceDepth { block: block as usize, to_depth }))
}

impl Kernel for SpaceDepth {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let input = cx.take(0);
        let [n, height, width, depth] = *input.dims() else {
            return Err(Status::invalid_argument(format!(
                "Input rank should be: 4 instead of: {}",
                input.rank()
            )));
        };
        let (new_height, new_width, new_depth) =
            resize((height, width, depth), self.block, self.to_depth)?;
        let strides = input.shape().strides();
        let [sn, sh, sw] = [strides[0] as isize, strides[1] as isize, strides[2] as isize];
        let block = self.block;
        let k = block as isize;
        let shape = [n, new_height, new_width, new_depth];
        // The channels of the deep side stand for (row in block, column in block, channel).
        let axes = if self.to_depth {
            [
                (n, sn),
                (new_height, sh * k),
                (new_width, sw * k),
                (block, sh),
                (block, sw),
                (depth, 1),
            ]
        } else {
            [
                (n, sn),
                (height, sh),
                (block, k * new_depth as isize),
                (width, sw),
                (block, new_depth as isize),
                (new_depth, 1),
            ]
        };
        downpour_tensor::checked_elements(&shape)?;
        let copy = StridedCopy::gather(axes.into_iter(), 0);
        let output = move_one(cx.parallel(), &input, Shape::from(shape), copy)?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// Height, width and depth after the exchange.
fn resize(
    (height, width, depth): (usize, usize, usize),
    block: usize,
    to_depth: bool,
) -> Result<(usize, usize, usize)> {
    let square = block * block;
    let overflow =
        || Status::invalid_argument(format!("a block size of {block} overflows the shape"));
    if to_depth {
        if !height.is_multiple_of(block) || !width.is_multiple_of(block) {
            return Err(Status::invalid_argument(format!(
                "Image width {width} and height {height} should be divisible by block_size: {block}"
            )));
        }
        let depth = depth.checked_mul(square).ok_or_else(overflow)?;
        return Ok((height / block, width / block, depth));
    }
    if !depth.is_multiple_of(square) {
        return Err(Status::invalid_argument(format!(
            "Input depth dimension {depth} should be divisible by: {square}"
        )));
    }
    let height = height.checked_mul(block).ok_or_else(overflow)?;
    let width = width.checked_mul(block).ok_or_else(overflow)?;
    Ok((height, width, depth / square))
}

fn infer(cx: &mut ShapeContext<'_>, to_depth: bool) -> Result<()> {
    let format = cx.node().string("data_format")?;
    if format == "NCHW_VECT_C" {
        return Ok(());
    }
    let input = cx.with_rank(0, 4)?;
    let Some(shape) = input.to_shape() else {
        let batch = input.dim(0);
        cx.set_output(0, PartialShape::of([batch, None, None, None]));
        return Ok(());
    };
    let last = format == "NHWC";
    let block = usize::try_from(cx.node().int("block_size")?.clamp(2, MAX_BLOCK)).unwrap_or(2);
    let space = if last { (shape[1], shape[2], shape[3]) } else { (shape[2], shape[3], shape[1]) };
    let (h, w, d) = resize(space, block, to_depth).map_err(|e| e.context(cx.describe()))?;
    let dims = if last { [shape[0], h, w, d] } else { [shape[0], d, h, w] };
    cx.set_output(0, PartialShape::of(dims.map(Some)));
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>, op: &str) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let attrs = Attrs::new()
        .with("block_size", cx.node().int("block_size")?)
        .with("data_format", cx.node().string("data_format")?);
    Ok(vec![Gradient::Dense(cx.op_with(op, &[grad], attrs)?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn run(op: &str, format: &'static str, x: Tensor) -> Result<Tensor> {
        OpTest::new(register, op)
            .attr("block_size", 2i64)
            .attr("data_format", format)
            .input(x)
            .run_one()
    }

    #[test]
    fn there_and_back() {
        let x = Tensor::from_vec([1, 4, 4, 1], (1..=16).collect::<Vec<i32>>()).unwrap();
        let y = run("SpaceToDepth", "NHWC", x.clone()).unwrap();
        assert_eq!(y.dims(), &[1, 2, 2, 4]);
        let expected = [1, 2, 5, 6, 3, 4, 7, 8, 9, 10, 13, 14, 11, 12, 15, 16];
        assert_eq!(y.as_slice::<i32>().unwrap(), &expected);
        let z = run("DepthToSpace", "NHWC", y).unwrap();
        assert_eq!(z.as_slice::<i32>().unwrap(), x.as_slice::<i32>().unwrap());
        assert!(run("SpaceToDepth", "NCHW", x).is_err());
    }

    #[test]
    fn indivisible_sizes_are_refused() {
        let x = Tensor::from_vec([1, 3, 2, 1], vec![0i32; 6]).unwrap();
        assert!(run("SpaceToDepth", "NHWC", x.clone()).is_err());
        assert!(run("DepthToSpace", "NHWC", x).is_err());
        assert!(run("DepthToSpace", "NHWC", Tensor::scalar(1i32)).is_err());
    }
}
