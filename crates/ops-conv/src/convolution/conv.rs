//! Conv: a convolution over two or three spatial axes with any number of batch axes.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status};

use super::tensors::{Label, convolve};
use crate::window::WindowAttributes;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Conv(input: T, filter: T) -> (output: T)
                T: {half, bfloat16, float, double, int32}
                strides: list(int)
                padding: {'SAME', 'VALID', 'EXPLICIT'}
                explicit_paddings: list(int) = []
                data_format: {'CHANNELS_FIRST', 'CHANNELS_LAST'} = 'CHANNELS_LAST'
                dilations: list(int) = []
                batch_dims: int = 1
                groups: int = 1",
        )?
        .shape(shape)
        .tolerance(1e-5),
        |build| {
            if build.int("groups")? != 1 {
                return Err(build.unsupported(
                    "Grouped/Depthwise Convolutions are not supported yet; use Conv2D, which takes \
                     the groups from the filter's shape",
                ));
            }
            let batch_dims = build.int("batch_dims")?;
            let batch_dims = usize::try_from(batch_dims).map_err(|_| {
                Status::invalid_argument(format!("Conv: batch_dims must be >= 0, got {batch_dims}"))
            })?;
            Ok(KernelBox::new(Conv { batch_dims }))
        },
    )
}

struct Conv {
    batch_dims: usize,
}

impl Kernel for Conv {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (input, filter) = (cx.input(0), cx.input(1));
        let spatial = input.rank() as i64 - 1 - self.batch_dims as i64;
        if spatial != 2 && spatial != 3 {
            return Err(Status::invalid_argument(format!(
                "Conv: The input must have 2 or 3 spatial dimensions but got {spatial}"
            )));
        }
        let spatial = spatial as usize;
        if filter.is_empty() {
            return Err(Status::invalid_argument(
                "Conv: filter must not have zero elements (i.e. all dimensions must be non-zero)",
            ));
        }
        let window = WindowAttributes::of(cx.node(), spatial)?;
        let (batch, rest) = input.dims().split_at(self.batch_dims);
        let mut flat = Shape::new(&[batch.iter().product()]);
        rest.iter().for_each(|&d| flat.push(d));
        let input = input.reshaped(flat)?;
        let label = Label { operation: "Conv", spatial };
        let output = convolve(label, &window, &input, filter, cx.parallel(), None)?;
        let dims: Shape = batch.iter().chain(&output.dims()[1..]).copied().collect();
        cx.set_output(0, output.into_shape(dims)?);
        Ok(())
    }
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let batch_dims = usize::try_from(cx.node().int("batch_dims")?).unwrap_or(0);
    let (Some(input), Some(filter)) = (cx.input(0).dims(), cx.input(1).dims()) else {
        return Ok(());
    };
    if filter.len() < 2 || input.len() != batch_dims + filter.len() - 1 {
        return Err(Status::invalid_argument(format!(
            "Conv: input and filter ranks do not agree for {}",
            cx.describe()
        )));
    }
    let spatial = filter.len() - 2;
    let window = WindowAttributes::of(cx.node(), spatial)?;
    let first = batch_dims + window.order.spatial() - 1;
    let sizes = window.output_dims(&input[first..first + spatial], &filter[..spatial])?;
    let tail = window.order.arrange(None, &sizes, filter[spatial + 1]);
    let dims = input[..batch_dims].iter().chain(&tail[1..]).copied();
    cx.set_output(0, PartialShape::of(dims));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn conv(dims: &[usize], batch_dims: i64) -> OpTest {
        let count: usize = dims.iter().product();
        OpTest::new(register, "Conv")
            .input(Tensor::from_vec(dims, (0..count as i32).collect()).unwrap())
            .input(Tensor::from_vec([1, 1, 1, 1], vec![3i32]).unwrap())
            .attr("strides", vec![1i64, 1, 1, 1])
            .attr("padding", "VALID")
            .attr("batch_dims", batch_dims)
    }

    #[test]
    fn batch_axes_are_kept() {
        let y = conv(&[2, 1, 1, 2, 1], 2).run_one().unwrap();
        assert_eq!(y.dims(), &[2, 1, 1, 2, 1]);
        assert_eq!(y.as_slice::<i32>().unwrap(), &[0, 3, 6, 9]);
        assert!(conv(&[2, 2], 1).run().is_err());
    }
}
