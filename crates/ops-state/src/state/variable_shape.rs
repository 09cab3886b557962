//! VariableShape: the shape of a variable's value.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Shape, Status, Tensor};

use super::handles::variable_shape;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "VariableShape(input: resource) -> (output: out_type) @stateful
                out_type: {int32, int64} = int32",
        )?
        .shape(shape)
        .not_differentiable(),
        |_| Ok(KernelBox::cheap(compute)),
    )
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.set_output(0, PartialShape::vector(variable_shape(cx, 0).rank()));
    Ok(())
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let shape: Shape = cx.variable(0)?.inspect(|value| Ok(value.shape().clone()))?;
    let dims = shape.to_i64();
    let output = if cx.node().output_dtype(0) == DataType::Int64 {
        Tensor::vector(&dims)?
    } else {
        let narrow = |d: i64| {
            i32::try_from(d).map_err(|_| {
                Status::invalid_argument(format!(
                    "VariableShape: dimension {d} does not fit into int32; use out_type=int64"
                ))
            })
        };
        Tensor::vector(&dims.into_iter().map(narrow).collect::<Result<Vec<i32>>>()?)?
    };
    cx.set_output(0, output);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::handles::testing::stored;
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn both_widths() {
        let (resources, _, handle) = stored(Tensor::zeros(DataType::Float, [2, 0]).unwrap());
        let test = |dtype| {
            OpTest::new(register, "VariableShape")
                .resources(&resources)
                .input(handle.clone())
                .attr("out_type", dtype)
                .run_one()
                .unwrap()
        };
        assert_eq!(test(DataType::Int32).as_slice::<i32>().unwrap(), &[2, 0]);
        assert_eq!(test(DataType::Int64).as_slice::<i64>().unwrap(), &[2, 0]);
    }
}
