//! Shape functions of convolutions, and shapes that come as inputs.

use downpour_graph::{PartialShape, ShapeContext};
use downpour_tensor::{Result, Shape, Status, Tensor};

use crate::window::WindowAttributes;

/// The output of a convolution of input 0 with filter 1 over `spatial` axes.
pub(super) fn convolution(cx: &mut ShapeContext<'_>, spatial: usize) -> Result<()> {
    let rank = spatial + 2;
    let input = cx.with_rank(0, rank)?;
    let filter = cx.with_rank(1, rank)?;
    let window = WindowAttributes::of(cx.node(), spatial)?;
    let depth = input.dim(window.order.channel(rank));
    let (group, outputs) = (filter.dim(rank - 2), filter.dim(rank - 1));
    if let (Some(depth), Some(group)) = (depth, group) {
        if group == 0 {
            return Err(Status::invalid_argument("Depth of filter must not be 0"));
        }
        if depth % group != 0 {
            return Err(Status::invalid_argument(format!(
                "Depth of input ({depth}) is not a multiple of input depth of filter ({group}) for {}",
                cx.describe()
            )));
        }
        let groups = depth / group;
        if let Some(outputs) = outputs
            && groups > 0
            && outputs % groups != 0
        {
            return Err(Status::invalid_argument(format!(
                "Depth of output ({outputs}) is not a multiple of the number of groups ({groups})"
            )));
        }
    }
    let first = window.order.spatial();
    let inputs: Vec<_> = (first..first + spatial).map(|i| input.dim(i)).collect();
    let kernel: Vec<_> = (0..spatial).map(|i| filter.dim(i)).collect();
    let sizes = window.output_dims(&inputs, &kernel)?;
    cx.set_output(0, PartialShape::of(window.order.arrange(input.dim(0), &sizes, outputs)));
    Ok(())
}

/// The output has the shape of input 0, or the one its values describe.
pub(super) fn sizes_or_shape(cx: &mut ShapeContext<'_>, i: usize, rank: usize) -> Result<()> {
    let is_sizes =
        matches!(cx.node().op.def.inputs[i].name.as_str(), "input_sizes" | "filter_sizes");
    let shape = if is_sizes {
        cx.with_rank(i, 1)?;
        cx.shape_from_input(i)?
    } else {
        cx.input(i).clone()
    };
    let known = PartialShape::of_rank(rank);
    cx.set_output(0, shape.merge(&known).unwrap_or(known));
    Ok(())
}

/// The shape that a vector of sizes gives.
pub(crate) fn sizes_input(operation: &str, name: &str, sizes: &Tensor) -> Result<Shape> {
    if sizes.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "{operation}: {name} input must be 1-dim, not {}",
            sizes.rank()
        )));
    }
    Shape::from_i64(&sizes.to_i64_vec()?)
}
